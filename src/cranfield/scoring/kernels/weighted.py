"""Sums over the judged targets of many topics, each target with a weight of its own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel
from cranfield.scoring.gain import Floats
from cranfield.scoring.kernels.topic_range import Ints

Ranks = npt.NDArray[np.int32]


@kernel
def add_up_rows(offsets: Ints, values: Floats, out: Floats) -> None:
    """The sum of the values of each topic."""
    for t in range(len(out)):
        total = 0.0
        for row in range(offsets[t], offsets[t + 1]):
            total += values[row]
        out[t] = total


@kernel
def add_up_ranked(
    offsets: Ints, ranks: Ranks, worth: Floats, by_rank: Floats, cutoff: int, out: Floats
) -> None:
    """What the targets of each top n are worth, times the weight of their ranks."""
    for t in range(len(out)):
        total = 0.0
        for row in range(offsets[t], offsets[t + 1]):
            if ranks[row] == 0 or ranks[row] > cutoff:  # ranks ascend, the unranked come last
                break
            total += worth[row] * by_rank[ranks[row]]
        out[t] = total


@kernel
def add_up_best(offsets: Ints, worth: Floats, by_rank: Floats, cutoff: int, out: Floats) -> None:
    """The same for the best order of each topic's targets, those of most worth first."""
    for t in range(len(out)):
        falling = -worth[offsets[t] : offsets[t + 1]]
        falling.sort()
        total = 0.0
        for place in range(min(cutoff, len(falling))):
            total += -falling[place] * by_rank[place + 1]
        out[t] = total


@kernel(error_model="numpy")
def add_up_precisions(
    offsets: Ints, ranks: Ranks, weights: Floats, cutoff: int, normalised: bool, out: Floats
) -> None:
    """Average precision with weights, which are 0 for targets that are not relevant."""
    for t in range(len(out)):
        whole, count = 0.0, 0
        for row in range(offsets[t], offsets[t + 1]):
            whole += weights[row]
            count += weights[row] > 0
        scale = count / whole if normalised and whole > 0 else 1.0
        total, above = 0.0, 0.0
        for row in range(offsets[t], offsets[t + 1]):
            if ranks[row] == 0 or ranks[row] > cutoff:
                break
            weight = weights[row] * scale
            total += weight * (1 + above) / ranks[row]
            above += weight
        out[t] = total / (whole * scale) if whole > 0 else np.nan
