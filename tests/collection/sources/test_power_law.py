from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.power_law import (
    MOVIELENS_LIKE,
    PowerLawRatings,
    Shape,
    shape_of,
    simulate_power_law,
)
from cranfield.collection.sources.simulated import Simulated
from cranfield.collection.statistics.power_law import fit_power_law, power_law_counts
from suites import tries


def shape(users: int, items: int, ratings: int) -> Shape:
    return Shape(users, items, ratings, {1.0: 1.0, 5.0: 3.0}, c1=0.0, c2=0.0)


def test_the_spelling_is_read_back() -> None:
    option = parse("source", "power-law(alpha=0.5, histogram={1: 0.2, 5: 0.8}, seed=2)")
    assert option == PowerLawRatings(alpha=0.5, histogram={1.0: 0.2, 5.0: 0.8}, seed=2)
    assert parse("source", str(option)) == option


@pytest.mark.parametrize("alpha", [0.0, 0.7, 1.4, 2.0])
def test_popularity_is_exactly_that_of_the_law(alpha: float) -> None:
    ratings = PowerLawRatings(alpha=alpha).read()
    counts = np.sort(ratings.item_counts)[::-1]
    expected = power_law_counts(
        users=600, items=400, ratings=10_000, alpha=alpha, c2=MOVIELENS_LIKE.c2
    )
    assert (counts == expected).all()


def test_the_skew_of_a_simulated_data_set_is_found_again() -> None:
    ratings = PowerLawRatings(alpha=1.4, users=3000, items=800, ratings=100_000).read()
    fitted = fit_power_law(ratings.item_counts)
    assert fitted is not None
    assert fitted.alpha == pytest.approx(1.4, abs=0.05)


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    users, items = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    return shape(users, items, draw(st.integers(max(users, items), users * items)))


@settings(deadline=None, max_examples=tries(100))
@given(shapes(), st.floats(0, 4), st.integers(0, 5))
def test_sizes_are_exact_and_no_pair_occurs_twice(like: Shape, alpha: float, seed: int) -> None:
    made = simulate_power_law(like, alpha=alpha, seed=seed)
    assert (made.n_users, made.n_items, len(made)) == (like.users, like.items, like.ratings)
    assert made.user_counts.min() >= 1
    assert made.item_counts.min() >= 1
    pairs = made.users.astype(np.int64) * like.items + made.items
    assert (np.diff(pairs) > 0).all()
    assert set(made.values) <= {1.0, 5.0}


def test_rating_values_follow_the_histogram_and_nothing_else() -> None:
    made = PowerLawRatings(histogram={1: 1, 3: 0, 5: 3}, users=2000, ratings=100_000).read()
    assert set(made.values) == {1.0, 5.0}
    # The share of 100,000 draws has a standard error of √(0.75·0.25/100,000) = 0.0014.
    assert np.mean(made.values == 5) == pytest.approx(0.75, abs=4 * 0.0014)
    popular = made.item_counts[made.items] > np.median(made.item_counts[made.items])
    difference = made.values[popular].mean() - made.values[~popular].mean()
    assert abs(difference) < 4 * 4 * np.sqrt(0.75 * 0.25 / 50_000 * 2)


@pytest.mark.long
def test_every_user_is_as_likely_as_any_other_to_rate_an_item() -> None:
    """Over many seeds, each user rates each item in the share of its count."""
    like = shape(users=8, items=3, ratings=14)
    times = np.zeros((8, 3))
    for seed in range(400):
        made = simulate_power_law(like, alpha=1.0, seed=seed)
        order = np.argsort(-made.item_counts, kind="stable")
        assert made.item_counts[order].tolist() == [8, 4, 2]
        times += (made.matrix().toarray() > 0)[:, order]
    shares = times / 400
    expected = np.array([8, 4, 2]) / 8
    # A share of 400 draws has a standard error of at most √(0.25/400) = 0.025.
    assert abs(shares - expected).max() < 4.5 * 0.025


def test_whoever_would_be_left_out_gets_a_rating() -> None:
    made = simulate_power_law(shape(users=50, items=4, ratings=50), alpha=1.0)
    assert made.user_counts.tolist() == [1] * 50


