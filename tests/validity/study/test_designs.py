"""What every system reached under every design, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from cranfield.validity.study.designs import factors_of
from design_cases import crossed, designs_of
from suites import tries

TWO = pl.DataFrame({"cutoff": [5, 10]})
ROUNDED = 0.1 + 0.2
"""0.3, but for rounding."""


def test_pairs_are_all_of_them_in_the_order_of_systems() -> None:
    designs = designs_of(TWO, [[1, 2, 3, 4]] * 2)
    assert designs.pairs == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def test_differences_are_first_minus_second_and_0_up_to_rounding() -> None:
    designs = designs_of(TWO, [[0.5, 0.2], [ROUNDED, 0.3]])
    assert designs.differences.tolist() == [[0.5 - 0.2], [0.0]]
    assert designs.signs.tolist() == [[1], [0]]


def test_a_difference_with_an_undefined_value_is_undefined_and_has_no_sign() -> None:
    designs = designs_of(TWO, [[0.5, nan], [nan, nan]], nan)
    assert np.isnan(designs.differences).all()
    assert designs.signs.tolist() == [[0], [0]]


def test_ranks_by_hand() -> None:
    # 0.3 and 0.1 + 0.2 share places 1 and 2; an undefined value comes last
    designs = designs_of(TWO, [[0.1, 0.3, ROUNDED], [nan, 0.2, 0.5]])
    assert designs.ranks.tolist() == [[3, 1.5, 1.5], [3, 2, 1]]
    assert designs.first.tolist() == [[False, True, True], [False, False, True]]


def test_systems_without_a_value_share_the_last_places_and_are_never_first() -> None:
    designs = designs_of(TWO, [[nan, 0.1, nan], [nan, nan, nan]])
    assert designs.ranks.tolist() == [[2.5, 1, 2.5], [2, 2, 2]]
    assert designs.first.tolist() == [[False, True, False], [False] * 3]


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.sampled_from([0.0, -0.5, 0.25, 0.3, 1e-9, 7.0]), min_size=2, max_size=6))
def test_ranks_equal_those_of_scipy_from_the_highest_down(values: list[float]) -> None:
    found = designs_of(TWO[:1], [values]).ranks[0]
    assert found.tolist() == rankdata(-np.array(values)).tolist()
    assert found.sum() == len(values) * (len(values) + 1) / 2


def test_a_design_is_a_row_and_a_varied_decision_a_column() -> None:
    table = pl.DataFrame({"gain": ["rating", None, "binary", "rating"]})
    designs = designs_of(table, [[1, 2]] * 4)
    assert designs.factors == ("gain",)
    assert len(designs) == 4
    assert designs.alpha == 0.05  # unless another level is given


def test_what_was_reached_cannot_be_changed() -> None:
    designs = designs_of(TWO, [[1, 2]] * 2, adjusted=np.ones((2, 1)), joint=np.ones(1))
    for array in (designs.values, designs.effects, designs.p_values, designs.adjusted):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


@pytest.mark.parametrize("wrong", ["values", "effects", "p_values"])
def test_arrays_of_another_shape_are_no_designs(wrong: str) -> None:
    good = designs_of(TWO, np.ones((2, 3)))
    other: dict[str, Any] = {wrong: np.ones((2, 2))}
    with pytest.raises(AssertionError):
        replace(good, **other)


columns = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=20)


@settings(deadline=None, max_examples=tries(50))
@given(columns)
def test_codes_give_back_the_answers(column: list[str | None]) -> None:
    (factor,) = factors_of(pl.DataFrame({"x": column}, schema={"x": pl.String}))
    back = [None if code < 0 else factor.answers[code] for code in factor.codes.tolist()]
    assert back == column


def test_numbers_ascend_and_words_keep_their_order() -> None:
    table = pl.DataFrame({"cutoff": [20, 5, 10], "metric": ["P", "AP", "P"]})
    cutoff, metric = factors_of(table)
    assert cutoff.answers == (5, 10, 20)
    assert cutoff.codes.tolist() == [2, 0, 1]
    assert metric.answers == ("P", "AP")


def test_what_does_not_apply_is_counted_nowhere() -> None:
    (gain,) = factors_of(pl.DataFrame({"gain": ["binary", None, "rating", "binary"]}))
    assert gain.applies.tolist() == [True, False, True, True]
    assert gain.counts(np.array([True, True, True, False])).tolist() == [1, 1]


def test_designs_can_be_taken_out() -> None:
    factors = factors_of(pl.DataFrame({"cutoff": [5, 10, 20]}))
    some = factors.take(np.array([True, False, True]))
    assert some.designs == 2
    assert some[0].codes.tolist() == [0, 2]
    assert some[0].answers == (5, 10, 20)


def test_answers_that_are_truths_are_words_and_not_numbers() -> None:
    (flag,) = factors_of(pl.DataFrame({"blocks": [True, False, True]}))
    assert not flag.numeric
    assert flag.answers == (True, False)


def test_a_decision_that_applies_nowhere_has_no_answer() -> None:
    (gain,) = factors_of(pl.DataFrame({"gain": [None, None]}, schema={"gain": pl.String}))
    assert gain.answers == ()
    assert not gain.applies.any()
    assert gain.counts(np.array([True, True])).tolist() == []


def test_factors_are_as_many_as_decisions_and_know_their_designs() -> None:
    factors = factors_of(pl.DataFrame({"cutoff": [5, 10], "metric": ["P", "P"]}))
    assert [factor.name for factor in factors] == ["cutoff", "metric"]
    assert (len(factors), factors.designs, factors[1].answers) == (2, 2, ("P",))


def test_designs_that_are_the_same_count_once() -> None:
    # coverage changes nothing; with P the gain changes nothing
    table = crossed({"coverage": ["full", "common"], "metric": ["P", "nDCG"], "gain": ["a", "b"]})
    values = np.array([[0.5, 0.4], [0.5, 0.4], [0.6, 0.4], [0.7, 0.4]] * 2)
    designs = designs_of(
        table, values, same_as=np.array([0, 0, 2, 3, 0, 0, 2, 3]), base=7,
        weights=np.array([1.0, 3.0, 1.0, 3.0] * 2),
    )  # fmt: skip
    assert designs.without_effect == ("coverage",)
    assert designs.copies.tolist() == [4, 4, 2, 2, 4, 4, 2, 2]
    found = designs.distinct()
    assert found.decisions.to_dict(as_series=False) == {
        "metric": ["P", "nDCG", "nDCG"], "gain": ["a", "a", "b"],
    }  # fmt: skip
    assert found.values.tolist() == [[0.5, 0.4], [0.6, 0.4], [0.7, 0.4]]
    assert found.base == 2
    # P counts once, with the mean weight of the designs that it is: (1 + 3 + 1 + 3)/4
    assert found.weights is not None
    assert found.weights.tolist() == [2.0, 1.0, 3.0]
    assert found.share_of(np.array([True, False, False])) == 2 / 6
    assert found.distinct() is found


def test_one_answer_is_no_decision_without_effect() -> None:
    designs = designs_of(
        crossed({"seed": [1], "cutoff": [5, 10]}), [[0.5, 0.4]] * 2, same_as=np.array([0, 0])
    )
    assert designs.without_effect == ("cutoff",)
    apart = designs_of(crossed({"cutoff": [5, 10]}), [[0.5, 0.4]] * 2, same_as=np.array([0, 1]))
    assert apart.without_effect == ()


def test_a_decision_that_matters_once_has_an_effect() -> None:
    table = crossed({"cutoff": [5, 10], "ties": ["a", "b"]})
    designs = designs_of(table, [[0.5, 0.4]] * 4, same_as=np.array([0, 0, 2, 3]))
    assert designs.without_effect == ()
    assert len(designs.distinct()) == 3
