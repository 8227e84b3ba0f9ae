"""Products row by row: right, and the same bits in any batch and beside any columns."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.products import (
    combine_rows,
    combine_sparse_rows,
    multiply_rows,
)
from neighbourhood_cases import training

ROWS = np.array([2, 0, 2], dtype=np.int32)


@pytest.mark.parametrize("columns", [1, 2047, 2048, 2049, 4100])
def test_products_of_any_number_of_columns(columns: int) -> None:
    rng = np.random.default_rng(columns)
    left, right = rng.normal(size=(3, 4)), rng.normal(size=(4, columns))
    out = np.full((3, columns), 77.0)
    multiply_rows(ROWS, left, right, out)
    np.testing.assert_allclose(out, (left @ right)[ROWS], rtol=1e-10, atol=1e-12)
    few = np.full((1, columns), 77.0)
    multiply_rows(ROWS[:1], left, right, few)
    np.testing.assert_array_equal(few[0], out[0])


@pytest.mark.parametrize("columns", [3, 2050])
def test_combined_rows_of_sparse_with_dense_and_sparse_with_sparse(columns: int) -> None:
    left = training([[5, np.nan, 1], [np.nan] * 3, [np.nan, -2, 0]])
    rng = np.random.default_rng(2)
    table = np.where(rng.random((3, columns)) < 0.5, np.nan, rng.normal(size=(3, columns)))
    dense = np.nan_to_num(table)
    wanted = np.array([[5, 0, 1], [0, 0, 0], [0, -2, 0]]) @ dense
    asked = np.array([0, 1, 2, 0], dtype=np.int32)
    out = np.full((4, columns), 77.0)
    combine_rows(asked, by_user(left), dense, out)
    np.testing.assert_allclose(out, wanted[asked], atol=1e-12)
    out[:] = 77.0
    combine_sparse_rows(asked, by_user(left), by_user(training(table.tolist())), out)
    np.testing.assert_allclose(out, wanted[asked], atol=1e-12)
