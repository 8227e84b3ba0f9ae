"""Rankings that nobody predicted: all targets tied, in random order, or in the best one."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from cranfield.collection.ordering import order_pairs
from cranfield.recommendation.ranking.hits import UNRANKED, Floats, Hits, Ranks
from cranfield.scoring.kernels.levels import find_levels
from cranfield.scoring.kernels.part import WHOLE
from cranfield.scoring.kernels.shuffling import shuffle

T = TypeVar("T", bound=np.generic)

Rows = npt.NDArray[np.int64]


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


def _placed(hits: Hits, rows: Rows, ranks: Ranks) -> Hits:
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


def _taken(values: npt.NDArray[T], rows: Rows) -> npt.NDArray[T]:
    """The values of some rows."""
    taken: npt.NDArray[T] = np.empty(len(rows), values.dtype)
    # Rows are within bounds; clip spares the copy that checking would make.
    return values.take(rows, out=taken, mode="clip")


def cut_lists(hits: Hits, depth: int | None) -> Hits:
    """Lists that end at a depth; ranks ascend within each topic, and nobody asks in which
    order those below it come.
    """
    if depth is None:
        return replace(hits, depth=None)
    ranks = np.where(hits.ranks > depth, np.int32(UNRANKED), hits.ranks)
    return replace(hits, ranks=ranks, lengths=np.minimum(hits.lengths, depth), depth=depth)
