"""The order of ratings: rows by (user, item), and what is left of pairs that repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.threads import chunks, in_threads

Rows = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Column = npt.NDArray[Any] | None

_CHUNK = 1 << 18
"""Rows worked on at a time, so that temporaries stay small."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """Pairs in ascending order of (user, item, row), with further columns in that order."""

    users: Codes
    items: Codes
    columns: list[Any]
    row: Callable[[int], int]
    """The row that the pair at a place came from."""

    def repeats(self) -> Rows:
        """The places whose pair is that of the place before."""
        same = self.users[1:] == self.users[:-1]
        same &= self.items[1:] == self.items[:-1]
        return np.flatnonzero(same) + 1


def order_pairs(
    users: Codes, items: Codes, n_users: int, n_items: int, columns: Sequence[Column] = ()
) -> Ordered:
    """Bring pairs into ascending order of (user, item), equal pairs in order of their rows.

    User, item and row are packed into one word where they fit, since sorting plain
    words is several times faster than sorting indices. A column may be None and stays so.
    """
    if _in_order(users, items):
        return Ordered(users, items, list(columns), int)
    item_bits, row_bits = _bits(n_items), _bits(len(users))
    if _bits(n_users) + item_bits + row_bits > 64:
        rows = np.lexsort((items, users))
        taken = [None if column is None else column.take(rows) for column in columns]
        return Ordered(users.take(rows), items.take(rows), taken, lambda at: int(rows[at]))
    words = _packed(users, items, item_bits, row_bits)
    words.sort()
    return _unpacked(words, item_bits, row_bits, columns)


def _packed(users: Codes, items: Codes, item_bits: int, row_bits: int) -> Words:
    """User, item and row of each row in one word, the user in its highest bits."""
    words = np.empty(len(users), np.uint64)

    def pack(part: slice) -> None:
        packed = words[part]
        packed[:] = users[part]
        packed <<= np.uint64(item_bits)
        packed |= items[part].astype(np.uint64)
        packed <<= np.uint64(row_bits)
        packed |= np.arange(part.start, part.stop, dtype=np.uint64)

    _on_parts(pack, len(words))
    return words


def _unpacked(words: Words, item_bits: int, row_bits: int, columns: Sequence[Column]) -> Ordered:
    """Users and items of sorted words, and the columns gathered by their rows."""
    users, items = np.empty(len(words), np.int32), np.empty(len(words), np.int32)
    gathered = [None if column is None else np.empty_like(column) for column in columns]
    in_row, in_item = _low_bits(row_bits), _low_bits(item_bits)

    def unpack(part: slice) -> None:
        rows = (words[part] & in_row).view(np.int64)
        for column, target in zip(columns, gathered, strict=True):
            if column is not None and target is not None:
                # Rows are within bounds; clip spares the copy that checking would make.
                column.take(rows, out=target[part], mode="clip")
        pairs = words[part] >> np.uint64(row_bits)
        users[part] = pairs >> np.uint64(item_bits)
        pairs &= in_item
        items[part] = pairs

    _on_parts(unpack, len(words))
    return Ordered(users, items, gathered, lambda place: int(words[place] & in_row))


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
