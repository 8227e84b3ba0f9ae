"""Whether all numbers of a text file are written plainly, told from its bytes alone.

An id such as 007 must stay text, or it could not be written back. Reading ids as text to
find out costs more than all the rest of reading; a look at the bytes does not.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cranfield.base.threads import chunks, in_threads

_UNUSUAL = (b"+", b"-", b" ", b'"', b"'")
"""What may stand in a number that is not written plainly, or around it."""

_PART, _BLOCK = 1 << 22, 1 << 18
"""Bytes that a thread is given, and looks at at a time: so few that its cache holds them."""

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def plain_separators(path: Path, separator: str) -> int | None:
    """How many separators a file has if all its numbers are plain; None if they are not.

    They are if no field has a leading zero, a sign, a blank or a quotation mark: then a
    field that reads as a whole number is written as that number would be. Of a doubled
    separator, such as ::, both halves count, and they must stand two by two. A file that
    is packed shows nothing, and is not plain.
    """
    total = 0
    for count in in_threads(partial(_look, path, separator), chunks(path.stat().st_size, _PART)):
        if count is None:
            return None
        total += count
    return total


def _look(path: Path, separator: str, part: slice) -> int | None:
    """The separators in a part of a file, if that is plain."""
    block, mark, count = bytearray(_BLOCK + 2), ord(separator[0]), 0
    data, scratch = np.frombuffer(block, np.uint8), np.empty((2, len(block)), np.uint8)
    with path.open("rb", buffering=0) as file:
        # Two bytes of the block before, so that nothing falls between two blocks; and line
        # ends before the first field of all.
        before = max(part.start - 2, 0)
        file.seek(before)
        block[:2] = (b"\n\n" + file.read(part.start - before))[-2:]
        for piece in chunks(part.stop - part.start, _BLOCK):
            size = file.readinto(memoryview(block)[2 : 2 + piece.stop - piece.start]) or 0
            if any(block.find(sign, 0, size + 2) >= 0 for sign in _UNUSUAL):
                return None
            seen, spare = data[: size + 2], scratch[:, : size + 2]
            if _has_leading_zero(seen, mark, spare):
                return None
            separators = np.equal(seen, mark, out=spare[0].view(bool))
            if separator[1:] and _has_odd_run(separators, spare[1].view(bool)):
                return None
            count += int(np.count_nonzero(separators[2:]))
            block[:2] = block[size : size + 2]
    return count


def _has_leading_zero(data: Bytes, separator: int, scratch: Bytes) -> bool:
    """Whether a field starts with a zero and another digit; scratch is overwritten."""
    digits, zeros = scratch.view(bool)
    np.subtract(data, ord("0"), out=scratch[0])
    np.less(scratch[0], 10, out=digits)
    np.equal(data, ord("0"), out=zeros)
    found = zeros[1:-1]
    found &= digits[2:]
    np.greater(found, digits[:-2], out=found)  # and no digit before
    if not found.any():
        return False
    before = data[:-2][found]
    return bool(((before == separator) | (before == ord("\n"))).any())


def _has_odd_run(marks: Flags, scratch: Flags) -> bool:
    """Whether a mark has others on both sides or on neither; scratch is overwritten."""
    odd = np.equal(marks[2:], marks[:-2], out=scratch[1:-1])
    odd &= marks[1:-1]
    return bool(odd.any())
