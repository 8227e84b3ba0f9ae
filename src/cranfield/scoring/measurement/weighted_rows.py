"""Sums over judged targets that are weighed by their propensities, many topics at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.threads import in_threads, shares
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.gain import Floats, RatingScale
from cranfield.scoring.kernels.topic_range import WHOLE
from cranfield.scoring.kernels.weighted import (
    add_up_best,
    add_up_precisions,
    add_up_rows,
    add_up_weighted,
)
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.weighted import unknown_relevant

_LEAST, _MOST = 1024, 65_536
"""Topics that are worth a thread of their own, and that are scored at a time."""
_DEEP = 4096
"""A cut-off up to which the weights of all ranks are worked out, whatever ranks there are."""


class RowWeights(NamedTuple):
    """The weight of each row, as ``table[places[row]]``: by item where items decide it."""

    table: Floats
    places: npt.NDArray[np.int32]


class Sums(NamedTuple):
    """Of each topic: w·g of the top n, ranks weighed; w·g of all judged targets; their w."""

    gained: Floats
    worth: Floats
    whole: Floats


class WeightedRows:
    """The rows of hits as one metric weighs them."""

    def __init__(self, hits: Hits, metric: Any, weighed: RowWeights) -> None:
        self.hits, self.metric, self.weighed = hits, metric, weighed
        self.threshold = hits.relevance if metric.relevance is None else metric.relevance
        self.cutoff = WHOLE if metric.cutoff is None else metric.cutoff
        self.normalised = isinstance(metric.estimator, SNIPS)
        self.graded = hasattr(metric, "gain")

    @cached_property
    def weights(self) -> Floats:
        """The weight of each row."""
        rows: Floats = self.weighed.table[self.weighed.places]
        return rows

    @cached_property
    def gains(self) -> Floats:
        """What each row is worth to the plain metric."""
        if not self.graded:
            return (self.hits.ratings >= self.threshold).astype(np.float64)
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

    def sum_of(self, values: Floats) -> Floats:
        """The sum of the values of each topic's rows."""
        return self._one(lambda offsets, out: add_up_rows(offsets, values, out[0]))

    def sums(self, weight: Callable[[npt.NDArray[np.int64]], Floats]) -> Sums:
        """What rows are worth and weigh; ``weight`` is that of ranks."""
        hits, (table, places) = self.hits, self.weighed
        gains, threshold = (self.gains, np.nan) if self.graded else (hits.ratings, self.threshold)
        by_rank, cutoff = by_ranks(hits, weight, self.cutoff), self.cutoff
        found = self._per_topic(
            lambda offsets, out: add_up_weighted(
                offsets, hits.ranks, places, table, gains, threshold, by_rank, cutoff, out
            ),
            3,
        )
        return Sums(*found)

    def best_sums(self) -> tuple[Floats, Floats]:
        """What each topic's rows are worth in the top n and in the best order, ranks discounted."""
        hits, cutoff = self.hits, self.cutoff
        ideal = WHOLE if self.metric.ideal == "full" else cutoff
        (table, places), gains = self.weighed, self.gains
        by_rank = by_ranks(hits, discount, ideal)
        gained, best = self._per_topic(
            lambda offsets, out: add_up_best(
                offsets, hits.ranks, places, table, gains, by_rank, cutoff, ideal, out
            ),
            2,
        )
        return gained, best

    def precisions(self) -> Floats:
        """Average precision of each topic."""
        (table, places), hits = self.weighed, self.hits
        cutoff, threshold, normalised = self.cutoff, self.threshold, self.normalised
        return self._one(
            lambda offsets, out: add_up_precisions(
                offsets, hits.ranks, places, table, hits.ratings, threshold, cutoff, normalised,
                out[0],
            )
        )  # fmt: skip

    def _one(self, work: Callable[[npt.NDArray[np.int64], Floats], None]) -> Floats:
        """What a kernel writes for each topic, one number."""
        found: Floats = self._per_topic(work)[0]
        return found

    def _per_topic(
        self, work: Callable[[npt.NDArray[np.int64], Floats], None], kinds: int = 1
    ) -> Floats:
        """What a kernel writes for each topic (kinds × topics), in as many threads as there are."""
        hits, out = self.hits, np.empty((kinds, len(self.hits)))
        parts = shares(len(hits), _LEAST, _MOST)

        def score(topics: slice) -> None:
            work(hits.offsets[topics.start : topics.stop + 1], out[:, topics])

        for _ in in_threads(score, parts) if len(parts) > 1 else map(score, parts):
            pass
        return out

    def summed(self, totals: Floats, sums: Sums | None = None) -> Floats:
        """Sums by IPS; by SNIPS, N_u times their share of all weights."""
        worth = self.sum_of(self.worth) if sums is None else sums.worth
        if self.normalised:
            whole = self.sum_of(self.weights) if sums is None else sums.whole
            totals = totals * np.divide(self.sizes, whole, out=np.ones(len(whole)), where=whole > 0)
        return np.where(worth > 0, totals, np.nan)

    def over_relevant(self, found: Floats, worth: Floats) -> Floats:
        """What was found, over the weights of all relevant items; by IPS, over |R_u|."""
        if self.normalised:
            return over(found, worth)
        known = self.hits.weighing
        assert known is not None  # else there were no weights
        counts = known.propensities[self.metric.propensity].relevant_counts(self.threshold)
        if counts is None:
            raise unknown_relevant(self.metric)
        return np.where(worth > 0, over(found, counts[self.hits.topics.users]), np.nan)


