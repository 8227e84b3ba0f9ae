"""User weight: what a user counts by in a weighted mean."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal

import numpy as np

from cranfield.base.checking.spelling import Spelled, Verbatim, read_spelling, write_value
from cranfield.base.checking.values import Place, makers
from cranfield.base.errors import (
    BadSpelling,
    MissingFacts,
    OptionError,
    UnsuitableScores,
    near,
    shown,
)
from cranfield.scoring.aggregation import scaled
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import ALL_RATINGS, TRAIN_RATINGS, Counts, Floats

_COLUMN = "column"
_WORDS = ("train", "all", "test", "relevant")
WEIGHT = (
    "What a user counts by: training ratings, all ratings (training and test), test ratings, "
    "relevant test ratings, or column(NAME), a column of numbers in the table user_columns."
)


class UserColumn(Verbatim):
    """A column of numbers, one for each user, spelled ``column(NAME)``."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the column."""
        return str(read_spelling(self).positional[0])


Weight = Literal["train", "all", "test", "relevant"] | UserColumn
"""What a user counts by: a number of ratings, or a column."""


def user_column(name: str) -> UserColumn:
    """The column of a name, as it is spelled.

    >>> user_column("age"), user_column("year of birth").name
    ('column(age)', 'year of birth')
    """
    return UserColumn(f"{_COLUMN}({write_value(name)})")


def _read(given: Any, place: Place) -> UserColumn:
    """A column from its spelling, wherever it was given; all else is refused."""
    if isinstance(given, UserColumn):
        return given
    with suppress(BadSpelling):
        spelled = read_spelling(given) if isinstance(given, str) else given
        if isinstance(spelled, Spelled) and _is_column(spelled):
            [name] = spelled.positional
            return user_column(name if isinstance(name, str) else write_value(name))
    text = str(given) if isinstance(given, str | Spelled) else given
    hint = near(text, _WORDS) if isinstance(text, str) else ""
    raise place.refuse(text, f"one of {', '.join(_WORDS)} or column(NAME)", hint)


def _is_column(spelled: Spelled) -> bool:
    """Whether it is column(NAME), and nothing else is said."""
    rest = spelled.named or spelled.cutoff is not None
    return spelled.name.casefold() == _COLUMN and len(spelled.positional) == 1 and not rest


makers[UserColumn] = _read


def weights_of(asker: str, by: Weight, entered: EnteredScores) -> Floats | Counts:
    """How much the user of each entering topic counts; refused where that is not known."""
    if isinstance(by, UserColumn):
        return _column(asker, by.name, entered)
    known = {
        "test": (entered.judged, "test ratings", "judgments"),
        "relevant": (entered.relevant, "test ratings", "judgments"),
        "train": (entered.of_users(TRAIN_RATINGS), "training ratings", "train"),
        "all": (entered.of_users(ALL_RATINGS), "training and test ratings", "train"),
    }
    counts, what, remedy = known[by]
    if counts is None:
        raise MissingFacts(asker, f"the number of {what} of each user", remedy)
    return counts


def _column(asker: str, name: str, entered: EnteredScores) -> Floats:
    """A column of users, divided by a power of two so that no sum overflows."""
    whole = entered.measured.user_columns.get(name)
    if whole is None:
        known = [each for each in entered.measured.user_columns if each not in _RATINGS]
        there = f" The columns are: {', '.join(known)}." if known else ""
        raise OptionError(
            f"{asker}: no column of numbers called {shown(name)} is known of users."
            f"{near(name, known)}{there} Give a table that has it as user_columns "
            "(--user-columns FILE), or scores that carry it."
        )
    found: Floats = whole[entered.topics]
    wrong = ~np.isfinite(found) | (found < 0)
    if wrong.any():
        _refuse(asker, name, entered, int(np.flatnonzero(wrong)[0]))
    return scaled(found, float(np.max(whole, where=np.isfinite(whole), initial=0.0)))


_RATINGS = (TRAIN_RATINGS, ALL_RATINGS)


def _refuse(asker: str, name: str, entered: EnteredScores, place: int) -> None:
    """Refuse a user who has no weight, or a wrong one, by name."""
    topic = entered.topics[place]
    measured = entered.measured
    user, weight = measured.user_ids[int(measured.topics.users[topic])], measured.user_columns[name]
    has = "has no" if np.isnan(weight[topic]) else f"has {weight[topic]:g} as"
    wanted = "Every user who enters needs a finite number of at least 0"
    raise UnsuitableScores(asker, f"user {shown(user)} {has} {shown(name)}", wanted)
