"""Runs whose rows are ranked lists as they stand, looked over and brought into order of users.

Accelerates what `run_coding` does with any rows, for those that need nothing of it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from cranfield.base.ids import Codes
from cranfield.recommendation.layout import Floats, Offsets

NOT_PLAIN = -1


@njit(cache=True, nogil=True)
def survey(
    start: int, stop: int, users: Codes, items: Codes, predictions: Floats, user_codes: Codes,
    own_items: Codes, places: Offsets, train_offsets: Offsets, train_items: Codes,
    last_list: Codes, lists: Offsets,
) -> int:  # fmt: skip
    """How many lists some rows are; `NOT_PLAIN` where they are not lists as they stand.

    They are if in each list no prediction is missing or above the one before, those of
    equal prediction ascend in their ``places``, and no item is in the list already or in the
    user's training. Users without a code are passed over. ``own_items`` has for each item of
    the collection what the run calls it. ``lists`` gets where each list begins and ends, and
    how many of its positions are tied. ``last_list`` is scratch space, −1 for each item of
    the run, and then tells the last list that named it, or whose user had it in training.
    """
    count, at, one = 0, np.uint64(start), np.uint64(1)
    while at < stop:
        first, own, ties, same = at, users[at], 0, False
        user = user_codes[own]
        if user < 0:
            while at < stop and users[at] == own:
                at += one
            continue
        if count == lists.shape[1]:
            return NOT_PLAIN
        for row in range(train_offsets[user], train_offsets[user + 1]):
            last_list[own_items[train_items[row]]] = count
        lowest = np.inf
        while at < stop and users[at] == own:
            item, value = np.uint64(items[at]), predictions[at]
            if last_list[item] == count or not value <= lowest:
                return NOT_PLAIN
            tied = bool(value == lowest and at > first)
            if tied and places[item] < places[np.uint64(items[at - one])]:
                return NOT_PLAIN
            ties += tied * (1 if same else 2)
            same, lowest, last_list[item] = tied, value, count
            at += one
        lists[0, count], lists[1, count], lists[2, count] = first, at, ties
        count += 1
    return count


@njit(cache=True, nogil=True)
def copy_lists(
    start: int, stop: int, begins: Offsets, offsets: Offsets, items: Codes, predictions: Floats,
    codes: Codes, out_items: Codes, out_predictions: Floats,
) -> None:  # fmt: skip
    """Some lists, each from where it begins to where it belongs, their items by their codes."""
    for number in range(start, stop):
        shift = begins[number] - offsets[number]
        for at in range(offsets[number], offsets[number + 1]):
            out_items[at] = codes[items[at + shift]]
            out_predictions[at] = predictions[at + shift] + 0.0  # −0 and 0 are the same


@njit(cache=True, nogil=True)
def count_codes(codes: Codes, counts: Offsets) -> None:
    """Add to the count of each code how often it occurs."""
    for at in range(len(codes)):
        counts[codes[at]] += 1
