from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders.feedback  # noqa: F401
from cranfield.base.errors import CranfieldError
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import (
    Floats,
    cosine_neighbours,
    predictions,
    table_of,
    training,
    training_sets,
)
from suites import tries

NAN = float("nan")
Formula = Callable[[float, int, float, float], float]
"""Of Σ_v r_vi, |V_u|, Σ_v Σ_j r_vj and p(i|C)."""

FORMULAS: dict[str, Formula] = {
    "RW": lambda total, size, mass, everywhere: total / size,
    "RSV": lambda total, size, mass, everywhere: total / size * total / mass,
    "CHI2": lambda total, size, mass, everywhere: (total / mass - everywhere) ** 2 / everywhere,
    "KLD": lambda total, size, mass, everywhere: total / mass * log(total / mass / everywhere),
}


def by_formula(table: Floats, k: int, gamma: float, formula: Formula) -> Floats:
    everywhere = (table.sum(axis=0) + gamma) / (table.sum() + gamma * table.shape[1])
    found = np.full(table.shape, np.nan)
    for u, near in enumerate(cosine_neighbours(table, k)):
        mass = sum(table[v].sum() for v in near)
        for i in range(table.shape[1]):
            total = sum(table[v, i] for v in near)
            if total > 0:
                found[u, i] = formula(total, len(near), mass, everywhere[i])
    return found


@pytest.mark.parametrize("name", FORMULAS)
@given(train=training_sets(), k=st.integers(1, 7), gamma=st.sampled_from([0.0, 0.5, 5000.0]))
@settings(deadline=None, max_examples=tries(40))
def test_predictions_follow_the_formula(name: str, train: Ratings, k: int, gamma: float) -> None:
    smoothed = f", gamma={gamma}" if name in ("CHI2", "KLD") else ""
    found = predictions(f"{name}(k={k}{smoothed})", train)
    wanted = by_formula(table_of(train), k, gamma, FORMULAS[name])
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-15)


def test_rocchio_averages_over_neighbours_who_did_not_rate_too() -> None:
    train = training([[4, NAN, NAN], [4, 5, NAN], [4, NAN, 2]])
    assert predictions("RW", train)[0] == pytest.approx([(4 + 4) / 2, 5 / 2, 2 / 2])


def test_an_item_that_no_neighbour_rated_is_not_computable() -> None:
    train = training([[4, NAN, NAN], [4, 5, NAN], [NAN, NAN, 2]])
    for name in FORMULAS:
        assert np.isnan(predictions(name, train)[0]).tolist() == [False, False, True]
        assert np.isnan(predictions(name, train)[2]).all()


@pytest.mark.parametrize("name", ["RSV", "CHI2", "KLD"])
def test_ratings_of_zero_or_below_are_refused_where_they_are_shares(name: str) -> None:
    with pytest.raises(CranfieldError, match=f"{name} needs ratings above 0"):
        predictions(name, training([[4, 0], [3, 2]]))
