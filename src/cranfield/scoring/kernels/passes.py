"""Passes over hits: what they need, and the calls of the kernels that score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from cranfield.base.errors import UnmappableRating
from cranfield.base.ragged import frozen
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.gain import Floats, Gain, RatingScale
from cranfield.scoring.kernels import gains, orders, relevance
from cranfield.scoring.kernels.forms import Pass, PlannedPass
from cranfield.scoring.kernels.levels import add_up, find_levels, find_runs, look_up
from cranfield.scoring.kernels.topic_range import Ints, TopicRange
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.half_life import HalfLife
from cranfield.scoring.metrics.reading import check_shares
from cranfield.scoring.metrics.stratified_recall import StratifiedRecall

_SHARES = ("cascade", "own_cascade", "rank_biased")
"""Kernels whose gains must be at most 1."""


_MINIMAL = {"relevance": relevance.PRECISION_MINIMAL, "rank_biased": gains.MINIMAL}
"""Forms that count unjudged items as rated lowest."""


class PreparedHits:
    """Hits made ready for passes: what their items are worth, and what their ranks count."""

    def __init__(
        self, hits: Hits, passes: tuple[PlannedPass, ...], popularity: Floats | None
    ) -> None:
        self.hits = hits
        self.passes = passes
        self.popularity = popularity
        self.levels = find_levels(hits.ratings)
        self.codes = np.empty(len(hits.ratings), dtype=np.int32)
        # As those of cached hits are: kernels would be compiled twice, for both kinds.
        self.offsets, self.ranks = frozen(hits.offsets), frozen(hits.ranks)
        self.lengths, self.targets = frozen(hits.lengths), frozen(hits.targets)
        judged = np.diff(hits.offsets).max(initial=0)
        self.longest = int(max(judged, hits.lengths.max(initial=0)))
        self.tables = {wanted.made_by: self._table(wanted.made_by) for wanted in passes}
        self.weights = {wanted.made_by: self._weights(wanted.made_by) for wanted in passes}
        self.least = {wanted.made_by: self._least(wanted) for wanted in passes}
        self.by_row = {wanted.made_by: self._by_row(wanted.made_by) for wanted in passes}

    def _table(self, made_by: Pass) -> Floats:
        """What each rating level is worth."""
        worth = made_by.gain.of_rating(self.levels.ratings, self._scale(made_by))
        return check_shares(worth, made_by.gain) if made_by.kernel in _SHARES else worth

    def _scale(self, made_by: Pass) -> RatingScale:
        hits, own = self.hits, made_by.relevance
        return RatingScale(hits.lowest, hits.highest, hits.relevance if own is None else own)

    def _least(self, wanted: PlannedPass) -> float:
        """What the lowest rating is worth, where a form asks for it."""
        form = _MINIMAL.get(wanted.made_by.kernel)
        if form is None or (wanted.rows[form] < 0).all():
            return 0.0
        lowest = np.array([self.hits.lowest])
        return float(wanted.made_by.gain.of_rating(lowest, self._scale(wanted.made_by))[0])

    def _weights(self, made_by: Pass) -> Floats:
        """What each rank counts."""
        if made_by.kernel == "discounted":
            return _discounts(1 << self.longest.bit_length())
        if made_by.kernel.startswith("half_life"):
            return _half_lives(made_by.number, 1 << self.longest.bit_length())
        if made_by.kernel == "rank_biased":
            return _persistence(made_by.number, 1 << self.longest.bit_length())
        return np.empty(0)

    def _by_row(self, made_by: Pass) -> Floats:
        """What each judged target counts, or is worth, where its rating alone does not say."""
        if made_by.kernel == "own_cascade":
            return self._own_gains(made_by)
        if self.popularity is None:
            return np.empty(0)
        if made_by.kernel == "stratified":
            by_item = StratifiedRecall(gamma=made_by.number).weights(self.popularity)
            return by_item[self.hits.items]
        if made_by.kernel == "half_life_of_rare":
            return (1 / np.maximum(self.popularity, 1.0))[self.hits.items]
        return np.empty(0)

    def _own_gains(self, made_by: Pass) -> Floats:
        """The gain of each judged target on a scale that ends at its topic's highest rating."""
        found, levels = np.zeros(len(self.hits.ratings)), self.levels
        tops = np.searchsorted(levels.ratings, self.hits.tops)
        for top in np.unique(
            tops[tops < len(levels.ratings)]
        ):  # topics without judgments have none
            worth = self._own_table(made_by, levels.ratings[: top + 1])
            look_up(self.offsets, tops, top, levels.numbers, levels.place, worth, found)
        return found

    def _own_table(self, made_by: Pass, ratings: Floats) -> Floats:
        """What each of some rising ratings is worth where the last is the highest there is."""
        gain, scale = made_by.gain, replace(self._scale(made_by), highest=float(ratings[-1]))
        try:
            return check_shares(gain.of_rating(ratings, scale), gain)
        except UnmappableRating:  # nothing to divide by: see `own_shares`
            return np.zeros(len(ratings))

    def score(self, topics: slice, out: Floats) -> None:
        """Score some topics by all passes, into their rows of ``out`` (topics × metrics)."""
        part, totals = self._part(topics), dict[tuple[Gain, float | None], Floats]()
        for wanted in self.passes:
            made_by = wanted.made_by
            key = made_by.gain, made_by.relevance
            if key not in totals:
                totals[key] = np.empty(len(part.lengths))
                runs = part.run_offsets, part.run_codes, part.run_counts
                add_up(*runs, self.tables[made_by], totals[key])
            _KERNELS[made_by.kernel](
                Call(
                    part,
                    self.tables[made_by],
                    totals[key],
                    self.weights[made_by],
                    self.by_row[made_by],
                    made_by.number,
                    self.least[made_by],
                    wanted.cuts,
                    wanted.rows,
                    out[topics],
                )
            )

    def _part(self, topics: slice) -> TopicRange:
        offsets = self.offsets[topics.start : topics.stop + 1]
        runs = find_runs(offsets, self.levels, self.codes)
        lengths, targets = self.lengths[topics], self.targets[topics]
        return TopicRange(offsets, self.ranks, self.codes, lengths, targets, *runs)


