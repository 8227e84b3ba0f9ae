"""Scores by metrics that weight judged targets by their propensities, many topics at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.collection.propensity import ItemPropensities, Propensity, Strata, check_propensities
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.estimators.ips import IPS
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.estimators.stratified import Stratified
from cranfield.scoring.gain import Floats
from cranfield.scoring.measurement.weighted_rows import RowWeights, WeightedRows, over, row_scores
from cranfield.scoring.metric import is_weighted
from cranfield.scoring.metrics.weighted import plain_form, refuse_unsuitable_topics

Measure = Callable[[Hits, Sequence[Any]], Floats]
"""How plain metrics score many topics."""

SUMS = ("P", "DCG", "RBP")
"""Metrics that are a sum over judged targets."""


def _are_chances(found: Floats) -> bool:
    """Whether propensities are all known, above 0 and at most 1."""
    return bool(((found > 0) & (found <= 1)).all())


def weighs_topics(metric: Any, *, one_relevant: bool) -> bool:
    """Whether topics do not all count alike in the mean of a metric."""
    if not is_weighted(metric):
        return False
    if isinstance(metric.estimator, Stratified):
        return True
    return isinstance(metric.estimator, SNIPS) and (one_relevant or metric.option_name in SUMS)


class WeightedHits:
    """Hits whose judged targets are weighed; what several metrics need is worked out once."""

    def __init__(self, hits: Hits, measure: Measure) -> None:
        self.hits, self.measure = hits, measure
        self._weights: dict[tuple[Propensity, Estimator], RowWeights] = {}
        self._propensities: dict[Propensity, Floats] = {}

    def scores(self, metric: Any) -> Floats:
        """The score of each topic by one metric."""
        one, estimator = self.hits.topics.items is not None, metric.estimator
        refuse_unsuitable_topics(metric, one_relevant=one)
        if one:
            plain: Floats = self.measure(self.hits, [plain_form(metric)])[0]
            return plain * self.own_weights(metric) if isinstance(estimator, IPS) else plain
        if isinstance(estimator, Stratified):
            return self._within_strata(metric)[0]
        return row_scores(self.rows(metric))

    def topic_weights(self, metric: Any) -> Floats | None:
        """How much each topic counts in the mean of a metric; None where all count alike.

        NaN for topics of which nothing is known that counts.
        """
        one = self.hits.topics.items is not None
        if not weighs_topics(metric, one_relevant=one):
            return None
        if one:
            return self.own_weights(metric)
        if isinstance(metric.estimator, Stratified):
            return self._within_strata(metric)[1]
        rows = self.rows(metric)
        return over(rows.sum_of(rows.weights), rows.sizes)

    def own_weights(self, metric: Any) -> Floats:
        """The weight of the one relevant item of each topic."""
        hits = self.hits
        rows = hits.items == hits.topics.items[hits.owners]  # type: ignore[index]
        found = np.full(len(hits), np.nan)
        found[hits.owners[rows]] = self.weights(metric)[rows]
        return found

    def rows(self, metric: Any) -> WeightedRows:
        """The rows as a metric weighs them."""
        return WeightedRows(self.hits, metric, self._row_weights(metric))

    def counted_weights(self, metric: Any) -> Floats | None:
        """The weights that a metric adds up: of judged targets, in 1R of relevant ones alone.

        None where it has none: within strata, ratings count alike.
        """
        if isinstance(metric.estimator, Stratified):
            return None
        one = self.hits.topics.items is not None
        weights = self.own_weights(metric) if one else self.weights(metric)
        return weights[~np.isnan(weights)]

    def all_strata(self, metrics: Sequence[Any]) -> dict[str, Strata]:
        """The strata of those metrics that have some, which those of these topics are."""
        for metric in metrics:
            one = self.hits.topics.items is not None
            refuse_unsuitable_topics(metric, one_relevant=one)
        stratified = (each for each in metrics if isinstance(each.estimator, Stratified))
        return {str(metric): self.own_strata(metric) for metric in stratified}

    def weights(self, metric: Any) -> Floats:
        """What each row counts."""
        return self.rows(metric).weights

    def _row_weights(self, metric: Any) -> RowWeights:
        """What each row counts: looked up by item where propensities are those of items."""
        key = metric.propensity, metric.estimator
        if key not in self._weights:
            places, found = self._by_item(metric.propensity)
            self._weights[key] = RowWeights(metric.estimator.weights(found), places)
        return self._weights[key]

    def _by_item(self, model: Propensity) -> tuple[npt.NDArray[np.int32], Floats]:
        """The place of each row among propensities, of items if they decide, or of rows."""
        known = None if self.hits.weighing is None else self.hits.weighing.propensities.get(model)
        if isinstance(known, ItemPropensities) and _are_chances(known.by_item):
            return self.hits.items, known.by_item
        return np.arange(len(self.hits.items), dtype=np.int32), self.propensities(model)

    def propensities(self, model: Propensity) -> Floats:
        """The propensity of each row."""
        if model not in self._propensities:
            found = self.hits.propensities(model)
            self._propensities[model] = check_propensities(model, found)
        return self._propensities[model]

    def strata(self, metric: Any) -> Strata:
        """The strata of a metric: those of the whole collection where they are known."""
        known = None if self.hits.weighing is None else self.hits.weighing.strata.get(str(metric))
        return known or self.own_strata(metric)

    def own_strata(self, metric: Any) -> Strata:
        """The strata of these topics: the range of propensities, and n_q/(N·U_q) in each."""
        found, count = self.propensities(metric.propensity), metric.estimator.strata
        lowest, highest = (found.min(), found.max()) if len(found) else (0.0, 0.0)
        width = float(highest - lowest) / count
        ranges = Strata(float(lowest), width, (1.0,) * (count if width > 0 else 1))
        places, plain = ranges.of(found), plain_form(metric)
        made = []
        for place in range(len(ranges.shares)):
            rows = places == place
            users = np.count_nonzero(~np.isnan(self.measure(self.hits.only(rows), [plain])[0]))
            size = int(np.count_nonzero(rows))
            made.append(size / (len(found) * int(users)) if users else 0.0)
        return Strata(ranges.lowest, width, tuple(made))

    def _within_strata(self, metric: Any) -> tuple[Floats, Floats]:
        """The mean of plain scores in strata, and what the strata count that have one."""
        plain = plain_form(metric)
        return self.in_strata(metric, lambda hits: self.measure(hits, [plain])[0])

    def in_strata(self, metric: Any, score: Callable[[Hits], Floats]) -> tuple[Floats, Floats]:
        """The mean of scores in strata, and what the strata count that have one."""
        strata = self.strata(metric)
        if len(strata.shares) == 1:  # where all propensities are equal, not a bit may change
            scores = score(self.hits)
            return scores, np.where(np.isnan(scores), np.nan, 1.0)
        places = strata.of(self.propensities(metric.propensity))
        total, weight = np.zeros(len(self.hits)), np.zeros(len(self.hits))
        for place, share in enumerate(strata.shares):
            if share > 0:
                found = score(self.hits.only(places == place))
                defined = ~np.isnan(found)
                total[defined] += share * found[defined]
                weight[defined] += share
        known = weight > 0
        scores, weights = (np.full(len(total), np.nan) for _ in range(2))
        scores[known], weights[known] = total[known] / weight[known], weight[known]
        return scores, weights
