"""The users who rated everything, and what they said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.complete_block import complete_block
from strategies import ratings
from suites import tries

THREE = Ratings.from_triples(
    ["a", "a", "a", "b", "b", "c", "c", "c"],
    ["x", "y", "z", "x", "z", "x", "y", "z"],
    [1, 2, 3, 4, 5, 5, 3, 1],
)


def test_the_block_holds_the_users_who_rated_every_item() -> None:
    block = complete_block(THREE)
    assert block.user_ids.values.to_list() == ["a", "c"]
    assert block.item_ids.values.to_list() == ["x", "y", "z"]
    assert block.ratings.tolist() == [[1, 2, 3], [5, 3, 1]]


def test_fewer_items_are_the_most_rated_ones() -> None:
    block = complete_block(THREE, items=2)
    assert block.item_ids.values.to_list() == ["x", "z"]
    assert block.ratings.tolist() == [[1, 3], [4, 5], [5, 1]]


def test_ratings_are_asked_for_by_user_and_item() -> None:
    block = complete_block(THREE)
    assert block.rating(np.array([1])).tolist() == [[5, 3, 1]]
    assert block.rating(np.array([1, 0]), np.array([2])).tolist() == [[1], [3]]
    assert block.rating_of_pairs(np.array([0, 1]), np.array([1, 1])).tolist() == [2, 3]
    assert block.relevance(np.array([0])).tolist() == [[0, 1 / 4, 2 / 4]]


def test_the_truth_does_not_change_with_what_is_made_of_it() -> None:
    block = complete_block(THREE)
    block.rating(np.array([0]))[:] = np.nan
    assert np.isfinite(block.ratings).all()


def test_where_nobody_rated_everything_the_largest_block_is_proposed() -> None:
    gaps = Ratings.from_triples([1, 1, 2, 2, 3, 3], [7, 8, 7, 9, 7, 8])
    with pytest.raises(BadParameter, match="the 1 most rated ones were all rated by 3 users"):
        complete_block(gaps)


def test_more_items_than_there_are_are_refused() -> None:
    with pytest.raises(BadParameter, match="there are 3"):
        complete_block(THREE, items=4)


@given(ratings(), st.integers(1, 8))
@settings(deadline=None, max_examples=tries(100))
def test_a_block_says_what_the_ratings_say(given: Ratings, items: int) -> None:
    said = {(u, i): value for u, i, value in zip(*given.to_triples(), strict=True)}
    try:
        block = complete_block(given, items)
    except BadParameter:
        return
    assert block.ratings.shape == (len(block.user_ids), items)
    for place, user in enumerate(block.user_ids.values):
        for at, item in enumerate(block.item_ids.values):
            assert block.ratings[place, at] == said[user, item]
