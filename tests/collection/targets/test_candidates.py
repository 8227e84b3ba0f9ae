"""Candidates: all items or those of the test, with the head or without."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import OptionError
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.targets.candidates import AllItems, TrainItems
from cranfield.collection.targets.candidates import TestItems as OfTest
from cranfield.collection.test_collection import TestCollection
from suites import tries


def known(counts: list[int], tested: list[int]) -> TestCollection:
    """Items rated so often in all, and so many times of that in test."""
    users = np.concatenate([np.arange(count) for count in counts])
    items = np.repeat(np.arange(len(counts)), counts)
    ratings = Ratings.from_triples(users, items, np.full(len(users), 5.0))
    test = ratings.users < np.array(tested)[ratings.items]
    return TestCollection(ratings.take(~test), judge(ratings.take(test), 4))


def chosen(candidates: AllItems | OfTest | TrainItems, of: TestCollection) -> list[int]:
    return np.flatnonzero(candidates.choose(of)).tolist()


def test_the_head_is_counted_over_training_and_test_together() -> None:
    """Item 2 has 1 rating in training and 4 in test, more than any other together."""
    of = known([3, 4, 5, 1, 2], [0, 1, 4, 1, 0])
    assert chosen(AllItems(without_head=0.2), of) == [0, 1, 3, 4]
    assert chosen(AllItems(without_head=0.4), of) == [0, 3, 4]
    assert chosen(OfTest(without_head=0.2), of) == [1, 3]


def test_of_equally_popular_items_the_first_by_id_are_the_head() -> None:
    assert chosen(AllItems(without_head=0.5), known([2, 2, 2, 2], [1, 0, 1, 0])) == [2, 3]


def test_the_head_alone_and_the_tail_alone_are_all_items() -> None:
    """Popularity 5, 4, 3, 2, 1 in all: 15 ratings, of which 9 are of items 2 and 1."""
    of = known([3, 4, 5, 1, 2], [0, 1, 4, 1, 0])
    assert chosen(AllItems(only_head=0.4), of) == [1, 2]
    assert chosen(AllItems(only_head=0.4, head_of="ratings"), of) == [2]
    assert chosen(AllItems(only_head=0.6, head_of="ratings"), of) == [1, 2]
    assert chosen(AllItems(without_head=0.6, head_of="ratings"), of) == [0, 3, 4]
    assert chosen(OfTest(only_head=0.6, head_of="ratings"), of) == [1, 2]


def test_a_head_that_is_not_said_or_said_twice_is_refused() -> None:
    with pytest.raises(OptionError, match="all-items: without_head and only_head exclude"):
        AllItems(without_head=0.1, only_head=0.1)
    with pytest.raises(OptionError, match="test-items, head_of: give the share too"):
        OfTest(head_of="ratings")


def test_train_items_have_a_training_rating() -> None:
    of = known([3, 4, 5, 1, 2], [3, 1, 4, 1, 0])
    assert chosen(TrainItems(), of) == [1, 2, 4]
    assert chosen(TrainItems(without_head=0.2), of) == [1, 4]


def test_no_head_leaves_all_items_and_all_items_of_the_test() -> None:
    of = known([1, 2, 3], [0, 1, 1])
    assert chosen(AllItems(), of) == [0, 1, 2]
    assert chosen(OfTest(), of) == [1, 2]


def test_items_without_any_rating_are_candidates_but_not_counted_in_the_share() -> None:
    """Of 2 rated items a half is 1; of all 4 it would be 2."""
    of = known([2, 1], [1, 0])
    wider = TestCollection(of.train.reindex(of.train.user_ids, _ids(4)), judge(_under(of, 4), 4))
    assert chosen(AllItems(without_head=0.5), wider) == [1, 2, 3]


def _ids(items: int):  # type: ignore[no-untyped-def]
    return Ratings.from_triples([0] * items, list(range(items))).item_ids


def _under(of: TestCollection, items: int) -> Ratings:
    return of.judgments.ratings.reindex(of.train.user_ids, _ids(items))


@pytest.mark.parametrize(("share", "head"), [(0.29, 29), (0.57, 57), (0.1, 10), (0.999, 99)])
def test_rounding_does_not_cost_the_head_an_item(share: float, head: int) -> None:
    """0.29 · 100 is 28.999999999999996 to a computer."""
    of = known([2] * 100, [1] * 100)
    assert len(chosen(AllItems(without_head=share), of)) == 100 - head


@settings(deadline=None, max_examples=tries(25))
@given(percent=st.integers(0, 99), items=st.integers(1, 120))
def test_the_head_is_the_whole_part_of_the_share(percent: int, items: int) -> None:
    of = known([1] * items, [1, *[0] * (items - 1)])
    left = chosen(AllItems(without_head=percent / 100), of)
    assert len(left) == items - floor(Fraction(percent, 100) * items)
