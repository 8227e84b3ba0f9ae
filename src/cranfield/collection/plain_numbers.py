"""Whether all numbers of a text file are written plainly, told from its bytes alone.

An id such as 007 must stay text, or it could not be written back. Reading ids as text to
find out costs more than all the rest of reading; a look at the bytes does not.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from cranfield.base.threads import chunks, in_threads

_UNUSUAL = (b"+", b"-", b" ", b'"', b"'")
"""What may stand in a number that is not written plainly, or around it."""

_CHUNK = 1 << 20
"""Bytes looked at at a time."""


def plainly_numbered(path: Path, separator: str) -> bool:
    """Whether no field has a leading zero, a sign, a blank or a quotation mark.

    Then a field that reads as a whole number is written as that number would be. Fields
    are parted by one separator; a file that is packed shows nothing, and is not plain.
    """
    size = path.stat().st_size
    marks = [ord(mark) | ord("0") << 8 for mark in (separator, "\n")]

    def is_plain(part: slice) -> bool:
        # With two bytes of the part before, so that nothing falls between two parts; and a
        # line end before the first field of all.
        start = max(part.start - 2, 0)
        with path.open("rb") as file:
            file.seek(start)
            piece = (b"" if start else b"\n") + file.read(part.stop - start)
        if any(sign in piece for sign in _UNUSUAL):
            return False
        data = np.frombuffer(piece, dtype=np.uint8)
        return not any(_zero_then_digit(data, shift, marks) for shift in (0, 1))

    return all(in_threads(is_plain, chunks(size, _CHUNK)))


def _zero_then_digit(piece: npt.NDArray[np.uint8], shift: int, marks: list[int]) -> bool:
    """Whether, at even places from a shift on, one of the marks is followed by a digit."""
    pairs = piece[shift : len(piece) - (len(piece) - shift) % 2].view("<u2")
    for mark in marks:
        after = 2 * np.flatnonzero(pairs == mark) + shift + 2
        following = piece[after[after < len(piece)]]
        if ((following >= ord("0")) & (following <= ord("9"))).any():
            return True
    return False
