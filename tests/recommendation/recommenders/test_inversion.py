"""Minus the inverse by tiles, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.recommendation.recommenders import inversion
from cranfield.recommendation.recommenders.inversion import Array, negate_inverse


def positive(size: int, dtype: type[np.floating]) -> Array:
    """A symmetric positive definite matrix."""
    some = np.random.default_rng(size).normal(size=(size, size))
    return np.asarray(some @ some.T + size * np.eye(size), dtype)


@pytest.mark.parametrize("size", [1, 4, 5, 13, 24])
@pytest.mark.parametrize(("dtype", "error"), [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_tiles_give_minus_the_inverse(
    size: int, dtype: type, error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inversion, "_SIDE", 4)
    matrix = positive(size, dtype)
    found = matrix.copy()
    negate_inverse(found)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, -np.linalg.inv(matrix.astype(np.float64)), atol=error)
    np.testing.assert_array_equal(found, found.T)


def test_what_stands_above_the_diagonal_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inversion, "_SIDE", 4)
    whole, lower = positive(10, np.float64), np.tril(positive(10, np.float64))
    negate_inverse(whole)
    negate_inverse(lower)
    np.testing.assert_array_equal(lower, whole)


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inversion, "_SIDE", 16)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        found.append(positive(100, np.float32))
        negate_inverse(found[-1])
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
