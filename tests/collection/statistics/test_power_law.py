from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.collection.statistics.power_law import (
    PowerLaw,
    apportion,
    fit_power_law,
    power_law_counts,
)
from suites import tries


def test_the_curve_is_the_formula() -> None:
    law = PowerLaw(c1=3.0, c2=1.0, beta=8.0, alpha=2.0)
    expected = [3 + 8 / (1 + 1) ** 2, 3 + 8 / (1 + 2) ** 2, 3 + 8 / (1 + 3) ** 2]
    assert law.curve(3) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("c1", [0.0, 20.0])
@pytest.mark.parametrize("c2", [0.0, 5.0, 260.0])
@pytest.mark.parametrize("alpha", [0.3, 1.0, 1.4, 2.0])
def test_a_fit_recovers_the_curve_it_was_given(c1: float, c2: float, alpha: float) -> None:
    law = PowerLaw(c1=c1, c2=c2, beta=1000 * (c2 + 1) ** alpha, alpha=alpha)
    fitted = fit_power_law(law.curve(1000))
    assert fitted is not None
    assert fitted.alpha == pytest.approx(alpha, abs=1e-4)
    assert fitted.c1 == pytest.approx(c1, abs=0.1)
    assert fitted.c2 == pytest.approx(c2, abs=1e-2)
    assert fitted.beta == pytest.approx(law.beta, rel=1e-3)


def test_a_fit_survives_rounding_to_whole_counts_and_any_order() -> None:
    counts = power_law_counts(users=6000, items=2000, ratings=300_000, alpha=1.4, c2=140.0)
    fitted = fit_power_law(np.random.default_rng(0).permutation(counts))
    assert fitted is not None
    assert fitted.alpha == pytest.approx(1.4, abs=0.02)
    assert fitted.curve(2000).sum() == pytest.approx(300_000, rel=0.01)


def test_a_fit_is_no_worse_than_any_neighbouring_curve() -> None:
    counts = np.sort(np.random.default_rng(1).lognormal(3, 1.2, size=400).round() + 1)[::-1]
    best = fit_power_law(counts)
    assert best is not None
    least = np.sum((best.curve(400) - counts) ** 2)
    for name, value in vars(best).items():
        for factor in (0.99, 1.01):
            near = PowerLaw(**{**vars(best), name: value * factor})
            assert np.sum((near.curve(400) - counts) ** 2) >= least * (1 - 1e-9)


def test_equal_counts_have_no_skew() -> None:
    assert fit_power_law([7] * 10) == PowerLaw(c1=7.0, c2=0.0, beta=0.0, alpha=0.0)


def test_items_without_ratings_do_not_enter_the_fit() -> None:
    counts = [90, 50, 33, 25, 20, 17, 14]
    assert fit_power_law([*counts, 0, 0, 0]) == fit_power_law(counts)


def test_fewer_than_five_items_have_no_fit() -> None:
    assert fit_power_law([4, 3, 2, 1]) is None


def test_counts_without_skew_differ_by_at_most_one() -> None:
    counts = power_law_counts(users=10, items=4, ratings=18, alpha=0.0, c1=2.0, c2=3.0)
    assert counts.tolist() == [5, 5, 4, 4]


def test_the_head_is_cut_off_at_the_number_of_users() -> None:
    counts = power_law_counts(users=5, items=4, ratings=9, alpha=8.0)
    assert counts.tolist() == [5, 2, 1, 1]


@st.composite
def sizes(draw: st.DrawFn) -> dict[str, int]:
    users, items = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    ratings = draw(st.integers(max(users, items), users * items))
    return {"users": users, "items": items, "ratings": ratings}


@settings(deadline=None, max_examples=tries(200))
@given(
    sizes(),
    st.floats(0, 10),
    st.floats(0, 50),
    st.one_of(st.just(0.0), st.floats(0.01, 500)),
)
def test_counts_add_up_never_rise_and_stay_between_one_and_all_users(
    size: dict[str, int], alpha: float, c1: float, c2: float
) -> None:
    counts = power_law_counts(**size, alpha=alpha, c1=c1, c2=c2)
    assert counts.sum() == size["ratings"]
    assert len(counts) == size["items"]
    assert (np.diff(counts) <= 0).all()
    assert counts.min() >= 1
    assert counts.max() <= size["users"]


def test_more_skew_gives_the_head_more() -> None:
    size = {"users": 500, "items": 300, "ratings": 10_000}
    heads = [power_law_counts(**size, alpha=a, c2=21.0)[:30].sum() for a in (0.0, 0.7, 1.4, 2.0)]
    assert heads == sorted(heads)
    assert heads[0] < heads[-1]


def test_too_few_ratings_are_refused_with_the_least_that_would_do() -> None:
    with pytest.raises(BadParameter, match=r"power-law, ratings: 3 is not enough.*at least 10"):
        power_law_counts(users=5, items=10, ratings=3, alpha=1.0)


def test_too_many_ratings_are_refused_with_the_most_that_would_do() -> None:
    with pytest.raises(BadParameter, match=r"51 is not possible.*have 50 pairs"):
        power_law_counts(users=5, items=10, ratings=51, alpha=1.0)


@settings(deadline=None, max_examples=tries(100))
@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=30), st.integers(0, 40), st.data())
def test_apportioned_numbers_respect_weights_bounds_and_total(
    weights: list[float], least: int, data: st.DataObject
) -> None:
    most = data.draw(st.integers(max(least, 1), 60))
    total = data.draw(st.integers(least * len(weights), most * len(weights)))
    shares = apportion(np.array(weights), total, least=least, most=most)
    assert shares.sum() == total
    assert shares.min() >= least
    assert shares.max() <= most
    by_weight = shares[np.argsort(-np.array(weights), kind="stable")]
    assert (np.diff(by_weight) <= 0).all()
