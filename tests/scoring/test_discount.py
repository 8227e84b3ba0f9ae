"""Discounts: the attention of ranks by their formulas."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse

RANKS = np.arange(1, 6)


@pytest.mark.parametrize(
    ("spelled", "wanted"),
    [
        ("none", [1, 1, 1, 1, 1]),
        ("logarithmic", [1, 1 / log2(3), 1 / 2, 1 / log2(5), 1 / log2(6)]),
        ("geometric", [1, 0.5, 0.25, 0.125, 0.0625]),
        ("geometric(p=0.9)", [0.9**k for k in range(5)]),
    ],
)
def test_each_rank_gets_what_the_formula_says(spelled: str, wanted: list[float]) -> None:
    np.testing.assert_allclose(parse("discount", spelled).of_ranks(RANKS), wanted)


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5])
def test_a_probability_of_going_on_is_between_the_ends(p: float) -> None:
    with pytest.raises(CranfieldError, match=r"geometric, p"):
        parse("discount", f"geometric(p={p})")


def test_a_misspelled_discount_is_refused_with_the_near_name() -> None:
    with pytest.raises(CranfieldError, match='Did you mean "logarithmic"'):
        parse("run-metric", "Gini(discount=logaritmic)@10")
