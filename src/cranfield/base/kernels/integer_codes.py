"""Numbers for the integers of a column that lie close together."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.base.kernels.numbering import Codes

Places = npt.NDArray[np.int64]

BEYOND = -1
"""Why a pass ended early: an integer that the table has no room for."""


@kernel
def number_integers(
    values: npt.NDArray[Any], start: int, low: int, out: Codes, numbers: Codes, count: int,
    changes: Places, state: Places,
) -> int:  # fmt: skip
    """The numbers of integers by first occurrence; how many are known then, or why it ended.

    ``numbers`` is the table: the number of ``low`` and of each integer after it, −1 for none
    yet. The first value is that of row ``start``. ``changes`` gets the rows whose integer is
    not that of the row before, as many as there is room for. ``state`` is how many there are,
    and the number of the last row, −1 for none.
    """
    changed, before = state[0], state[1]
    for row in range(len(values)):
        place = np.uint64(np.int64(values[row]) - low)
        if place >= np.uint64(len(numbers)):
            return BEYOND
        number = int(numbers[place])
        if number < 0:
            number, numbers[place] = count, count
            count += 1
        if number != before:
            # As in `number_views`: a function for it would take eight times as long as all else.
            if changed < len(changes):
                changes[changed] = start + row
            changed, before = changed + 1, number
        out[row] = number
    state[0], state[1] = changed, before
    return count
