"""Thinning: the ways in which a test set gets poorer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds, broadcast_uniforms, uniforms
from cranfield.recommendation.ranking.hits import Hits

Scenario = Literal["ratings", "items", "popular-items", "users", "large-users", "ratings-by-user"]
"""What leaves: ratings, items or users at random, the items with most ratings first, the
users with most test ratings first (valcarce2020 §4.2), or the same share of the ratings of
each user at random (the stratified samples of Buckley & Voorhees 2004)."""

FIVE: tuple[Scenario, ...] = ("ratings", "items", "popular-items", "users", "large-users")
"""The scenarios of valcarce2020."""

DETERMINED: frozenset[str] = frozenset({"popular-items", "large-users"})
"""Scenarios in which nothing is drawn, so that one sample says all."""

WHOLE_USERS: frozenset[str] = frozenset({"users", "large-users"})
"""Scenarios in which a user leaves or stays whole, so that no score changes."""

Numbers = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_DIGITS = 10**12
"""Sizes that differ by less are one size, for what is drawn anew at each."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemShares:
    """Of which items a share is left, and which of them are popular.

    ``n_items`` is given where shares are of all items of the catalogue, and not only of
    those with a test rating; ``popularity`` where it is not the number of test ratings.
    """

    n_items: int | None = None
    popularity: Counts | None = None


@dataclass(frozen=True, eq=False)
class Pairs:
    """The judged pairs that hits are about, each once, by user and then by item.

    Systems that ranked the same targets share their pairs, in whatever order they rank
    them; so what is thinned is the same for all systems.
    """

    users: Codes
    items: Codes

    def __len__(self) -> int:
        return len(self.users)

    @classmethod
    def from_hits(cls, hits: Hits) -> Pairs:
        """The judged pairs of hits."""
        users = hits.topics.users[hits.owners]
        keys = np.unique((users.astype(np.int64) << 32) | hits.items)
        return cls((keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32))

    def find(self, hits: Hits) -> Numbers:
        """For each row of hits, the number of its pair; all must be known."""
        users = hits.topics.users[hits.owners].astype(np.int64)
        keys = (self.users.astype(np.int64) << 32) | self.items
        wanted = (users << 32) | hits.items
        places = np.searchsorted(keys, wanted)
        assert not len(wanted) or (keys[np.minimum(places, len(keys) - 1)] == wanted).all()
        return places.astype(np.int32)

    def leaving(
        self,
        scenario: Scenario,
        seeds: Seeds,
        sample: int = 0,
        *,
        items: ItemShares | None = None,
        size: float | None = None,
    ) -> Leaving:
        """In which order the pairs leave in one sample of a scenario.

        With a ``size``, the order is drawn for this size alone and may be used for no other:
        what is left at one size is independent of what is left at another.
        """
        at = {} if size is None else {"left": round(size * _DIGITS)}
        key = seeds.key("thinning", scenario, sample=sample, **at)
        if scenario in ("ratings", "ratings-by-user"):
            draws = broadcast_uniforms(key, self.users, self.items)
            if scenario == "ratings-by-user":
                return self._by_user(draws)
            return Leaving(_places(draws), len(self)) if size is None else _at_once(draws, size)
        if scenario in ("items", "popular-items"):
            return self._by_item(scenario, key, items or ItemShares())
        codes, numbers, counts = np.unique(self.users, return_inverse=True, return_counts=True)
        order = _places(counts if scenario in DETERMINED else uniforms(key, codes))
        return Leaving(order[numbers], len(codes))

    def _by_user(self, draws: npt.NDArray[np.float64]) -> Leaving:
        """Pairs by their draws, each among those of its user."""
        counts = np.bincount(self.users)
        places = np.empty(len(self), dtype=np.int32)
        firsts = offsets_of(counts)[self.users]
        places[np.lexsort((draws, self.users))] = np.arange(len(self)) - firsts
        return Leaving(places, counts[self.users])

    def _by_item(self, scenario: Scenario, key: int, items: ItemShares) -> Leaving:
        """Pairs by their items: those with the fewest ratings stay longest, or by draws."""
        codes = np.unique(self.items) if items.n_items is None else np.arange(items.n_items)
        numbers = np.searchsorted(codes, self.items)
        if scenario == "items":
            order = _places(uniforms(key, codes))
        elif items.popularity is not None:
            order = _places(items.popularity[codes])
        else:
            order = _places(np.bincount(numbers, minlength=len(codes)))
        return Leaving(order[numbers], len(codes))


@dataclass(frozen=True, eq=False)
class Leaving:
    """The order in which pairs leave: those with the highest ``places`` first.

    Pairs that leave together (of one item, of one user) share a place; there are ``units``
    places, or so many for each pair where a share of each user's pairs leaves. The pairs
    that are left at a smaller size are among those left at a larger one.
    """

    places: Numbers
    units: int | Counts

    def left(self, size: float) -> Counts:
        """How many units are left at a size: the nearest whole number, at least 1.

        >>> print(Leaving(np.arange(10, dtype=np.int32), 10).left(0.25))
        3
        """
        return np.maximum(1, np.floor(size * np.asarray(self.units) + 0.5)).astype(np.int64)

    def remaining(self, size: float) -> Flags:
        """For each pair, whether it is left at a size."""
        return np.asarray(self.places < self.left(size))


def thin(hits: Hits, remaining: Flags) -> Hits:
    """Hits without the rows that do not remain; no rank changes.

    A judged item that leaves becomes unjudged: it stays in the list where it was. The best
    possible list is made of the judgments that are left. A topic without any is left with
    no row.
    """
    before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(remaining, dtype=np.int64)])
    return replace(
        hits,
        offsets=before[hits.offsets],
        items=hits.items[remaining],
        ratings=hits.ratings[remaining],
        ranks=hits.ranks[remaining],
        first=hits.first[remaining],
        last=hits.last[remaining],
    )


def _at_once(draws: npt.NDArray[np.float64], size: float) -> Leaving:
    """The pairs that leave for a size, all together; finding them takes less time than sorting.

    >>> _at_once(np.array([0.5, 0.1, 0.5, 0.9]), 0.5).remaining(0.5)
    array([ True,  True, False, False])
    """
    units = len(draws)
    last = int(Leaving(np.empty(0, dtype=np.int32), units).left(size)) - 1
    if last >= units:
        return Leaving(np.zeros(units, dtype=np.int32), units)
    limit = np.partition(draws, last)[last]
    staying = draws < limit
    tied = np.flatnonzero(draws == limit)
    staying[tied[: last + 1 - np.count_nonzero(staying)]] = True
    return Leaving(np.where(staying, 0, units).astype(np.int32), units)


def _places(values: npt.NDArray[np.generic]) -> Numbers:
    """The place of each value in ascending order; equal ones by number."""
    places = np.empty(len(values), dtype=np.int32)
    places[np.argsort(values, kind="stable")] = np.arange(len(values), dtype=np.int32)
    return places
