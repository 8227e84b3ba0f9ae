"""Simulated data that look like real ones."""

from __future__ import annotations

import os

import pytest

from cranfield.collection.resemblance import resemble
from cranfield.collection.source import read_ratings
from cranfield.collection.sources.power_law import PowerLawRatings
from cranfield.collection.sources.simulated import Simulated
from cranfield.collection.statistics.statistics import describe

DATA = pytest.mark.skipif("CRANFIELD_DATA" not in os.environ, reason="needs $CRANFIELD_DATA")


def test_sizes_density_and_skew_come_out() -> None:
    real = describe(Simulated(size="small", skew=1.0, activity=0.6, seed=4).read(), relevance=4)
    like = resemble(real)
    made = describe(like.source.read(), like.relevance)
    assert (made.users, made.items, made.ratings) == (real.users, real.items, real.ratings)
    assert made.per_user.gini == pytest.approx(real.per_user.gini, abs=0.02)
    assert made.per_item.gini == pytest.approx(real.per_item.gini, abs=0.02)
    assert like.gini_items == pytest.approx((real.per_item.gini, made.per_item.gini))
    assert like.density == pytest.approx((real.density, made.density))


def test_data_without_taste_are_resembled_too() -> None:
    real = describe(PowerLawRatings(alpha=1.0, users=150, items=100).read())
    like = resemble(real)
    assert like.gini_items[1] == pytest.approx(like.gini_items[0], abs=0.02)


def test_larger_data_are_simulated_with_fewer_users() -> None:
    real = describe(Simulated(size="small").read(), relevance=4)
    like = resemble(real, most_pairs=45_000)
    assert like.users == (200, 150)
    assert like.items == (300, 300)
    assert like.density[1] == pytest.approx(like.density[0], rel=0.01)


def test_larger_data_of_few_ratings_are_simulated_with_fewer_of_both() -> None:
    real = describe(Simulated(users=200, items=300, ratings=900).read(), relevance=4)
    like = resemble(real, most_pairs=15_000)
    assert like.users == (200, 100)
    assert like.items == (300, 150)


def test_relevance_keeps_the_share_of_positive_ratings() -> None:
    real = describe(Simulated(size="small").read(), relevance=5)
    assert resemble(real).relevance == 5


def test_the_same_data_are_resembled_by_the_same_source() -> None:
    real = describe(Simulated(size="tiny").read(), relevance=4)
    assert resemble(real, seed=3) == resemble(real, seed=3)
    assert resemble(real, seed=3).source.seed == 3


@DATA
def test_movielens_is_resembled() -> None:
    like = resemble(describe(read_ratings("ml-100k"), relevance=4))
    assert like.users == (943, 943)
    for real, made in (like.gini_users, like.gini_items):
        assert made == pytest.approx(real, abs=0.01)