def test_the_same_option_gives_the_same_ratings_and_another_seed_others() -> None:
    first, again, other = (PowerLawRatings(seed=seed).read().fingerprint for seed in (0, 0, 1))
    assert first == again != other


def test_the_fingerprint_stays_from_version_to_version() -> None:
    option = PowerLawRatings(users=30, items=20, ratings=100)
    assert option.read().fingerprint == "11d9c1feae9b66f01ca4386e9e345c7e"


def test_popularity_is_not_told_by_the_ids() -> None:
    counts = PowerLawRatings().read().item_counts
    assert abs(np.corrcoef(counts, np.arange(400))[0, 1]) < 4 / np.sqrt(400)


def test_a_shape_is_taken_from_a_reference() -> None:
    reference = Simulated(size="small").read()
    like = shape_of(reference)
    fitted = fit_power_law(reference.item_counts)
    assert fitted is not None
    assert (like.users, like.items, like.ratings) == (200, 300, 5_000)
    assert (like.c1, like.c2) == (fitted.c1, fitted.c2)
    assert sum(like.histogram.values()) == 5_000
    made = simulate_power_law(like, alpha=fitted.alpha)
    assert np.corrcoef(np.sort(made.item_counts), np.sort(reference.item_counts))[0, 1] > 0.97


def test_a_uniform_reference_can_be_resembled() -> None:
    users, items = (axis.ravel() for axis in np.meshgrid(np.arange(6), np.arange(7)))
    like = shape_of(Ratings.from_triples(users, items, np.ones(42)))
    assert simulate_power_law(like, alpha=1.0).item_counts.tolist() == [6] * 7


def test_another_size_keeps_the_density_and_the_shape() -> None:
    like = Shape(100, 50, 1000, {1.0: 1.0}, c1=4.0, c2=10.0)
    assert like.resized(None, 100, None) == Shape(100, 100, 2000, {1.0: 1.0}, c1=4.0, c2=20.0)
    assert like.resized(None, None, 500) == Shape(100, 50, 500, {1.0: 1.0}, c1=2.0, c2=10.0)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("power-law(users=10, items=10, ratings=101)", "101 is not possible.*100 pairs"),
        ("power-law(users=10, items=10, ratings=9)", "9 is not enough.*at least 10"),
        ("power-law(histogram={1: 0})", "histogram: .* is not a table of finite values"),
        ("power-law(histogram={})", "histogram: .* is not a table of finite values"),
        ("power-law(histogram={1: -2})", "histogram.1: -2 is not a number of at least 0"),
        ("power-law(alpha=-1)", "alpha: -1 is not a number from 0 to 10"),
    ],
)
def test_what_cannot_be_is_refused_in_words(spelling: str, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        parse("source", spelling).read()


def test_a_reference_is_read_by_its_name(tmp_path: Path) -> None:
    reference = Simulated(size="tiny").read()
    reference.to_polars().write_csv(tmp_path / "ratings.csv")
    expected = simulate_power_law(shape_of(reference), alpha=1.0)
    for name in ("simulated(size=tiny)", str(tmp_path / "ratings.csv")):
        made = PowerLawRatings(alpha=1.0, reference=name).read()
        assert made.fingerprint == expected.fingerprint


@pytest.mark.skipif("CRANFIELD_DATA" not in os.environ, reason="CRANFIELD_DATA is not set")
@pytest.mark.parametrize("alpha", [0.0, 1.4, 2.0])
def test_movielens_1m_is_resembled_in_all_but_its_skew(alpha: float) -> None:
    made = PowerLawRatings(alpha=alpha, reference="ml-1m").read()
    assert (made.n_users, made.n_items, len(made)) == (6_040, 3_706, 1_000_209)
    shares = np.bincount(made.values.astype(np.int64), minlength=6)[1:] / len(made)
    # The shares of 1 to 5 in MovieLens 1M; 1,000,209 draws err by at most 0.0005 (σ).
    assert shares == pytest.approx(np.array([0.0562, 0.1075, 0.2611, 0.3489, 0.2263]), abs=0.002)
    counts = np.sort(made.item_counts)
    if alpha == 0:
        assert counts[-1] - counts[0] == 1
    else:
        fitted = fit_power_law(counts)
        assert fitted is not None
        assert fitted.alpha == pytest.approx(alpha, abs=0.01)
