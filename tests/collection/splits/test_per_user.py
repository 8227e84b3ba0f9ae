"""The same share of each user."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.splits.per_user import PerUser
from strategies import SEEDS, SHARES, ratings
from suites import tries


@given(data=ratings(), share=SHARES, seed=SEEDS)
@settings(deadline=None, max_examples=tries(60))
def test_each_user_keeps_the_share_to_the_nearest_rating(
    data: Ratings, share: float, seed: int
) -> None:
    (test,) = PerUser(test_share=share).split(data, Seeds(seed)).tests
    kept = np.bincount(data.users[~test], minlength=data.n_users)
    assert (abs(kept - (1 - share) * data.user_counts) <= 0.5 + 1e-6).all()


@pytest.mark.parametrize(("rated", "tested"), [(1, 0), (2, 0), (3, 1), (7, 1), (8, 2), (10, 2)])
def test_a_fifth_of_few_ratings(rated: int, tested: int) -> None:
    data = Ratings.from_triples(["u"] * rated, list(range(rated)))
    assert PerUser(test_share=0.2).split(data, Seeds(1)).tests[0].sum() == tested
