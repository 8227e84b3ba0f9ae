"""What a random ranking scores, exactly and for all topics at once.

Each form is the mean of a metric over every order of a topic's targets, T of them, in a
list of their first L. It equals what the metric itself expects of a topic whose targets
are all tied, but needs no loop over topics. A relevant item is as likely on each rank,
so whatever adds up one term per rank is a matter of counting; average precision also
needs that (k−1)(R−1)/(T−1) of R relevant items are above one at rank k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.recommendation.hits import Hits
from cranfield.scoring.gain import Gain, Scale
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.metrics.auc import AUC
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.dcg import DCG, NDCG, discount
from cranfield.scoring.metrics.descriptive import Unrated
from cranfield.scoring.metrics.f1 import F1
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.r_precision import RPrecision
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.recall import Recall
from cranfield.scoring.metrics.reciprocal_rank import ReciprocalRank
from cranfield.scoring.metrics.stratified_recall import StratifiedRecall
from cranfield.scoring.metrics.success import Success
from cranfield.scoring.random_ranking import ideal
from cranfield.scoring.scores import Floats

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Chances:
    """The targets of each topic in random order, in lists that may end at a depth."""

    hits: Hits
    depth: int | None = None

    @cached_property
    def targets(self) -> Ints:
        """T: the targets of each topic."""
        return self.hits.targets

    @cached_property
    def lengths(self) -> Ints:
        """L: the items of each list."""
        return self.targets if self.depth is None else np.minimum(self.targets, self.depth)

    @cached_property
    def judged(self) -> Ints:
        """The judged targets of each topic."""
        return np.diff(self.hits.offsets)

    @cached_property
    def owners(self) -> Ints:
        """For each judged target, its topic."""
        return self.hits.owners

    def relevant(self, threshold: float | None) -> Ints:
        """R: the relevant targets of each topic."""
        least = self.hits.relevance if threshold is None else threshold
        chosen = self.owners[self.hits.ratings >= least]
        return np.bincount(chosen, minlength=len(self.hits)).astype(np.int64)

    def gains(self, gain: Gain, threshold: float | None) -> Floats:
        """What each judged target is worth."""
        least = self.hits.relevance if threshold is None else threshold
        return gain.of_rating(self.hits.ratings, Scale(self.hits.lowest, self.hits.highest, least))

    def worth(self, gains: Floats) -> Floats:
        """What all judged targets of each topic are worth together."""
        sums = np.bincount(self.owners, weights=gains, minlength=len(self.hits))
        return sums.astype(np.float64)

    def nominal(self, cutoff: int | None) -> Ints:
        """n: the cut-off, or the length of each list."""
        return self.lengths if cutoff is None else np.full(len(self.hits), cutoff)

    def last(self, cutoff: int | None) -> Ints:
        """The last rank that is looked at: n, or the end of a shorter list."""
        return np.minimum(self.nominal(cutoff), self.lengths)

    def mean_weight(self, ends: Ints, weight: Callable[[Ints], Floats]) -> Floats:
        """The mean weight of the rank of an item, where ranks beyond the end weigh 0."""
        sums = np.zeros(int(ends.max(initial=0)) + 1)
        np.cumsum(weight(np.arange(1, len(sums))), out=sums[1:])
        return ratio(sums[ends], self.targets)


def ratio(over: npt.NDArray[Any], under: npt.NDArray[Any]) -> Floats:
    """The quotients; 0 where nothing can be divided by."""
    quotients = np.zeros(len(over))
    np.divide(over, under, out=quotients, where=under > 0)
    return quotients


def where_any(counts: npt.NDArray[Any], scores: Floats) -> Floats:
    """The scores of topics with something to find; NaN elsewhere."""
    return np.where(counts > 0, scores, np.nan)


def _precision(metric: Precision, of: Chances) -> Floats:
    relevant, ends = of.relevant(metric.relevance), of.last(metric.cutoff)
    chance = ratio(ends, of.targets)
    unjudged = ends - of.judged * chance
    counted = {
        "non-relevant": relevant * chance,
        "relevant": relevant * chance + unjudged,
        "residual": unjudged,
    }
    return where_any(relevant, ratio(counted[metric.unjudged], of.nominal(metric.cutoff)))


def _recall(metric: Recall | StratifiedRecall, of: Chances) -> Floats:
    """Each relevant item is seen by the same chance, however much it counts."""
    return where_any(of.relevant(metric.relevance), ratio(of.last(metric.cutoff), of.targets))


def _f1(metric: F1, of: Chances) -> Floats:
    relevant = of.relevant(metric.relevance)
    hits = relevant * ratio(of.last(metric.cutoff), of.targets)
    return where_any(relevant, ratio(2 * hits, of.nominal(metric.cutoff) + relevant))


def _r_precision(metric: RPrecision, of: Chances) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant, ratio(np.minimum(relevant, of.lengths), of.targets))


def _unrated(metric: Unrated, of: Chances) -> Floats:
    return where_any(of.last(metric.cutoff), 1 - ratio(of.judged, of.targets))


def _auc(metric: AUC, of: Chances) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant * (of.targets - relevant), np.full(len(relevant), 0.5))


def _average_precision(metric: AveragePrecision, of: Chances) -> Floats:
    """1/T · Σ_{k≤e} (1 + (k−1)·q)/k = (H_e + q·(e − H_e))/T, with q = (R−1)/(T−1)."""
    relevant, ends = of.relevant(metric.relevance), of.last(metric.cutoff)
    beside = ratio(relevant - 1, of.targets - 1)
    inverse = of.mean_weight(ends, lambda ranks: 1 / ranks)
    return where_any(relevant, inverse + beside * (ratio(ends, of.targets) - inverse))


def _discounted(metric: DCG, of: Chances) -> Floats:
    worth = of.worth(of.gains(metric.gain, metric.relevance))
    return where_any(worth, worth * of.mean_weight(of.last(metric.cutoff), discount))


def _normalised(metric: NDCG, of: Chances) -> Floats:
    plain = DCG(gain=metric.gain, relevance=metric.relevance, cutoff=metric.cutoff)
    most = measure(ideal(of.hits), [plain])[0]
    gained = _discounted(plain, of)
    return where_any(np.nan_to_num(most), ratio(gained, np.nan_to_num(most)))


def _rank_biased(metric: RBP, of: Chances) -> Floats:
    worth = of.worth(check_shares(of.gains(metric.gain, metric.relevance), metric.gain))
    weight = of.mean_weight(
        of.last(metric.cutoff), lambda ranks: (1 - metric.p) * np.power(metric.p, ranks - 1.0)
    )
    gained, residual = worth * weight, 1 - of.judged * weight
    forms = {"non-relevant": gained, "relevant": gained + residual, "residual": residual}
    return where_any(worth, forms[metric.unjudged])


def _success(metric: Success, of: Chances) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant, _until_first(of, relevant, of.last(metric.cutoff))[0])


def _reciprocal(metric: ReciprocalRank, of: Chances) -> Floats:
    relevant = of.relevant(metric.relevance)
    return where_any(relevant, _until_first(of, relevant, of.last(metric.cutoff))[1])


def _until_first(of: Chances, relevant: Ints, ends: Ints) -> tuple[Floats, Floats]:
    """The chance that a relevant item is within the ends, and the mean inverse rank.

    The first relevant item is at rank k by chance S_{k−1}·R/(T−k+1), where
    S_k = S_{k−1}·(T−k+1−R)/(T−k+1) is the chance that none is above. Topics that are
    alike are worked out once.
    """
    keys = np.stack([of.targets, relevant, ends])
    (targets, found, last), places = np.unique(keys, axis=1, return_inverse=True)
    none_above, inverse = np.ones(len(targets)), np.zeros(len(targets))
    open_ = np.flatnonzero((found > 0) & (last > 0))
    k = 1
    while len(open_):
        left = targets[open_] - k + 1
        chance = none_above[open_] * (found[open_] / left)
        inverse[open_] += chance / k
        none_above[open_] *= (left - found[open_]) / left
        open_ = open_[(last[open_] > k) & (none_above[open_] > 0)]
        k += 1
    return (1 - none_above)[places.ravel()], inverse[places.ravel()]


_FORMS: dict[type, Callable[[Any, Chances], Floats]] = {
    Precision: _precision,
    Recall: _recall,
    StratifiedRecall: _recall,
    F1: _f1,
    Success: _success,
    ReciprocalRank: _reciprocal,
    AveragePrecision: _average_precision,
    RPrecision: _r_precision,
    DCG: _discounted,
    NDCG: _normalised,
    RBP: _rank_biased,
    AUC: _auc,
    Unrated: _unrated,
}


def closed_form(metric: Metric, of: Chances) -> Floats | None:
    """The expected score of each topic; None if the metric, or its form of another tool,
    is not among these.
    """
    form = _FORMS.get(type(metric))
    if form is None or getattr(metric, "as_", None) is not None:
        return None
    return form(metric, of)
