"""Thinning: the five ways in which a test set gets poorer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.seeds import Seeds, broadcast_uniforms, uniforms
from cranfield.recommendation.ranking.hits import Hits

Scenario = Literal["ratings", "items", "popular-items", "users", "large-users"]
"""What leaves: ratings, items or users at random, the items with most test ratings first,
or the users with most test ratings first (valcarce2020 §4.2)."""

DETERMINED: frozenset[str] = frozenset({"popular-items", "large-users"})
"""Scenarios in which nothing is drawn, so that one sample says all."""

WHOLE_USERS: frozenset[str] = frozenset({"users", "large-users"})
"""Scenarios in which a user leaves or stays whole, so that no score changes."""

Numbers = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


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

    def leaving(self, scenario: Scenario, seeds: Seeds, sample: int = 0) -> Leaving:
        """In which order the pairs leave in one sample of a scenario."""
        if scenario == "ratings":
            draws = broadcast_uniforms(_key(seeds, scenario, sample), self.users, self.items)
            return Leaving(_places(draws), len(self))
        of_pair = self.items if scenario in ("items", "popular-items") else self.users
        codes, numbers, counts = np.unique(of_pair, return_inverse=True, return_counts=True)
        if scenario in DETERMINED:
            return Leaving(_places(counts)[numbers], len(codes))
        draws = uniforms(_key(seeds, scenario, sample), codes)
        return Leaving(_places(draws)[numbers], len(codes))


@dataclass(frozen=True, eq=False)
class Leaving:
    """The order in which pairs leave: those with the highest ``places`` first.

    Pairs that leave together (of one item, of one user) share a place; there are ``units``
    places. The pairs that are left at a smaller size are among those left at a larger
    one: the sizes of one sample are nested.
    """

    places: Numbers
    units: int

    def left(self, size: float) -> int:
        """How many units are left at a size: the nearest whole number, at least 1.

        >>> Leaving(np.arange(10, dtype=np.int32), 10).left(0.25)
        3
        """
        return max(1, int(np.floor(size * self.units + 0.5)))

    def remaining(self, size: float) -> Flags:
        """For each pair, whether it is left at a size."""
        return self.places < self.left(size)


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


def _key(seeds: Seeds, scenario: str, sample: int) -> int:
    return seeds.key("thinning", scenario, sample=sample)


def _places(values: npt.NDArray[np.generic]) -> Numbers:
    """The place of each value in ascending order; equal ones by number."""
    places = np.empty(len(values), dtype=np.int32)
    places[np.argsort(values, kind="stable")] = np.arange(len(values), dtype=np.int32)
    return places
