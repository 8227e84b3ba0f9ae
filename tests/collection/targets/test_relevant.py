"""Relevant targets: all of a user's in one ranking, or one at a time, in percentiles or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.targets.relevant import AllRelevant, OneRelevant, Percentiles
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics
from suites import tries

ALL = Ratings.from_triples(
    ["u", "u", "u", "v", "v", "w"], ["a", "b", "c", "a", "b", "c"], [5.0, 4.0, 3.0, 4.0, 2.0, 5.0]
)
EVERYONE = Topics(np.arange(3, dtype=np.int32))
EVERYTHING = np.ones(3, dtype=bool)


def known(train: Ratings, test: Ratings) -> TestCollection:
    return TestCollection(train, judge(test, 4))


def test_all_relevant_leaves_one_topic_for_each_user_also_without_a_relevant_item() -> None:
    assert (
        AllRelevant().choose(EVERYONE, known(ALL.take(np.array([2])), ALL), EVERYTHING) is EVERYONE
    )


def test_one_relevant_makes_a_topic_of_each_relevant_candidate_outside_training() -> None:
    """Relevant pairs: ua, ub, va, wc. ub is in training too, and a is no candidate later."""
    of = known(ALL.take(np.array([1])), ALL)
    topics = OneRelevant().choose(EVERYONE, of, EVERYTHING)
    assert topics.items is not None
    assert (topics.users.tolist(), topics.items.tolist()) == ([0, 1, 2], [0, 0, 2])
    fewer = OneRelevant().choose(EVERYONE, of, np.array([False, True, True]))
    assert fewer.items is not None
    assert (fewer.users.tolist(), fewer.items.tolist()) == ([2], [2])


def test_users_who_do_not_enter_have_no_topic() -> None:
    only = Topics(np.array([1], dtype=np.int32))
    topics = OneRelevant().choose(only, known(ALL.take(np.array([5])), ALL), EVERYTHING)
    assert topics.users.tolist() == [1]


def test_without_training_every_relevant_pair_is_a_topic() -> None:
    none = np.array([], dtype=np.int64)
    assert len(OneRelevant().choose(EVERYONE, known(ALL.take(none), ALL), EVERYTHING)) == 4


@settings(deadline=None, max_examples=tries(25))
@given(items=st.integers(1, 60), m=st.integers(1, 70))
def test_percentiles_differ_by_at_most_one_item_and_follow_popularity(items: int, m: int) -> None:
    rng = np.random.default_rng(items * 100 + m)
    counts = rng.integers(1, 5, items)
    users = np.concatenate([np.arange(count) for count in counts])
    ratings = Ratings.from_triples(users, np.repeat(np.arange(items), counts))
    of = TestCollection(ratings, judge(ratings, 1))
    found = Percentiles(m=m).segments(of, np.ones(items, dtype=bool))
    sizes = np.bincount(found, minlength=m)
    assert len(sizes) == m
    assert sizes.max() - sizes.min() <= 1
    popularity = of.popularity
    for segment in np.unique(found)[1:]:
        assert popularity[found == segment].max() <= popularity[found < segment].min()


def test_percentiles_are_cut_over_candidates_alone() -> None:
    """Of items rated 4, 3, 2 and 1 times the first is no candidate: 3 | 2 | 1 remain."""
    users = [0, 1, 2, 3, 0, 1, 2, 0, 1, 0]
    ratings = Ratings.from_triples(users, [0, 0, 0, 0, 1, 1, 1, 2, 2, 3])
    of = TestCollection(ratings, judge(ratings, 1))
    candidates = np.array([False, True, True, True])
    assert Percentiles(m=3).segments(of, candidates).tolist() == [-1, 0, 1, 2]


@pytest.mark.parametrize("m", [1, 2, 5])
def test_topics_of_percentiles_stand_by_user_then_percentile_then_item(m: int) -> None:
    rng = np.random.default_rng(m)
    users, items = np.nonzero(rng.random((6, 15)) < 0.5)
    ratings = Ratings.from_triples(users, items, rng.integers(1, 6, len(users)).astype(float))
    of = TestCollection(ratings.take(np.array([], dtype=np.int64)), judge(ratings, 3))
    everyone = Topics(np.arange(ratings.n_users, dtype=np.int32))
    topics = Percentiles(m=m).choose(everyone, of, np.ones(ratings.n_items, dtype=bool))
    assert topics.segments is not None
    assert topics.items is not None
    keys = list(zip(topics.users, topics.segments, topics.items, strict=True))
    assert keys == sorted(keys)
    assert len(set(keys)) == len(of.judgments.positives)
