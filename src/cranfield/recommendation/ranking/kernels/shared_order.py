"""Where judged targets land where all users share one order of the items.

Accelerates what `order.order_of` defines. The items are sorted once; the rank of an item is
its place among them, less what a user does not rank of those before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import (
    Heads,
    HitRows,
    JudgedTargets,
    Offsets,
    Order,
    PredictedRows,
    TargetLayout,
)
from cranfield.recommendation.ranking.kernels.hit_rows import RankedGroup, write_topics
from cranfield.recommendation.ranking.kernels.locate import (
    Scratch,
    fill_ratings,
    gather_probes,
    probed_items,
    scratch_for,
)
from cranfield.recommendation.ranking.kernels.members import enter_group
from cranfield.recommendation.ranking.kernels.ordering import DROP, Keys, better
from cranfield.recommendation.ranking.kernels.shortlist import is_predicted


class SharedOrder(NamedTuple):
    """All items, best first, and where each stands: at ``places``, among its equals from
    ``firsts`` to before ``lasts``. ``ahead`` counts the candidates in lists before a place.
    """

    items: Codes
    places: Offsets
    firsts: Offsets
    lasts: Offsets
    ahead: Offsets


@kernel
def fill_places(items: Codes, keys: Keys, places: Offsets, firsts: Offsets, lasts: Offsets) -> None:
    """Where each of all items stands in their order, and where its equals do."""
    first = 0
    for place in range(len(items)):
        if place and better(keys, items[place - 1], items[place]):
            for equal in range(first, place):
                lasts[items[equal]] = place
            first = place
        places[items[place]], firsts[items[place]] = place, first
    for equal in range(first, len(items)):
        lasts[items[equal]] = len(items)


@kernel
def add_left_out(
    items: Codes, group: int, order: SharedOrder, work: Scratch, found: Offsets, count: int
) -> int:
    """Add the places of those items in lists that a group does not rank; returns the count."""
    for item in items:
        place = order.places[item]
        listed = order.ahead[place + 1] > order.ahead[place]
        if listed and work.stamp[item] == group and work.seen[item] != group:
            work.seen[item] = group
            found[count] = place
            count += 1
    return count


@kernel
def left_out_places(layout: TargetLayout, group: int, order: SharedOrder, work: Scratch) -> Offsets:
    """The places of items in lists that a group does not rank, ascending; it was entered."""
    user = layout.users[layout.groups[group]]
    trained = layout.train_items[layout.train_offsets[user] : layout.train_offsets[user + 1]]
    tested = layout.test_items[layout.test_offsets[user] : layout.test_offsets[user + 1]]
    found = np.empty(len(trained) + len(tested), np.int64)
    count = add_left_out(trained, group, order, work, found, 0)
    return np.sort(found[: add_left_out(tested, group, order, work, found, count)])


@kernel
def count_sorted(probes: Codes, out: Offsets, order: SharedOrder) -> Offsets:
    """What `ordering.count_ahead` counts, from the places of what is left out."""
    standing = np.zeros((3, len(probes) + 1), dtype=np.int64)
    for probe in range(len(probes)):
        item = probes[probe]
        bounds = order.places[item], order.firsts[item], order.lasts[item]
        for at in range(3):
            standing[at, probe] = order.ahead[bounds[at]] - np.searchsorted(out, bounds[at])
    return standing


@kernel
def walk_head(group: int, order: SharedOrder, work: Scratch) -> int:
    """The first items of a group's list, as many as there is space for; returns how many."""
    shown = 0
    for place in range(len(order.items)):
        if shown == len(work.head):
            break
        item = order.items[place]
        if order.ahead[place + 1] > order.ahead[place] and work.stamp[item] != group:
            work.head[shown] = item
            shown += 1
    return shown


@kernel
def locate_shared(
    layout: TargetLayout, judged: JudgedTargets, order: Order, start: int, stop: int,
    given: PredictedRows, keys: Keys, shared: SharedOrder, predicted: int, reach: int,
    out: HitRows, top: Heads,
) -> None:  # fmt: skip
    """What `locate.locate` finds, where every user has the first row of predictions and keys.

    ``predicted`` counts the candidates with a prediction.
    """
    row, drop, depth = given.values[0], order.unscored == DROP, top.items.shape[1]
    work = scratch_for(len(row), depth)
    for group in range(start, stop):
        user = layout.users[layout.groups[group]]
        size = enter_group(layout, group, work.stamp, work.seen, work.members)
        left_out, scored = left_out_places(layout, group, shared, work), predicted
        for place in left_out:
            scored -= is_predicted(given, 0, shared.items[place])
        judged_items, own_items = probed_items(layout, judged, group)
        fill_ratings(layout, order, user, keys, work.marks.rating_of)
        probes = gather_probes(judged_items, own_items, row, drop, keys)
        standing = count_sorted(probes, left_out, shared)
        shown, ranked = walk_head(group, shared, work) if depth else 0, scored if drop else size
        head = work.head[:shown]
        found = RankedGroup(size, scored, ranked, judged_items, probes, standing, head)
        write_topics(layout, group, found, row, drop, reach, keys, work.marks, work.place_of, out,
                     top)  # fmt: skip
