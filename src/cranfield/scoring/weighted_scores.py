"""Scores by metrics whose judged targets are weighed by their propensities, many topics at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.threads import in_threads, shares
from cranfield.collection.propensity import Propensity, Strata, check_propensities
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.estimators.ips import IPS
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.estimators.stratified import Stratified
from cranfield.scoring.gain import Floats, RatingScale
from cranfield.scoring.kernels.topic_range import WHOLE
from cranfield.scoring.kernels.weighted import (
    add_up_best,
    add_up_precisions,
    add_up_ranked,
    add_up_rows,
)
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.weighted import (
    plain_form,
    refuse_unsuitable_topics,
    unknown_relevant,
)

Measure = Callable[[Hits, Sequence[Any]], Floats]
"""How plain metrics score many topics."""

_LEAST, _MOST = 1024, 65_536
"""Topics that are worth a thread of their own, and that are scored at a time."""
SUMS = ("P", "DCG", "RBP")
"""Metrics that are a sum over judged targets."""


class WeightedHits:
    """Hits whose judged targets are weighed; what several metrics need is worked out once."""

    def __init__(self, hits: Hits, measure: Measure) -> None:
        self.hits, self.measure = hits, measure
        self._weights: dict[tuple[Propensity, Estimator], Floats] = {}
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
        return _FORMS[metric.option_name](WeightedRows(self, metric))

    def topic_weights(self, metric: Any) -> Floats | None:
        """How much each topic counts in the mean of a metric; None where all count alike.

        NaN for topics of which nothing is known that counts.
        """
        if self.hits.topics.items is not None:
            return self.own_weights(metric) if isinstance(metric.estimator, SNIPS) else None
        if isinstance(metric.estimator, Stratified):
            return self._within_strata(metric)[1]
        if metric.option_name not in SUMS or not isinstance(metric.estimator, SNIPS):
            return None
        rows = WeightedRows(self, metric)
        return _over(rows.sum_of(rows.weights), rows.sizes)

    def own_weights(self, metric: Any) -> Floats:
        """The weight of the one relevant item of each topic."""
        hits = self.hits
        rows = hits.items == hits.topics.items[hits.owners]  # type: ignore[index]
        found = np.full(len(hits), np.nan)
        found[hits.owners[rows]] = self.weights(metric)[rows]
        return found

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
        key = metric.propensity, metric.estimator
        if key not in self._weights:
            self._weights[key] = metric.estimator.weights(self.propensities(metric.propensity))
        return self._weights[key]

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


class WeightedRows:
    """The rows of hits as one metric weighs them."""

    def __init__(self, made: WeightedHits, metric: Any) -> None:
        self.hits, self.metric, self.weights = made.hits, metric, made.weights(metric)
        own = metric.relevance
        self.threshold = made.hits.relevance if own is None else own
        self.cutoff = WHOLE if metric.cutoff is None else metric.cutoff
        self.normalised = isinstance(metric.estimator, SNIPS)

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Which rows are relevant."""
        return np.asarray(self.hits.ratings >= self.threshold)

    @cached_property
    def gains(self) -> Floats:
        """What each row is worth to the plain metric."""
        if not hasattr(self.metric, "gain"):
            return self.relevant.astype(np.float64)
        scale = RatingScale(self.hits.lowest, self.hits.highest, self.threshold)
        gains: Floats = self.metric.gain.of_rating(self.hits.ratings, scale)
        return check_shares(gains, self.metric.gain) if self.metric.option_name == "RBP" else gains

    @cached_property
    def worth(self) -> Floats:
        """What each row is worth, times its weight."""
        return np.asarray(self.weights * self.gains)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """N_u of SNIPS."""
        if self.metric.estimator.over == "targets":
            return self.hits.targets
        return np.diff(self.hits.offsets)

    @cached_property
    def defined(self) -> npt.NDArray[np.bool_]:
        """Topics with a judged target that is worth something."""
        return self.sum_of(self.gains) > 0

    def by_rank(self, weight: Callable[[npt.NDArray[np.int64]], Floats]) -> Floats:
        """The weight of each rank from 0 to the last that is looked at."""
        return _by_rank(self.hits, weight, self.cutoff)

    def sum_of(self, values: Floats) -> Floats:
        """The sum of the values of each topic's rows."""
        return self.per_topic(lambda offsets, out: add_up_rows(offsets, values, out))

    def gained(self, by_rank: Floats) -> Floats:
        """What rows of the top n are worth, with their weights and that of their ranks."""
        worth, ranks = self.worth, self.hits.ranks
        return self.per_topic(
            lambda offsets, out: add_up_ranked(offsets, ranks, worth, by_rank, self.cutoff, out)
        )

    def per_topic(self, work: Callable[[npt.NDArray[np.int64], Floats], None]) -> Floats:
        """What a kernel writes for each topic, in as many threads as there are."""
        hits, out = self.hits, np.empty(len(self.hits))
        parts = shares(len(hits), _LEAST, _MOST)

        def score(topics: slice) -> None:
            work(hits.offsets[topics.start : topics.stop + 1], out[topics])

        for _ in in_threads(score, parts) if len(parts) > 1 else map(score, parts):
            pass
        return out

    def summed(self, totals: Floats) -> Floats:
        """Sums by IPS; by SNIPS, N_u times their share of all weights."""
        if self.normalised:
            whole = self.sum_of(self.weights)
            totals = totals * np.divide(self.sizes, whole, out=np.ones(len(whole)), where=whole > 0)
        return np.where(self.defined, totals, np.nan)


