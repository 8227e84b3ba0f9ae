"""Cells of true ranks: fine at both ends, and none lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.scoring.sampling.rank_cells import cells_of
from suites import tries


@settings(max_examples=tries(40), deadline=None)
@given(st.integers(1, 20_000), st.sampled_from([1, 2, 50, 400]))
def test_cells_hold_every_rank_once(targets: int, fine: int) -> None:
    cells = cells_of(targets, fine)
    assert cells.sizes.sum() == targets
    assert cells.sizes.min() == 1
    assert (cells.middles > cells.offsets[:-1]).all()
    assert (cells.middles <= cells.offsets[1:]).all()
    near = np.minimum(cells.offsets[:-1], targets - cells.offsets[:-1])
    assert (cells.sizes <= 1 + near / fine).all()
    ranks = np.arange(1.0, targets + 1)
    assert cells.means(ranks) @ cells.sizes == pytest.approx(ranks.sum())


def test_every_rank_is_a_cell_if_cells_are_as_fine() -> None:
    cells = cells_of(40, 40)
    assert cells.sizes.tolist() == [1] * 40
    assert cells.middles.tolist() == list(range(1, 41))
    values = np.linspace(1, 0, 40)
    assert np.array_equal(cells.means(values), values)
