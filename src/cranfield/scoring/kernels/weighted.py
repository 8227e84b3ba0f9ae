"""Sums over the judged targets of many topics, each target with a weight of its own.

The weight of a row is ``weights[places[row]]``, what it is worth without it ``gains[row]``;
where a ``threshold`` is given and not NaN, gains are ratings, and worth 1 from it on, else 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.topic_range import Ints

Codes = npt.NDArray[np.int32]

_FEW = 20
"""So many best targets are kept in order one by one; where more are asked for, all are sorted."""


@kernel
def add_up_rows(offsets: Ints, values: Floats, out: Floats) -> None:
    """The sum of the values of each topic."""
    for t in range(len(out)):
        total = 0.0
        for row in range(offsets[t], offsets[t + 1]):
            total += values[row]
        out[t] = total


@kernel
def add_up_weighted(
    offsets: Ints, ranks: Codes, places: Codes, weights: Floats, gains: Floats, threshold: float,
    by_rank: Floats, cutoff: int, out: Floats,
) -> None:  # fmt: skip
    """What targets are worth: in the top n by their ranks, and all; and what all weigh."""
    graded = np.isnan(threshold)
    for t in range(out.shape[1]):
        gained, worth, whole = 0.0, 0.0, 0.0
        for row in range(offsets[t], offsets[t + 1]):
            weight = weights[places[row]]
            whole += weight
            relevant = 1.0 if gains[row] >= threshold else 0.0
            value = weight * (gains[row] if graded else relevant)
            worth += value
            if 0 < ranks[row] <= cutoff:
                gained += value * by_rank[ranks[row]]
        out[0, t], out[1, t], out[2, t] = gained, worth, whole


@kernel
def keep_largest(value: float, largest: Floats) -> None:
    """Put a value among the largest so far, falling, of which the last goes.

    Every place is written, which spares guesses at where the value belongs.
    """
    for place in range(len(largest)):
        held = largest[place]
        largest[place] = max(held, value)
        value = min(held, value)


@kernel
def add_up_best(
    offsets: Ints, ranks: Codes, places: Codes, weights: Floats, gains: Floats, by_rank: Floats,
    cutoff: int, ideal: int, out: Floats,
) -> None:  # fmt: skip
    """What each topic's targets are worth in the top n, and what they would be in the best order,
    those of most worth first, which is cut at ``ideal``.
    """
    few = np.empty(_FEW)
    for t in range(out.shape[1]):
        start, stop, gained, total = offsets[t], offsets[t + 1], 0.0, 0.0
        most = min(ideal, stop - start)
        best = few[:most] if most <= _FEW else np.empty(stop - start)
        best[:] = 0.0  # no target is worth less
        for row in range(start, stop):
            value = weights[places[row]] * gains[row]
            if 0 < ranks[row] <= cutoff:
                gained += value * by_rank[ranks[row]]
            if most <= _FEW:
                keep_largest(value, best)
            else:
                best[row - start] = -value
        if most > _FEW:
            best.sort()
            best *= -1.0
        for place in range(most):
            total += best[place] * by_rank[place + 1]
        out[0, t], out[1, t] = gained, total


@kernel(error_model="numpy")
def add_up_precisions(
    offsets: Ints, ranks: Codes, places: Codes, weights: Floats, ratings: Floats, threshold: float,
    cutoff: int, normalised: bool, out: Floats,
) -> None:  # fmt: skip
    """Average precision with weights."""
    for t in range(len(out)):
        whole, count = 0.0, 0
        for row in range(offsets[t], offsets[t + 1]):
            if ratings[row] >= threshold:
                whole += weights[places[row]]
                count += 1
        scale = count / whole if normalised and count > 0 else 1.0
        total, above = 0.0, 0.0
        for row in range(offsets[t], offsets[t + 1]):
            if ranks[row] == 0 or ranks[row] > cutoff:  # ranks ascend, the unranked come last
                break
            if ratings[row] >= threshold:
                weight = weights[places[row]] * scale
                total += weight * (1 + above) / ranks[row]
                above += weight
        out[t] = total / (whole * scale) if count > 0 else np.nan