def _by_rank(hits: Hits, weight: Callable[[npt.NDArray[np.int64]], Floats], cutoff: int) -> Floats:
    """The weight of each rank from 0 on, as far as judged targets stand, or could."""
    longest = max(hits.ranks.max(initial=0), np.diff(hits.offsets).max(initial=0))
    ranks = np.arange(1, min(int(longest), cutoff) + 1)
    return np.concatenate([np.zeros(1), weight(ranks)])


def _precision(rows: WeightedRows) -> Floats:
    depths = rows.hits.lengths if rows.cutoff == WHOLE else np.full(len(rows.hits), rows.cutoff)
    found = rows.gained(rows.by_rank(lambda ranks: np.ones(len(ranks))))
    return rows.summed(np.divide(found, depths, out=np.zeros(len(found)), where=depths > 0))


def _discounted(rows: WeightedRows) -> Floats:
    return rows.summed(rows.gained(rows.by_rank(discount)))


def _rank_biased(rows: WeightedRows) -> Floats:
    p = rows.metric.p
    return rows.summed(rows.gained(rows.by_rank(lambda k: (1 - p) * np.power(p, k - 1.0))))


def _normalised(rows: WeightedRows) -> Floats:
    return _over(rows.gained(rows.by_rank(discount)), ideal_sums(rows))


def ideal_sums(rows: WeightedRows) -> Floats:
    """What the best order of each topic's rows is worth, ranks discounted."""
    cutoff = WHOLE if rows.metric.ideal == "full" else rows.cutoff
    worth, by_rank = rows.worth, _by_rank(rows.hits, discount, cutoff)
    return rows.per_topic(lambda offsets, out: add_up_best(offsets, worth, by_rank, cutoff, out))


def _recall(rows: WeightedRows) -> Floats:
    return over_relevant(rows, rows.gained(rows.by_rank(lambda ranks: np.ones(len(ranks)))))


def over_relevant(rows: WeightedRows, found: Floats) -> Floats:
    """What was found, over the weights of all relevant items; by IPS, over |R_u|."""
    if rows.normalised:
        return _over(found, rows.sum_of(rows.worth))
    known = rows.hits.weighing
    assert known is not None  # else there were no weights
    counts = known.propensities[rows.metric.propensity].relevant_counts(rows.threshold)
    if counts is None:
        raise unknown_relevant(rows.metric)
    return np.where(rows.defined, _over(found, counts[rows.hits.topics.users]), np.nan)


def _average_precision(rows: WeightedRows) -> Floats:
    weights, ranks = rows.worth, rows.hits.ranks
    cutoff, normalised = rows.cutoff, rows.normalised
    return rows.per_topic(
        lambda offsets, out: add_up_precisions(offsets, ranks, weights, cutoff, normalised, out)
    )


def _over(upper: Floats, lower: npt.NDArray[Any]) -> Floats:
    """The quotients; NaN where nothing can be divided by."""
    found = np.full(len(upper), np.nan)
    np.divide(upper, lower, out=found, where=lower > 0)
    return found


_FORMS: dict[str, Callable[[WeightedRows], Floats]] = {
    "P": _precision,
    "DCG": _discounted,
    "RBP": _rank_biased,
    "nDCG": _normalised,
    "Recall": _recall,
    "AP": _average_precision,
}
