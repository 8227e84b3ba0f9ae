"""The normal equations, row by row, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.weighted_ridge import gram, solve_rows
from neighbourhood_cases import training


@pytest.mark.parametrize("size", [1, 2, 5])
def test_each_row_solves_its_own_equations(size: int) -> None:
    rng = np.random.default_rng(size)
    side = by_user(training([[1.0, np.nan, 3.5], [np.nan] * 3, [0.5, 2.0, 1.0]]))
    side = side._replace(values=side.values + 0.25)
    others = rng.normal(size=(3, size))
    pulls = rng.random(len(side.values))
    base = gram(others) + 0.7 * np.eye(size)
    out = np.full((3, size), 77.0)
    solve_rows(0, 3, side, pulls, others, base, out)
    assert (out[1] == 0).all()
    for row in (0, 2):
        entries = slice(side.offsets[row], side.offsets[row + 1])
        y, extra = others[side.places[entries]], side.values[entries]
        left = others.T @ others + 0.7 * np.eye(size) + y.T @ np.diag(extra) @ y
        np.testing.assert_allclose(out[row], np.linalg.solve(left, y.T @ pulls[entries]))


def test_the_gram_matrix_is_that_of_numpy_and_symmetric_to_the_bit() -> None:
    factors = np.random.default_rng(0).normal(size=(50, 6))
    found = gram(factors)
    np.testing.assert_allclose(found, factors.T @ factors)
    np.testing.assert_array_equal(found, found.T)
