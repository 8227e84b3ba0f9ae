"""Stepwise corrections held against what they were derived from."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.significance.corrections import BenjaminiHochberg, Bonferroni, Holm
from suites import tries

THOUSANDTHS = st.lists(st.integers(0, 1000).map(lambda n: n / 1000), min_size=1, max_size=7)


@settings(deadline=None, max_examples=tries(60))
@given(THOUSANDTHS)
def test_holm_is_the_closure_of_bonferroni(p_values: list[float]) -> None:
    # A hypothesis is rejected if every intersection with it is; one of k by k·min p.
    places = range(len(p_values))
    closed = [
        max(
            min(1.0, len(some) * min(p_values[place] for place in some))
            for size in range(1, len(p_values) + 1)
            for some in combinations(places, size)
            if one in some
        )
        for one in places
    ]
    assert Holm().adjust(np.array(p_values)).tolist() == pytest.approx(closed)


@settings(deadline=None, max_examples=tries(60))
@given(THOUSANDTHS, st.sampled_from([0.01, 0.05, 0.2]))
def test_benjamini_hochberg_rejects_up_to_the_last_p_below_its_line(
    p_values: list[float], alpha: float
) -> None:
    ordered = sorted(p_values)
    below = [k for k, p in enumerate(ordered, 1) if p * len(ordered) <= alpha * k * (1 + 1e-12)]
    largest = ordered[below[-1] - 1] if below else -1.0
    found = BenjaminiHochberg().adjust(np.array(p_values)) <= alpha * (1 + 1e-12)
    assert found.tolist() == [p <= largest for p in p_values]


@settings(deadline=None, max_examples=tries(60))
@given(THOUSANDTHS)
def test_bonferroni_raises_most_then_holm_then_benjamini_hochberg(p_values: list[float]) -> None:
    given_p = np.array(p_values)
    most, middle, least = (
        each.adjust(given_p) for each in (Bonferroni(), Holm(), BenjaminiHochberg())
    )
    assert (most >= middle - 1e-12).all()
    assert (middle >= least - 1e-12).all()


@settings(deadline=None, max_examples=tries(60))
@given(THOUSANDTHS, st.data())
def test_a_smaller_p_value_never_raises_any_adjusted_one(
    p_values: list[float], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(p_values) - 1))
    lowered = np.array(p_values)
    lowered[place] /= 2
    for correction in (Holm(), BenjaminiHochberg()):
        before, after = correction.adjust(np.array(p_values)), correction.adjust(lowered)
        assert (after <= before + 1e-12).all()


@pytest.mark.parametrize("correction", [Holm(), BenjaminiHochberg()], ids=str)
def test_equal_p_values_stay_equal(correction: Holm | BenjaminiHochberg) -> None:
    found = correction.adjust(np.array([0.02, 0.01, 0.02, 0.02]))
    assert len(set(found[[0, 2, 3]].tolist())) == 1
