"""Rankings that nobody predicted: all targets tied, in random order, or in the best one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cranfield.recommendation.hits import Hits, Ranks, in_order

Rows = npt.NDArray[np.int64]

_DENSE = 4
"""Topics with at most this many targets per judged one are drawn by sorting them all."""


def tied(hits: Hits, depth: int | None = None) -> Hits:
    """All targets of each topic tied, so that every order of them is as likely.

    What a metric expects of such a topic is what a random ranking gets. Lists hold all
    targets, or end at a depth.
    """
    starts = np.repeat(hits.offsets[:-1], np.diff(hits.offsets))
    places = np.arange(1, len(hits.items) + 1) - starts
    return _cut(
        replace(
            hits,
            ranks=places.astype(np.int32),
            first=np.ones(len(hits.items), dtype=np.int32),
            last=hits.targets[hits.owners].astype(np.int32),
            lengths=hits.targets,
        ),
        depth,
    )


def ideal(hits: Hits, depth: int | None = None) -> Hits:
    """The best order of each topic's targets: judged ones by falling rating, then the rest."""
    owners = hits.owners
    rows = np.lexsort((hits.items, -hits.ratings, owners))
    ranks = np.empty(len(rows), dtype=np.int32)
    ranks[rows] = np.arange(1, len(rows) + 1) - hits.offsets[:-1][owners]
    return _placed(hits, ranks, depth)


def shuffled(hits: Hits, generator: np.random.Generator, depth: int | None = None) -> Hits:
    """A random order of each topic's targets, every one as likely."""
    ranks = np.empty(len(hits.items), dtype=np.int32)
    dense = (hits.targets <= _DENSE * np.diff(hits.offsets))[hits.owners]
    ranks[dense] = _by_sorting(hits, np.flatnonzero(dense), generator)
    ranks[~dense] = _by_redrawing(hits, np.flatnonzero(~dense), generator)
    return _placed(hits, ranks, depth)


def _by_sorting(hits: Hits, rows: Rows, generator: np.random.Generator) -> Ranks:
    """Ranks of judged targets among all targets, which are put in random order."""
    topics, counts = np.unique(hits.owners[rows], return_counts=True)
    sizes = hits.targets[topics]
    starts = np.cumsum(sizes) - sizes
    owners = np.repeat(np.arange(len(topics)), sizes)
    order = np.lexsort((generator.random(len(owners)), owners))
    ranks = np.empty(len(owners), dtype=np.int32)
    ranks[order] = np.arange(1, len(owners) + 1) - starts[owners]
    judged = np.arange(counts.sum()) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    found: Ranks = ranks[judged]
    return found


def _by_redrawing(hits: Hits, rows: Rows, generator: np.random.Generator) -> Ranks:
    """Ranks drawn one by one; those that another item of the topic has are drawn again.

    Whether a draw is repeated depends on which ranks are equal, never on what they are,
    so every assignment of ranks is as likely.
    """
    owners = hits.owners[rows]
    sizes, ranks = hits.targets[owners], np.zeros(len(rows), dtype=np.int64)
    fresh = np.ones(len(rows), dtype=bool)
    while fresh.any():
        ranks[fresh] = generator.integers(1, sizes[fresh] + 1)
        order = np.lexsort((fresh, ranks, owners))  # a rank stays with who has it already
        again = (np.diff(owners[order]) == 0) & (np.diff(ranks[order]) == 0)
        fresh = np.zeros(len(rows), dtype=bool)
        fresh[order[1:][again]] = True
    return ranks.astype(np.int32)


def _placed(hits: Hits, ranks: Ranks, depth: int | None) -> Hits:
    """The hits with these ranks in lists of all targets."""
    placed = replace(hits, ranks=ranks, first=ranks, last=ranks, lengths=hits.targets)
    return _cut(in_order(placed), depth)


def _cut(hits: Hits, depth: int | None) -> Hits:
    return replace(hits, depth=None) if depth is None else hits.cut(depth)
