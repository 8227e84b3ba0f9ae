"""Biased matrix factorisation: stochastic gradient steps, one rating after another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


class BiasedFactors(NamedTuple):
    """The factors and biases of users and items; changed in place."""

    users: Floats
    items: Floats
    user_biases: Floats
    item_biases: Floats


class Rated(NamedTuple):
    """Parallel arrays: who rated what how, less the mean of all ratings."""

    users: Codes
    items: Codes
    values: Floats


@kernel
def pass_over(
    order: npt.NDArray[np.int64], rated: Rated, model: BiasedFactors, rate: float, decay: float
) -> float:
    """One step for every rating, in the order given; the mean squared error on the way."""
    total = 0.0
    for at in order:
        u, i = rated.users[at], rated.items[at]
        x, y = model.users[u], model.items[i]
        guess = model.user_biases[u] + model.item_biases[i]
        for f in range(len(x)):
            guess += x[f] * y[f]
        error = rated.values[at] - guess
        total += error * error
        model.user_biases[u] += rate * (error - decay * model.user_biases[u])
        model.item_biases[i] += rate * (error - decay * model.item_biases[i])
        for f in range(len(x)):
            xf, yf = x[f], y[f]
            x[f] += rate * (error * yf - decay * xf)
            y[f] += rate * (error * xf - decay * yf)
    return total / max(len(order), 1)
