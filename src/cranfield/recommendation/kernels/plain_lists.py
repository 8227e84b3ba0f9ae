"""Where judged targets stand in given lists if everything is ranked but the user's training.

Accelerates what `locating.place_of` defines, as `kernels.lists` does for any targets. This
is what most evaluations need, and compiles several times faster.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Offsets

Ranks = npt.NDArray[np.int32]


@kernel
def locate_plain(
    start: int, stop: int, users: Codes, train_offsets: Offsets, train_items: Codes,
    candidates: npt.NDArray[np.bool_], strangers: bool, offsets: Offsets, items: Codes,
    predictions: Floats, judged: Offsets, judged_items: Codes, judged_ratings: Floats,
    out_items: Codes, out_ratings: Floats, ranks: Ranks, first: Ranks, last: Ranks,
    lengths: Offsets, known: Offsets, mark: Offsets,
) -> None:  # fmt: skip
    """Hits of the lists of some topics, in the rows of their judged targets.

    ``known`` gets how many items of each list are candidates; ``lengths`` counts strangers
    (codes below 0) too, if they stay. ``mark`` is scratch space, −1 for each item: what a
    topic's judged targets, none of which is of its training, get is their row, and what its
    training items get is a number below −1.
    """
    for topic in range(start, stop):
        begin, end, user, trained = judged[topic], judged[topic + 1], users[topic], -2 - topic
        for row in range(train_offsets[user], train_offsets[user + 1]):
            mark[train_items[row]] = trained
        for row in range(begin, end):
            mark[judged_items[row]] = row
        place, same, rank, best, candidate, value = begin, begin, 0, 0, 0, np.nan
        for at in range(np.uint64(offsets[topic]), np.uint64(offsets[topic + 1])):
            item = items[at]
            row = mark[np.uint64(item)] if item >= 0 else -1
            ours = item >= 0 and row != trained and candidates[np.uint64(item)]
            if not (ours or (item < 0 and strangers)):
                continue
            rank += 1
            candidate += ours
            if predictions[at] != value:  # so is the first of a list
                value, best = predictions[at], rank
                if same < place:  # hits of equal prediction end where the next begins
                    last[same:place] = rank - 1
                    same = place
            if row >= begin:
                out_items[place], out_ratings[place] = item, judged_ratings[row]
                ranks[place], first[place] = rank, best
                mark[item] = -1
                place += 1
        last[same:place] = rank
        lengths[topic], known[topic] = rank, candidate
        for row in range(begin, end):
            item = judged_items[row]
            if mark[item] == row:
                out_items[place], out_ratings[place] = item, judged_ratings[row]
                ranks[place], first[place], last[place] = 0, 0, 0
                place += 1
