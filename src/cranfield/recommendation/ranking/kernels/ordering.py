"""The order of items within one ranking, and what can be told from it without sorting all.

Items are ordered by prediction, then by fallback (for items without a prediction), then
by tie key, then by code. All functions take one user's three keys, indexed by item.
"""

from __future__ import annotations

import numpy as np

from cranfield.base.ids import Codes
from cranfield.base.kernels.draws import share, word
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Offsets, Order

Keys = tuple[Floats, Floats, Floats]
"""Prediction, fallback and tie key of each item, for one user."""

DROP, BY_ITEM, BY_DRAW, MERGED = 0, 1, 2, 3
"""What happens to items without a prediction: left out, by a value per item, at random, or
merged with the others at a quantile per item."""

TIES_BY_KEY, TIES_BY_DRAW, TIES_BEST_FIRST, TIES_WORST_FIRST = 0, 1, 2, 3
"""How equal items are ordered: by a key per item, at random, by rating either way."""


@kernel
def ahead(keys: Keys, i: int, j: int) -> bool:
    """Whether item i comes before item j."""
    prediction, fallback, tie = keys
    if prediction[i] != prediction[j]:
        return bool(prediction[i] > prediction[j])
    if fallback[i] != fallback[j]:
        return bool(fallback[i] > fallback[j])
    if tie[i] != tie[j]:
        return bool(tie[i] < tie[j])
    return i < j


@kernel
def better(keys: Keys, i: int, j: int) -> bool:
    """Whether item i comes before item j for its value, not by a tie rule."""
    prediction, fallback, _ = keys
    if prediction[i] != prediction[j]:
        return bool(prediction[i] > prediction[j])
    return bool(fallback[i] > fallback[j])


@kernel
def fill_keys(row: Floats, order: Order, user: int, items: Codes, keys: Keys) -> None:
    """A user's keys of some items from their predictions; without one, −∞ and a fallback."""
    prediction, fallback, tie = keys
    stream = word(order.key, np.uint64(user))
    tie_stream = word(stream, np.uint64(1))
    for item in items:
        missing = np.isnan(row[item])
        prediction[item] = -np.inf if missing else row[item]
        fallback[item] = 0.0
        if missing and order.unscored == BY_ITEM:
            value = order.fallback[item]
            fallback[item] = -np.inf if np.isnan(value) else value
        elif missing and order.unscored == BY_DRAW:
            fallback[item] = share(word(stream, np.uint64(item + 2)))
        if order.ties == TIES_BY_KEY:
            tie[item] = order.tie_keys[item]
        elif order.ties == TIES_BY_DRAW:
            tie[item] = share(word(tie_stream, np.uint64(item)))
        else:
            tie[item] = np.inf if order.ties == TIES_BEST_FIRST else -np.inf


@kernel
def merge_unscored(row: Floats, order: Order, trained: Codes, keys: Keys) -> None:
    """Predictions of items without one, by their quantiles among those of the user.

    What `choice.quantile_of` defines; training items are left aside.
    """
    prediction, own = keys[0], ~np.isnan(row)
    own[trained] = False
    scored = np.sort(row[own])
    for item in range(len(row)):
        if np.isnan(row[item]):
            prediction[item] = order.fallback[item]
            if len(scored):
                place = order.fallback[item] * (len(scored) - 1)
                low = int(place)
                high = min(low + 1, len(scored) - 1)
                prediction[item] = scored[low] + (scored[high] - scored[low]) * (place - low)


@kernel
def fill_ties_by_rating(order: Order, items: Codes, ratings: Floats, keys: Keys) -> None:
    """Tie keys of judged items where ties go by rating; the unjudged count as lowest."""
    tie = keys[2]
    if order.ties == TIES_BEST_FIRST:
        for row in range(len(items)):
            tie[items[row]] = -ratings[row]
    elif order.ties == TIES_WORST_FIRST:
        for row in range(len(items)):
            tie[items[row]] = ratings[row]


@kernel
def sift_down(heap: Codes, root: int, size: int, keys: Keys) -> None:
    """Restore a heap whose root may come before its children; the last in order is on top."""
    while True:
        child = 2 * root + 1
        if child >= size:
            return
        if child + 1 < size and ahead(keys, heap[child], heap[child + 1]):
            child += 1
        if not ahead(keys, heap[root], heap[child]):
            return
        heap[root], heap[child] = heap[child], heap[root]
        root = child


@kernel
def sort_items(items: Codes, size: int, keys: Keys) -> None:
    """Put items in order, best first, in place."""
    for root in range(size // 2 - 1, -1, -1):
        sift_down(items, root, size, keys)
    for end in range(size - 1, 0, -1):
        items[0], items[end] = items[end], items[0]
        sift_down(items, 0, end, keys)


@kernel
def top_items(members: Codes, size: int, most: int, keys: Keys, out: Codes) -> int:
    """The best members, at most so many, best first; returns how many."""
    kept = min(size, most)
    for place in range(kept):
        out[place] = members[place]
    for root in range(kept // 2 - 1, -1, -1):
        sift_down(out, root, kept, keys)
    for place in range(kept, size):
        if ahead(keys, members[place], out[0]):
            out[0] = members[place]
            sift_down(out, 0, kept, keys)
    sort_items(out, kept, keys)
    return kept


@kernel
def place_among_equals(
    probes: Codes, predictions: Floats, start: int, item: int, keys: Keys
) -> tuple[int, int, int]:
    """Where an item goes among the probes of its own prediction, which begin at ``start``.

    Three places: the first probe that is not better, the first that the item is ahead of,
    and the first that it is better than.
    """
    end = start
    while end < len(probes) and predictions[end] == keys[0][item]:
        end += 1
    first = start
    while first < end and better(keys, probes[first], item):
        first += 1
    middle = first
    while middle < end and not ahead(keys, item, probes[middle]):
        middle += 1
    last = middle
    while last < end and not better(keys, item, probes[last]):
        last += 1
    return first, middle, last


@kernel
def count_ahead(members: Codes, size: int, probes: Codes, keys: Keys) -> Offsets:
    """For each probe (in order, best first), how it stands among the members.

    Three rows: the number of members ahead of it; of members of better value; of members
    of better or equal value, itself included if it is a member. Each member is placed
    among the probes by binary search: the members are never sorted.
    """
    count = len(probes)
    standing = np.zeros((3, count + 1), dtype=np.int64)
    predictions = keys[0][probes]
    for place in range(size):
        item = members[place]
        value = keys[0][item]
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            if predictions[middle] > value:
                low = middle + 1
            else:
                high = middle
        first, last = low, low
        if low < count and predictions[low] == value:
            first, low, last = place_among_equals(probes, predictions, low, item, keys)
        standing[0, low] += 1
        standing[1, last] += 1
        standing[2, first] += 1
    for probe in range(1, count):
        for row in range(3):
            standing[row, probe] += standing[row, probe - 1]
    return standing
