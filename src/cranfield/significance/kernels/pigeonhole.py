"""Values of one system in many draws of users and items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def fill_means(
    offsets: Ints,
    rows: tuple[Ints, Floats, Floats],
    ratio: bool,
    users: Ints,
    shares: Floats,
    zero: bool,
    user_counts: Floats,
    item_counts: Floats,
    out: Floats,
) -> None:
    """Write the weighted mean of the scores of all topics in each draw (draws × users or items).

    ``rows`` are items, gained and normal of `ItemTerms`, items numbered as they are drawn.
    """
    items, gained, normal = rows
    for draw in range(len(out)):
        counts, total, weight = item_counts[draw], 0.0, 0.0
        for topic in range(len(shares)):
            share = shares[topic] * user_counts[draw, users[topic]]
            if share == 0:
                continue
            upper, lower = 0.0, 0.0
            for row in range(offsets[topic], offsets[topic + 1]):
                upper += counts[items[row]] * gained[row]
                lower += counts[items[row]] * normal[row]
            if lower > 0:
                total += share * (upper / lower if ratio else upper)
            if lower > 0 or zero:
                weight += share
        out[draw] = total / weight if weight > 0 else np.nan
