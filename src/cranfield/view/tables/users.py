"""Who enters: the line above every table that says which test users and ratings count."""

from __future__ import annotations

from cranfield.base.errors import counted
from cranfield.collection.topics import UserCounts
from cranfield.view.numbers import percent

MANY = 0.1
"""The share of test users or ratings from which dropping them is a warning."""


def users_line(counts: UserCounts) -> str:
    """How many test users enter, and for each reason how many do not.

    >>> from cranfield.collection.topics import DroppedUsers
    >>> users_line(UserCounts(109, 2953, (DroppedUsers("no training rating", 192, 17048),)))
    'Warning: 109 of 301 test users enter; 192 have no training rating (85 % of test ratings).'
    """
    text = _entering(counts)
    for each in counts.dropped:
        share = percent(each.ratings / counts.test_ratings)
        have = "has" if each.users == 1 else "have"
        text += f"; {each.users:,} {have} {each.reason} ({share} of test ratings)"
    folds = f", over {counts.folds} folds" if counts.folds > 1 else ""
    warning = "Warning: " if is_warning(counts) else ""
    return f"{warning}{text}{folds}."


def is_warning(counts: UserCounts) -> bool:
    """Whether so many test users or ratings are dropped that a reader must be warned."""
    return counts.dropped_share >= MANY


def _entering(counts: UserCounts) -> str:
    users = counted(counts.users, "test user")
    ratings = counted(counts.ratings, "test rating")
    if counts.dropped:
        whole = counted(counts.test_users, "test user")
        return f"{counts.users:,} of {whole} {'enters' if counts.users == 1 else 'enter'}"
    enter = "enters" if counts.users == 1 else "enter"
    text = f"All {users} {enter} with {ratings}" if counts.users > 1 else f"{users} {enter}"
    more = f", and {counted(counts.unrated, 'user')} without a test rating"
    return text + (more if counts.unrated else "")
