"""Ties decided on hits: other ranks for judged targets within their items of equal prediction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cranfield.base.seeds import Seeds, words
from cranfield.recommendation.ranking.choice import Ties
from cranfield.recommendation.ranking.hits import Hits, in_order


def break_ties(hits: Hits, ties: Ties, seed: int = 0) -> Hits:
    """The same hits with equal items put the best rated first, last, or at random.

    The other rules leave hits as they are: they decide before lists are made, or (expected)
    when scores are.
    """
    if ties not in ("optimistic", "pessimistic", "random"):
        return hits
    tied = hits.first < hits.last
    ranks = hits.ranks.copy()
    owners = hits.owners
    groups = np.stack([owners[tied], hits.first[tied]])
    _, group = np.unique(groups, axis=1, return_inverse=True)
    rows, group = np.flatnonzero(tied), group.reshape(-1)
    if ties == "random":
        ranks[rows] = _drawn(hits, rows, group, seed)
    else:
        ranks[rows] = _by_rating(hits, rows, group, best_first=ties == "optimistic")
    return in_order(replace(hits, ranks=ranks))


def _by_rating(
    hits: Hits, rows: npt.NDArray[np.int64], group: npt.NDArray[np.int64], *, best_first: bool
) -> npt.NDArray[np.int32]:
    """Ranks from the top of each group, best rated first, or up to its end, best rated last."""
    sign = -1.0 if best_first else 1.0
    order = np.lexsort((hits.items[rows], sign * hits.ratings[rows], group))
    starts = np.searchsorted(group[order], np.arange(group.max(initial=-1) + 1))
    within = np.empty(len(rows), dtype=np.int64)
    within[order] = np.arange(len(rows)) - starts[group[order]]
    sizes = np.bincount(group, minlength=len(starts))[group] if len(rows) else within
    start = hits.first[rows] if best_first else hits.last[rows] - sizes + 1
    return (start + within).astype(np.int32)


def _drawn(
    hits: Hits, rows: npt.NDArray[np.int64], group: npt.NDArray[np.int64], seed: int
) -> npt.NDArray[np.int32]:
    """Distinct ranks of each group, drawn by counter from (seed, user, judged items of the group).

    So rankings of one user that differ in their relevant item (1R) draw by themselves.
    """
    ranks = np.empty(len(rows), dtype=np.int32)
    if not len(rows):
        return ranks
    items, users = hits.items[rows], hits.topics.users[hits.owners[rows]]
    key = Seeds(seed).key("ties")
    order = np.lexsort((items, group))
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    drawn = words(key, words(key, users) + items.astype(np.uint64))[order]
    streams = np.add.reduceat(drawn, starts)  # whatever the order of its items
    for members, stream in zip(np.split(order, starts[1:]), streams.tolist(), strict=True):
        first, last = hits.first[rows[members[0]]], hits.last[rows[members[0]]]
        places = np.argsort(words(stream, np.arange(first, last + 1)), kind="stable")
        ranks[members] = first + places[: len(members)]
    return ranks
