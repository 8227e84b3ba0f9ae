"""How alike two orders of the same systems are."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.scoring.scores import Floats

Agreement = Literal["tau-b", "tau-ap"]
"""Kendall's τ-b, or τ_AP, in which the top counts more."""


def tau_b(values: npt.ArrayLike, others: npt.ArrayLike) -> Floats:
    r"""Kendall's τ-b of systems ordered by two sets of values; systems are the last axis.

        τ-b = Σ_{i<j} a_ij·b_ij ÷ √(Σ_{i<j} a_ij² · Σ_{i<j} b_ij²),  a_ij = sign(x_i − x_j)

    The other axes are broadcast together. Undefined (NaN) if all systems are tied in one
    of the orders, or a value is undefined. Between −1 and 1. Kendall 1945.

    >>> float(tau_b([1, 2, 3, 4], [1, 2, 4, 3]))  # (5 − 1) / 6
    0.666...
    """
    left, right = signs(values), signs(others)
    with np.errstate(invalid="ignore"):
        root = np.sqrt((left * left).sum(-1) * (right * right).sum(-1))
        return np.asarray(np.divide((left * right).sum(-1), root), dtype=np.float64)


def signs(values: npt.ArrayLike) -> Floats:
    """For each pair of systems, which is ahead: 1 the first, −1 the second, 0 neither."""
    given = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(given.shape[-1], 1)
    return np.asarray(np.sign(given[..., first] - given[..., second]), dtype=np.float64)


def tau_ap(values: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    r"""τ_AP of the order by values against the true order, the top counting more.

        τ_AP = 1/(n − t) · Σ_i 1/a_i · Σ_{j above i} sign(y_j − y_i)

    a_i is the number of systems above i by value, y the true values, t the number of
    systems that share the first place; the outer sum is over the others. Without ties it
    is 2/(n−1)·Σ_{i≥2} C(i)/(i−1) − 1, C(i) counting the systems rightly above rank i
    (Yilmaz, Aslam & Robertson 2008). Tied systems are not above each other, and a pair
    that is tied in truth counts 0. Not symmetric. Undefined (NaN) if all values are tied,
    or one is undefined. Between −1 and 1.

    >>> tau_ap([4, 3, 2, 1], [4, 3, 1, 2])  # 1/3 · (1 + 2/2 + (2 − 1)/3)
    0.777...
    """
    given, true = np.asarray(values, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    above = given[:, None] > given[None, :]  # above[j, i]
    counts = above.sum(0)
    if np.isnan(given).any() or np.isnan(true).any() or not counts.any():
        return float("nan")
    right = (np.sign(true[:, None] - true[None, :]) * above).sum(0)
    below = counts > 0
    return float((right[below] / counts[below]).mean())


def agreement_matrix(values: Floats, how: Agreement = "tau-b") -> Floats:
    """The agreement of every order with every other; one order per row of values.

    With τ_AP the row is the order that is judged and the column is the truth.
    """
    if how == "tau-b":
        return tau_b(values[:, None, :], values[None, :, :])
    return np.array([[tau_ap(row, truth) for truth in values] for row in values])
