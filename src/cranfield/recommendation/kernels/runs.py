"""Runs whose rows are ranked lists as they stand, inspected and brought into order of users.

Accelerates what `runs.coding` does with any rows, for those that need nothing of it.
"""

from __future__ import annotations

import numpy as np

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Offsets

_MOST = float(np.finfo(np.float64).max)


@kernel
def count_tied(start: int, stop: int, items: Codes, predictions: Floats, places: Offsets) -> int:
    """How many positions of a list are tied; −1 if items of equal prediction descend in places."""
    tied, same = 0, False
    for at in range(start + 1, stop):
        equal = predictions[at] == predictions[at - 1]
        if equal and places[items[at]] < places[items[at - 1]]:
            return -1
        tied += equal * (1 if same else 2)
        same = equal
    return tied


@kernel
def copy_lists(
    start: int, stop: int, begins: Offsets, owners: Codes, targets: Offsets, items: Codes,
    predictions: Floats, codes: Codes, places: Offsets, train_offsets: Offsets,
    train_items: Codes, last_list: Codes, out_items: Codes, out_predictions: Floats,
    tied: Offsets,
) -> bool:  # fmt: skip
    """Copy some lists to where they go, their items by their codes, if they are ranked.

    They are if in each list no prediction is missing, infinite, or above the one before,
    those of equal prediction ascend in their ``places``, and no item is in the list already
    or in the user's training; else the answer is no. Lists without an owner are passed over.
    ``predictions`` are those of these lists, ``items`` those of all. Codes below zero count
    from the end of ``places`` and of ``last_list``, which is scratch space, −1 for each item.
    ``tied`` gets how many positions of each list are tied.
    """
    shift = begins[start]
    for number in range(start, stop):
        user, begin, end = owners[number], begins[number], begins[number + 1]
        if user < 0:
            for row in range(begin, end):
                if not -_MOST <= predictions[row - shift] <= _MOST:
                    return False
            continue
        for row in range(train_offsets[user], train_offsets[user + 1]):
            last_list[train_items[row]] = number
        target, again, rises, equal, lowest = targets[number], False, False, False, _MOST
        ahead, back = np.uint64(target - begin), np.uint64(shift)  # sums with them wrap around
        for row in range(np.uint64(begin), np.uint64(end)):
            item = codes[np.uint64(items[row])]
            again |= last_list[item] == number
            last_list[item] = number
            out_items[row + ahead] = item
        for row in range(np.uint64(begin), np.uint64(end)):
            value = predictions[row - back]
            rises |= not value <= lowest
            equal |= value == lowest
            lowest = value
            out_predictions[row + ahead] = value + 0.0  # −0 is 0
        if again or rises or lowest < -_MOST:
            return False
        bottom = target + (end - begin)
        tied[number] = (
            count_tied(target, bottom, out_items, out_predictions, places) if equal else 0
        )
        if tied[number] < 0:
            return False
    return True


@kernel
def count_codes(codes: Codes, counts: Offsets) -> None:
    """Add to the count of each code how often it occurs."""
    for at in range(len(codes)):
        counts[codes[at]] += 1


@kernel
def any_repetition(offsets: Offsets, items: Codes, last_list: Offsets) -> bool:
    """Whether an item occurs twice in a list; ``last_list`` is scratch space, −1 by item."""
    for number in range(len(offsets) - 1):
        for at in range(offsets[number], offsets[number + 1]):
            if last_list[items[at]] == number:
                return True
            last_list[items[at]] = number
    return False
