"""Where judged targets stand in given lists if everything is ranked but the user's training.

Accelerates what `locate.list_of` defines, as `kernels.lists` does for any targets. This
is what most evaluations need, and compiles several times faster.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Offsets

Ranks = npt.NDArray[np.int32]

LISTED, OUT = -1, int(np.iinfo(np.int32).min)
"""Marks of items that stay in a list, and of those that are taken out of all."""


@kernel
def bound_ties(
    top: int, bottom: int, items: Codes, predictions: Floats, mark: Codes, trained: int,
    begin: int, end: int, ranks: Ranks, first: Ranks, last: Ranks,
) -> None:  # fmt: skip
    """The first and the last of the ranks that have the prediction of each hit of a list."""
    row, same, rank, best, value = begin, begin, 0, 0, np.nan
    for at in range(top, bottom):
        if mark[items[at]] <= trained:
            continue
        rank += 1
        if predictions[at] != value:  # so is the first of a list
            value, best = predictions[at], rank
            last[same:row] = rank - 1
            same = row
        if row < end and ranks[row] == rank:
            first[row] = best
            row += 1
    last[same:row] = rank


@kernel
def locate_plain(
    start: int, stop: int, users: Codes, train_offsets: Offsets, train_items: Codes,
    offsets: Offsets, items: Codes, predictions: Floats, tied: Offsets, judged: Offsets,
    judged_items: Codes, judged_ratings: Floats, out_items: Codes, out_ratings: Floats,
    ranks: Ranks, first: Ranks, last: Ranks, lengths: Offsets, mark: Codes, places: Offsets,
) -> None:  # fmt: skip
    """Hits of the lists of some topics, in the rows of their judged targets.

    ``tied`` are the positions of each list that share their prediction. ``mark`` tells which
    items stay, those that the collection lacks (codes below 0) from its end. It is scratch
    space too: a topic's judged targets, none of which is of its training, get their row, and
    its training items a number below all but ``OUT``. So is ``places``, with two
    more places than twice the longest list.

    Few items are hits, and which ones cannot be predicted. So all are noted, each where the
    one before was unless that is a hit: a wrong branch prediction would cost more.
    """
    base = judged[start]
    for topic in range(start, stop):
        begin, end, user, trained = judged[topic], judged[topic + 1], users[topic], -2 - topic
        for row in range(train_offsets[user], train_offsets[user + 1]):
            if mark[train_items[row]] != OUT:
                mark[train_items[row]] = trained
        for row in range(begin, end):
            mark[judged_items[row]] = row - base
        top, bottom, least, rank, noted = offsets[topic], offsets[topic + 1], begin - base, 0, 0
        for at in range(np.uint64(top), np.uint64(bottom)):
            row = mark[items[at]]
            rank += row > trained
            places[noted], places[noted + 1] = at, rank
            noted += 2 * (row >= least)
        lengths[topic], place = rank, begin
        for note in range(0, noted, 2):
            item = items[places[note]]
            out_items[place], out_ratings[place] = item, judged_ratings[base + mark[item]]
            ranks[place] = first[place] = last[place] = places[note + 1]
            mark[item] = LISTED
            place += 1
        if tied[topic] > 0:
            bound_ties(
                top, bottom, items, predictions, mark, trained, begin, place, ranks, first, last
            )
        for row in range(place, end):
            ranks[row] = first[row] = last[row] = 0
        row = begin
        while place < end:
            item = judged_items[row]
            out_items[place], out_ratings[place] = item, judged_ratings[row]
            place += mark[item] == row - base
            row += 1
