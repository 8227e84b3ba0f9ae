"""Sums over judged targets that are weighed by their propensities, many topics at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

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
    add_up_ranked,
    add_up_rows,
)
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.weighted import unknown_relevant

_LEAST, _MOST = 1024, 65_536
"""Topics that are worth a thread of their own, and that are scored at a time."""


class WeightedRows:
    """The rows of hits as one metric weighs them."""

    def __init__(self, hits: Hits, metric: Any, weights: Floats) -> None:
        self.hits, self.metric, self.weights = hits, metric, weights
        self.threshold = hits.relevance if metric.relevance is None else metric.relevance
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
    return over(rows.gained(rows.by_rank(discount)), ideal_sums(rows))


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
        return over(found, rows.sum_of(rows.worth))
    known = rows.hits.weighing
    assert known is not None  # else there were no weights
    counts = known.propensities[rows.metric.propensity].relevant_counts(rows.threshold)
    if counts is None:
        raise unknown_relevant(rows.metric)
    return np.where(rows.defined, over(found, counts[rows.hits.topics.users]), np.nan)


def _average_precision(rows: WeightedRows) -> Floats:
    weights, ranks = rows.worth, rows.hits.ranks
    cutoff, normalised = rows.cutoff, rows.normalised
    return rows.per_topic(
        lambda offsets, out: add_up_precisions(offsets, ranks, weights, cutoff, normalised, out)
    )


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
    "AP": _average_precision,
}
