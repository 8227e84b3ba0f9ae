"""The numbers that the ids of a column get, whatever the ids are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Codes = npt.NDArray[np.int32]


@kernel
def renumber(codes: Codes, places: Codes) -> None:
    """Put for each number what stands in its place."""
    for row in range(len(codes)):
        codes[row] = places[codes[row]]
