"""Expected scores of random rankings whose judged targets are weighed by their propensities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.estimators.ips import IPS
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.estimators.stratified import Stratified
from cranfield.scoring.expectation.random_ranking import Ints, RandomOrders, ratio, where_any
from cranfield.scoring.measurement.weighted_rows import WeightedRows
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.weighted import plain_form, refuse_unsuitable_topics
from cranfield.scoring.scores import Floats

ClosedForm = Callable[[Any, RandomOrders], Floats]
"""What a plain metric is expected to score."""


def weighted_form(
    metric: Any, of: RandomOrders, hits: WeightedHits, closed_form: ClosedForm
) -> Floats:
    """The expected score of each topic: sums over targets, each as likely on every rank."""
    one, plain = of.hits.topics.items is not None, plain_form(metric)
    refuse_unsuitable_topics(metric, one_relevant=one)
    if one:
        scores = closed_form(plain, of)
        return scores * hits.own_weights(metric) if isinstance(metric.estimator, IPS) else scores
    if isinstance(metric.estimator, Stratified):

        def within(some: Hits) -> Floats:
            return closed_form(plain, RandomOrders(some, of.depth))

        return hits.in_strata(metric, within)[0]
    return _FORMS[metric.option_name](hits.rows(metric), of)


def _precision(rows: WeightedRows, of: RandomOrders) -> Floats:
    found = rows.sum_of(rows.worth) * _seen(rows, of)
    return rows.summed(ratio(found, of.nominal(rows.metric.cutoff)))


def _discounted(rows: WeightedRows, of: RandomOrders) -> Floats:
    return rows.summed(_gained(rows, of, discount))


def _rank_biased(rows: WeightedRows, of: RandomOrders) -> Floats:
    p = rows.metric.p
    return rows.summed(_gained(rows, of, lambda ranks: (1 - p) * np.power(p, ranks - 1.0)))


def _normalised(rows: WeightedRows, of: RandomOrders) -> Floats:
    _, best = rows.best_sums()
    return where_any(best, ratio(_gained(rows, of, discount), best))


def _recall(rows: WeightedRows, of: RandomOrders) -> Floats:
    worth = rows.sum_of(rows.worth)
    return rows.over_relevant(worth * _seen(rows, of), worth)


def _average_precision(rows: WeightedRows, of: RandomOrders) -> Floats:
    r"""(S·h + (S² − Q)·(e/T − h)/(T − 1)) ÷ S,  h = H_e/T.

    S and Q sum the weights of relevant targets and their squares. A target at rank k has any
    other above it with chance (k − 1)/(T − 1).
    """
    weights, ends = rows.worth, of.last(rows.metric.cutoff)
    whole, squares = rows.sum_of(weights), rows.sum_of(weights * weights)
    if isinstance(rows.metric.estimator, SNIPS):
        scale = ratio(rows.sum_of(rows.gains), whole)
        whole, squares = whole * scale, squares * scale * scale
    inverse = of.mean_weight(ends, lambda ranks: 1 / ranks)
    pairs = ratio(ratio(ends, of.targets) - inverse, of.targets - 1)
    return where_any(whole, ratio(whole * inverse + (whole * whole - squares) * pairs, whole))


def _gained(rows: WeightedRows, of: RandomOrders, weight: Callable[[Ints], Floats]) -> Floats:
    """What targets are worth together, times the mean weight of a rank."""
    return rows.sum_of(rows.worth) * of.mean_weight(of.last(rows.metric.cutoff), weight)


def _seen(rows: WeightedRows, of: RandomOrders) -> Floats:
    """The chance of a target to be in the top n."""
    return ratio(of.last(rows.metric.cutoff), of.targets)


_FORMS: dict[str, Callable[[WeightedRows, RandomOrders], Floats]] = {
    "P": _precision,
    "DCG": _discounted,
    "RBP": _rank_biased,
    "nDCG": _normalised,
    "Recall": _recall,
    "AP": _average_precision,
}
