"""The rows of a plain text file, its ids numbered and its numbers read in one pass.

Accelerates what Polars reads, for files without anything unusual: every line has the same
columns, each separated by one character, and ids need no quotes. Anything else ends
the pass, and Polars reads the file. Many bytes are read at a time: first where all fields of
some lines end, then one column after the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.ids import shift_for, slot_of
from cranfield.base.kernels.kernel import kernel
from cranfield.collection.kernels.byte_marks import (
    AT_ONCE,
    count_marks,
    first_mark,
    high_marks,
    marks,
    word_at,
)
from cranfield.collection.kernels.plain_number import read_long, read_short

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

SKIPPED, NUMBER, PLAIN_NUMBER, FIRST_ID = range(-1, 3)
"""What a column is for: nothing; numbers, of which some may take more care; numbers that may
not; and from the last on, ids: column FIRST_ID + k has the k-th table."""
UNUSUAL, FULL = -1, -2
"""Why a pass ended early: something that Polars should look at, or too many distinct ids."""

_NEWLINE, _MINUS = np.uint8(10), np.uint8(45)
_NONE, _ONE, _WIDE = np.uint64(0), np.uint64(1), np.uint64(8)
_MIX = np.uint64(0x9E3779B97F4A7C15)
LONG = np.uint64(1 << 63)
"""The bit that keys of long ids have, and those of short ones do not: no byte of ASCII does."""
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
"""What is kept of a word to see so many of its first bytes."""
_TOGETHER = 8
"""Places that are written whether or not there are so many."""


@kernel
def count_lines(data: Bytes, stop: int) -> int:
    """How many lines end in so many bytes."""
    lines, whole = 0, stop // AT_ONCE * AT_ONCE
    for at in range(0, whole, AT_ONCE):
        lines += count_marks(marks(data, at, _NEWLINE))
    for at in range(whole, stop):
        lines += data[at] == _NEWLINE
    return lines


@kernel
def find_ends(
    data: Bytes, start: int, stop: int, separator: int, foreign: Bytes, ends: Places
) -> tuple[int, int, bool]:
    """Where fields end: how many there are, how many lines end, and whether all is usual.

    It is not where a field is empty, or a byte foreign or no ASCII. Some places are written
    for all bytes that are looked at together, since a branch would often be mispredicted;
    what is too many is written over.
    """
    count, lines, unusual, before = _NONE, 0, _NONE, _ONE
    for at in range(start, stop, AT_ONCE):
        newlines = marks(data, at, _NEWLINE)
        left = newlines | marks(data, at, np.uint8(separator))
        odd = high_marks(data, at)
        for byte in foreign:
            odd |= marks(data, at, byte)
        if at + AT_ONCE > stop:
            inside = (_ONE << np.uint64(stop - at)) - _ONE
            newlines, left, odd = newlines & inside, left & inside, odd & inside
        lines += count_marks(newlines)
        unusual |= odd | (left & ((left << _ONE) | before))
        before = left >> np.uint64(AT_ONCE - 1)
        place, count = count, count + np.uint64(count_marks(left))
        while left != _NONE:
            for _ in range(_TOGETHER):
                ends[place] = at + first_mark(left)
                left &= left - _ONE
                place += _ONE
    return int(count), lines, bool(unusual == _NONE)


@kernel(inline="always")
def are_lines(data: Bytes, ends: Places, width: int) -> bool:
    """Whether every ``width`` fields end a line."""
    wrong = False
    for at in range(width, len(ends), width):
        wrong |= data[np.uint64(ends[at])] != _NEWLINE
    return not wrong


@kernel(inline="always")
def field(ends: Places, place: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Where a field begins, and how many bytes it has."""
    begin = np.uint64(ends[place] + 1)
    return begin, np.uint64(ends[place + _ONE]) - begin


@kernel(inline="always")
def long_key(data: Bytes, begin: np.uint64, size: np.uint64) -> np.uint64:
    """A word for more than eight bytes."""
    key, at = _NONE, begin
    while at + _WIDE < begin + size:
        key = (key ^ word_at(data, at)) * _MIX
        at += _WIDE
    return np.uint64(key ^ (word_at(data, at) & _MASKS[begin + size - at]) | LONG)


@kernel(inline="always")
def is_same(
    data: Bytes, begin: np.uint64, size: np.uint64, starts: Places, number: int, texts: Bytes
) -> bool:
    """Whether some bytes are those of a known id."""
    at, start = _NONE, np.uint64(starts[number])
    if np.uint64(starts[number + 1]) - start != size + _ONE:
        return False
    while at + _WIDE < size and word_at(data, begin + at) == word_at(texts, start + at):
        at += _WIDE
    left, other = size - at, word_at(data, begin + at) ^ word_at(texts, start + at)
    return bool(left <= _WIDE and other & _MASKS[left] == _NONE)


