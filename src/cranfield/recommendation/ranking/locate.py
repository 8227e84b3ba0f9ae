"""Locating: where judged targets stand in the lists of a run that was made elsewhere."""

from __future__ import annotations

from functools import partial

import numpy as np

from cranfield.base.ragged import count_marked
from cranfield.base.threads import in_threads, shares
from cranfield.collection.target import Targets
from cranfield.collection.topics import Topics
from cranfield.recommendation.layout import (
    HitRows,
    JudgedTargets,
    TargetLayout,
    hit_rows,
    layout_of,
)
from cranfield.recommendation.ranking.choice import Ties
from cranfield.recommendation.ranking.hits import Hits, hits_from
from cranfield.recommendation.ranking.judged import count_targets, judged_of
from cranfield.recommendation.ranking.kernels.lists import locate_lists
from cranfield.recommendation.ranking.kernels.plain_lists import LISTED, OUT, locate_plain
from cranfield.recommendation.ranking.ties import break_ties
from cranfield.recommendation.runs.run import Run

_LEAST, _MOST = 512, 16384
"""Lists that are worth a thread of their own, and those that it is given at a time."""


def locate(run: Run, targets: Targets, ties: Ties = "item-id", seed: int = 0) -> Hits:
    """Where the judged targets stand in the lists of a run, one list per user.

    Items of a list that are not targets leave it, and what is below moves up: so a
    condensed ranking keeps the order of the full one. Items that the collection lacks are
    never targets; they keep their places where everything is ranked, and leave the list
    where targets are restricted. A judged target that a list lacks is unranked; a user
    without a list is not covered. The run already orders its equal items; ``ties`` may put
    them otherwise.
    """
    layout = layout_of(targets)
    judged = judged_of(layout)
    out = hit_rows(layout, judged)
    lists = run.for_users(Topics(layout.users[layout.groups[:-1]]))
    unknown_items = not targets.restricted
    walk = _walk_plain if layout.plain else _walk
    work = partial(walk, layout, judged, lists, unknown_items, out)
    for _ in in_threads(work, shares(len(lists), _LEAST, _MOST)):
        pass
    if layout.plain:
        out.targets[:] = count_targets(layout)
        out.unscored[:] = out.targets - out.lengths
        if unknown_items and len(lists.unknown_items):
            out.unscored[:] += count_marked(~lists.known, lists.offsets)
    return break_ties(hits_from(targets, out), ties, seed)


def _walk(
    layout: TargetLayout,
    judged: JudgedTargets,
    lists: Run,
    unknown_items: bool,
    out: HitRows,
    part: slice,
) -> None:
    """Hits of some groups."""
    rows = lists.offsets, lists.items, np.ascontiguousarray(lists.predictions)
    locate_lists(layout, judged, part.start, part.stop, *rows, unknown_items, out)


def _walk_plain(
    layout: TargetLayout,
    judged: JudgedTargets,
    lists: Run,
    unknown_items: bool,
    out: HitRows,
    part: slice,
) -> None:
    """Hits of some topics, each a group of its own."""
    size, longest = len(layout.candidates), int(lists.lengths.max(initial=0))
    mark = np.full(size + len(lists.unknown_items), LISTED if unknown_items else OUT, np.int32)
    mark[:size] = np.where(layout.candidates, LISTED, OUT)
    locate_plain(
        part.start, part.stop, layout.users, layout.train_offsets, layout.train_items,
        lists.offsets, lists.items, np.ascontiguousarray(lists.predictions), lists.tied,
        judged.offsets, judged.items, judged.ratings, out.items, out.ratings, out.ranks,
        out.first, out.last, out.lengths, mark, np.empty(2 * longest + 2, np.int64),
    )  # fmt: skip


def lists_of(run: Run, targets: Targets) -> Run:
    """The list of each topic: the run's list of its user without what is not to be ranked."""
    lists = run.for_users(targets.topics)
    kept = np.zeros(len(lists.items), dtype=bool)
    for topic in range(len(lists)):
        rows = slice(lists.offsets[topic], lists.offsets[topic + 1])
        items = lists.items[rows]
        kept[rows] = np.isin(items, targets.of_topic(topic))
        kept[rows] |= (items < 0) & (not targets.restricted)
    return lists.take(kept)


def list_of(run: Run, targets: Targets, topic: int) -> tuple[list[int], list[float]]:
    """One topic's list by definition: the run's list without what is not to be ranked."""
    user = targets.topics.users[topic]
    lists = run.for_users(Topics(np.array([user], dtype=np.int32)))
    wanted = set(targets.of_topic(topic).tolist())
    left = [
        at
        for at, item in enumerate(lists.items.tolist())
        if item in wanted or (item < 0 and not targets.restricted)
    ]
    return [int(lists.items[at]) for at in left], [float(lists.predictions[at]) for at in left]
