"""Where judged targets stand in lists that are given, as runs from files are.

Accelerates what `locate.list_of` defines: keep a list's targets, then look where each
judged one stands.
"""

from __future__ import annotations

import numpy as np

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, HitRows, JudgedTargets, Offsets, TargetLayout
from cranfield.recommendation.ranking.kernels.hit_rows import write_hit
from cranfield.recommendation.ranking.kernels.members import enter_group, is_member


@kernel
def keep_targets(
    items: Codes, predictions: Floats, layout: TargetLayout, group: int, stamp: Offsets,
    inside: Offsets, own: int, unknown_items: bool,
) -> tuple[Codes, Floats]:  # fmt: skip
    """A list without the items that are not to be ranked; unknown items have codes below 0."""
    kept, values, size = np.empty_like(items), np.empty_like(predictions), 0
    for place in range(len(items)):
        item = items[place]
        if item < 0:
            wanted = unknown_items
        else:
            wanted = item == own or is_member(layout, group, stamp, inside, item)
        if wanted:
            kept[size] = item
            values[size] = predictions[place]
            size += 1
    return kept[:size], values[:size]


@kernel
def write_list(
    place: int, items: Codes, values: Floats, rating_of: Floats, judged_by: Offsets, user: int,
    out: HitRows,
) -> int:  # fmt: skip
    """Hits of one list from a place on; items of equal prediction bound each other's ranks."""
    first = 0
    while first < len(items):
        last = first + 1
        while last < len(items) and values[last] == values[first]:
            last += 1
        for rank in range(first, last):
            item = items[rank]
            if item >= 0 and judged_by[item] == user:
                write_hit(out, place, item, rating_of, rank + 1, first + 1, last)
                place += 1
        first = last
    return place


@kernel
def write_missing(place: int, judged_items: Codes, own: int, listed: Offsets, topic: int,
                  rating_of: Floats, out: HitRows) -> None:  # fmt: skip
    """Judged targets that a list lacks, by item; ``own`` (−1: none) is one of them."""
    for at in range(len(judged_items)):
        item = judged_items[at]
        if 0 <= own < item:
            if listed[own] != topic:
                write_hit(out, place, own, rating_of, 0, 0, 0)
                place += 1
            own = -1
        if listed[item] != topic:
            write_hit(out, place, item, rating_of, 0, 0, 0)
            place += 1
    if own >= 0 and listed[own] != topic:
        write_hit(out, place, own, rating_of, 0, 0, 0)


@kernel
def locate_lists(
    layout: TargetLayout, judged: JudgedTargets, start: int, stop: int, offsets: Offsets,
    items: Codes, predictions: Floats, unknown_items: bool, out: HitRows,
) -> None:  # fmt: skip
    """Hits of the lists of some groups; ``offsets`` has a list for each group."""
    n_items = len(layout.candidates)
    rating_of = np.zeros(n_items)
    stamp, inside = np.full(n_items, -1, dtype=np.int64), np.full(n_items, -1, dtype=np.int64)
    judged_by, listed = np.full(n_items, -1, dtype=np.int64), np.full(n_items, -1, dtype=np.int64)
    members = np.empty(n_items, dtype=np.int32)
    for group in range(start, stop):
        begin, end = layout.groups[group], layout.groups[group + 1]
        user = layout.users[begin]
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            judged_by[layout.test_items[row]] = user
            rating_of[layout.test_items[row]] = layout.test_ratings[row]
        size = enter_group(layout, group, stamp, inside, members)
        rows = slice(offsets[group], offsets[group + 1])
        judged_items = judged.items[judged.offsets[group] : judged.offsets[group + 1]]
        for topic in range(begin, end):
            own = layout.one_items[topic] if layout.one_each else -1
            kept, values = keep_targets(
                items[rows], predictions[rows], layout, group, stamp, inside, own, unknown_items
            )
            place = write_list(out.offsets[topic], kept, values, rating_of, judged_by, user, out)
            known = 0
            for at in range(len(kept)):
                if kept[at] >= 0:
                    listed[kept[at]] = topic
                    known += 1
            write_missing(place, judged_items, own, listed, topic, rating_of, out)
            out.targets[topic] = size + (own >= 0)
            out.lengths[topic] = len(kept)
            out.unscored[topic] = size + (own >= 0) - known
