"""Topics: the units that get one ranking each, and which users enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.base.errors import EmptyInput
from cranfield.base.ids import Codes
from cranfield.base.storable import storable
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings

Entering = Literal["all", "judged", "relevant", "run"]
"""Which users enter the average: all of the collection, those with a test rating, those
with a relevant test rating, or those with a test rating for whom some run has a list
(decision B1)."""


_WHERE = {
    "all": "the ratings",
    "judged": "the test ratings",
    "relevant": "the relevant test ratings",
    "run": "runs and judgments together",
}


@storable
@dataclass(frozen=True, eq=False)
class Topics:
    """What gets one ranking each: a user, or a user and something of theirs.

    ``users`` ascends. ``items`` names the one relevant item of each topic where a topic
    is a user and an item (1R); ``segments`` the popularity segment where it is a user and
    a segment (P1R).
    """

    users: Codes
    items: Codes | None = None
    segments: npt.NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.users)

    def take(self, chosen: slice | npt.NDArray[Any]) -> Topics:
        """Some topics: consecutive ones, a mask, or ascending numbers."""
        items, segments = self.items, self.segments
        return Topics(
            self.users[chosen],
            None if items is None else items[chosen],
            None if segments is None else segments[chosen],
        )


@decisions("users")
@dataclass(frozen=True, kw_only=True)
class UserChoice:
    """Which users are asked for and enter the average (decision B1).

    ``least_train`` is the number of training ratings a user needs, 0 to keep everyone;
    unless it is given, 1 where there is training, else 0.
    """

    topics: Entering = "judged"
    least_train: int | None = parameter(None, at_least=0)

    def least_of(self, train: Ratings) -> int:
        """The number of training ratings that a user needs."""
        return int(len(train) > 0) if self.least_train is None else self.least_train


def choose_users(
    train: Ratings,
    judgments: Judgments,
    choice: UserChoice | None = None,
    *,
    listed: Codes | None = None,
) -> Topics:
    """One topic for each user who enters; training and judgments share their ids.

    ``listed`` are the users for whom some run has a list; None means everyone.
    """
    chosen = choice or UserChoice()
    least = chosen.least_of(train)
    enters = train.user_counts >= least
    if chosen.topics in ("judged", "run"):
        enters &= judgments.ratings.user_counts > 0
    elif chosen.topics == "relevant":
        enters &= judgments.relevant_counts > 0
    if chosen.topics == "run" and listed is not None:
        has_list = np.zeros(len(enters), dtype=bool)
        has_list[listed] = True
        enters &= has_list
    if not enters.any():
        raise EmptyInput(_WHERE[chosen.topics], _whom(least))
    return Topics(np.flatnonzero(enters).astype(np.int32))


def _whom(least: int) -> str:
    return "users" if least == 0 else f"users with {least} or more training ratings"


@dataclass(frozen=True)
class DroppedUsers:
    """Test users who do not enter because they have what ``reason`` says, and their ratings."""

    reason: str
    users: int
    ratings: int


@dataclass(frozen=True)
class UserCounts:
    """How many test users and test ratings enter, and why the others do not.

    ``unrated`` users enter without a test rating, and are not among ``users``. Users and
    ratings of several folds are counted once in each.
    """

    users: int
    ratings: int
    dropped: tuple[DroppedUsers, ...] = ()
    unrated: int = 0
    folds: int = 1

    @property
    def test_users(self) -> int:
        """All users with a test rating."""
        return self.users + sum(each.users for each in self.dropped)

    @property
    def test_ratings(self) -> int:
        """All test ratings."""
        return self.ratings + sum(each.ratings for each in self.dropped)

    @property
    def dropped_share(self) -> float:
        """The share of test users or of test ratings that is dropped, whichever is larger."""
        wholes = (self.test_users, self.users), (self.test_ratings, self.ratings)
        return max(((whole - part) / whole for whole, part in wholes if whole), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """For records."""
        whole = {"test_users": self.test_users, "test_ratings": self.test_ratings}
        return {**asdict(self), "dropped": [asdict(each) for each in self.dropped], **whole}


def count_users(
    train: Ratings, judgments: Judgments, topics: Topics, choice: UserChoice | None = None
) -> UserCounts:
    """Who of the test users has a topic, and what the others lack: the first reason counts."""
    chosen = choice or UserChoice()
    least = chosen.least_of(train)
    ratings, entered = judgments.ratings.user_counts, np.zeros(len(train.user_ids), dtype=bool)
    entered[topics.users] = True
    tested = ratings > 0
    dropped, left = [], tested & ~entered
    for reason, lacking in (
        (_few(least), train.user_counts < least),
        *(_irrelevant(judgments) if _needs_relevant(chosen, topics) else ()),
        (_last(chosen, topics), tested),
    ):
        whom = left & lacking
        if whom.any():
            dropped.append(DroppedUsers(reason, int(whom.sum()), int(ratings[whom].sum())))
        left &= ~lacking
    both = entered & tested
    unrated = int(np.count_nonzero(entered & ~tested))
    return UserCounts(int(both.sum()), int(ratings[both].sum()), tuple(dropped), unrated)


def _few(least: int) -> str:
    return "no training rating" if least == 1 else f"fewer than {least} training ratings"


def _needs_relevant(choice: UserChoice, topics: Topics) -> bool:
    """Whether a user without a relevant test rating has no topic."""
    return choice.topics == "relevant" or topics.items is not None or topics.segments is not None


def _irrelevant(judgments: Judgments) -> tuple[tuple[str, npt.NDArray[np.bool_]], ...]:
    return (("no relevant test rating", judgments.relevant_counts == 0),)


def _last(choice: UserChoice, topics: Topics) -> str:
    """What those lack whom no other reason explains."""
    if choice.topics == "run" and not _needs_relevant(choice, topics):
        return "no list by any system"
    target = "no relevant test rating among the targets"
    return f"no list by any system, or {target}" if choice.topics == "run" else target


def join_user_counts(folds: Sequence[UserCounts]) -> UserCounts:
    """The counts of all folds together."""
    reasons = list(dict.fromkeys(each.reason for fold in folds for each in fold.dropped))
    every = [each for fold in folds for each in fold.dropped]
    return UserCounts(
        sum(each.users for each in folds),
        sum(each.ratings for each in folds),
        tuple(
            DroppedUsers(
                reason,
                sum(each.users for each in every if each.reason == reason),
                sum(each.ratings for each in every if each.reason == reason),
            )
            for reason in reasons
        ),
        sum(each.unrated for each in folds),
        sum(each.folds for each in folds),
    )
