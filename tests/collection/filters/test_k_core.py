"""The k-core."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.filters.k_core import KCore
from cranfield.collection.ratings import Ratings
from strategies import random_ratings, ratings
from suites import tries


def naive(data: Ratings, users: int, items: int) -> list[bool]:
    """The definition: drop whatever is too small, one rating at a time, until nothing is."""
    pairs = list(zip(data.users.tolist(), data.items.tolist(), strict=True))
    left = set(pairs)
    while True:
        small = [
            pair
            for pair in left
            if sum(u == pair[0] for u, _ in left) < users
            or sum(i == pair[1] for _, i in left) < items
        ]
        if not small:
            return [pair in left for pair in pairs]
        left.remove(small[0])


@given(data=ratings(), users=st.integers(1, 4), items=st.integers(1, 4))
@settings(deadline=None, max_examples=tries(100))
def test_the_core_is_the_largest(data: Ratings, users: int, items: int) -> None:
    found = KCore(users=users, items=items).keep(data, Seeds())
    assert found.tolist() == naive(data, users, items)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(15))
def test_a_larger_core_equals_that_of_repeated_counting(k: int, seed: int) -> None:
    data = random_ratings(30, 25, 0.05 + 0.015 * seed, seed=seed)
    alive = np.ones(len(data), dtype=bool)
    before = -1
    while alive.sum() != before:
        before = alive.sum()
        alive &= (np.bincount(data.users[alive], minlength=data.n_users) >= k)[data.users]
        alive &= (np.bincount(data.items[alive], minlength=data.n_items) >= k)[data.items]
    assert (KCore(k=k).keep(data, Seeds()) == alive).all()


def test_an_item_that_was_small_from_the_start_costs_each_user_one_rating() -> None:
    # Users 1 to 3 rate items 1 to 3. Item 9 is small, and smaller still without user 5.
    users = [1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 5]
    items = [1, 2, 3, 1, 2, 3, 1, 2, 3, 9, 9]
    data = Ratings.from_triples(users, items)
    left = data.take(KCore(k=3).keep(data, Seeds()))
    assert left.to_polars().select("user_id", "item_id").rows() == [
        (user, item) for user in (1, 2, 3) for item in (1, 2, 3)
    ]


def test_a_long_chain_unravels_to_nothing() -> None:
    # User n rates items n and n + 1; the last item has one rating, and so on down.
    length = 3000
    users = np.repeat(np.arange(length), 2)
    items = np.stack([np.arange(length), np.arange(length) + 1], axis=1).ravel()
    data = Ratings.from_triples(users, items)
    assert not KCore(k=2).keep(data, Seeds()).any()


def test_a_ring_stays() -> None:
    users = np.repeat(np.arange(50), 2)
    items = np.stack([np.arange(50), (np.arange(50) + 1) % 50], axis=1).ravel()
    assert KCore(k=2).keep(Ratings.from_triples(users, items), Seeds()).all()


def test_one_number_holds_for_both_unless_they_differ() -> None:
    assert parse("filter", "k-core(3)") == KCore(k=3)
    data = random_ratings(40, 30, 0.15)
    both = KCore(users=3, items=3).keep(data, Seeds())
    assert (KCore(k=3).keep(data, Seeds()) == both).all()
    assert (KCore(k=3, items=1).keep(data, Seeds()) != both).any()


def test_a_core_of_nothing_is_refused() -> None:
    with pytest.raises(BadParameter, match="of at least 1"):
        KCore(k=0)
