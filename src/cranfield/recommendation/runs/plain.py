"""Runs whose rows are ranked lists as they stand: found out and coded in one pass.

Most runs that systems write are so. Any other is `runs.coding`'s, which takes many passes,
and says what is odd.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes, Ids
from cranfield.base.machine.arrays import empty_array
from cranfield.base.ragged import frozen, offsets_of
from cranfield.base.threads import in_threads, thread_count
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.kernels.runs import copy_lists
from cranfield.recommendation.runs.run import Run
from cranfield.recommendation.runs.table import Matched, code_unknown_items

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

_LEAST_ROWS = 1 << 16
"""Rows that are worth a thread of their own."""


class RowValues(NamedTuple):
    """What each row says of its item, and for each item its place among equal predictions.

    Predictions are in pieces, as they lie in memory, and not yet checked.
    ``rank_inversions`` are the rows whose rank is below that of the row before.
    """

    predictions: Sequence[Floats]
    places: Rows
    rank_inversions: Rows


class _Lists(NamedTuple):
    """Lists in the order of rows: where they begin, and at last where all end; whose they
    are, −1 for users that the collection lacks; and where they go, −1 for nowhere.
    """

    begins: Rows
    owners: Codes
    targets: Rows


def plain_run(
    system: str,
    ids: tuple[Matched, Matched],
    values: RowValues,
    item_ids: Ids,
    train: Ratings | None,
) -> Run | None:
    """The run that rows are as they stand; None if they are not ranked lists."""
    users, items = ids
    if (users.rows[values.rank_inversions] == users.rows[values.rank_inversions - 1]).any():
        return None  # some ranks may contradict their scores
    begins = users.runs
    owners = users.codes[users.rows[begins[:-1]]]
    order = _order_of(owners)
    if order is None:
        return None
    offsets, targets = offsets_of(np.diff(begins)[order]), np.full(len(owners), -1)
    targets[order] = offsets[:-1]
    lists = _Lists(begins, owners, targets)
    used = _used(lists, items)
    codes, unknown_items = code_unknown_items(items, used, item_ids)
    places = np.zeros(len(item_ids) + len(unknown_items), np.int64)
    places[codes[used]] = values.places[used]
    listed = empty_array(int(offsets[-1]), np.int32)
    predictions = empty_array(int(offsets[-1]), np.float64)
    tied, trained = np.zeros(len(owners), np.int64), _trained(users, train)

    def copy(part: tuple[int, int]) -> bool:
        last_list = np.full(len(places), -1, np.int32)
        return all(
            copy_lists(
                first, stop, *lists, items.rows, piece, frozen(codes), places, *trained,
                last_list, listed, predictions, tied,
            )
            for first, stop, piece in _whole(values.predictions, begins, *part)
        )  # fmt: skip

    if not all(in_threads(copy, _parts(begins))):
        return None
    topics = Topics(owners[order])
    return Run(system, topics, offsets, listed, predictions, tied[order], unknown_items)


def _order_of(owners: Codes) -> npt.NDArray[np.intp] | None:
    """The lists of known users, user by user; None if one of them has several."""
    order = np.argsort(owners, kind="stable")[np.count_nonzero(owners < 0) :]  # most are in order
    topics = owners[order]
    return None if (topics[1:] == topics[:-1]).any() else order


def _used(lists: _Lists, items: Matched) -> npt.NDArray[np.bool_]:
    """Which of the run's items are in the lists that go somewhere."""
    goes = lists.targets >= 0
    if goes.all():
        return np.ones(len(items.codes), bool)
    used = np.zeros(len(items.codes), bool)
    used[items.rows[np.repeat(goes, np.diff(lists.begins))]] = True
    return used


def _trained(users: Matched, train: Ratings | None) -> tuple[Rows, Codes]:
    """Where the training items of each user begin, and these."""
    if train is None:
        nobodys = frozen(np.empty(0, np.int32))  # as the items of ratings are
        return np.zeros(int(users.codes.max(initial=-1)) + 2, np.int64), nobodys
    return train.user_offsets, train.items


def _parts(begins: Rows) -> list[tuple[int, int]]:
    """Ranges of lists that have about as many rows each, one for each thread."""
    size = int(begins[-1])
    count = max(1, min(thread_count(), size // _LEAST_ROWS))
    borders = np.searchsorted(begins, [size * part // count for part in range(count + 1)])
    return list(pairwise(borders.tolist()))


def _whole(
    pieces: Sequence[Floats], begins: Rows, first: int, stop: int
) -> Iterator[tuple[int, int, Floats]]:
    """A range of lists, some at a time, with their predictions in one piece."""
    start, at = 0, first
    for piece in pieces:
        end = start + len(piece)
        inside = min(int(np.searchsorted(begins, end, side="right")) - 1, stop)
        if at < inside:
            yield at, inside, frozen(piece[begins[at] - start : begins[inside] - start])
            at = inside
        if at < stop and begins[at] < end:  # a list that goes on in the next piece
            yield at, at + 1, frozen(_joined(pieces, int(begins[at]), int(begins[at + 1])))
            at += 1
        start = end


def _joined(pieces: Sequence[Floats], start: int, stop: int) -> Floats:
    """Rows of some pieces as one."""
    found = []
    for piece in pieces:
        found.append(piece[max(start, 0) : max(stop, 0)])
        start, stop = start - len(piece), stop - len(piece)
    return np.concatenate(found)
