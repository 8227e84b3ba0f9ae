"""The coin flip, and the exact share."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given, settings

from cranfield.base.errors import BadParameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.splits.random import Random
from cranfield.collection.splits.random_exact import RandomExact
from strategies import SEEDS, SHARES, random_ratings, ratings
from suites import tries

LARGE = random_ratings(200, 100, 0.5, times=False)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_share_of_coin_flips_lies_in_a_binomial_band(share: float, seed: int) -> None:
    (test,) = Random(test_share=share).split(LARGE, Seeds(seed)).tests
    deviation = sqrt(share * (1 - share) / len(LARGE))
    assert abs(test.mean() - share) < 4 * deviation


def test_coin_flips_do_not_reach_the_same_number_each_time() -> None:
    numbers = {int(Random().split(LARGE, Seeds(seed)).tests[0].sum()) for seed in range(5)}
    assert len(numbers) > 1


def test_a_rating_in_test_at_one_share_is_in_test_at_a_larger_one() -> None:
    (fewer,) = Random(test_share=0.2).split(LARGE, Seeds(1)).tests
    (more,) = Random(test_share=0.3).split(LARGE, Seeds(1)).tests
    assert not (fewer & ~more).any()


@given(data=ratings(), share=SHARES, seed=SEEDS)
@settings(deadline=None, max_examples=tries(50))
def test_the_exact_share_is_exact(data: Ratings, share: float, seed: int) -> None:
    (test,) = RandomExact(test_share=share).split(data, Seeds(seed)).tests
    kept = len(data) - int(test.sum())
    assert abs(kept - (1 - share) * len(data)) <= 0.5 + 1e-6


def test_half_a_rating_stays_in_training() -> None:
    data = Ratings.from_triples([1, 2, 3, 4, 5], [1] * 5)
    assert RandomExact(test_share=0.5).split(data, Seeds(1)).tests[0].sum() == 2


@pytest.mark.parametrize("share", [0, 1, 1.2, -0.1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(BadParameter, match="test_share"):
        Random(test_share=share)
