"""TestCollection: training, judgments and the catalogue behind every ranking."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection, collect

TRAIN = Ratings.from_triples([1, 1, 2], [7, 8, 7], [4.0, 3.0, 5.0])
TEST = Ratings.from_triples([1, 2, 2], [9, 8, 7], [4.0, 2.0, 1.0])

pairs = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 6)), min_size=1, max_size=12, unique=True
)


def ratings_of(chosen: list[tuple[int, int]], value: float) -> Ratings:
    return Ratings.from_triples(
        [user for user, _ in chosen], [item for _, item in chosen], [value] * len(chosen)
    )


def test_a_rating_at_the_threshold_is_positive_in_training_and_in_test() -> None:
    made = collect(TRAIN, TEST, relevance=4)
    # Item 7 is liked twice in training (4 and 5), item 9 once in test (4), 8 never.
    assert made.positives.tolist() == [2.0, 0.0, 1.0]


def test_popularity_counts_both_parts() -> None:
    made = collect(TRAIN, TEST, relevance=4)
    assert made.popularity.tolist() == [2, 2, 1]  # the pair in both parts counts once
    assert made.by_popularity.tolist() == [0, 1, 2]


def test_a_pair_in_both_parts_stays_in_training_and_is_no_target() -> None:
    made = collect(TRAIN, TEST, relevance=1)
    assert made.overlap == 1
    assert len(made.train) == len(TRAIN)
    judged = made.judgments.ratings
    assert list(zip(judged.users.tolist(), judged.items.tolist(), strict=True)) == [(0, 2), (1, 1)]


def test_kept_training_items_may_be_judged_and_ranked_again() -> None:
    made = collect(TRAIN, TEST, relevance=1, training_items="keep")
    assert made.overlap == 0
    assert len(made.judgments) == 3
    assert len(made.excluded) == 0
    assert len(made.train) == 3


def test_training_items_are_excluded_unless_they_are_kept() -> None:
    assert collect(TRAIN, TEST, relevance=4).excluded is not None
    assert len(collect(TRAIN, TEST, relevance=4).excluded) == 3


def test_the_scale_is_that_of_the_test_ratings_unless_it_is_given() -> None:
    own = collect(TRAIN, TEST, relevance=4).judgments
    assert (own.lowest, own.highest) == (1.0, 4.0)
    given_scale = collect(TRAIN, TEST, relevance=4, scale=(1, 5)).judgments
    assert (given_scale.lowest, given_scale.highest) == (1.0, 5.0)


@pytest.mark.parametrize(
    ("train", "catalogue", "known"),
    [(TRAIN, None, True), (None, None, False), (None, Ids(pl.Series([1, 9])), True)],
)
def test_all_items_are_known_with_training_or_a_catalogue(
    train: Ratings | None, catalogue: Ids | None, known: bool
) -> None:
    assert collect(train, TEST, relevance=4, catalogue=catalogue).has_catalogue == known


def test_a_catalogue_adds_items_that_nobody_rated() -> None:
    made = collect(None, TEST, relevance=4, catalogue=Ids(pl.Series([1, 9])))
    assert made.item_ids.values.to_list() == [1, 7, 8, 9]
    assert made.popularity.tolist() == [0, 1, 1, 1]


@given(pairs, pairs)
def test_parts_share_their_ids_and_no_pair(
    train: list[tuple[int, int]], test: list[tuple[int, int]]
) -> None:
    made = collect(ratings_of(train, 3.0), ratings_of(test, 5.0), relevance=4)
    assert made.train.user_ids == made.judgments.ratings.user_ids
    assert made.train.item_ids == made.judgments.ratings.item_ids
    assert made.item_ids.values.to_list() == sorted({item for _, item in [*train, *test]})
    assert made.overlap == len(set(train) & set(test))
    judged = made.judgments.ratings
    left = {
        (made.user_ids[user], made.item_ids[item])
        for user, item in zip(judged.users.tolist(), judged.items.tolist(), strict=True)
    }
    assert left == set(test) - set(train)


@given(pairs, pairs)
def test_popularity_is_the_sum_of_both_parts(
    train: list[tuple[int, int]], test: list[tuple[int, int]]
) -> None:
    made = collect(ratings_of(train, 5.0), ratings_of(test, 1.0), relevance=4)
    for code, item in enumerate(made.item_ids.values.to_list()):
        known = {pair for pair in [*train, *test] if pair[1] == item}
        assert made.popularity[code] == len(known)
        assert made.positives[code] == len({pair for pair in train if pair[1] == item})
    ranked = made.popularity[made.by_popularity]
    assert (np.diff(ranked) <= 0).all()


def test_what_judges_may_be_replaced_by_hand() -> None:
    made = TestCollection(TRAIN, judge(TRAIN, 5))
    assert made.user_ids is TRAIN.user_ids
    assert made.item_ids is TRAIN.item_ids
    assert made.has_catalogue
