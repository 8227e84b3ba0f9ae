"""Rankings written from the top, and the hits that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np
from hypothesis import strategies as st

from cranfield.base.dataclass import dataclass
from cranfield.base.ragged import offsets_of
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.items import ItemFacts
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import (
    Hits,
    TopicHits,
    TopicLists,
    in_order,
    lists_in_order,
)
from cranfield.recommendation.runs.run import Run

ITEMS = 60
POPULARITY = np.arange(ITEMS, dtype=np.float64) % 7
"""|PR(i)| of each item, for metrics that need it."""


USERS = 3000
"""No ranking is for more users than that."""
_KINDS = np.eye(3)[np.arange(ITEMS) % 3] * (np.arange(ITEMS) % 4 > 0)[:, None]
_USERS = np.arange(4 * USERS) % USERS
FACTS = ItemFacts(
    POPULARITY.astype(np.int64),
    raters=10,
    vectors=_KINDS,
    labels={"kind": ItemLabels("kind", ("a", "b", "c"), _KINDS)},
    train=Ratings.from_triples(_USERS, (7 * _USERS + np.arange(4 * USERS) // USERS) % ITEMS),
)
"""What is known of each item, for metrics that look at whole lists."""
_UNJUDGED = 20
"""Codes from here on are those of unjudged items, by their ranks."""


@dataclass(frozen=True)
class Ranking:
    """One topic from the top: a rating, or None for an unjudged item, on each rank.

    ``ties`` are the sizes of the tie groups, in order; ``unranked`` are the ratings of
    judged targets that are not in the list, ``others`` counts the unjudged ones. ``items``
    are the judged items: those of the list from the top, then the unranked ones.
    """

    ratings: tuple[float | None, ...]
    unranked: tuple[float, ...] = ()
    others: int = 0
    ties: tuple[int, ...] = ()
    items: tuple[int, ...] = tuple(range(ITEMS))

    def __repr__(self) -> str:
        judged = sum(rating is not None for rating in self.ratings) + len(self.unranked)
        used = replace(self, items=self.items[:judged])
        fields = ("ratings", "unranked", "others", "ties", "items")
        return f"Ranking({', '.join(f'{name}={getattr(used, name)!r}' for name in fields)})"


def hits_of(rankings: Sequence[Ranking]) -> Hits:
    """The hits of rankings, ratings from 1 to 5, relevant from 4.

    >>> hits_of([Ranking((None, 5.0), unranked=(4.0,))]).ranks
    array([2, 0], dtype=int32)
    """
    rows: list[tuple[int, int, float, int, int, int]] = []
    for topic, ranking in enumerate(rankings):
        bounds = _bounds(ranking)
        ranked = enumerate(zip(ranking.ratings, bounds, strict=True), start=1)
        listed = [(rating, k, *bound) for k, (rating, bound) in ranked if rating is not None]
        unranked = [(rating, 0, 0, 0) for rating in ranking.unranked]
        for place, (rating, *ranks) in enumerate([*listed, *unranked]):
            rows.append((topic, ranking.items[place], rating, *ranks))  # type: ignore[arg-type]
    table = np.array(rows, dtype=np.float64).reshape(-1, 6)
    counts = np.bincount(table[:, 0].astype(np.int64), minlength=len(rankings))
    lengths = np.array([len(ranking.ratings) for ranking in rankings], dtype=np.int64)
    more = np.array([len(r.unranked) + r.others for r in rankings], dtype=np.int64)
    placed = table[:, 3:].astype(np.int32)
    return in_order(
        Hits(
            Topics(np.arange(len(rankings), dtype=np.int32)),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            table[:, 1].astype(np.int32),
            table[:, 2].copy(),
            placed[:, 0].copy(),
            placed[:, 1].copy(),
            placed[:, 2].copy(),
            lengths,
            lengths + more,
            np.zeros(len(rankings), dtype=np.int64),
            4.0,
            1.0,
            5.0,
            lists=_lists(rankings),
        )
    )


def _lists(rankings: Sequence[Ranking]) -> TopicLists:
    """The lists item by item; unjudged items are others than the judged ones."""
    items: list[int] = []
    for ranking in rankings:
        judged = iter(ranking.items)
        items += [
            _UNJUDGED + k if rating is None else next(judged)
            for k, rating in enumerate(ranking.ratings)
        ]
    lengths = [len(ranking.ratings) for ranking in rankings]
    run = Run(
        "lists",
        Topics(np.arange(len(rankings), dtype=np.int32)),
        offsets_of(np.array(lengths, dtype=np.int64)),
        np.array(items, dtype=np.int32),
        np.concatenate([*(5 - np.arange(size) / 4 for size in lengths), np.empty(0)]),
        np.zeros(len(rankings), dtype=np.int64),
    )
    return TopicLists(run, FACTS)


def topic_of(ranking: Ranking) -> TopicHits:
    """The hits of one ranking."""
    return hits_of([ranking]).topic(0, POPULARITY)


def _bounds(ranking: Ranking) -> list[tuple[int, int]]:
    """The first and the last rank that each item of a list could have had among its ties."""
    sizes = ranking.ties or (1,) * len(ranking.ratings)
    starts = np.cumsum([1, *sizes])[:-1].tolist()
    return [
        (start, start + size - 1)
        for start, size in zip(starts, sizes, strict=True)
        for _ in range(size)
    ]


_RATINGS = st.sampled_from([5.0, 4.0, 1.0, 3.0, 2.0, 4.5])
_LISTED: st.SearchStrategy[float | None] = st.none() | _RATINGS


@st.composite
def rankings(draw: st.DrawFn, *, longest: int = 14, ties: bool = False) -> Ranking:
    """One topic: empty, nothing relevant, all relevant, shorter than the cut-off, or any."""
    listed = draw(st.lists(_LISTED, max_size=longest))
    unranked = draw(st.lists(_RATINGS, max_size=3))
    items = draw(st.permutations(range(20)))
    groups: list[int] = []
    while ties and sum(groups) < len(listed):
        groups.append(draw(st.integers(1, len(listed) - sum(groups))))
    others = draw(st.integers(0, 3))
    return Ranking(tuple(listed), tuple(unranked), others, tuple(groups), tuple(items))


def hits() -> st.SearchStrategy[Hits]:
    """The hits of a few topics, as `rankings` generates them."""
    return st.lists(rankings(), min_size=1, max_size=6).map(hits_of)


@st.composite
def better_swaps(draw: st.DrawFn) -> tuple[Ranking, Ranking]:
    """A ranking with a worse item above a better one, and the same with the two swapped."""
    ranking = draw(rankings(longest=10))
    worse, better = draw(st.sampled_from([(1.0, 5.0), (3.0, 4.0), (4.0, 5.0), (1.0, 2.0)]))
    high = draw(st.integers(0, len(ranking.ratings)))
    low = draw(st.integers(high, len(ranking.ratings)))
    above, between, below = (
        ranking.ratings[:high],
        ranking.ratings[high:low],
        ranking.ratings[low:],
    )
    before = (*above, worse, *between, better, *below)
    after = (*above, better, *between, worse, *below)
    return replace(ranking, ratings=before), replace(ranking, ratings=after)


def relabelled(hits: Hits, order: Iterable[int]) -> Hits:
    """The same topics in another order, their users under other codes."""
    chosen = list(order)
    rows = np.concatenate(
        [np.arange(hits.offsets[t], hits.offsets[t + 1]) for t in chosen] or [np.empty(0, int)]
    ).astype(np.int64)
    counts = np.diff(hits.offsets)[chosen]
    return replace(
        hits,
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        items=hits.items[rows],
        ratings=hits.ratings[rows],
        ranks=hits.ranks[rows],
        first=hits.first[rows],
        last=hits.last[rows],
        lengths=hits.lengths[chosen],
        targets=hits.targets[chosen],
        unscored=hits.unscored[chosen],
        lists=None if hits.lists is None else lists_in_order([hits.lists], np.array(chosen)),
    )


def tie_orders(ranking: Ranking) -> list[Ranking]:
    """The ranking with its tied items in every order; items keep their identity."""
    places = list(range(len(ranking.ratings)))
    groups, start = [], 0
    for size in ranking.ties:
        groups.append(places[start : start + size])
        start += size
    identity = iter(ranking.items)
    items = [None if rating is None else next(identity) for rating in ranking.ratings]
    rest = list(identity)
    found = []
    for chosen in product(*(permutations(group) for group in groups)):
        order = [place for group in chosen for place in group]
        judged = [item for place in order if (item := items[place]) is not None]
        ratings = tuple(ranking.ratings[place] for place in order)
        found.append(replace(ranking, ratings=ratings, ties=(), items=(*judged, *rest)))
    return found


def all_orders(ranking: Ranking) -> list[Ranking]:
    """All targets of a topic in every order, none of them outside the list."""
    targets = (*ranking.ratings, *ranking.unranked, *[None] * ranking.others)
    return tie_orders(Ranking(targets, ties=(len(targets),), items=ranking.items))
