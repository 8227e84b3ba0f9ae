"""Biased matrix factorisation: stochastic gradient steps, one rating after another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


@njit(cache=True, nogil=True)
def pass_over(
    order: npt.NDArray[np.int64],
    users: Codes,
    items: Codes,
    values: Floats,
    mean: float,
    user_biases: Floats,
    item_biases: Floats,
    user_factors: Floats,
    item_factors: Floats,
    rate: float,
    decay: float,
) -> float:
    """One step for every rating, in the order given; the mean squared error on the way."""
    total = 0.0
    for at in order:
        u, i = users[at], items[at]
        x, y = user_factors[u], item_factors[i]
        guess = mean + user_biases[u] + item_biases[i]
        for f in range(len(x)):
            guess += x[f] * y[f]
        error = values[at] - guess
        total += error * error
        user_biases[u] += rate * (error - decay * user_biases[u])
        item_biases[i] += rate * (error - decay * item_biases[i])
        for f in range(len(x)):
            xf, yf = x[f], y[f]
            x[f] += rate * (error * yf - decay * xf)
            y[f] += rate * (error * xf - decay * yf)
    return total / max(len(order), 1)
