"""Where judged targets land, and the head of each list, from one batch of predictions.

Accelerates what `order.order_of` defines: sort a topic's targets, then look where each
judged one stands. No list is sorted here; see `kernels.ordering.count_ahead`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.kernels.hit_rows import write_head, write_ranked, write_unranked
from cranfield.recommendation.kernels.members import fill_members
from cranfield.recommendation.kernels.ordering import (
    DROP,
    MERGED,
    Keys,
    count_ahead,
    fill_keys,
    fill_ties_by_rating,
    merge_unscored,
    sort_items,
    top_items,
)
from cranfield.recommendation.layout import (
    Floats,
    Heads,
    HitRows,
    JudgedTargets,
    Offsets,
    Order,
    TargetLayout,
)


@kernel
def keep_scored(row: Floats, items: Codes, size: int) -> int:
    """Move the items with a prediction to the front, in order; returns how many they are."""
    kept = 0
    for place in range(size):
        if not np.isnan(row[items[place]]):
            items[kept], items[place] = items[place], items[kept]
            kept += 1
    return kept


@kernel
def fill_user(
    layout: TargetLayout, order: Order, user: int, row: Floats, keys: Keys, rating_of: Floats
) -> None:
    """What is needed of one user: the keys of all items, and the ratings of the judged."""
    fill_keys(row, order, user, keys)
    if order.unscored == MERGED:
        begin, end = layout.train_offsets[user], layout.train_offsets[user + 1]
        merge_unscored(row, order, layout.train_items[begin:end], keys)
    start, stop = layout.test_offsets[user], layout.test_offsets[user + 1]
    items, ratings = layout.test_items[start:stop], layout.test_ratings[start:stop]
    fill_ties_by_rating(order, items, ratings, keys)
    for at in range(len(items)):
        rating_of[items[at]] = ratings[at]


@kernel
def gather_probes(
    judged_items: Codes, own_items: Codes, row: Floats, drop: bool, keys: Keys
) -> Codes:
    """The judged items that the topics of a group rank, best first."""
    probes = np.concatenate((judged_items, own_items))
    size = keep_scored(row, probes, len(probes)) if drop else len(probes)
    sort_items(probes, size, keys)
    return probes[:size]


class RankedGroup(NamedTuple):
    """What is found of one group: sizes, its judged items in order, and the head of its list.

    Of ``size`` members ``scored`` have a prediction and ``ranked`` are in the list.
    """

    size: int
    scored: int
    ranked: int
    judged_items: Codes
    probes: Codes
    standing: Offsets
    head: Codes


@kernel
def write_topic(
    topic: int,
    one: int,
    own: int,
    found: RankedGroup,
    row: Floats,
    drop: bool,
    keys: Keys,
    rating_of: Floats,
    others: npt.NDArray[np.bool_],
    out: HitRows,
    top: Heads,
) -> None:
    """Hits and head of one topic.

    ``one`` is its one relevant item, −1 where it ranks them all; ``own`` the place of that
    item among the probes, −1 where it is not ranked.
    """
    out.targets[topic] = found.size + (one >= 0)
    out.lengths[topic] = found.ranked + (own >= 0)
    out.unscored[topic] = found.size - found.scored + (one >= 0 and np.isnan(row[one]))
    place = out.offsets[topic]
    place = write_ranked(place, found.probes, own, found.standing, keys, others, rating_of, out)
    if drop:
        lost = one if own < 0 else -1
        write_unranked(place, found.judged_items, lost, row, rating_of, out)
    if top.items.shape[1]:
        own_rank = found.standing[0][own] if own >= 0 else -1
        write_head(topic, found.head, one if own >= 0 else -1, own_rank, keys, row, top)


@kernel
def locate(
    layout: TargetLayout,
    judged: JudgedTargets,
    order: Order,
    start: int,
    stop: int,
    rows: Offsets,
    predictions: Floats,
    out: HitRows,
    top: Heads,
) -> None:
    """Hits, and the head of each list, for the topics of some groups.

    ``rows[group − start]`` is the row of the group's user among the predictions.
    """
    n_items, depth, drop = len(layout.candidates), top.items.shape[1], order.unscored == DROP
    keys = (np.empty(n_items), np.empty(n_items), np.empty(n_items))
    rating_of, others = np.zeros(n_items), np.zeros(n_items, dtype=np.bool_)
    stamp, place_of = np.full(n_items, -1, dtype=np.int64), np.empty(n_items, dtype=np.int64)
    members, head = np.empty(n_items, dtype=np.int32), np.empty(depth + 1, dtype=np.int32)
    last_user = -1
    for group in range(start, stop):
        begin, end = layout.groups[group], layout.groups[group + 1]
        row = predictions[rows[group - start]]
        if layout.users[begin] != last_user:
            last_user = layout.users[begin]
            fill_user(layout, order, last_user, row, keys, rating_of)
        size = fill_members(layout, group, stamp, members)
        scored = keep_scored(row, members, size)
        ranked = scored if drop else size
        judged_items = judged.items[judged.offsets[group] : judged.offsets[group + 1]]
        own_items = layout.one_items[begin:end] if layout.one_each else layout.one_items[:0]
        probes = gather_probes(judged_items, own_items, row, drop, keys)
        standing = count_ahead(members, ranked, probes, keys)
        kept = top_items(members, ranked, depth + 1, keys, head) if depth else 0
        others[own_items] = True
        place_of[own_items] = -1
        place_of[probes] = np.arange(len(probes))
        found = RankedGroup(size, scored, ranked, judged_items, probes, standing, head[:kept])
        for topic in range(begin, end):
            one = layout.one_items[topic] if layout.one_each else -1
            own = place_of[one] if one >= 0 else -1
            write_topic(topic, one, own, found, row, drop, keys, rating_of, others, out, top)
        others[own_items] = False
