from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import DesignFactors, factors_of
from cranfield.validity.study.variance_decomposition import VarianceDecomposition, columns_of
from design_cases import crossed
from suites import tries

numbers = st.floats(-2, 2).map(lambda number: round(number, 3))
row = st.tuples(
    st.sampled_from([1, 2, 3]), st.sampled_from(["x", "y", None]), st.sampled_from(["p", "q"])
)
samples = st.lists(st.tuples(row, numbers), min_size=4, max_size=25)


def sampled(rows: list[Any]) -> tuple[DesignFactors, Floats]:
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.String}
    factors = factors_of(pl.DataFrame([one for one, _ in rows], schema=schema, orient="row"))
    return factors, np.array([number for _, number in rows])


def r_squared(factors: DesignFactors, outcome: Floats, places: tuple[int, ...]) -> float:
    """R² by NumPy's least squares."""
    centred = outcome - outcome.mean()
    if not places or not (centred @ centred) > 0:
        return 0.0
    columns = np.column_stack([columns_of(factors[place]) for place in places])
    fitted = columns @ np.linalg.lstsq(columns, centred, rcond=None)[0]
    return float(fitted @ fitted / (centred @ centred))


@settings(deadline=None, max_examples=tries(100))
@given(samples)
def test_r_squared_is_that_of_least_squares(rows: list[Any]) -> None:
    factors, outcome = sampled(rows)
    found = VarianceDecomposition(factors, outcome)
    for places in [(), (0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2), (2, 0, 1)]:
        assert found.of(places) == pytest.approx(r_squared(factors, outcome, places), abs=1e-7)


@settings(deadline=None, max_examples=tries(50))
@given(samples)
def test_shares_are_the_means_over_all_orders_and_add_up(rows: list[Any]) -> None:
    factors, outcome = sampled(rows)
    expected = np.zeros(3)
    for order in permutations(range(3)):
        for end, place in enumerate(order):
            gained = r_squared(factors, outcome, order[: end + 1])
            expected[place] += (gained - r_squared(factors, outcome, order[:end])) / 6
    found = VarianceDecomposition(factors, outcome)
    assert found.shares()[:, 0] == pytest.approx(expected, abs=1e-7)
    assert found.shares()[:, 0].sum() == pytest.approx(found.of((0, 1, 2)), abs=1e-9)


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(numbers, min_size=12, max_size=12))
def test_in_a_balanced_cross_correlation_ratios_are_the_shares(outcome: list[float]) -> None:
    factors = factors_of(crossed({"a": [1, 2, 3], "b": ["x", "y"], "c": ["p", "q"]}))
    found = VarianceDecomposition(factors, np.array(outcome))
    assert found.alone()[:, 0] == pytest.approx(found.shares()[:, 0], abs=1e-9)
    assert found.alone()[:, 0].sum() == pytest.approx(found.of((0, 1, 2)), abs=1e-9)


def test_a_table_by_hand() -> None:
    # y = 0, 2, 4, 6 with a = 1, 1, 2, 2 and b = x, y, x, y; mean 3, Σ(y − 3)² = 9 + 1 + 1 + 9
    factors = factors_of(crossed({"a": [1, 2], "b": ["x", "y"]}))
    found = VarianceDecomposition(factors, np.array([0.0, 2.0, 4.0, 6.0]))
    # means by a are 1 and 5, by b 2 and 4
    assert found.alone()[:, 0] == pytest.approx([4 * 2**2 / 20, 4 * 1**2 / 20])
    assert found.total == pytest.approx(20)


def test_a_decision_does_not_answer_for_whether_it_applies() -> None:
    table = pl.DataFrame({"metric": ["P", "P", "nDCG", "nDCG"], "gain": [None, None, "b", "r"]})
    between = VarianceDecomposition(factors_of(table), np.array([0.0, 0.0, 1.0, 1.0]))
    assert between.shares()[:, 0] == pytest.approx([1, 0])
    within = VarianceDecomposition(factors_of(table), np.array([0.5, 0.5, 0.0, 1.0]))
    assert within.shares()[:, 0] == pytest.approx([0, 1])


def test_one_at_a_time_designs_share_what_is_not_their_own() -> None:
    # the base, two other answers of a, one of b; y depends on b alone
    table = pl.DataFrame({"a": [1, 2, 3, 1], "b": ["x", "x", "x", "y"]})
    found = VarianceDecomposition(factors_of(table), np.array([0.0, 0.0, 0.0, 1.0]))
    assert found.of((0, 1)) == pytest.approx(1)
    # η² of a: means 1/2, 0, 0 about 1/4: (2·(1/4)² + 2·(1/4)²)/(3/4) = 1/3
    assert found.alone()[:, 0] == pytest.approx([1 / 3, 1])
    assert found.shares()[:, 0] == pytest.approx([(1 / 3 + 0) / 2, (1 + 2 / 3) / 2])


def test_more_decisions_than_subsets_allow_are_weighed_by_drawn_orders() -> None:
    stream = np.random.default_rng(3)
    table = pl.DataFrame({f"d{i}": stream.integers(0, 2, 60).tolist() for i in range(13)})
    outcome = 3.0 * table["d4"].to_numpy() + table["d7"].to_numpy()
    found = VarianceDecomposition(factors_of(table), outcome)
    shares = found.shares()[:, 0]
    assert shares.sum() == pytest.approx(1)
    assert np.argsort(-shares)[:2].tolist() == [4, 7]
    assert shares == pytest.approx(
        VarianceDecomposition(factors_of(table), outcome).shares()[:, 0], abs=0
    )


def test_an_outcome_that_does_not_vary_has_nothing_to_explain() -> None:
    found = VarianceDecomposition(factors_of(crossed({"a": [1, 2]})), np.array([0.5, 0.5]))
    assert found.shares()[:, 0].tolist() == [0.0]


def test_several_outcomes_are_each_explained_as_if_alone() -> None:
    stream = np.random.default_rng(6)
    table = crossed({"a": [1, 2, 3], "b": ["x", "y"], "c": [1, 2]})
    outcomes = stream.standard_normal((len(table), 4))
    found = VarianceDecomposition(factors_of(table), outcomes).shares()
    for column, outcome in enumerate(outcomes.T):
        alone = VarianceDecomposition(factors_of(table), outcome).shares()
        assert found[:, [column]] == pytest.approx(alone, abs=1e-12)
