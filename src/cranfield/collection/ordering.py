"""The order of ratings: rows by (user, item), and what is left of pairs that repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.threads import chunks, in_threads

Rows = npt.NDArray[np.int64]
Column = npt.NDArray[Any] | None

_CHUNK = 1 << 20
"""Rows worked on at a time, so that temporaries stay small."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """Pairs in ascending order of (user, item, row), and the row that each came from.

    ``rows`` is None where the pairs were in order already.
    """

    users: Codes
    items: Codes
    rows: Rows | None

    def gather(self, *columns: Column) -> list[Any]:
        """Columns brought into the same order, two or more of them at once."""
        rows = self.rows
        if rows is None:
            return list(columns)
        return list(in_threads(lambda c: None if c is None else c.take(rows), columns))

    def row(self, place: int) -> int:
        """The row that the pair at a place came from."""
        return place if self.rows is None else int(self.rows[place])

    def repeats(self) -> Rows:
        """The places whose pair is that of the place before."""
        same = self.users[1:] == self.users[:-1]
        same &= self.items[1:] == self.items[:-1]
        return np.flatnonzero(same) + 1


def order_pairs(users: Codes, items: Codes, n_users: int, n_items: int) -> Ordered:
    """Bring pairs into ascending order of (user, item), equal pairs in order of their rows.

    User, item and row are packed into one word where they fit, since sorting plain
    words is several times faster than sorting indices.
    """
    if _in_order(users, items):
        return Ordered(users, items, None)
    item_bits, row_bits = _bits(n_items), _bits(len(users))
    if _bits(n_users) + item_bits + row_bits > 64:
        rows = np.lexsort((items, users))
        return Ordered(users.take(rows), items.take(rows), rows)
    packed = np.empty(len(users), np.uint64)
    ordered = Ordered(np.empty_like(users), np.empty_like(items), np.empty(len(users), np.int64))

    def pack(part: slice) -> None:
        words = packed[part]
        words[:] = users[part]
        words <<= np.uint64(item_bits)
        words |= items[part].astype(np.uint64)
        words <<= np.uint64(row_bits)
        words |= np.arange(part.start, part.stop, dtype=np.uint64)

    def unpack(part: slice) -> None:
        words, rows = packed[part], ordered.rows
        assert rows is not None
        rows[part] = words & _low_bits(row_bits)
        words >>= np.uint64(row_bits)
        ordered.items[part] = words & _low_bits(item_bits)
        ordered.users[part] = words >> np.uint64(item_bits)

    _on_parts(pack, len(users))
    packed.sort()
    _on_parts(unpack, len(users))
    return ordered


def _in_order(users: Codes, items: Codes) -> bool:
    """Whether pairs never descend; most files that do say so in their first rows."""
    for part in (slice(0, 1000), slice(None)):
        step, item_step = np.diff(users[part]), np.diff(items[part])
        if (step < 0).any() or ((step == 0) & (item_step < 0)).any():
            return False
    return True


def _bits(size: int) -> int:
    """The bits that numbers below a size need."""
    return max(size - 1, 0).bit_length()


def _low_bits(count: int) -> np.uint64:
    return np.uint64((1 << count) - 1)


def _on_parts(work: Callable[[slice], None], size: int) -> None:
    """Do work on every chunk of so many rows, some at once."""
    for _ in in_threads(work, chunks(size, _CHUNK)):
        pass