def by_ranks(hits: Hits, weight: Callable[[npt.NDArray[np.int64]], Floats], cutoff: int) -> Floats:
    """The weight of each rank from 0 on, as far as judged targets stand, or could."""
    last = cutoff
    if cutoff > _DEEP:
        longest = max(hits.ranks.max(initial=0), np.diff(hits.offsets).max(initial=0))
        last = min(int(longest), cutoff)
    return np.concatenate([np.zeros(1), weight(np.arange(1, last + 1))])


def _precision(rows: WeightedRows) -> Floats:
    depths = rows.hits.lengths if rows.cutoff == WHOLE else np.full(len(rows.hits), rows.cutoff)
    sums = rows.sums(_alike)
    shares = np.divide(sums.gained, depths, out=np.zeros(len(depths)), where=depths > 0)
    return rows.summed(shares, sums)


def _discounted(rows: WeightedRows) -> Floats:
    sums = rows.sums(discount)
    return rows.summed(sums.gained, sums)


def _rank_biased(rows: WeightedRows) -> Floats:
    p = rows.metric.p
    sums = rows.sums(lambda ranks: (1 - p) * np.power(p, ranks - 1.0))
    return rows.summed(sums.gained, sums)


def _normalised(rows: WeightedRows) -> Floats:
    return over(*rows.best_sums())


def _recall(rows: WeightedRows) -> Floats:
    sums = rows.sums(_alike)
    return rows.over_relevant(sums.gained, sums.worth)


def _alike(ranks: npt.NDArray[np.int64]) -> Floats:
    """1 for every rank."""
    return np.ones(len(ranks))


def over(upper: Floats, lower: npt.NDArray[Any]) -> Floats:
    """The quotients; NaN where nothing can be divided by."""
    found = np.full(len(upper), np.nan)
    np.divide(upper, lower, out=found, where=lower > 0)
    return found


def row_scores(rows: WeightedRows) -> Floats:
    """The score of each topic by IPS or SNIPS."""
    return _FORMS[rows.metric.option_name](rows)


_FORMS: dict[str, Callable[[WeightedRows], Floats]] = {
    "P": _precision,
    "DCG": _discounted,
    "RBP": _rank_biased,
    "nDCG": _normalised,
    "Recall": _recall,
    "AP": WeightedRows.precisions,
}
