"""Which items the topics of a group rank, and which of them are judged."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import JudgedTargets, Offsets, TargetLayout


@kernel
def stamp_user(stamp: Offsets, mark: int, offsets: Offsets, items: Codes, user: int) -> None:
    """Mark the items of a user."""
    for row in range(offsets[user], offsets[user + 1]):
        stamp[items[row]] = mark


@kernel
def fill_members(layout: TargetLayout, group: int, stamp: Offsets, members: Codes) -> int:
    """The items that all topics of a group rank: N_u, and PR_test(u) unless it is one each.

    Returns how many. Items of the user's training are never among them.
    """
    topic = layout.groups[group]
    user = layout.users[topic]
    size = 0
    stamp_user(stamp, group, layout.train_offsets, layout.train_items, user)
    if layout.listed:
        pool = layout.pool_of[topic]
        for row in range(layout.pool_offsets[pool], layout.pool_offsets[pool + 1]):
            members[size] = layout.pool_items[row]
            size += 1
        if layout.one_each:
            return size
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            item = layout.test_items[row]
            relevant = layout.test_ratings[row] >= layout.relevance
            if relevant and layout.candidates[item] and stamp[item] != group:
                members[size] = item
                size += 1
        return size
    if layout.one_each:
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            if layout.test_ratings[row] >= layout.relevance:
                stamp[layout.test_items[row]] = group
    segment = layout.segments[topic] if layout.segmented else 0
    for item in range(len(layout.candidates)):
        inside = not layout.segmented or layout.segment_of[item] == segment
        if inside and layout.candidates[item] and stamp[item] != group:
            members[size] = item
            size += 1
    return size


@kernel
def enter_group(
    layout: TargetLayout, group: int, stamp: Offsets, inside: Offsets, members: Codes
) -> int:
    """Get ready to ask `is_member` about a group; returns how many members it has.

    Where all candidates are ranked but for a few, those few are marked, so that the work
    does not grow with the number of items.
    """
    if layout.listed or layout.segmented:
        size = fill_members(layout, group, stamp, members)
        for place in range(size):
            inside[members[place]] = group
        return size
    user, out = layout.users[layout.groups[group]], 0
    for row in range(layout.train_offsets[user], layout.train_offsets[user + 1]):
        stamp[layout.train_items[row]] = group
        out += layout.candidates[layout.train_items[row]]
    if layout.one_each:
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            item = layout.test_items[row]
            if layout.test_ratings[row] >= layout.relevance and stamp[item] != group:
                stamp[item] = group
                out += layout.candidates[item]
    return layout.n_candidates - out


@kernel
def is_member(layout: TargetLayout, group: int, stamp: Offsets, inside: Offsets, item: int) -> bool:
    """Whether all topics of the group that was entered rank an item."""
    if layout.listed or layout.segmented:
        return bool(inside[item] == group)
    return bool(layout.candidates[item] and stamp[item] != group)


@kernel
def lay_out(
    layout: TargetLayout,
    start: int,
    stop: int,
    counts: Offsets,
    sizes: Offsets,
    judged: JudgedTargets,
    fill: bool,
) -> None:
    """The judged members of each group: counted first, and on a second call filled in.

    ``counts`` and ``sizes`` get the number of judged members and of members.
    """
    stamp = np.full(len(layout.candidates), -1, dtype=np.int64)
    inside = np.full(len(layout.candidates), -1, dtype=np.int64)
    members = np.empty(len(layout.candidates), dtype=np.int32)
    for group in range(start, stop):
        sizes[group] = enter_group(layout, group, stamp, inside, members)
        user = layout.users[layout.groups[group]]
        found = 0
        for row in range(layout.test_offsets[user], layout.test_offsets[user + 1]):
            if is_member(layout, group, stamp, inside, layout.test_items[row]):
                if fill:
                    judged.items[judged.offsets[group] + found] = layout.test_items[row]
                    judged.ratings[judged.offsets[group] + found] = layout.test_ratings[row]
                found += 1
        counts[group] = found


@kernel
def mark_targets(
    layout: TargetLayout, start: int, stop: int, rows: Offsets, wanted: npt.NDArray[np.bool_]
) -> None:
    """Mark what the topics of some groups rank; row ``rows[group − start]`` is the group's user."""
    stamp = np.full(len(layout.candidates), -1, dtype=np.int64)
    members = np.empty(len(layout.candidates), dtype=np.int32)
    for group in range(start, stop):
        row = wanted[rows[group - start]]
        for place in range(fill_members(layout, group, stamp, members)):
            row[members[place]] = True
        if layout.one_each:
            for topic in range(layout.groups[group], layout.groups[group + 1]):
                row[layout.one_items[topic]] = True
