"""Which users enter is explicit: by training ratings, and by what was judged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from cranfield.base.errors import EmptyInput
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Entering, UserChoice, choose_users
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
