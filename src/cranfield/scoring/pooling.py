"""Pooling: several topics as one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def mean_by_place(
    scores: Floats, places: npt.NDArray[np.intp], size: int, weights: Floats | None = None
) -> Floats:
    """The mean of the defined scores at each place, weighted or not; NaN where there is none."""
    defined = ~np.isnan(scores) if weights is None else ~np.isnan(scores + weights)
    parts, known = scores[defined], None if weights is None else weights[defined]
    summed = parts if known is None else parts * known
    totals = np.bincount(places[defined], weights=summed, minlength=size)
    counts = np.bincount(places[defined], weights=known, minlength=size)
    means = np.full(size, np.nan)
    np.divide(totals, counts, out=means, where=counts > 0)
    return means
