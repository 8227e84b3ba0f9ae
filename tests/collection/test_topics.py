"""Which users enter is explicit: by training ratings, and by what was judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import EmptyInput
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import (
    DroppedUsers,
    Entering,
    Topics,
    UserChoice,
    UserCounts,
    choose_users,
    count_users,
    join_user_counts,
)
from strategies import ratings

# User 0: training and a relevant test rating. User 1: training and a poor test rating.
# User 2: test only. User 3: training only.
ALL = Ratings.from_triples(
    [0, 0, 1, 1, 2, 3, 3], [0, 1, 0, 1, 1, 0, 1], [5.0, 5.0, 5.0, 1.0, 5.0, 5.0, 5.0]
)
TEST = np.array([False, True, False, True, True, False, False])
TRAIN, JUDGMENTS = ALL.take(~TEST), judge(ALL.take(TEST), 4)


@pytest.mark.parametrize(
    ("least", "entering", "users"),
    [
        (1, "all", [0, 1, 3]),
        (1, "judged", [0, 1]),
        (1, "relevant", [0]),
        (0, "all", [0, 1, 2, 3]),
        (0, "judged", [0, 1, 2]),
        (0, "relevant", [0, 2]),
        (2, "all", [3]),
    ],
)
def test_users_enter_as_chosen(least: int, entering: Entering, users: list[int]) -> None:
    choice = UserChoice(least_train=least, topics=entering)
    assert choose_users(TRAIN, JUDGMENTS, choice).users.tolist() == users


@pytest.mark.parametrize(
    ("least", "listed", "users"),
    [(1, [0, 3], [0]), (0, [0, 2, 3], [0, 2]), (1, [1, 2], [1]), (1, None, [0, 1])],
)
def test_users_of_runs_need_a_list_and_a_test_rating(
    least: int, listed: list[int] | None, users: list[int]
) -> None:
    choice = UserChoice(least_train=least, topics="run")
    codes = None if listed is None else np.array(listed, dtype=np.int32)
    assert choose_users(TRAIN, JUDGMENTS, choice, listed=codes).users.tolist() == users


def test_by_default_users_need_training_and_a_test_rating() -> None:
    assert choose_users(TRAIN, JUDGMENTS).users.tolist() == [0, 1]


def test_a_choice_that_nobody_meets_is_refused() -> None:
    with pytest.raises(EmptyInput, match="no users with 9 or more training ratings"):
        choose_users(TRAIN, JUDGMENTS, UserChoice(least_train=9))


@given(ratings())
def test_narrower_choices_choose_fewer_users(data: Ratings) -> None:
    judgments = judge(data, float(np.median(data.values)))
    chosen = [
        set(choose_users(data, judgments, UserChoice(topics=each)).users.tolist())
        for each in ("relevant", "judged", "all")
    ]
    assert chosen[0] <= chosen[1] <= chosen[2]


@pytest.mark.parametrize(
    ("choice", "users", "dropped", "unrated"),
    [
        # Test ratings: one each of users 0 (relevant), 1 (poor) and 2 (no training).
        ({}, 2, [("no training rating", 1, 1)], 0),
        ({"least_train": 0}, 3, [], 0),
        ({"least_train": 0, "topics": "all"}, 3, [], 1),
        ({"topics": "all"}, 2, [("no training rating", 1, 1)], 1),
        ({"topics": "relevant"}, 1,
         [("no training rating", 1, 1), ("no relevant test rating", 1, 1)], 0),
        ({"least_train": 0, "topics": "relevant"}, 2, [("no relevant test rating", 1, 1)], 0),
    ],
)  # fmt: skip
def test_test_users_who_do_not_enter_are_counted_by_reason(
    choice: dict[str, Any], users: int, dropped: list[tuple[str, int, int]], unrated: int
) -> None:
    chosen = UserChoice(**choice)
    found = count_users(TRAIN, JUDGMENTS, choose_users(TRAIN, JUDGMENTS, chosen), chosen)
    assert found == UserCounts(
        users, users, tuple(DroppedUsers(*each) for each in dropped), unrated
    )
    assert (found.test_users, found.test_ratings) == (3, 3)
    assert found.dropped_share == pytest.approx((3 - users) / 3)


def test_those_without_a_list_and_those_without_a_target_are_told_apart_where_they_can_be() -> None:
    everyone, run = UserChoice(least_train=0), UserChoice(least_train=0, topics="run")
    only = Topics(np.array([0], dtype=np.int32))
    one = Topics(np.array([0], dtype=np.int32), items=np.array([1], dtype=np.int32))

    def reasons(topics: Topics, choice: UserChoice) -> list[tuple[str, int]]:
        found = count_users(TRAIN, JUDGMENTS, topics, choice)
        return [(each.reason, each.users) for each in found.dropped]

    assert reasons(only, run) == [("no list by any system", 2)]
    target = "no relevant test rating among the targets"
    assert reasons(one, everyone) == [("no relevant test rating", 1), (target, 1)]
    assert reasons(one, run)[1] == (f"no list by any system, or {target}", 1)


@given(ratings(), st.integers(0, 3))
def test_every_test_user_and_rating_enters_or_is_dropped_once(made: Ratings, least: int) -> None:
    half = np.arange(len(made)) % 2 == 0
    train, judgments = made.take(half), judge(made.take(~half), 3)
    chosen = UserChoice(least_train=least, topics="all")
    everyone = train.user_counts >= least
    topics = Topics(np.flatnonzero(everyone).astype(np.int32))
    found = count_users(train, judgments, topics, chosen)
    assert found.test_users == np.count_nonzero(judgments.ratings.user_counts)
    assert found.test_ratings == len(judgments)
    assert found.users + found.unrated == len(topics)


def test_folds_are_counted_together() -> None:
    one = UserCounts(2, 5, (DroppedUsers("a", 1, 3),))
    other = UserCounts(4, 6, (DroppedUsers("b", 2, 2), DroppedUsers("a", 1, 1)), 1)
    assert join_user_counts([one, other]) == UserCounts(
        6, 11, (DroppedUsers("a", 2, 4), DroppedUsers("b", 2, 2)), 1, 2
    )
    assert join_user_counts([one]).to_dict() == {
        "users": 2, "ratings": 5, "dropped": [{"reason": "a", "users": 1, "ratings": 3}],
        "unrated": 0, "folds": 1, "test_users": 3, "test_ratings": 8,
    }  # fmt: skip
