"""The order of ratings: rows by (user, item), and the one row that each pair keeps."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.threads import chunks, in_threads

Rows = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

_CHUNK = 1 << 20
"""Rows worked on at a time, so that temporaries stay small."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """Pairs in ascending order of (user, item, row), and the row that each came from."""

    users: Codes
    items: Codes
    rows: Rows | None
    """None where the pairs were in order already."""

    def gather(self, *columns: Array | None) -> list[Array | None]:
        """Columns brought into the same order, each in a thread of its own."""
        rows = self.rows
        if rows is None:
            return list(columns)
        return in_pairs(lambda column: None if column is None else column.take(rows), columns)

    def row(self, place: int) -> int:
        """The row that the pair at a place came from."""
        return place if self.rows is None else int(self.rows[place])

    @property
    def repeats(self) -> Rows:
        """Places whose pair is the one just before."""
        same = self.users[1:] == self.users[:-1]
        same &= self.items[1:] == self.items[:-1]
        return np.flatnonzero(same) + 1


def in_pairs(work: Callable[[Any], Any], parts: tuple[Any, ...]) -> list[Any]:
    """Work on a few large parts at once; for work that releases the GIL."""
    return list(in_threads(work, parts))


def order_pairs(users: Codes, items: Codes, n_users: int, n_items: int) -> Ordered:
    """Bring pairs into ascending order of (user, item), rows of one pair in their order.

    User, item and row are packed into one word where they fit, since sorting plain
    words is several times faster than sorting indices.
    """
    if _is_ordered(users, items):
        return Ordered(users, items, None)
    item_bits, row_bits = _bits(n_items), _bits(len(users))
    if _bits(n_users) + item_bits + row_bits > 64:
        rows = np.lexsort((items, users))
        return Ordered(users.take(rows), items.take(rows), rows)
    packed = np.empty(len(users), np.uint64)
    for _ in in_threads(_packer(packed, users, items, item_bits, row_bits), _parts(packed)):
        pass
    packed.sort()
    ordered = Ordered(np.empty_like(users), np.empty_like(items), np.empty(len(users), np.int64))
    for _ in in_threads(_unpacker(packed, ordered, item_bits, row_bits), _parts(packed)):
        pass
    return ordered
