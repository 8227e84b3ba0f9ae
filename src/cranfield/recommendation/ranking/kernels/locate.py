"""Where judged targets land, and the head of each list, from one batch of predictions.

Accelerates what `order.order_of` defines: sort a topic's targets, then look where each
judged one stands. No list is sorted here; see `kernels.ordering.count_ahead`. Where ranks
beyond some reach do not matter, no more is looked at than `kernels.shortlist` finds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import (
    Floats,
    Heads,
    HitRows,
    JudgedTargets,
    Offsets,
    Order,
    PredictedRows,
    TargetLayout,
)
from cranfield.recommendation.ranking.kernels.hit_rows import Marks, RankedGroup, write_topics
from cranfield.recommendation.ranking.kernels.members import enter_group, fill_members
from cranfield.recommendation.ranking.kernels.ordering import (
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
from cranfield.recommendation.ranking.kernels.shortlist import (
    count_left_out,
    count_predicted,
    fill_predictions,
    shortlist,
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
def fill_ratings(
    layout: TargetLayout, order: Order, user: int, keys: Keys, rating_of: Floats
) -> None:
    """The ratings of a user's judged items, and their tie keys where ties go by rating."""
    start, stop = layout.test_offsets[user], layout.test_offsets[user + 1]
    items, ratings = layout.test_items[start:stop], layout.test_ratings[start:stop]
    fill_ties_by_rating(order, items, ratings, keys)
    for at in range(len(items)):
        rating_of[items[at]] = ratings[at]


@kernel
def probed_items(layout: TargetLayout, judged: JudgedTargets, group: int) -> tuple[Codes, Codes]:
    """The judged members of a group, and the items that are ranked by one topic each."""
    items = judged.items[judged.offsets[group] : judged.offsets[group + 1]]
    begin, end = layout.groups[group], layout.groups[group + 1]
    return items, layout.one_items[begin:end] if layout.one_each else layout.one_items[:0]


@kernel
def gather_probes(
    judged_items: Codes, own_items: Codes, row: Floats, drop: bool, keys: Keys
) -> Codes:
    """The judged items that the topics of a group rank, best first."""
    probes = np.concatenate((judged_items, own_items))
    size = keep_scored(row, probes, len(probes)) if drop else len(probes)
    sort_items(probes, size, keys)
    return probes[:size]


class Scratch(NamedTuple):
    """Space to work in: a user's predictions and keys, and marks by item; what is found."""

    row: Floats
    keys: Keys
    stamp: Offsets
    seen: Offsets
    place_of: Offsets
    marks: Marks
    columns: Codes
    members: Codes
    head: Codes


@kernel
def scratch_for(n_items: int, depth: int) -> Scratch:
    """Space for rankings of so many items of which so many are shown."""
    stamps = np.full((3, n_items), -1, np.int64)
    return Scratch(
        np.empty(n_items),
        (np.empty(n_items), np.empty(n_items), np.empty(n_items)),
        stamps[0],
        stamps[1],
        np.empty(n_items, np.int64),
        Marks(np.zeros(n_items), np.zeros(n_items, dtype=np.bool_), stamps[2]),
        np.arange(n_items).astype(np.int32),
        np.empty(n_items, dtype=np.int32),
        np.empty(depth + 1, dtype=np.int32),
    )


class Looked(NamedTuple):
    """The members of a group that are looked at: the first ``kept`` of the space for them.

    Of ``size`` members ``scored`` have a prediction. ``short``: only those are looked at
    that can be among the first.
    """

    size: int
    scored: int
    kept: int
    short: bool


@kernel
def find_first(
    layout: TargetLayout, group: int, given: PredictedRows, at: int, least: int, work: Scratch
) -> int:
    """Put the members of a group that can be among the first where they belong; returns how many.

    −1 if they were looked for before, and are too many.
    """
    if not given.factors:
        row, values = given.values[at], work.row
        return shortlist(layout, group, work.stamp, row, least, work.columns, work.members, values)
    size = int(given.sizes[at])
    for place in range(size):
        work.members[place] = given.shortlists[at, place]
    return size


