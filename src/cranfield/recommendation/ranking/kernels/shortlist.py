"""Which items can be among the first of a ranking, found without ordering the others.

Predictions may be approximations: then all items are found that are first by the exact ones,
and a few more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Offsets, PredictedRows, TargetLayout
from cranfield.recommendation.ranking.kernels.members import is_member

Row = npt.NDArray[np.floating[Any]]

_BLOCK, _LANES = 64, 1024
"""Predictions that are compared with the bar at a time, side by side; and those of which the
highest are found side by side, for a first bar."""


@kernel
def push_lowest(heap: Floats, size: int, value: float) -> int:
    """Add a value to a heap whose lowest is on top; returns its new size.

    A full heap gives up its lowest for it.
    """
    if size == len(heap):
        root = 0
        while True:
            child = 2 * root + 1
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if child >= size or heap[child] >= value:
                break
            heap[root] = heap[child]
            root = child
        heap[root] = value
        return size
    place = size
    while place > 0 and heap[(place - 1) // 2] > value:
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = value
    return size + 1


@kernel
def highest_of_lanes(row: Row, lanes: Row) -> None:
    """The highest prediction of every so many items: those whose codes leave one remainder."""
    lanes[:] = -np.inf
    whole = len(row) // len(lanes) * len(lanes)
    for start in range(0, whole, len(lanes)):
        part = row[start : start + len(lanes)]
        for at in range(len(lanes)):
            lanes[at] = part[at] if part[at] > lanes[at] else lanes[at]
    for item in range(whole, len(row)):
        lanes[item - whole] = max(lanes[item - whole], row[item])


@kernel
def lowest_bar(row: Row, least: int) -> float:
    """A number that is exceeded or reached by so many predictions at least.

    In so many lanes the highest one does, if there are as many lanes; else it is −∞.
    """
    if least > _LANES // 2 or len(row) < 4 * _LANES:
        return -np.inf
    lanes, heap, size = np.empty(_LANES, row.dtype), np.empty(least), 0
    highest_of_lanes(row, lanes)
    for highest in lanes:
        if size < least or highest > heap[0]:
            size = push_lowest(heap, size, float(highest))
    return float(heap[0])


@kernel
def reaches(row: Row, start: int, bar: float) -> bool:
    """Whether one of a block of predictions is at the bar or above it."""
    block, found = row[start : start + _BLOCK], np.uint8(0)
    for at in range(_BLOCK):
        found |= np.uint8(block[at] >= bar)
    return bool(found != 0)


@kernel
def shortlist(
    layout: TargetLayout, group: int, stamp: Offsets, given: PredictedRows, at: int, scored: int,
    heap: Floats, members: Codes,
) -> int:  # fmt: skip
    """The members of a group that can be among the first ``len(heap)``; returns how many.

    The group was entered by `members.enter_group`; ``scored`` of its members have a
    prediction. What ties with the last is among them. With approximations, the bar is two
    margins below the last of the first: one for the last itself, and one for whatever is
    compared with it.
    """
    row = given.values[at]
    slack = 2 * given.margins[at]
    bars = np.empty(1, row.dtype)  # as precise as what it is compared with
    bars[0] = lowest_bar(row, len(heap) + len(row) - scored) - slack
    size, kept = 0, 0
    for start in range(0, len(row), _BLOCK):
        stop = min(start + _BLOCK, len(row))
        if stop == start + _BLOCK and not reaches(row, start, bars[0]):
            continue
        for item in range(start, stop):
            value = row[item]
            if not value >= bars[0] or not given.known_items[item]:
                continue
            if is_member(layout, group, stamp, stamp, item):
                members[kept] = item
                kept += 1
                if size < len(heap) or value > heap[0]:
                    size = push_lowest(heap, size, value)
                    if size == len(heap):
                        bars[0] = max(bars[0], heap[0] - slack)
    left = 0
    for place in range(kept):
        if row[members[place]] >= bars[0]:
            members[left] = members[place]
            left += 1
    return left


@kernel
def is_predicted(given: PredictedRows, at: int, item: int) -> bool:
    """Whether an item has a prediction in a row of a known user."""
    if given.factors:
        return bool(given.known_items[item])
    return not np.isnan(given.values[at, item])


@kernel
def count_predicted(layout: TargetLayout, given: PredictedRows, at: int) -> int:
    """How many candidates have a prediction in a row of a known user."""
    count = 0
    if given.factors:
        for item in range(len(layout.candidates)):
            count += layout.candidates[item] & given.known_items[item]
        return count
    row = given.values[at]
    for item in range(len(layout.candidates)):
        count += layout.candidates[item] & (row[item] == row[item])
    return count


@kernel
def count_left_out(
    layout: TargetLayout, group: int, given: PredictedRows, at: int, seen: Offsets
) -> int:
    """How many candidates with a prediction `members.enter_group` leaves out of a group.

    ``seen`` is scratch space, by item.
    """
    user, out = layout.users[layout.groups[group]], 0
    for place in range(layout.train_offsets[user], layout.train_offsets[user + 1]):
        item = layout.train_items[place]
        seen[item] = group
        out += layout.candidates[item] and is_predicted(given, at, item)
    if layout.one_each:
        for place in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            item = layout.test_items[place]
            if layout.test_ratings[place] >= layout.relevance and seen[item] != group:
                seen[item] = group
                out += layout.candidates[item] and is_predicted(given, at, item)
    return out


@kernel
def inner_product(x: Floats, y: Floats) -> float:
    """``x·y``, added up over the factors in their order, as `products.multiply_rows` does."""
    total = 0.0
    for f in range(len(x)):
        total += x[f] * y[f]
    return total


@kernel
def fill_predictions(given: PredictedRows, at: int, items: Codes, row: Floats) -> None:
    """Put the predictions of some items where they belong in a user's row."""
    for item in items:
        if not given.factors:
            row[item] = given.values[at, item]
        elif given.known_rows[at] and given.known_items[item]:
            value = inner_product(given.user_factors[at], given.item_factors[item])
            row[item] = np.float32(value) if given.single else value
        else:
            row[item] = np.nan