class Call(NamedTuple):
    """What a pass gives its kernel."""

    part: TopicRange
    table: Floats
    totals: Floats
    weights: Floats
    by_row: Floats
    number: float
    least: float
    cuts: Ints
    rows: Ints
    out: Floats


def _rbo(c: Call) -> None:
    shared = np.empty(np.diff(c.part.offsets).max(initial=0), dtype=np.int64)
    orders.rbo(c.part, c.number, shared, c.rows, c.out)


_KERNELS: dict[str, Callable[[Call], None]] = {
    "relevance": lambda c: relevance.score_relevance(
        c.part, c.table, c.totals, c.number, c.least, c.cuts, c.rows, c.out
    ),
    "stratified": lambda c: relevance.stratified_recall(
        c.part, c.table, c.by_row, c.cuts, c.rows, c.out
    ),
    "r_precision": lambda c: relevance.r_precision(c.part, c.table, c.totals, c.rows, c.out),
    "auc": lambda c: relevance.auc(c.part, c.table, c.totals, c.rows, c.out),
    "discounted": lambda c: gains.score_discounted(
        c.part, c.table, c.totals, c.weights, c.cuts, c.rows, c.out
    ),
    "rank_biased": lambda c: gains.score_rank_biased(
        c.part, c.table, c.totals, c.weights, c.least, c.cuts, c.rows, c.out
    ),
    "half_life": lambda c: gains.score_discounted(
        c.part, c.table, c.totals, c.weights, c.cuts, c.rows, c.out
    ),
    "half_life_of_rare": lambda c: gains.score_by_worth(
        c.part, c.table, c.weights, c.by_row, c.cuts, c.rows, c.out
    ),
    "cascade": lambda c: gains.score_cascade(
        c.part, c.table, c.totals, c.by_row, c.cuts, c.rows, c.out
    ),
    "own_cascade": lambda c: gains.score_cascade(
        c.part, c.table, c.totals, c.by_row, c.cuts, c.rows, c.out
    ),
    "unrated": lambda c: orders.unrated(c.part, c.cuts, c.rows, c.out),
    "kendall_tau": lambda c: orders.kendall_tau(c.part, c.rows, c.out),
    "tau_ap": lambda c: orders.tau_ap(c.part, c.rows, c.out),
    "rbo": _rbo,
}


@lru_cache(maxsize=8)
def _discounts(size: int) -> Floats:
    """The discount of each rank from 0 on."""
    return np.concatenate([np.zeros(1), discount(np.arange(1, size + 1))])


@lru_cache(maxsize=8)
def _half_lives(alpha: float, size: int) -> Floats:
    """The discount of each rank from 0 on for readers of whom half reach rank α."""
    return np.concatenate([np.zeros(1), HalfLife(alpha=alpha).discount(np.arange(1, size + 1))])


@lru_cache(maxsize=8)
def _persistence(p: float, size: int) -> Floats:
    """The weight of each rank from 0 on for a reader who goes on with chance p."""
    return np.concatenate([np.zeros(1), (1 - p) * np.power(p, np.arange(size, dtype=float))])
