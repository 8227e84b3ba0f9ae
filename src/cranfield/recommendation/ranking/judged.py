"""The judged targets of each group of topics, and how many targets it has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ragged import frozen, offsets_of
from cranfield.base.threads import chunks, in_threads
from cranfield.recommendation.layout import JudgedTargets, Offsets, TargetLayout
from cranfield.recommendation.ranking.kernels.members import lay_out

_GROUPS_AT_ONCE = 512
"""Groups of topics that one thread lays out at a time."""


def judged_of(layout: TargetLayout) -> JudgedTargets:
    """The judged members of each group."""
    return judged_candidates(layout) if layout.plain else _judged_members(layout)


def _judged_members(layout: TargetLayout) -> JudgedTargets:
    """For any targets: counted, then written."""
    groups = len(layout.groups) - 1
    counts, sizes = np.empty(groups, np.int64), np.empty(groups, np.int64)
    parts = list(chunks(groups, _GROUPS_AT_ONCE))

    def walk(judged: JudgedTargets, fill: bool) -> None:
        def part_of(part: slice) -> None:
            lay_out(layout, part.start, part.stop, counts, sizes, judged, fill)

        for _ in in_threads(part_of, parts):
            pass

    walk(JudgedTargets(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0)), fill=False)
    offsets = offsets_of(counts)
    judged = JudgedTargets(offsets, np.empty(offsets[-1], np.int32), np.empty(offsets[-1]))
    walk(judged, fill=True)
    # Kernels would be compiled twice, for arrays that can be written and for those of ratings.
    return JudgedTargets(offsets, frozen(judged.items), frozen(judged.ratings))


def judged_candidates(layout: TargetLayout) -> JudgedTargets:
    """Where all candidates are targets: what users rated in test and not in training."""
    everybody = np.array_equal(layout.users, np.arange(len(layout.test_offsets) - 1))
    if everybody and not len(layout.train_items) and layout.candidates.all():
        return JudgedTargets(layout.test_offsets, layout.test_items, layout.test_ratings)
    owners, rows = _rows_of_users(layout.test_offsets, layout)
    items = layout.test_items[rows]
    wanted = layout.candidates[items]
    if len(layout.train_items):
        n_items = len(layout.candidates)
        trained, seen = _rows_of_users(layout.train_offsets, layout)
        wanted &= ~_among(owners * n_items + items, trained * n_items + layout.train_items[seen])
    if not wanted.all():
        owners, items, rows = owners[wanted], items[wanted], rows[wanted]
    counts = np.bincount(owners, minlength=len(layout.users))
    # As above.
    return JudgedTargets(offsets_of(counts), frozen(items), frozen(layout.test_ratings[rows]))


def _among(asked: Offsets, ascending: Offsets) -> npt.NDArray[np.bool_]:
    """For each number, whether it is one of some that ascend."""
    if not len(ascending):
        return np.zeros(len(asked), bool)
    at = np.minimum(np.searchsorted(ascending, asked), len(ascending) - 1)
    found: npt.NDArray[np.bool_] = ascending[at] == asked
    return found


def count_targets(layout: TargetLayout) -> Offsets:
    """Where all candidates are targets: how many there are without the user's training."""
    if not len(layout.train_items):
        return np.full(len(layout.users), layout.n_candidates)
    owners, rows = _rows_of_users(layout.train_offsets, layout)
    out = owners[layout.candidates[layout.train_items[rows]]]
    sizes: Offsets = layout.n_candidates - np.bincount(out, minlength=len(layout.users))
    return sizes


def _rows_of_users(offsets: Offsets, layout: TargetLayout) -> tuple[Offsets, Offsets]:
    """The rows of each topic's user, topic by topic: the topic of each, and the row."""
    starts = offsets[layout.users]
    lengths = offsets[layout.users + 1] - starts
    owners = np.repeat(np.arange(len(lengths)), lengths)
    rows = np.arange(len(owners)) + np.repeat(starts - offsets_of(lengths)[:-1], lengths)
    return owners, rows
