"""Runs whose rows are ranked lists as they stand: found out and coded in two passes.

Most runs that systems write are so. Any other is `run_coding`'s, which takes many passes,
and says what is odd.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes, Ids
from cranfield.base.ragged import offsets_of
from cranfield.base.room import room
from cranfield.base.threads import in_threads, shares, thread_count
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.kernels.plain_runs import NOT_PLAIN, copy_lists, survey
from cranfield.recommendation.run import Run
from cranfield.recommendation.run_ids import Matched, code_strangers

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

_LEAST_ROWS = 1 << 16
"""Rows that are worth a thread of their own."""
_LEAST_LISTS, _MOST_LISTS = 512, 16384
"""Lists that are worth a thread, and those that it is given at a time."""


class Values(NamedTuple):
    """What each row says of its item, and for each item its place among equal predictions.

    ``falls`` are the rows whose rank is below that of the row before.
    """

    predictions: Floats
    places: Rows
    falls: Rows


class _Lists(NamedTuple):
    """Where lists begin and end, their tied positions, and which of the run's items they name
    or their users had in training.
    """

    begins: Rows
    ends: Rows
    tied: Rows
    used: npt.NDArray[np.bool_]


def plain_run(
    system: str, ids: tuple[Matched, Matched], values: Values, item_ids: Ids, train: Ratings | None
) -> Run | None:
    """The run that rows are as they stand; None if they are not ranked lists."""
    users, items = ids
    if (users.rows[values.falls] == users.rows[values.falls - 1]).any():
        return None  # some ranks may contradict their scores
    found = _find(users, items, values, len(item_ids), train)
    if found is None:
        return None
    owners = users.codes[users.rows[found.begins]]
    order = np.argsort(owners, kind="stable")
    owners, begins = owners[order], found.begins[order]
    if (owners[1:] == owners[:-1]).any():
        return None
    offsets = offsets_of(found.ends[order] - begins)
    codes, strangers = code_strangers(items, found.used, item_ids)
    listed, predictions = room(int(offsets[-1]), np.int32), room(int(offsets[-1]), np.float64)

    def copy(part: slice) -> None:
        rows = items.rows, values.predictions
        copy_lists(part.start, part.stop, begins, offsets, *rows, codes, listed, predictions)

    for _ in in_threads(copy, shares(len(order), _LEAST_LISTS, _MOST_LISTS)):
        pass
    return Run(system, Topics(owners), offsets, listed, predictions, found.tied[order], strangers)


def _find(
    users: Matched, items: Matched, values: Values, n_items: int, train: Ratings | None
) -> _Lists | None:
    """The lists of all rows; None if some are not plain."""
    if train is None:
        trained = np.zeros(int(users.codes.max(initial=-1)) + 2, np.int64), np.empty(0, np.int32)
    else:
        trained = train.user_offsets, train.items
    parts, size = list(pairwise(_borders(users.rows))), len(items.own)
    own_items = np.full(n_items, size, np.int32)  # what no list names has a place at the end
    known = np.flatnonzero(items.codes >= 0)
    own_items[items.codes[known]] = known

    def look(rows: tuple[int, int]) -> _Lists | None:
        last = np.full(size + 1, -1, np.int32)
        lists = np.empty((3, len(users.own)), np.int64)
        count = survey(
            *rows, users.rows, items.rows, values.predictions, users.codes, own_items,
            values.places, *trained, last, lists,
        )  # fmt: skip
        begins, ends, tied = lists[:, : max(count, 0)]
        return None if count == NOT_PLAIN else _Lists(begins, ends, tied, last[:size] >= 0)

    found = [lists for lists in in_threads(look, parts) if lists is not None]
    if len(found) < len(parts):
        return None
    begins, ends, tied = (np.concatenate([part[k] for part in found]) for k in range(3))
    return _Lists(begins, ends, tied, np.any([part.used for part in found], axis=0))


def _borders(users: Codes) -> list[int]:
    """Where parts of the rows begin, each with another user, and the end."""
    size, borders = len(users), [0]
    count = min(thread_count(), size // _LEAST_ROWS)
    for part in range(1, count):
        at = size * part // count
        changes = users[at:] != users[at - 1]
        borders.append(at + int(changes.argmax()) if changes.any() else size)
    return [*borders, size]
