"""The order of ratings: rows by (user, item), and what is left of pairs that repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import COMPILED_ROWS, Codes
from cranfield.base.machine.arrays import empty_array
from cranfield.base.ragged import frozen
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.tables.columns import Floats, Times

Rows = npt.NDArray[np.int64]

Resolution = Literal["last", "first", "max", "mean", "sum"]
"""The last by time (by row where times are equal or absent), the first likewise, the highest,
their mean, or their sum."""


def resolve(
    values: Floats, times: Times | None, again: Rows, keep: Resolution
) -> tuple[Rows, Floats, Times | None]:
    """A row of each pair, and what its rating and its time become.

    Rows of a pair stand together, in file order; ``again`` are those after its first.
    """
    begins = np.ones(len(values), dtype=bool)
    begins[again] = False
    starts, pair = np.flatnonzero(begins), np.cumsum(begins)
    if keep in ("max", "mean", "sum"):
        total = np.maximum if keep == "max" else np.add
        if (values != values[0]).any():
            values = values[np.lexsort((values, pair))]  # a sum depends on the order of its terms
        merged = total.reduceat(values, starts)
        if keep == "mean":
            merged = merged / np.diff(np.append(starts, len(values)))
        return starts, merged, None if times is None else np.maximum.reduceat(times, starts)
    known = np.zeros(len(values), np.int64) if times is None else times
    by_time = np.lexsort((known, pair))
    chosen = by_time[starts if keep == "first" else np.append(starts[1:], len(values)) - 1]
    return chosen, values[chosen], None if times is None else times[chosen]


A = TypeVar("A")

Words = npt.NDArray[np.uint64]
Column = npt.NDArray[Any] | pl.Series | None
"""A further column of the pairs, in one piece or in many; None stays None. A series of
integers becomes one of 64 bits."""

_CHUNK = 1 << 15
"""Rows worked on at a time: so few that temporaries stay in the cache."""
_MANY = 1 << 20
"""Rows that are worth threads; with fewer, they would wait for each other most of the time."""
_SPREAD = 4
"""How many times as many as rows users and items may be to be worth counting."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """Pairs in ascending order of (user, item, row), with further columns in that order."""

    users: Codes
    items: Codes
    columns: list[Any]

    def repeats(self) -> Rows:
        """The places whose pair is that of the place before."""

        def within(part: slice) -> Rows:
            items = self.items[part.start : part.stop + 1]
            places: Rows = np.flatnonzero(items[1:] == items[:-1]) + (part.start + 1)
            again: Rows = places[self.users[places] == self.users[places - 1]]
            return again

        found = _on_parts(within, chunks(len(self.items), _CHUNK), len(self.items))
        return np.concatenate([np.empty(0, np.int64), *found])


def order_pairs(
    users: Codes, items: Codes, n_users: int, n_items: int, columns: Sequence[Column] = ()
) -> Ordered:
    """Bring pairs into ascending order of (user, item), equal pairs in order of their rows.

    That is the order of ``np.lexsort((items, users))``. User, item and row are packed into
    one word where they fit, since sorting plain words is several times faster; where one
    thread is enough, a compiled loop counts rows, which is faster still.
    """
    if _in_order(users, items):
        return Ordered(users, items, [_whole(column) for column in columns])
    if _is_worth_counting(len(users), n_users + n_items):
        return _dealt(users, items, n_users, n_items, columns)
    bits = _Bits(_bits(n_items), _bits(len(users)))
    if _bits(n_users) + bits.item + bits.row > 64:
        rows = np.lexsort((items, users))
        taken = [None if column is None else _whole(column).take(rows) for column in columns]
        return Ordered(users.take(rows), items.take(rows), taken)
    by_user = _parts_by_user(users)
    if by_user:
        return _sorted_by_part(users, items, bits, columns, by_user)
    return _sorted_at_once(users, items, bits, [_whole(column) for column in columns])


@dataclass(frozen=True)
class _Bits:
    """Where user, item and row lie in a word: in the order of their names, the row lowest."""

    item: int
    row: int

    def pack(self, users: Codes, items: Codes, first_row: int, words: Words) -> None:
        """Fill the words of successive rows."""
        words[:] = users
        words <<= np.uint64(self.item)
        words |= items.astype(np.uint64)
        words <<= np.uint64(self.row)
        words |= np.arange(first_row, first_row + len(words), dtype=np.uint64)

    def users(self, words: Words) -> Words:
        return words >> np.uint64(self.item + self.row)

    def items(self, words: Words) -> Words:
        return (words >> np.uint64(self.row)) & _low_bits(self.item)

    def rows(self, words: Words) -> Rows:
        return (words & _low_bits(self.row)).view(np.int64)


def _is_worth_counting(rows: int, codes: int) -> bool:
    """Whether so many rows are dealt to so many users and items sooner than sorted."""
    return COMPILED_ROWS <= rows < _MANY and codes <= _SPREAD * rows


def _dealt(
    users: Codes, items: Codes, n_users: int, n_items: int, columns: Sequence[Column]
) -> Ordered:
    """Pairs in any order, dealt to their places by a compiled loop."""
    from cranfield.collection.kernels.pair_order import order_rows

    starts = np.zeros(n_users + 1, np.int32), np.zeros(n_items + 1, np.int32)
    rows = empty_array(len(users), np.int64)
    order_rows(frozen(users), frozen(items), starts, empty_array(len(users), np.int32), rows)
    targets = [_like(column) for column in (users, items, *columns)]
    for column, target in zip((users, items, *columns), targets, strict=True):
        if column is not None:
            _gather(column, rows, target)
    return Ordered(targets[0], targets[1], targets[2:])


def _sorted_by_part(
    users: Codes, items: Codes, bits: _Bits, columns: Sequence[Column], parts: list[slice]
) -> Ordered:
    """Pairs whose users ascend already, some users at a time; their rows stay among them."""
    ordered = empty_array(len(items), items.dtype)
    targets = [_like(column) for column in columns]

    def order(part: slice) -> None:
        words = np.empty(part.stop - part.start, np.uint64)
        bits.pack(users[part], items[part], 0, words)
        words.sort()
        ordered[part] = bits.items(words)
        for column, target in zip(columns, targets, strict=True):
            if column is not None:
                _gather(column[part], bits.rows(words), target[part])

    _all(_on_parts(order, parts, len(users)))
    return Ordered(users, ordered, targets)


def _sorted_at_once(users: Codes, items: Codes, bits: _Bits, columns: list[Any]) -> Ordered:
    """Pairs in any order, by sorting all their words."""
    words = empty_array(len(users), np.uint64)

    def pack(part: slice) -> None:
        bits.pack(users[part], items[part], part.start, words[part])

    _all(_on_parts(pack, chunks(len(words), _CHUNK), len(words)))
    words.sort()
    ordered = empty_array(len(users), users.dtype), empty_array(len(items), items.dtype)
    targets = [_like(column) for column in columns]

    def unpack(part: slice) -> None:
        ordered[0][part], ordered[1][part] = bits.users(words[part]), bits.items(words[part])
        rows = bits.rows(words[part])
        for column, target in zip(columns, targets, strict=True):
            if column is not None:
                _gather(column, rows, target[part])

    _all(_on_parts(unpack, chunks(len(words), _CHUNK), len(words)))
    return Ordered(*ordered, targets)


def _whole(column: Column) -> Any:
    """A column in one piece."""
    if not isinstance(column, pl.Series):
        return column
    array = column.to_numpy()
    return array.astype(np.int64, copy=False) if array.dtype.kind == "i" else array


def _like(column: Column) -> Any:
    """Room for a column."""
    return None if column is None else empty_array(len(column), _whole(column[:0]).dtype)


def _gather(column: Column, rows: Rows, target: npt.NDArray[Any]) -> None:
    # Rows are within bounds; clip spares the copy that checking would make.
    _whole(column).take(rows, out=target, mode="clip")


def _parts_by_user(users: Codes) -> list[slice]:
    """All rows in parts that hold users whole, where users never descend; else none."""
    if not _never(lambda part: users[part][1:] < users[part][:-1], len(users)):
        return []
    borders = np.searchsorted(users, users[::_CHUNK])
    ends = [*dict.fromkeys(borders.tolist()), len(users)]
    return [slice(start, stop) for start, stop in pairwise(ends)]


def _in_order(users: Codes, items: Codes) -> bool:
    """Whether pairs never descend."""

    def descend(part: slice) -> npt.NDArray[np.bool_]:
        user, item = users[part], items[part]
        same: npt.NDArray[np.bool_] = user[1:] == user[:-1]
        same &= item[1:] < item[:-1]
        same |= user[1:] < user[:-1]
        return same

    return _never(descend, len(users))


def _never(wrong: Callable[[slice], npt.NDArray[np.bool_]], size: int) -> bool:
    """Whether nothing is wrong from any place to the next; looks no further than need be."""
    overlapping = (slice(part.start, part.stop + 1) for part in chunks(size, _CHUNK))
    return not any(_on_parts(lambda part: bool(wrong(part).any()), overlapping, size))


def _bits(size: int) -> int:
    """The bits that numbers below a size need."""
    return max(size - 1, 0).bit_length()


def _low_bits(count: int) -> np.uint64:
    return np.uint64((1 << count) - 1)


def _on_parts(work: Callable[[slice], A], parts: Iterable[slice], size: int) -> Iterator[A]:
    """The results of work on every part of so many rows, some at once where they are many."""
    return in_threads(work, parts) if size >= _MANY else map(work, parts)


def _all(results: Iterator[None]) -> None:
    """Wait for work that has no result."""
    for _ in results:
        pass
