"""Targets, judgments and order laid out as flat arrays, for kernels to walk over."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.machine.arrays import empty_array
from cranfield.base.ragged import offsets_of
from cranfield.collection.target import Targets

Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class TargetLayout(NamedTuple):
    """What is to be ranked; a group is a run of topics that share their N_u.

    ``listed``: N_u is a pool, listed item by item. ``one_each``: each topic ranks one
    relevant item, ``one_items``. ``segmented``: N_u is limited to the topic's segment.
    """

    listed: bool
    one_each: bool
    segmented: bool
    groups: Offsets
    users: Codes
    one_items: Codes
    segments: Codes
    segment_of: Codes
    candidates: npt.NDArray[np.bool_]
    n_candidates: int
    pool_of: Offsets
    pool_offsets: Offsets
    pool_items: Codes
    train_offsets: Offsets
    train_items: Codes
    test_offsets: Offsets
    test_items: Codes
    test_ratings: Floats
    relevance: float

    @property
    def plain(self) -> bool:
        """Whether each topic ranks all candidates but those of the user's training."""
        return not (self.listed or self.one_each or self.segmented)

    @property
    def whole(self) -> bool:
        """Whether each topic ranks all candidates but for a few items of its user."""
        return not (self.listed or self.segmented)


class JudgedTargets(NamedTuple):
    """The judged members of each group: rows ``offsets[g]:offsets[g + 1]``, by item."""

    offsets: Offsets
    items: Codes
    ratings: Floats


class Order(NamedTuple):
    """How items are ordered beyond their predictions (codes in `kernels.ordering`)."""

    unscored: int
    ties: int
    fallback: Floats
    tie_keys: Floats
    key: np.uint64


class HitRows(NamedTuple):
    """Where hits are written: rows ``offsets[t]:offsets[t + 1]``, and facts of each topic."""

    offsets: Offsets
    items: Codes
    ratings: Floats
    ranks: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    last: npt.NDArray[np.int32]
    lengths: Offsets
    targets: Offsets
    unscored: Offsets


class Heads(NamedTuple):
    """Where the head of each list is written: topics × depth, and facts of each topic."""

    items: npt.NDArray[np.int32]
    predictions: Floats
    lengths: Offsets
    tied: Offsets


class PredictedRows(NamedTuple):
    """Predictions of some users: one row each, one column per item.

    They are ``values``, unless there are ``factors``: then each is the inner product of its
    user's row of factors and its item's; none for a row or an item that is not ``known``.
    ``single``: in single precision. The first ``sizes[row]`` of a row of ``shortlists`` are
    the items that can be among the first; if the size is −1, all can.
    """

    values: Floats
    user_factors: Floats
    item_factors: Floats
    known_rows: npt.NDArray[np.bool_]
    known_items: npt.NDArray[np.bool_]
    factors: bool
    single: bool
    shortlists: npt.NDArray[np.int32]
    sizes: Offsets


def layout_of(targets: Targets) -> TargetLayout:
    """The targets as flat arrays; what does not apply is empty."""
    none, topics, pools = np.empty(0, np.int32), targets.topics, targets.pools
    segments = targets.eligible.segments
    test, train = targets.judged, targets.excluded
    return TargetLayout(
        listed=pools is not None,
        one_each=topics.items is not None,
        segmented=pools is None and segments is not None,
        groups=targets.groups,
        users=topics.users,
        one_items=none if topics.items is None else topics.items,
        segments=none if topics.segments is None else topics.segments,
        segment_of=none if segments is None else segments,
        candidates=targets.eligible.candidates,
        n_candidates=int(np.count_nonzero(targets.eligible.candidates)),
        pool_of=np.empty(0, np.int64) if pools is None else pools.of_topic,
        pool_offsets=np.zeros(1, np.int64) if pools is None else pools.items.offsets,
        pool_items=none if pools is None else pools.items.values,
        train_offsets=train.user_offsets,
        train_items=train.items,
        test_offsets=test.user_offsets,
        test_items=test.items,
        test_ratings=test.values,
        relevance=targets.judgments.relevance,
    )


def hit_rows(layout: TargetLayout, judged: JudgedTargets) -> HitRows:
    """Arrays for the hits of every topic: its group's judged members and, if any, its own item."""
    topics = len(layout.users)
    per_group = np.diff(judged.offsets)
    lengths = np.repeat(per_group, np.diff(layout.groups)) + (1 if layout.one_each else 0)
    offsets = offsets_of(lengths)
    rows = int(offsets[-1])
    return HitRows(
        offsets,
        items=empty_array(rows, np.int32),
        ratings=empty_array(rows, np.float64),
        ranks=empty_array(rows, np.int32),
        first=empty_array(rows, np.int32),
        last=empty_array(rows, np.int32),
        lengths=np.empty(topics, np.int64),
        targets=np.empty(topics, np.int64),
        unscored=np.empty(topics, np.int64),
    )


def heads(layout: TargetLayout, depth: int) -> Heads:
    """Arrays for the head of every list."""
    topics = len(layout.users)
    return Heads(
        np.empty((topics, depth), np.int32),
        np.empty((topics, depth)),
        np.zeros(topics, np.int64),
        np.zeros(topics, np.int64),
    )
