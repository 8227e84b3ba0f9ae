"""Play counts become ratings by each user's own cumulative shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadValue
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.play_counts import rate_plays
from suites import tries

counts = st.lists(st.integers(1, 10**6), min_size=1, max_size=30)


def rated(*users: list[int]) -> list[list[float]]:
    """The ratings of users who played items 0, 1, … so often."""
    owners = [user for user, plays in enumerate(users) for _ in plays]
    items = [item for plays in users for item in range(len(plays))]
    ratings = rate_plays(Ratings.from_triples(owners, items, [n for plays in users for n in plays]))
    return [ratings.values[ratings.users == user].tolist() for user in range(len(users))]


def test_each_fifth_of_the_plays_is_one_rating() -> None:
    # From below: 1, 1 and 1 of 10 plays reach 3/10, and 5·3/10 = 1.5 is rounded up to 2;
    # 2 more reach 5/10, hence 3; the last 5 reach 10/10, hence 5.
    assert rated([5, 2, 1, 1, 1]) == [[5, 3, 2, 2, 2]]


def test_a_share_that_ends_with_a_fifth_stays_in_it() -> None:
    # 2/10 is the whole lowest fifth, 4/10 the whole second one.
    assert rated([6, 2, 2]) == [[5, 2, 2]]
    assert rated([7, 1, 2]) == [[5, 1, 2]]


def test_equal_counts_are_the_best_of_what_there_is() -> None:
    assert rated([4, 4, 4], [1]) == [[5, 5, 5], [5]]


@settings(deadline=None, max_examples=tries(100))
@given(plays=counts)
def test_ratings_never_fall_with_plays_and_ties_are_equal(plays: list[int]) -> None:
    (ratings,) = rated(plays)
    assert set(ratings) <= {1.0, 2.0, 3.0, 4.0, 5.0}
    assert ratings[int(np.argmax(plays))] == 5
    for mine, rating in zip(plays, ratings, strict=True):
        assert all(rating >= r for n, r in zip(plays, ratings, strict=True) if n <= mine)


@settings(deadline=None, max_examples=tries(100))
@given(plays=counts, others=st.lists(counts, max_size=4))
def test_ratings_depend_on_the_users_own_counts_only(
    plays: list[int], others: list[list[int]]
) -> None:
    assert rated(*others, plays)[-1] == rated(plays)[0]


@settings(deadline=None, max_examples=tries(100))
@given(plays=counts)
def test_ratings_equal_the_definition_in_whole_numbers(plays: list[int]) -> None:
    total = sum(plays)
    expected = [-(-5 * sum(m for m in plays if m <= n) // total) for n in plays]
    assert rated(plays) == [expected]


def test_a_play_count_of_zero_is_refused() -> None:
    with pytest.raises(BadValue, match=r"u and x, column \"rating\": 0\.0 is not a play count"):
        rate_plays(Ratings.from_triples(["u", "u"], ["x", "y"], [0, 3]))
