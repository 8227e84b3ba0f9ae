"""Counts: whether ratings look like numbers of plays, clicks or visits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_BEYOND_SCALES = 20
"""No scale of ratings in use that is skewed goes further."""
_SKEW = 10
"""How many times the median the highest count is; of ratings it is at most 5 times."""


def look_like_counts(values: npt.NDArray[np.float64]) -> bool:
    """Whether values are whole numbers from 0 up, a few of them far above the others.

    The highest is above 20 and more than 10 times the median.

    >>> look_like_counts(np.array([1.0, 2.0, 400.0])), look_like_counts(np.array([1.0, 5.0]))
    (True, False)
    """
    if not len(values) or values.min() < 0 or values.max() <= _BEYOND_SCALES:
        return False
    far = bool(values.max() > _SKEW * np.median(values))
    return far and bool((values == np.floor(values)).all())