@kernel
def look_at_first(
    layout: TargetLayout, group: int, given: PredictedRows, at: int, predicted: int, drop: bool,
    least: int, work: Scratch,
) -> Looked:  # fmt: skip
    """The members of a group that can be among the first, if so many have a prediction.

    ``predicted`` counts the candidates with a prediction by factors.
    """
    size, scored, kept = enter_group(layout, group, work.stamp, work.seen, work.members), 0, 0
    if given.known_rows[at]:
        count = predicted if given.factors else count_predicted(layout, given, at)
        scored = count - count_left_out(layout, group, given, at, work.seen)
    if scored and (drop or scored >= least):
        kept = find_first(layout, group, given, at, least, work)
        fill_predictions(given, at, work.members[: max(kept, 0)], work.row)
    return Looked(size, scored, kept, kept > 0 or (drop and kept == 0))


@kernel
def look_at_all(
    layout: TargetLayout, group: int, given: PredictedRows, at: int, drop: bool, work: Scratch
) -> Looked:
    """All members of a group that are ranked."""
    size = fill_members(layout, group, work.stamp, work.members)
    fill_predictions(given, at, work.members[:size], work.row)
    scored = keep_scored(work.row, work.members, size)
    return Looked(size, scored, scored if drop else size, False)


@kernel
def fill_items(
    order: Order, user: int, given: PredictedRows, at: int, items: Codes, work: Scratch
) -> None:
    """Predictions and keys of some items for one user."""
    fill_predictions(given, at, items, work.row)
    fill_keys(work.row, order, user, items, work.keys)


@kernel
def fill_whole(
    layout: TargetLayout, order: Order, user: int, given: PredictedRows, at: int, work: Scratch
) -> None:
    """Keys of all items for one user, where what is not predicted is merged with the others."""
    fill_items(order, user, given, at, np.arange(len(work.row)).astype(np.int32), work)
    begin, end = layout.train_offsets[user], layout.train_offsets[user + 1]
    merge_unscored(work.row, order, layout.train_items[begin:end], work.keys)


@kernel
def locate_group(
    layout: TargetLayout, judged: JudgedTargets, order: Order, group: int, user: int,
    looked: Looked, reach: int, work: Scratch, out: HitRows, top: Heads,
) -> None:  # fmt: skip
    """Hits and heads of one group from its members that are looked at, once keys are there."""
    row, keys, drop = work.row, work.keys, order.unscored == DROP
    judged_items, own_items = probed_items(layout, judged, group)
    fill_ratings(layout, order, user, keys, work.marks.rating_of)
    probes = gather_probes(judged_items, own_items, row, drop or looked.short, keys)
    standing = count_ahead(work.members, looked.kept, probes, keys)
    shown, depth = 0, top.items.shape[1]
    if depth:
        shown = top_items(work.members, looked.kept, depth + 1, keys, work.head)
    ranked, head = looked.scored if drop else looked.size, work.head[:shown]
    found = RankedGroup(looked.size, looked.scored, ranked, judged_items, probes, standing, head)
    write_topics(layout, group, found, row, drop, reach, keys, work.marks, work.place_of, out, top)


@kernel
def locate(
    layout: TargetLayout,
    judged: JudgedTargets,
    order: Order,
    start: int,
    stop: int,
    rows: Offsets,
    given: PredictedRows,
    reach: int,
    least: int,
    out: HitRows,
    top: Heads,
) -> None:
    """Hits, and the head of each list, for the topics of some groups.

    ``rows[group − start]`` is the row of the group's user among the predictions. Judged
    targets that could not stand within the first ``reach`` ranks are unranked. No more is
    looked at than can be among the first ``least`` members, unless these are all.
    """
    n_items, drop, merged = len(layout.candidates), order.unscored == DROP, order.unscored == MERGED
    work, last_user = scratch_for(n_items, top.items.shape[1]), -1
    cuts = not (layout.listed or layout.segmented or merged) and least < n_items
    predicted = count_predicted(layout, given, 0) if cuts and given.factors else 0
    for group in range(start, stop):
        user, at = layout.users[layout.groups[group]], rows[group - start]
        looked = Looked(0, 0, 0, False)
        if cuts:
            looked = look_at_first(layout, group, given, at, predicted, drop, least, work)
        if not looked.short:
            looked = look_at_all(layout, group, given, at, drop, work)
        if not merged:
            fill_keys(work.row, order, user, work.members[: looked.kept], work.keys)
            judged_items, own_items = probed_items(layout, judged, group)
            fill_items(order, user, given, at, judged_items, work)
            fill_items(order, user, given, at, own_items, work)
        elif user != last_user:
            fill_whole(layout, order, user, given, at, work)
        locate_group(layout, judged, order, group, user, looked, reach, work, out, top)
        last_user = user
