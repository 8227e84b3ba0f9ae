"""The best ranking of the targets, and what metrics make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.estimators.stratified import Stratified
from cranfield.scoring.expectation.random_ranking import RandomOrders, cut_lists, ideal
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.scoring.metric import Metric, WeighingMetric, is_better_higher, is_weighted
from cranfield.scoring.scores import Floats


def best_scores(
    orders: RandomOrders, metrics: Sequence[Metric], popularity: Floats | None
) -> Floats:
    """The scores of the best ranking, for metrics to which it is the best."""
    depth = orders.depth
    ranking = orders.ideal if depth is None else cut_lists(orders.ideal, depth)
    best = np.full((len(metrics), len(ranking)), np.nan)
    known = [place for place, metric in enumerate(metrics) if not metric.needs_lists]
    best[known] = measure(ranking, [metrics[place] for place in known], popularity=popularity)
    for place, metric in enumerate(metrics):
        if not is_better_higher(metric) or getattr(metric, "unjudged", "") == "relevant":
            best[place] = np.nan
        elif is_weighted(metric):
            best[place] = _best_weighted(orders, metric)
        elif isinstance(metric, WeighingMetric) and popularity is not None:
            ranking = _most_worth_first(orders, metric, popularity)
            best[place] = measure(ranking, [metric], popularity=popularity)[0]
    return best


def _best_weighted(orders: RandomOrders, metric: Any) -> Floats:
    """The scores of targets by falling weight and worth; NaN where that need not be the best."""
    hits, one = orders.hits, orders.hits.topics.items is not None
    if isinstance(metric.estimator, Stratified) or (metric.option_name == "AP" and not one):
        return np.full(len(hits), np.nan)
    worth = WeightedHits(hits, measure).rows(metric).worth
    best: Floats = measure(ideal(hits, orders.depth, worth=worth), [metric])[0]
    return best


def _most_worth_first(orders: RandomOrders, metric: WeighingMetric, popularity: Floats) -> Hits:
    """Targets by what they are worth to a metric, in lists as deep as others."""
    hits = orders.hits
    scale = orders.scale(getattr(metric, "relevance", None))
    worth = metric.worth(hits.ratings, popularity[hits.items], scale)
    return ideal(hits, orders.depth, worth=worth)
