"""The distinct ratings that occur, and how many targets of each topic are on each level.

Gains depend on the rating alone, and few ratings are distinct: a gain is computed once
per level and looked up by the level's code.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.kernels.kernel import kernel
from cranfield.base.ragged import frozen
from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.topic_range import Codes, Ints

_SLOTS = 1024
"""Slots of the hash table of ratings; a power of two."""
_MANY = 256
"""So many levels are counted; where there are more, they are sorted."""


@dataclass(frozen=True, eq=False)
class Levels:
    """The distinct ratings, ascending, and the number that each row's rating was given.

    ``place`` tells which of ``ratings`` a number is.
    """

    ratings: Floats
    numbers: Codes
    place: Codes


def find_levels(ratings: Floats) -> Levels:
    """The levels of all rows.

    >>> levels = find_levels(np.array([4.0, 1.0, 4.0]))
    >>> levels.ratings, levels.place[levels.numbers]
    (array([1., 4.]), array([1, 0, 1], dtype=int32))
    """
    plain = frozen(np.ascontiguousarray(ratings))
    found, numbers = np.empty(_MANY), np.empty(len(plain), dtype=np.int32)
    keys, values = np.zeros(_SLOTS, dtype=np.int64), np.full(_SLOTS, -1, dtype=np.int32)
    count = number_levels(plain.view(np.int64), plain, found, numbers, keys, values)
    if count < 0:
        distinct, inverse = np.unique(plain, return_inverse=True)
        return Levels(distinct, inverse.astype(np.int32), np.arange(len(distinct), dtype=np.int32))
    order = np.argsort(found[:count])
    place = np.empty(count, dtype=np.int32)
    place[order] = np.arange(count, dtype=np.int32)
    return Levels(found[:count][order], numbers, place)


@kernel
def number_levels(
    bits: npt.NDArray[np.int64],
    ratings: Floats,
    found: Floats,
    numbers: Codes,
    keys: npt.NDArray[np.int64],
    values: Codes,
) -> int:
    """Number the ratings by first occurrence; how many there are, or −1 if too many.

    ``keys`` and ``values`` are the slots of a hash table; values below 0 are free.
    """
    count = 0
    for row in range(len(bits)):
        key = bits[row] if ratings[row] != 0 else 0  # zero has two signs
        slot = ((key >> 48) ^ (key >> 38) ^ (key >> 20)) & (_SLOTS - 1)
        while values[slot] >= 0 and keys[slot] != key:
            slot = (slot + 1) & (_SLOTS - 1)
        if values[slot] < 0:
            if count == len(found):
                return -1
            keys[slot] = key
            values[slot] = count
            found[count] = ratings[row]
            count += 1
        numbers[row] = values[slot]
    return count


def find_runs(offsets: Ints, levels: Levels, codes: Codes) -> tuple[Ints, Codes, Ints]:
    """Code the rows of some topics; for each topic its codes from the highest, and their counts."""
    size, topics = int(offsets[-1] - offsets[0]), len(offsets) - 1
    runs = np.zeros(topics + 1, np.int64), np.empty(size, np.int32), np.empty(size, np.int64)
    if len(levels.ratings) <= _MANY:
        counts = np.zeros(len(levels.ratings), dtype=np.int64)
        count_runs(offsets, levels.numbers, levels.place, codes, counts, *runs)
        return runs
    rows = slice(offsets[0], offsets[-1])
    codes[rows] = levels.place[levels.numbers[rows]]
    owners = np.repeat(np.arange(topics), np.diff(offsets))
    best = codes[rows][np.lexsort((-codes[rows], owners))]
    starts = np.flatnonzero(np.diff(best, prepend=-1) | np.diff(owners, prepend=-1))
    run_offsets = np.searchsorted(starts, offsets - offsets[0])
    return run_offsets, best[starts], np.diff(starts, append=size)


@kernel
def count_runs(
    offsets: Ints,
    numbers: Codes,
    place: Codes,
    codes: Codes,
    counts: Ints,
    run_offsets: Ints,
    run_codes: Codes,
    run_counts: Ints,
) -> None:
    """Code the rows and count each topic's levels; ``counts`` is zero before and after."""
    runs = 0
    for t in range(len(offsets) - 1):
        for row in range(offsets[t], offsets[t + 1]):
            code = place[numbers[row]]
            codes[row] = code
            counts[code] += 1
        for code in range(len(counts) - 1, -1, -1):
            if counts[code] > 0:
                run_codes[runs] = code
                run_counts[runs] = counts[code]
                counts[code] = 0
                runs += 1
        run_offsets[t + 1] = runs


@kernel
def add_up(
    run_offsets: Ints, run_codes: Codes, run_counts: Ints, table: Floats, totals: Floats
) -> None:
    """What all judged targets of each topic are worth together."""
    for t in range(len(totals)):
        total = 0.0
        for run in range(run_offsets[t], run_offsets[t + 1]):
            total += run_counts[run] * table[run_codes[run]]
        totals[t] = total


@kernel
def look_up(
    offsets: Ints,
    groups: Ints,
    group: int,
    numbers: Codes,
    place: Codes,
    table: Floats,
    out: Floats,
) -> None:
    """What the rows of the topics of one group are worth, by the levels of their ratings."""
    for t in range(len(groups)):
        if groups[t] == group:
            for row in range(offsets[t], offsets[t + 1]):
                out[row] = table[place[numbers[row]]]
