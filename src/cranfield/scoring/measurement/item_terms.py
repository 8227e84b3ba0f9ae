"""Item terms: what each judged item adds to the score of a topic.

A score that is a sum over judged items, or a ratio of two such sums, can be computed again
as if items counted more or less than once; ranks stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import default_of, parameters
from cranfield.base.errors import UnsuitableScores
from cranfield.base.ids import Codes
from cranfield.base.ragged import Ragged, offsets_of, runs_of
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.gain import RatingScale
from cranfield.scoring.metric import Metric
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.dcg import DCG, NDCG
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.recall import Recall
from cranfield.scoring.scores import Counts, Flags, Floats

_READ = frozenset({"relevance", "gain", "cutoff", "p"})
"""Parameters that terms follow; any other must have its default."""


@dataclass(frozen=True, eq=False)
class ItemTerms:
    r"""What each judged item of each topic adds to the topic's score.

        score = Σ_j v_j·gained_j ÷ Σ_j v_j·normal_j,  or the upper sum alone unless a ``ratio``

    v_j is how much item j counts; with 1 for all, the score is the metric's. Undefined where
    the lower sum is 0: of what defines the score, nothing counts. Rows are those of the hits.
    """

    offsets: Counts
    items: Codes
    gained: Floats
    normal: Floats
    ratio: bool

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def scores(self, weights: Floats) -> Floats:
        """The score of each topic, given how much each item code counts; NaN = undefined."""
        counts, owners = weights[self.items], Ragged(self.items, self.offsets).owners
        upper, lower = (
            np.bincount(owners, counts * each, len(self)) for each in (self.gained, self.normal)
        )
        over = lower if self.ratio else np.ones(len(self))
        scores = np.full(len(self), np.nan)
        np.divide(upper, over, out=scores, where=lower > 0)
        return scores


def item_terms(hits: Hits, metric: Metric) -> ItemTerms:
    r"""The terms of a metric, of which items are drawn again.

    P@n: 1[relevant]/n at ranks up to n. Recall: the same without n, over 1[relevant]. DCG and
    RBP: gain × weight of the rank. nDCG: that of DCG, over gain × discount of the item's rank
    in the best order, where items of equal gain share the mean of their discounts. AP: P@k of
    each relevant item, whatever counts above it, over 1[relevant].
    """
    refuse_without_terms(metric)
    gained, normal, ratio = _TERMS[type(metric)](_Rows(hits, metric))
    return ItemTerms(hits.offsets, hits.items, gained, normal.astype(np.float64), ratio)


def refuse_without_terms(metric: Metric) -> None:
    """Refuse a metric that is no sum over judged items, or a form of one that is not."""
    known = type(metric) in _TERMS
    others = [
        each.name
        for each in (parameters(type(metric)) if known else ())
        if each.name not in _READ
        and getattr(metric, each.name) != default_of(type(metric), each.name)
    ]
    if not known or others:
        raise UnsuitableScores(
            str(metric),
            "it is no sum over judged items that could be drawn again",
            "Choose P, Recall, DCG, nDCG, RBP or AP in their plain forms, or users alone at random",
        )


def join_terms(parts: Sequence[ItemTerms]) -> ItemTerms:
    """The terms of consecutive topics, or of several folds, one after the other."""
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    return ItemTerms(
        offsets_of(sizes),
        np.concatenate([part.items for part in parts]),
        np.concatenate([part.gained for part in parts]),
        np.concatenate([part.normal for part in parts]),
        parts[0].ratio,
    )


class _Rows:
    """The rows of hits as one metric reads them."""

    def __init__(self, hits: Hits, metric: Any) -> None:
        self.hits, self.metric, self.owners = hits, metric, hits.owners
        cutoff = metric.cutoff
        self.threshold = hits.relevance if metric.relevance is None else metric.relevance
        self.relevant: Flags = hits.ratings >= self.threshold
        self.seen: Flags = hits.ranks > 0
        if cutoff is not None:
            self.seen &= hits.ranks <= cutoff
        self.depth = hits.lengths[self.owners] if cutoff is None else cutoff
        self.cutoff = len(hits.items) if cutoff is None else cutoff

    @cached_property
    def gains(self) -> Floats:
        """What each row is worth."""
        scale = RatingScale(self.hits.lowest, self.hits.highest, self.threshold)
        gains: Floats = self.metric.gain.of_rating(self.hits.ratings, scale)
        return gains

    def weighted(self, values: Any, weight: Callable[[Any], Floats]) -> Floats:
        """Values of rows that are seen, times the weight of their ranks; else 0."""
        ranks = np.where(self.seen, self.hits.ranks, 1)
        return np.where(self.seen, values * weight(ranks), 0.0)

    def best_discounts(self) -> Floats:
        """The discount of each row in the best order, shared among rows of equal gain."""
        gains = self.gains
        if not len(gains):
            return gains
        order = np.lexsort((-gains, self.owners))
        places = np.arange(len(order)) - self.hits.offsets[self.owners[order]] + 1
        discounts = np.where(places <= self.cutoff, discount(places), 0.0)
        # A gain and a topic as one number, so that runs of both are found at once.
        groups = np.unique(gains, return_inverse=True)[1] * len(self.hits) + self.owners
        runs = runs_of(groups[order])
        sizes = np.diff(runs)
        shared = np.empty(len(order))
        shared[order] = np.repeat(np.add.reduceat(discounts, runs[:-1]) / sizes, sizes)
        return shared


Terms = tuple[Floats, Any, bool]
"""Gained, normal, and whether the score is their ratio."""


def _of_precision(rows: _Rows) -> Terms:
    counted = (rows.relevant & rows.seen).astype(np.float64)
    return counted / np.maximum(rows.depth, 1), rows.relevant, False


def _of_recall(rows: _Rows) -> Terms:
    return (rows.relevant & rows.seen).astype(np.float64), rows.relevant, True


def _of_dcg(rows: _Rows) -> Terms:
    gains = rows.gains
    return rows.weighted(gains, discount), gains > 0, False


def _of_ndcg(rows: _Rows) -> Terms:
    gains = rows.gains
    return rows.weighted(gains, discount), gains * rows.best_discounts(), True


def _of_rbp(rows: _Rows) -> Terms:
    p, gains = rows.metric.p, check_shares(rows.gains, rows.metric.gain)
    weighted = rows.weighted(gains, lambda ranks: (1 - p) * p ** (ranks - 1.0))
    return weighted, gains > 0, False


def _of_average_precision(rows: _Rows) -> Terms:
    counted = np.cumsum(rows.relevant & (rows.hits.ranks > 0))
    starts = rows.hits.offsets[:-1][rows.owners]
    above = np.concatenate([[0], counted])[starts]
    precisions = rows.weighted(counted - above, lambda ranks: 1.0 / ranks)
    return precisions * rows.relevant, rows.relevant, True


_TERMS: dict[type, Callable[[_Rows], Terms]] = {
    Precision: _of_precision,
    Recall: _of_recall,
    DCG: _of_dcg,
    NDCG: _of_ndcg,
    RBP: _of_rbp,
    AveragePrecision: _of_average_precision,
}
