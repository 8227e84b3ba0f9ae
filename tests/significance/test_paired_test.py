"""P-values from draws, and what every test promises."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.options import options, parse
from cranfield.significance.paired_test import monte_carlo
from suites import tries


def test_what_was_observed_counts_as_a_draw() -> None:
    p_values, errors = monte_carlo(np.array([[0.0, 4.0, 99.0]]), 99)
    assert p_values.tolist() == [[1 / 100, 5 / 100, 100 / 100]]
    assert errors[0] == pytest.approx([sqrt(0.01 * 0.99 / 100), sqrt(0.05 * 0.95 / 100), 0])


@settings(deadline=None, max_examples=tries(50))
@given(st.integers(1, 10_000), st.data())
def test_p_is_never_0_and_grows_with_what_reaches_it(draws: int, data: st.DataObject) -> None:
    counts = np.sort(data.draw(st.lists(st.integers(0, draws), min_size=2, max_size=6)))
    p_values, errors = monte_carlo(counts.astype(float), draws)
    assert p_values.min() > 0
    assert p_values.max() <= 1
    assert (np.diff(p_values) >= 0).all()
    assert (errors <= 0.5 / sqrt(draws + 1) + 1e-15).all()


@settings(deadline=None, max_examples=tries(10))
@given(st.integers(0, 39))
def test_the_level_is_held_exactly_where_all_ranks_are_as_likely(reached: int) -> None:
    # with 39 draws the observed one has every rank alike: P(p ≤ k/40) = k/40
    p_values, _ = monte_carlo(np.arange(40.0), 39)
    assert np.mean(p_values <= (reached + 1) / 40) == (reached + 1) / 40


@pytest.mark.parametrize("name", sorted(options("test")))
def test_every_test_says_what_it_asks_and_which_averages_it_fits(name: str) -> None:
    test = parse("test", name)
    assert test.asks.split()[0] in ("whether", "for")
    for fitted in test.fits:
        assert fitted in options("aggregation")
