"""Topics: the units that get one ranking each, and which users enter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.decisions import decisions, parameter
from cranfield.base.errors import EmptyInput
from cranfield.base.ids import Codes
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


@decisions("users")
@dataclass(frozen=True, kw_only=True)
class UserChoice:
    """Which users are asked for and enter the average (decision B1).

    ``least_train`` is the number of training ratings a user needs, 0 to keep everyone;
    unless it is given, 1 where there is training, else 0.
    """

    topics: Entering = "judged"
    least_train: int | None = parameter(None, at_least=0)


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
    least = int(len(train) > 0) if chosen.least_train is None else chosen.least_train
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
