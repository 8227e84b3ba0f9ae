"""Rankings that nobody predicted: all targets tied, in random order, or in the best one.

Random orders are drawn, or counted where that is enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.machine.arrays import empty_array
from cranfield.base.ragged import count_marked, offsets_of
from cranfield.base.threads import chunks
from cranfield.collection.tables.ordering import order_pairs
from cranfield.recommendation.ranking.hits import UNRANKED, Hits, Ranks
from cranfield.scoring.gain import Gain, RatingScale
from cranfield.scoring.kernels.levels import find_levels
from cranfield.scoring.kernels.shuffling import shuffle
from cranfield.scoring.kernels.topic_range import WHOLE
from cranfield.scoring.scores import Floats

T = TypeVar("T", bound=np.generic)

Ints = npt.NDArray[np.int64]


_LARGEST = np.iinfo(np.int64).max
_TERMS_AT_ONCE = 1 << 20
"""Terms of sums that are worked out together, which bounds their memory."""


def tied(hits: Hits, depth: int | None = None) -> Hits:
    """All targets of each topic tied, so that every order of them is as likely.

    What a metric expects of such a topic is what a random ranking gets. Lists hold all
    targets, or end at a depth.
    """
    return cut_lists(
        replace(
            hits,
            ranks=places_of(hits),
            first=np.ones(len(hits.items), dtype=np.int32),
            last=hits.targets[hits.owners].astype(np.int32),
            lengths=hits.targets,
        ),
        depth,
    )


def ideal(hits: Hits, depth: int | None = None, *, worth: Floats | None = None) -> Hits:
    """The best order of each topic's targets: judged ones by falling rating, then the rest.

    Where it is not the rating that counts, ``worth`` says for each judged target what does.
    """
    levels = find_levels(hits.ratings if worth is None else worth)
    falling = (len(levels.place) - 1 - levels.place)[levels.numbers]
    order = order_pairs(
        hits.owners.astype(np.int32),
        falling,
        len(hits),
        len(levels.place),
        [np.arange(len(falling))],
    )
    return cut_lists(_placed(hits, order.columns[0], places_of(hits)), depth)


def shuffled(hits: Hits, key: int, depth: int | None = None) -> Hits:
    """A random order of each topic's targets, every one as likely.

    Judged targets draw their ranks one after another, each from those that are left.
    """
    rows, ranks = np.empty(len(hits.items), np.int64), np.empty(len(hits.items), np.int32)
    deck = np.zeros(int(hits.targets.max(initial=0)), np.int32)
    end = WHOLE if depth is None else depth
    shuffle(np.uint64(key), hits.offsets, hits.targets, end, rows, ranks, deck)
    return replace(_placed(hits, rows, ranks), lengths=np.minimum(hits.targets, end), depth=depth)


def places_of(hits: Hits) -> Ranks:
    """For each judged target, its place among those of its topic, from 1."""
    starts = np.repeat(hits.offsets[:-1], np.diff(hits.offsets))
    return (np.arange(1, len(hits.items) + 1) - starts).astype(np.int32)


def _placed(hits: Hits, rows: Ints, ranks: Ranks) -> Hits:
    """The judged targets in the order of rows, with these ranks, in lists of all targets."""
    return replace(
        hits,
        items=_taken(hits.items, rows),
        ratings=_taken(hits.ratings, rows),
        ranks=ranks,
        first=ranks,
        last=ranks,
        lengths=hits.targets,
    )


def _taken(values: npt.NDArray[T], rows: Ints) -> npt.NDArray[T]:
    """The values of some rows."""
    taken: npt.NDArray[T] = empty_array(len(rows), values.dtype)
    # Rows are within bounds; clip spares the copy that checking would make.
    return values.take(rows, out=taken, mode="clip")


def cut_lists(hits: Hits, depth: int | None) -> Hits:
    """The same lists, cut at a depth. Ranks ascend within each topic; targets below the depth
    are unranked, in no particular order.
    """
    if depth is None:
        return replace(hits, depth=None)
    ranks = np.where(hits.ranks > depth, np.int32(UNRANKED), hits.ranks)
    return replace(hits, ranks=ranks, lengths=np.minimum(hits.lengths, depth), depth=depth)


@dataclass(frozen=True, eq=False)
class RandomOrders:
    """The targets of each topic in random order, in lists that may end at a depth.

    Only the targets of the hits matter here, not where a system ranked them.
    """

    hits: Hits
    depth: int | None = None
    _relevant: dict[float, Ints] = field(default_factory=dict)
    _ideal: list[Hits] = field(default_factory=list)

    def cut(self, depth: int | None) -> RandomOrders:
        """The same orders in lists that end at a depth; counts are shared."""
        return replace(self, depth=depth)

    @property
    def ideal(self) -> Hits:
        """The best order of the targets, in lists of all of them."""
        if not self._ideal:
            self._ideal.append(ideal(self.hits))
        return self._ideal[0]

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
        least = self.least(threshold)
        if least not in self._relevant:
            self._relevant[least] = count_marked(self.hits.ratings >= least, self.hits.offsets)
        return self._relevant[least]

    def least(self, threshold: float | None) -> float:
        """The lowest rating that is relevant: a metric's own threshold, or that of all."""
        return self.hits.relevance if threshold is None else threshold

    def gains(self, gain: Gain, threshold: float | None) -> Floats:
        """What each judged target is worth."""
        return gain.of_rating(self.hits.ratings, self.scale(threshold))

    def scale(self, threshold: float | None) -> RatingScale:
        """How ratings are read, with a metric's own threshold or that of all."""
        return RatingScale(self.hits.lowest, self.hits.highest, self.least(threshold))

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


