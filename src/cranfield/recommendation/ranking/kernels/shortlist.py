"""Which items can be among the first of a ranking, found without ordering the others.

They are those that reach a bar which as many others reach, too.
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

_BLOCK = 64
"""Predictions that are compared with the bar at a time, side by side; so many fewer are not."""
_AT_ONCE = 1024
"""Predictions that are compared with one bar, before it is raised."""
_STEPS = 14
"""How often the range is halved in which a bar is searched for."""


@kernel
def reaches(row: Row, start: int, bar: float) -> bool:
    """Whether one of a block of predictions is at the bar or above it."""
    block, found = row[start : start + _BLOCK], np.uint8(0)
    for at in range(_BLOCK):
        found |= np.uint8(block[at] >= bar)
    return bool(found != 0)


@kernel
def first_reaching(row: Row, bar: float) -> int:
    """Where to begin to look for predictions that reach the bar; the end if there are none."""
    whole = len(row) - len(row) % _BLOCK
    for start in range(0, whole, _BLOCK):
        if reaches(row, start, bar):
            return start
    for at in range(whole, len(row)):
        if row[at] >= bar:
            return at
    return len(row)


@kernel
def add_reaching(
    layout: TargetLayout, group: int, stamp: Offsets, columns: Codes, row: Row, bar: float,
    items: Codes, values: Row, size: int,
) -> int:  # fmt: skip
    """Add the members whose prediction is at the bar or above it to ``size`` found before.

    ``row`` has the predictions of the items in ``columns``. The group was entered by
    `members.enter_group`. Returns how many are found now.
    """
    for start in range(0, len(row), _BLOCK):
        stop = min(start + _BLOCK, len(row))
        if stop == start + _BLOCK and not reaches(row, start, bar):
            continue
        for at in range(start, stop):
            if row[at] >= bar and is_member(layout, group, stamp, stamp, columns[at]):
                items[size], values[size] = columns[at], row[at]
                size += 1
    return size


@kernel
def count_reaching(values: Row, bar: Any) -> int:
    """How many values are at the bar or above it."""
    count = np.int32(0)
    for at in range(len(values)):
        count += np.int32(values[at] >= bar)
    return int(count)


@kernel
def highest_bar(values: Row, least: int) -> float:
    """A number that ``least`` of the values reach or exceed, near the highest such number.

    The range of the values is halved so often; there must be as many of them.
    """
    low, high = values[0], values[0]
    for value in values:
        low, high = min(low, value), max(high, value)
    for _ in range(_STEPS):
        middle = values.dtype.type(0.5 * low + 0.5 * high)
        count = count_reaching(values, middle)
        if count < least:
            high = middle
        else:
            low = middle
        if count == least:
            break
    return float(low)


@kernel
def drop_below(items: Codes, values: Row, size: int, bar: float) -> int:
    """Keep the items found whose value is at the bar or above it, in order; returns how many."""
    left = 0
    for place in range(size):
        items[left], values[left] = items[place], values[place]
        left += values[place] >= bar
    return left


@kernel
def shortlist(
    layout: TargetLayout, group: int, stamp: Offsets, row: Floats, least: int, columns: Codes,
    members: Codes, values: Floats,
) -> int:  # fmt: skip
    """The members of a group that can be among the first ``least``; returns how many.

    The group was entered by `members.enter_group`. What ties with the last is among them.
    ``row`` and ``columns`` are of all items; ``values`` is scratch space.
    """
    bar, size = -np.inf, 0
    for start in range(0, len(row), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        size = add_reaching(
            layout, group, stamp, columns[part], row[part], bar, members, values, size
        )
        if size >= 2 * least or (size > least and start + _AT_ONCE >= len(row)):
            bar = highest_bar(values[:size], least)
            size = drop_below(members, values, size, bar)
    return size


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
def multiply_items(x: Floats, factors: Floats, items: Codes, row: Floats) -> None:
    """``row[i] = x·factors[i]`` for some items, each as `inner_product` adds it up.

    Four sums at a time: an addition waits for the one before it in the same sum.
    """
    whole = len(items) - len(items) % 4
    for place in range(0, whole, 4):
        i, j, k, n = items[place], items[place + 1], items[place + 2], items[place + 3]
        first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        for f in range(len(x)):
            first += x[f] * factors[i, f]
            second += x[f] * factors[j, f]
            third += x[f] * factors[k, f]
            fourth += x[f] * factors[n, f]
        row[i], row[j], row[k], row[n] = first, second, third, fourth
    for item in items[whole:]:
        row[item] = inner_product(x, factors[item])


@kernel
def fill_predictions(given: PredictedRows, at: int, items: Codes, row: Floats) -> None:
    """Put the predictions of some items where they belong in a user's row."""
    if not given.factors:
        for item in items:
            row[item] = given.values[at, item]
        return
    multiply_items(given.user_factors[at], given.item_factors, items, row)
    for item in items:
        if not (given.known_rows[at] and given.known_items[item]):
            row[item] = np.nan
        elif given.single:
            row[item] = np.float32(row[item])