@kernel(inline="always")
def learn(
    data: Bytes, begin: np.uint64, size: np.uint64, number: int, starts: Places, texts: Bytes
) -> bool:
    """Note the text of a new id, and a line's end after it; tells whether there was room."""
    first, start, count = np.int64(begin), starts[number], np.int64(size)
    if number + 1 == len(starts) or start + count + _TOGETHER > len(texts):
        return False
    for at in range(count):  # to assign a slice takes longer to compile than all else here
        texts[start + at] = data[first + at]
    texts[start + count] = _NEWLINE
    starts[number + 1] = start + count + 1
    return True


@kernel
def number_ids(
    data: Bytes, ends: Places, column: int, width: int, out: Codes, slots: Codes, keys: Words,
    starts: Places, texts: Bytes, count: int, own: Words,
) -> int:  # fmt: skip
    """The numbers of a column's ids, by first occurrence; how many are known then, or FULL.

    Of each known id there are a key and where it starts in ``texts``. Ids of up to eight
    bytes are their keys; those of longer ids have a bit that these never have. Many ids
    follow themselves. ``own`` is scratch space for the key of each row.
    """
    place = np.uint64(column)
    for row in range(len(out)):
        begin, size = field(ends, place)
        if size <= _WIDE:
            own[row] = word_at(data, begin) & _MASKS[size]
        else:
            own[row] = long_key(data, begin, size)
        place += np.uint64(width)
    number, last, shift, further = -1, _NONE, shift_for(slots), np.uint64(len(slots) - 1)
    for row in range(len(out)):
        key = own[row]
        if key != last or key >= LONG:
            last = key
            begin, size = field(ends, np.uint64(row * width + column))
            slot = np.uint64(slot_of(key, shift))
            number = slots[slot]
            while number >= 0 and not (
                keys[np.uint64(number)] == key
                and (key < LONG or is_same(data, begin, size, starts, number, texts))
            ):
                slot = (slot + _ONE) & further
                number = slots[slot]
            if number < 0:
                if not learn(data, begin, size, count, starts, texts):
                    return FULL
                number, slots[slot], keys[count] = count, count, key
                count += 1
        out[row] = number
    return count


@kernel(error_model="numpy")
def read_numbers(
    data: Bytes, ends: Places, column: int, width: int, out: Floats,
    careful: Places, count: int, texts: Words, sizes: Words,
) -> int:  # fmt: skip
    """The numbers of a column, NaN where one takes more care; ``careful`` gets where it is.

    Most are short, and those are read first, in a loop of their own that stays fast.
    ``texts`` and ``sizes`` are scratch space for the first bytes of each row's number.
    """
    left, place = 0, np.uint64(column)
    for row in range(len(out)):
        begin, sizes[row] = field(ends, place)
        texts[row] = word_at(data, begin)
        place += np.uint64(width)
    for row in range(len(out)):
        out[row] = read_short(texts[row], sizes[row])
        left += np.isnan(out[row])
    for row in range(len(out) if left else 0):
        if np.isnan(out[row]):
            begin, end = ends[row * width + column] + 1, ends[row * width + column + 1]
            minus = data[begin] == _MINUS
            value = read_long(data, begin + minus, end)
            out[row] = -value if minus else value
            if np.isnan(value):
                careful[0, count], careful[1, count] = begin, end
                count += 1
    return count


@kernel
def read_rows(
    data: Bytes, start: int, stop: int, separator: int, foreign: Bytes, columns: Places, row: int,
    codes: tuple[Codes, ...], numbers: tuple[Floats, ...], careful: Places, slots: Codes,
    keys: Words, starts: Places, texts: Bytes, counts: Places, ends: Places, spare: Words,
) -> int:  # fmt: skip
    """Read whole lines into rows from ``row`` on; the next row, or why the pass ended early.

    ``codes[k]`` gets the number of each row's id in table k, ``numbers`` the two kinds of
    numbers. A number that takes more care is NaN, and ``careful`` gets where it starts and
    ends; the last of ``counts`` tells how many there are. ``ends`` and ``spare`` are scratch
    space for a block.
    """
    begin, width = start, len(columns)
    counts[-1] = 0
    while begin < stop:
        block = min(begin + len(ends) - 1 - _TOGETHER, stop)
        ends[0] = begin - 1
        fields, found, usual = find_ends(data, begin, block, separator, foreign, ends[1:])
        used = found * width
        lines = found > 0 and fields >= used and are_lines(data, ends[: used + 1], width)
        if not (usual and lines):
            return UNUSUAL
        for column in range(width):
            role = columns[column]
            if role >= FIRST_ID:
                k = role - FIRST_ID
                counts[k] = number_ids(
                    data, ends, column, width, codes[k][row : row + found], slots[k], keys[k],
                    starts[k], texts[k], counts[k], spare[0],
                )  # fmt: skip
                if counts[k] == FULL:
                    return FULL
            elif role >= NUMBER:
                before = counts[-1]
                counts[-1] = read_numbers(
                    data, ends, column, width, numbers[role][row : row + found], careful,
                    before, spare[0], spare[1],
                )  # fmt: skip
                if role == PLAIN_NUMBER and counts[-1] > before:
                    return UNUSUAL
        row += found
        begin = ends[used] + 1
    return row
