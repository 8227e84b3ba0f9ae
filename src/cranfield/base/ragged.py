"""Variable-length arrays, one per topic, as flat values and offsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Ragged:
    """One array per topic: topic t owns ``values[offsets[t]:offsets[t + 1]]``.

    ``offsets`` starts at 0, never falls, and ends at the number of values.
    """

    values: npt.NDArray[Any]
    offsets: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, topic: int) -> npt.NDArray[Any]:
        return self.values[self.offsets[topic] : self.offsets[topic + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        return (self[topic] for topic in range(len(self)))

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of values of each topic."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """For each value, the topic that owns it."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @classmethod
    def from_lists(
        cls, lists: Sequence[Sequence[Any] | npt.NDArray[Any]], dtype: npt.DTypeLike
    ) -> Ragged:
        """One array per list.

        >>> Ragged.from_lists([[1, 2], [], [3]], int)[2]
        array([3])
        """
        offsets = offsets_of(np.array([len(values) for values in lists], dtype=np.int64))
        arrays = [np.asarray(values, dtype=dtype) for values in lists]
        flat = np.concatenate(arrays) if arrays else np.empty(0, dtype=dtype)
        return cls(flat, offsets)


def frozen(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """The same values in an array that refuses to be changed; the given one stays as it is."""
    view = array.view()
    view.flags.writeable = False
    return view


def offsets_of(lengths: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Where each array starts and, at the end, where the last one stops."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def rows_fit(rows: Sequence[npt.NDArray[Any]], n_rows: int, n_columns: int) -> bool:
    """Whether offsets, codes and any values make so many sparse rows of so many columns.

    What was read from a store is held to it before compiled loops, which do not look.

    >>> rows_fit((np.array([0, 1, 2]), np.array([4, 0])), 2, 5)
    True
    >>> rows_fit((np.array([0, 1, 2]), np.array([5, 0])), 2, 5)
    False
    """
    offsets, codes, *values = rows
    return (
        offsets_fit(offsets, n_rows, codes.size)
        and all(each.shape == (codes.size,) for each in (codes, *values))
        and (not codes.size or bool(codes.min() >= 0 and codes.max() < n_columns))
    )


def offsets_fit(offsets: npt.NDArray[Any], n_rows: int, length: int) -> bool:
    """Whether so many arrays share so many values in order."""
    return (
        offsets.shape == (n_rows + 1,)
        and offsets[0] == 0
        and offsets[-1] == length
        and bool((offsets[1:] >= offsets[:-1]).all())
    )


def runs_of(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where each run of equal values starts and, at the end, where the last one stops.

    >>> runs_of(np.array([7, 7, 5]))
    array([0, 2, 3])
    """
    starts = np.flatnonzero(values[1:] != values[:-1]) + 1
    return np.concatenate([np.zeros(min(len(values), 1), np.int64), starts, [len(values)]])


def count_marked(
    marked: npt.NDArray[np.bool_], offsets: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """How many values of each array are marked.

    >>> count_marked(np.array([True, False, True]), np.array([0, 2, 2, 3]))
    array([1, 0, 1])
    """
    counts, some = np.zeros(len(offsets) - 1, np.int64), offsets[1:] > offsets[:-1]
    counts[some] = np.add.reduceat(marked.view(np.int8), offsets[:-1][some], dtype=np.int64)
    return counts
