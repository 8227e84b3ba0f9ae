"""Whether lists hold an item twice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel

Rows = npt.NDArray[np.int64]


@kernel
def any_repetition(offsets: Rows, items: Codes, last_list: Rows) -> bool:
    """Whether an item occurs twice in a list; ``last_list`` is scratch space, −1 by item."""
    for number in range(len(offsets) - 1):
        for at in range(offsets[number], offsets[number + 1]):
            if last_list[items[at]] == number:
                return True
            last_list[items[at]] = number
    return False
