"""Rankings that nobody predicted: all targets tied, in random order, or in the best one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cranfield.recommendation.hits import UNRANKED, Hits, Ranks

Rows = npt.NDArray[np.int64]

_DENSE = 4
"""Topics with at most this many targets per judged one are drawn by sorting them all."""
_BITS = 32
"""Bits that hold the number of targets of any topic."""


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


def ideal(hits: Hits, depth: int | None = None) -> Hits:
    """The best order of each topic's targets: judged ones by falling rating, then the rest."""
    rows = np.lexsort((-hits.ratings, hits.owners))
    return _placed(hits, rows, places_of(hits), depth)


def shuffled(hits: Hits, generator: np.random.Generator, depth: int | None = None) -> Hits:
    """A random order of each topic's targets, every one as likely.

    Each topic draws which ranks its judged targets have, and then which target has which.
    """
    owners = hits.owners
    dense = hits.targets <= _DENSE * np.diff(hits.offsets)
    if dense.any():
        crowded = dense[owners]
        taken = np.empty(len(owners), dtype=np.int64)
        taken[crowded] = _by_sorting(hits, owners[crowded], generator)
        taken[~crowded] = _by_redrawing(hits, owners[~crowded], generator)
    else:
        taken = _by_redrawing(hits, owners, generator)
    rows = _mixed(owners, generator)
    return _placed(hits, rows, taken.astype(np.int32), depth)


def places_of(hits: Hits) -> Ranks:
    """For each judged target, its place among those of its topic, from 1."""
    starts = np.repeat(hits.offsets[:-1], np.diff(hits.offsets))
    return (np.arange(1, len(hits.items) + 1) - starts).astype(np.int32)


def _mixed(owners: Rows, generator: np.random.Generator) -> Rows:
    """Row numbers by owner, in random order within each."""
    return np.argsort(owners + 0.999 * generator.random(len(owners)))


def _by_sorting(hits: Hits, owners: Rows, generator: np.random.Generator) -> Rows:
    """Ranks of judged targets, ascending by topic: as many as needed of all in random order."""
    topics, counts = np.unique(owners, return_counts=True)
    sizes = hits.targets[topics]
    places = np.repeat(np.arange(len(topics)), sizes)
    starts = np.cumsum(sizes) - sizes
    order = _mixed(places, generator)
    first = np.arange(len(places)) - starts[places] < counts[places]
    chosen = np.sort(order[first])
    return chosen - np.repeat(starts, counts) + 1


def _by_redrawing(hits: Hits, owners: Rows, generator: np.random.Generator) -> Rows:
    """Ranks of judged targets, ascending by topic: drawn anew until all of a topic differ.

    A rank stays once it is drawn, and what is drawn again is as likely to be any other,
    so every set of ranks is as likely.
    """
    fresh, found = owners, np.empty(0, dtype=np.int64)
    while len(fresh):
        drawn = np.sort((fresh << _BITS) + generator.integers(1, hits.targets[fresh] + 1))
        found = np.insert(found, np.searchsorted(found, drawn), drawn) if len(found) else drawn
        again = np.flatnonzero(found[1:] == found[:-1])
        fresh, found = found[again] >> _BITS, np.delete(found, again)
    return found & ((1 << _BITS) - 1)


def _placed(hits: Hits, rows: Rows, ranks: Ranks, depth: int | None) -> Hits:
    """The judged targets in the order of rows, with these ranks, in lists of all targets."""
    placed = replace(
        hits,
        items=hits.items[rows],
        ratings=hits.ratings[rows],
        ranks=ranks,
        first=ranks,
        last=ranks,
        lengths=hits.targets,
    )
    return cut_lists(placed, depth)


def cut_lists(hits: Hits, depth: int | None) -> Hits:
    """Lists that end at a depth; ranks ascend within each topic, and nobody asks in which
    order those below it come.
    """
    if depth is None:
        return replace(hits, depth=None)
    ranks = np.where(hits.ranks > depth, np.int32(UNRANKED), hits.ranks)
    return replace(hits, ranks=ranks, lengths=np.minimum(hits.lengths, depth), depth=depth)
