"""The line above every table: who enters, who does not, and why."""

from __future__ import annotations

import pytest

from cranfield.collection.topics import DroppedUsers, UserCounts
from cranfield.view.tables.users import is_warning, users_line


def dropped(*parts: tuple[str, int, int]) -> tuple[DroppedUsers, ...]:
    return tuple(DroppedUsers(*part) for part in parts)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (UserCounts(301, 900), "All 301 test users enter with 900 test ratings."),
        (UserCounts(1, 4), "1 test user enters."),
        (UserCounts(301, 900, (), 642),
         "All 301 test users enter with 900 test ratings, and 642 users without a test rating."),
        (UserCounts(299, 995, dropped(("no training rating", 1, 5))),
         "299 of 300 test users enter; 1 has no training rating (<1 % of test ratings)."),
        (UserCounts(9, 90, dropped(("no training rating", 1, 1), ("no list", 2, 9))),
         ("Warning: 9 of 12 test users enter; 1 has no training rating (1 % of test ratings); 2 "
          "have no list (9 % of test ratings).")),
        (UserCounts(500, 900, (), 0, 5),
         "All 500 test users enter with 900 test ratings, over 5 folds."),
    ],
)  # fmt: skip
def test_who_enters_is_said_with_the_reasons(counts: UserCounts, said: str) -> None:
    assert users_line(counts) == said


@pytest.mark.parametrize(
    ("users", "ratings", "warns"),
    [(10, 9, True), (9, 10, True), (9, 9, False), (10, 0, True)],
)
def test_a_tenth_of_users_or_of_ratings_is_a_warning(users: int, ratings: int, warns: bool) -> None:
    counts = UserCounts(100 - users, 100 - ratings, dropped(("no list", users, ratings)))
    assert is_warning(counts) is warns
    assert users_line(counts).startswith("Warning: ") is warns