def alike(*facts: Ints) -> tuple[Ints, Ints]:
    """One topic of each kind, and for each topic its kind; topics are alike in all the facts.

    >>> alike(np.array([3, 3, 4]), np.array([0, 0, 0]))
    (array([0, 2]), array([0, 0, 1]))
    """
    kinds, size = np.zeros(len(facts[0]), np.int64), 1
    for fact in facts:
        values = int(fact.max(initial=0)) + 1
        if size * values > _LARGEST:
            found, kinds = np.unique(kinds, return_inverse=True)
            size = len(found)
        kinds, size = kinds * values + fact, size * values
    _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
    return first, kinds


def hypergeometric_mean(
    targets: Ints, marked: Ints, drawn: Ints, of: Callable[[Ints, Ints], Floats]
) -> Floats:
    """The mean, for each topic, of a function of how many marked items are drawn.

        Σ_h C(m, h)·C(T − m, d − h)/C(T, d) · of(h)

    m of T targets are marked, d are drawn. ``of`` takes numbers of marked items and, for
    each of them, its topic.
    """
    factorials = log_factorials(int(targets.max(initial=0)))
    plain, left = targets - marked, targets - drawn
    whole = factorials[marked] + factorials[plain] + factorials[drawn] + factorials[left]
    whole -= factorials[targets]
    least, most = np.maximum(0, drawn - plain), np.minimum(marked, drawn)

    def terms(topics: Ints, held: Ints) -> Floats:
        others = drawn[topics] - held
        parts = factorials[held] + factorials[marked[topics] - held]
        parts += factorials[others] + factorials[plain[topics] - others]
        added: Floats = np.exp(whole[topics] - parts) * of(held, topics)
        return added

    means, counts = np.zeros(len(targets)), most - least + 1
    for some in chunks(len(means), max(1, _TERMS_AT_ONCE // int(counts.max(initial=1)))):
        topics = np.repeat(np.arange(some.start, some.stop), counts[some])
        first = offsets_of(counts[some])[:-1]
        held = np.arange(len(topics)) + np.repeat(least[some] - first, counts[some])
        means[some] = np.bincount(topics - some.start, terms(topics, held))
    return means


def log_factorials(most: int) -> Floats:
    """The logarithms of 0!, 1!, … up to some number.

    By the standard library: loading that of SciPy takes longer than a whole table.

    >>> np.exp(log_factorials(4)).round().tolist()
    [1.0, 1.0, 2.0, 6.0, 24.0]
    """
    return np.fromiter(map(math.lgamma, range(1, most + 2)), np.float64, most + 1)


def first_relevant(of: RandomOrders, relevant: Ints, ends: Ints) -> tuple[Floats, Floats]:
    """The chance that a relevant item is within the ends, and the mean inverse rank.

    The first relevant item is at rank k by chance S_{k−1}·R/(T−k+1), where
    S_k = S_{k−1}·(T−k+1−R)/(T−k+1) is the chance that none is above. Topics that are
    alike are worked out once.
    """
    first, places = alike(of.targets, relevant, ends)
    targets, found, last = of.targets[first], relevant[first], ends[first]
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
    return (1 - none_above)[places], inverse[places]
