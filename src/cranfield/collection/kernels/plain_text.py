"""The rows of a plain text file, its ids numbered and its numbers read in one pass.

Accelerates what Polars reads, for files without anything unusual: every line has the same
columns, each separated by one character, and ids need no quotes. Whatever else turns up
ends the pass, and Polars reads the file. Bytes are looked at eight at a time, as words; and
of some lines first where all fields end, then one column after the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from cranfield.base.ids import Codes
from cranfield.base.kernels.text_codes import shift_for, slot_of
from cranfield.collection.kernels.plain_number import read_long, read_short

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

SKIPPED, NUMBER, PLAIN_NUMBER, FIRST_ID = range(-1, 3)
"""What a column is for: nothing; numbers, of which some may take more care; numbers that may
not; and from the last on, ids: column FIRST_ID + k has the k-th table."""
UNUSUAL, FULL = -1, -2
"""Why a pass ended early: something that Polars should look at, or too many distinct ids."""

_NEWLINE, _MINUS, _WIDE = 10, 45, 8
_NONE, _ONE = np.uint64(0), np.uint64(1)
_TO_LAST = np.uint64(56)
_FIRSTS = np.uint64(0x0101010101010101)
"""The lowest bit of each byte; times it, the last byte of a word is the sum of all."""
_SEVENS = np.uint64(0x7F7F7F7F7F7F7F7F)
"""All but the highest bit of each byte."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(_WIDE + 1)], np.uint64)
"""What is kept of a word to see so many of its first bytes."""


@njit(cache=True, nogil=True, inline="always")
def marks(word: np.uint64, bytes_of_it: np.uint64) -> np.uint64:
    """The lowest bit of each byte of a word that is the given one, which comes eight times."""
    other = word ^ bytes_of_it
    return ~(((other & _SEVENS) + _SEVENS) | other | _SEVENS) >> np.uint64(7)


@njit(cache=True, nogil=True, inline="always")
def count_marks(marked: np.uint64) -> int:
    """How many bytes of a word have their lowest bit, and no other."""
    return int(np.int64((marked * _FIRSTS) >> _TO_LAST))


@njit(cache=True, nogil=True, inline="always")
def first_mark(marked: np.uint64) -> int:
    """The byte of the lowest mark, 8 if there is none: as many as are before it."""
    return count_marks((marked - _ONE) & ~marked & _FIRSTS)


@njit(cache=True, nogil=True)
def find_ends(words: Words, start: int, stop: int, separator: int, ends: Places) -> tuple[int, int]:
    """Where fields end: how many of them there are, and how many lines end.

    Two places are written for each word whether or not there are two, since a branch would
    be mispredicted at most words; what is too many is written over.
    """
    count, lines = 0, 0
    newlines, separators = _FIRSTS * np.uint64(_NEWLINE), _FIRSTS * np.uint64(separator)
    for at in range(start, stop, _WIDE):
        left = marks(words[at], newlines)
        if at + _WIDE > stop:
            left &= _MASKS[stop - at]
        lines += count_marks(left)
        left |= marks(words[at], separators)
        here = count_marks(left)
        ends[count] = at + first_mark(left)
        left &= left - _ONE
        ends[count + 1] = at + first_mark(left)
        left &= left - _ONE
        further = count + 2
        while left != _NONE:
            ends[further] = at + first_mark(left)
            left &= left - _ONE
            further += 1
        count += here
    while count > 0 and ends[count - 1] >= stop:
        count -= 1
    return count, lines


@njit(cache=True, nogil=True)
def are_rows(data: Bytes, ends: Places, width: int) -> bool:
    """Whether no field is empty, and every ``width`` of them end a line."""
    wrong = False
    for at in range(1, len(ends)):
        wrong |= ends[at] - ends[at - 1] < 2
    for at in range(width, len(ends), width):
        wrong |= data[ends[at]] != _NEWLINE
    return not wrong


@njit(cache=True, nogil=True, inline="always")
def key_of(words: Words, begin: int, size: int) -> np.uint64:
    """A word for some bytes, none of them zero: up to eight, they themselves."""
    key, at = _NONE, begin
    while at + _WIDE < begin + size:
        key = (key ^ words[at]) * _MIX
        at += _WIDE
    return np.uint64(key ^ (words[at] & _MASKS[begin + size - at]))


@njit(cache=True, nogil=True, inline="always")
def is_same(words: Words, begin: int, texts: Words, start: int, size: int) -> bool:
    """Whether so many bytes from two places on are the same."""
    at = 0
    while at + _WIDE < size and words[begin + at] == texts[start + at]:
        at += _WIDE
    left = size - at
    return left <= _WIDE and (words[begin + at] ^ texts[start + at]) & _MASKS[left] == _NONE


