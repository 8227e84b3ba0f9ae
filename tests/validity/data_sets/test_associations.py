"""How differences of systems go with what data sets are like."""

from __future__ import annotations

from math import inf, isnan, nan

import pytest

from cranfield.validity.data_sets.associations import TRAITS, Association, associations

SIZES = {"A": 100.0, "B": 200.0, "C": 400.0, "D": 800.0}


def found(differences: dict[str, float], trait: str = "ratings") -> Association:
    traits = {name: {**dict.fromkeys(TRAITS, 1.0), "ratings": size} for name, size in SIZES.items()}
    made = {each.trait: each for each in associations(traits, differences)}
    assert list(made) == list(TRAITS)
    return made[trait]


def test_differences_that_grow_with_a_trait_go_with_it() -> None:
    assert found({"A": 0.1, "B": 0.2, "C": 0.3, "D": 0.4}).tau == pytest.approx(1)
    assert found({"A": 0.4, "B": 0.3, "C": 0.2, "D": 0.1}).tau == pytest.approx(-1)


def test_one_pair_of_six_out_of_order_leaves_two_thirds() -> None:
    assert found({"A": 0.1, "B": 0.3, "C": 0.2, "D": 0.4}).tau == pytest.approx((5 - 1) / 6)


@pytest.mark.parametrize("unknown", [nan, inf])
def test_data_sets_without_a_difference_are_left_out(unknown: float) -> None:
    made = found({"A": 0.1, "B": 0.2, "C": unknown, "D": 0.3})
    assert made.values == (100.0, 200.0, 800.0)
    assert made.tau == pytest.approx(1)


def test_a_data_set_that_was_not_compared_is_left_out() -> None:
    assert found({"A": 0.1, "C": 0.2, "D": 0.3}).values == (100.0, 400.0, 800.0)


def test_two_data_sets_tell_nothing() -> None:
    made = found({"A": 0.1, "B": 0.2})
    assert made.values == (100.0, 200.0)
    assert isnan(made.tau)


def test_a_trait_or_a_difference_that_does_not_vary_goes_with_nothing() -> None:
    assert isnan(found({"A": 0.1, "B": 0.2, "C": 0.3}, "users").tau)
    assert isnan(found({"A": 0.1, "B": 0.1, "C": 0.1}).tau)
