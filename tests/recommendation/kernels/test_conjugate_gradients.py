"""Conjugate gradients in single precision against the same steps by NumPy in double."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.recommendation.csr import CSR, by_user
from cranfield.recommendation.kernels.conjugate_gradients import (
    Entries,
    WeightedRows,
    add_entries,
    approach_rows,
    gather_entries,
)
from cranfield.recommendation.kernels.singles import add, add_four, inner, inner_of_four
from learnable import grouped
from neighbourhood_cases import training

ODD = [1, 3, 8, 50]


def sides(side: CSR, pulls: np.ndarray) -> WeightedRows:
    return WeightedRows(
        side.offsets, side.places, side.values.astype(np.float32), pulls.astype(np.float32)
    )


def equations(
    row: int, side: WeightedRows, others: np.ndarray, base: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The matrix and the right-hand side of one row."""
    entries = slice(side.offsets[row], side.offsets[row + 1])
    y = others[side.places[entries]].astype(np.float64)
    return base + y.T @ (side.extras[entries, None] * y), y.T @ side.pulls[entries]


def stepped(a: np.ndarray, b: np.ndarray, x: np.ndarray, steps: int) -> np.ndarray:
    """Conjugate gradients as textbooks have them (Hestenes & Stiefel 1952)."""
    r = b - a @ x
    p = r
    for _ in range(steps):
        if not r @ r:
            break
        far = (r @ r) / (p @ a @ p)
        x, before, r = x + far * p, r @ r, r - far * (a @ p)
        p = r + (r @ r) / before * p
    return x


@pytest.mark.parametrize("size", ODD)
@pytest.mark.parametrize("steps", [1, 3])
def test_steps_are_those_of_the_textbook(size: int, steps: int) -> None:
    rng = np.random.default_rng(size)
    side = by_user(grouped()[0])
    rows = sides(side, rng.random(len(side.values)))
    others = rng.normal(size=(40, size)).astype(np.float32)
    base = others.T @ others + np.float32(3.0) * np.eye(size, dtype=np.float32)
    start = rng.normal(size=(60, size)).astype(np.float32)
    out = start.copy()
    approach_rows(5, 60, rows, others, base, steps, out)
    np.testing.assert_array_equal(out[:5], start[:5])
    for row in range(5, 60):
        expected = stepped(*equations(row, rows, others, base), start[row].astype(float), steps)
        np.testing.assert_allclose(out[row], expected, rtol=2e-3, atol=2e-4)


def test_as_many_steps_as_unknowns_solve_and_further_ones_change_nothing() -> None:
    rng = np.random.default_rng(1)
    side = by_user(training([[1.0, np.nan, 3.5], [np.nan] * 3, [0.5, 2.0, 1.0]]))
    rows = sides(side, rng.random(len(side.values)))
    others = rng.normal(size=(3, 2)).astype(np.float32)
    base = others.T @ others + np.float32(0.7) * np.eye(2, dtype=np.float32)
    for steps in (2, 30):
        out = np.full((3, 2), 7.0, np.float32)
        approach_rows(0, 3, rows, others, base, steps, out)
        assert (out[1] == 0).all()
        for row in (0, 2):
            expected = np.linalg.solve(*equations(row, rows, others, base))
            np.testing.assert_allclose(out[row], expected, rtol=1e-4)


@pytest.mark.parametrize("size", ODD)
def test_sums_and_products_in_single_precision(size: int) -> None:
    vectors = np.random.default_rng(size).normal(size=(5, size)).astype(np.float32)
    a, b, c, d, x = vectors
    assert inner(a, x) == pytest.approx(float(a.astype(float) @ x), rel=1e-4, abs=1e-5)
    np.testing.assert_allclose(inner_of_four(a, b, c, d, x), vectors[:4] @ x, rtol=1e-4, atol=1e-5)
    one, four = x.copy(), x.copy()
    add(np.float32(2.0), a, one)
    np.testing.assert_allclose(one, x + 2 * a, rtol=1e-5, atol=1e-6)
    weights = np.array([1.0, -2.0, 0.5, 3.0], np.float32)
    add_four(tuple(weights), a, b, c, d, four)
    np.testing.assert_allclose(four, x + weights @ vectors[:4], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("size", ODD)
def test_factors_side_by_side_add_the_same_bits_as_where_they_are(size: int) -> None:
    rng = np.random.default_rng(size)
    side = by_user(grouped()[0])
    rows = sides(side, rng.random(len(side.values)))
    others = rng.normal(size=(40, size)).astype(np.float32)
    first, last = side.offsets[5], side.offsets[9]
    slices = (each[first:last] for each in (rows.extras, rows.pulls))
    afar = Entries(rows.places[first:last].copy(), others, *slices)
    near = gather_entries(5, 9, rows, others)
    assert near.factors.shape == (last - first, size)
    x = rng.normal(size=size).astype(np.float32)
    outs = np.zeros((2, size), np.float32)
    for entries, out in zip((afar, near), outs, strict=True):
        add_entries(1, last - first, entries, x, np.float32(1.0), out)
    np.testing.assert_array_equal(outs[0], outs[1])
    assert outs.any()


def test_factors_that_no_cache_holds_are_not_copied() -> None:
    side = by_user(grouped()[0])
    rows = sides(side, side.values)
    others = np.zeros((40, (1 << 18) // len(side.values) + 1), np.float32)
    found = gather_entries(0, side.size, rows, others)
    assert found.factors.shape == others.shape
    np.testing.assert_array_equal(found.places, side.places)
