from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.threads import VARIABLE
from cranfield.scoring.scores import Floats
from cranfield.significance.blocks import rows_of_blocks, sum_over_blocks


def squares(block: range) -> Floats:
    return np.array([[draw, draw * draw] for draw in block], dtype=float)


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("draws", [1, 1024, 2500])
def test_rows_come_in_the_order_of_draws(
    draws: int, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, threads)
    assert rows_of_blocks(squares, draws, 10)[:, 1].tolist() == [d * d for d in range(draws)]


def test_the_sum_is_that_of_the_rows() -> None:
    found = sum_over_blocks(lambda block: squares(block).sum(axis=0), 2500, 10)
    assert found.tolist() == rows_of_blocks(squares, 2500, 10).sum(axis=0).tolist()


def test_blocks_are_bounded_by_the_width_of_a_draw() -> None:
    sizes = rows_of_blocks(lambda block: np.array([[len(block)]] * len(block)), 50, 2**20)
    assert sizes.max() == 4