@njit(cache=True, nogil=True, inline="always")
def learn(words: Words, begin: int, size: int, number: int, starts: Places, texts: Words) -> bool:
    """Note the text of a new id, and a line's end after it; tells whether there was room."""
    start = starts[number]
    if number + 1 == len(starts) or start + size + _WIDE > len(texts):
        return False
    for at in range(0, size, _WIDE):
        texts[start + at] = words[begin + at]
    texts[start + size] = np.uint64(_NEWLINE)
    starts[number + 1] = start + size + 1
    return True


@njit(cache=True, nogil=True)
def number_ids(
    words: Words, ends: Places, column: int, width: int, out: Codes, slots: Codes, keys: Words,
    starts: Places, texts: Words, count: int,
) -> int:  # fmt: skip
    """The numbers of a column's ids, by first occurrence; how many are known then, or FULL.

    Of each known id there are a key and where it starts in ``texts``. Ids of up to eight
    bytes are the same if their keys and lengths are. Many follow themselves. ``out`` is 0
    at first, and stays untouched while there is but one id.
    """
    number, last_key, last_size = -1, _NONE, 0
    shift = shift_for(slots)
    for row in range(len(out)):
        begin = ends[row * width + column] + 1
        size = ends[row * width + column + 1] - begin
        key = key_of(words, begin, size)
        if key != last_key or size != last_size or size > _WIDE:
            last_key, last_size = key, size
            slot = slot_of(key, shift)
            number = slots[slot]
            while number >= 0 and not (
                keys[number] == key
                and starts[number + 1] - starts[number] == size + 1
                and (size <= _WIDE or is_same(words, begin, texts, starts[number], size))
            ):
                slot = (slot + 1) & (len(slots) - 1)
                number = slots[slot]
            if number < 0:
                if not learn(words, begin, size, count, starts, texts):
                    return FULL
                number, slots[slot], keys[count] = count, count, key
                count += 1
        if count > 1:
            out[row] = number
    return count


@njit(cache=True, nogil=True)
def read_numbers(
    data: Bytes, words: Words, ends: Places, column: int, width: int, out: Floats,
    careful: Places, count: int,
) -> int:  # fmt: skip
    """The numbers of a column, NaN where one takes more care; ``careful`` gets where it is.

    Most are short, and those are read first, in a loop of their own that stays fast.
    """
    left = 0
    for row in range(len(out)):
        begin = ends[row * width + column] + 1
        minus = words[begin] & np.uint64(0xFF) == np.uint64(_MINUS)
        size = ends[row * width + column + 1] - begin - minus
        value = read_short(words[begin + minus], size) if 1 <= size <= _WIDE else np.nan
        out[row] = -value if minus else value
        left += np.isnan(value)
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


@njit(cache=True, nogil=True)
def read_rows(
    data: Bytes, words: Words, start: int, stop: int, separator: int, columns: Places,
    row: int, codes: Codes, numbers: Floats, careful: Places, slots: Codes, keys: Words,
    starts: Places, texts: Words, counts: Places, ends: Places,
) -> int:  # fmt: skip
    """Read whole lines into rows from ``row`` on; the next row, or why the pass ended early.

    ``words`` are the same bytes, eight from each place on. ``codes[k]`` gets the number of
    each row's id in table k, ``numbers`` the two kinds of numbers. A number that takes more
    care is NaN, and ``careful`` gets where it starts and ends; the last of ``counts`` tells
    how many there are. ``ends`` is scratch space for a block.
    """
    begin, width = start, len(columns)
    counts[-1] = 0
    while begin < stop:
        block = min(begin + len(ends) - 2 * _WIDE, stop)
        ends[0] = begin - 1
        fields, found = find_ends(words, begin, block, separator, ends[1:])
        used = found * width
        if found == 0 or fields < used or not are_rows(data, ends[: used + 1], width):
            return UNUSUAL
        for column in range(width):
            role = columns[column]
            if role >= FIRST_ID:
                k = role - FIRST_ID
                counts[k] = number_ids(
                    words, ends, column, width, codes[k, row : row + found], slots[k], keys[k],
                    starts[k], texts[k], counts[k],
                )  # fmt: skip
                if counts[k] == FULL:
                    return FULL
            elif role >= NUMBER:
                before = counts[-1]
                counts[-1] = read_numbers(
                    data, words, ends, column, width, numbers[role, row : row + found], careful,
                    before,
                )  # fmt: skip
                if role == PLAIN_NUMBER and counts[-1] > before:
                    return UNUSUAL
        row += found
        begin = ends[used] + 1
    return row
