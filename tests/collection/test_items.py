"""What is known of items."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Ids
from cranfield.collection.items import by_quantiles, facts_of_items, vectors_from_labels
from cranfield.collection.ratings import Ratings

TRAIN = Ratings.from_triples([1, 1, 2, 3], [7, 8, 8, 8])


def test_popularity_counts_training_ratings() -> None:
    facts = facts_of_items(TRAIN)
    assert facts.popularity.tolist() == [1, 3]
    np.testing.assert_allclose(facts.seen, [1 / 3, 3 / 3])
    np.testing.assert_allclose(facts.share, [1 / 4, 3 / 4])


def test_items_and_users_without_training_ratings_count_as_such() -> None:
    facts = facts_of_items(TRAIN.take(np.array([False, True, True, False])))
    assert facts.popularity.tolist() == [0, 2]
    assert facts.raters == 2
    np.testing.assert_allclose(facts.share, [1 / 2, 2 / 2])


def test_vectors_are_scaled_to_length_one_and_zeros_stay() -> None:
    facts = facts_of_items(TRAIN, [[3, 4], [0, 0]])
    assert facts.vectors is not None
    np.testing.assert_allclose(facts.vectors, np.array([[3 / 5, 4 / 5], [0, 0]]))


@pytest.mark.parametrize("vectors", [[[1.0]], [1.0, 2.0], [[1.0], [float("nan")]]])
def test_vectors_of_another_shape_or_with_gaps_are_refused(vectors: Any) -> None:
    with pytest.raises(BadParameter, match="one row of finite numbers for each of 2 items"):
        facts_of_items(TRAIN, vectors)


def test_labels_become_vectors_of_zeros_and_ones() -> None:
    ids = Ids(pl.Series(["a", "b", "c"]))
    found = vectors_from_labels({"c": ["war"], "zz": ["love"], "a": ["love", "war"]}, ids)
    assert found.tolist() == [[1, 1], [0, 0], [0, 1]]


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(1, 12))
def test_quantile_groups_follow_values_and_keep_equal_ones_together(
    values: list[int], parts: int
) -> None:
    array = np.array(values)
    found = by_quantiles(array, parts)
    assert found.min() >= 0
    assert found.max() < parts
    order = np.argsort(array, kind="stable")
    assert (np.diff(found[order]) >= 0).all()
    assert all(len(set(found[array == value])) == 1 for value in set(values))


def test_distinct_values_fall_into_groups_of_equal_size() -> None:
    assert np.bincount(by_quantiles(np.arange(100)[::-1], 10)).tolist() == [10] * 10
