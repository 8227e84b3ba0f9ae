"""The discount of a rank in discounted cumulative gain."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.scoring.gain import Floats


def discount(ranks: npt.NDArray[np.integer]) -> Floats:
    """1/log2(k + 1) for each rank k."""
    weights: Floats = 1 / np.log2(ranks + 1.0)
    return weights
