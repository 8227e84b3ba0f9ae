"""Filter: which ratings of a data set stay, and a record of what each filter removed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import NothingLeft, counted
from cranfield.base.options import contract, spell_fully
from cranfield.base.preview import preview
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings

Mask = npt.NDArray[np.bool_]


@contract("filter")
class Filter(Protocol):
    """Which ratings of a data set stay (decision A1)."""

    of_events: ClassVar[bool] = False
    """Whether single events of a log stay or go; otherwise pairs do, as their counts say."""

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """For each rating, whether it stays."""
        ...


@dataclass(frozen=True)
class Size:
    """How large a data set is."""

    users: int
    items: int
    ratings: int


@dataclass(frozen=True)
class FilterStep:
    """One filter as applied: what went in and what came out."""

    filter: str
    before: Size
    after: Size


@dataclass(frozen=True, eq=False)
class Filtered:
    """Ratings after filtering, with every step on record."""

    ratings: Ratings
    steps: tuple[FilterStep, ...]

    def __repr__(self) -> str:
        rows = [[each.filter, f"{each.after.ratings:,} ratings left"] for each in self.steps]
        return preview("Filtered", [repr(self.ratings), counted(len(rows), "filter")], rows)


def filter_ratings(ratings: Ratings, filters: Iterable[Filter], seed: int = 0) -> Filtered:
    """Apply filters in the order given; ids without a rating left go away at the end.

    A filter that leaves nothing is refused, since no experiment can follow.
    """
    steps: list[FilterStep] = []
    for number, chosen in enumerate(filters):
        before = size_of(ratings)
        ratings = ratings.take(_kept(ratings, chosen, Seeds(seed).child("filter", step=number)))
        if not len(ratings):
            raise NothingLeft(str(chosen), before.ratings)
        steps.append(FilterStep(spell_fully(chosen), before, size_of(ratings)))
    return Filtered(ratings.compact() if steps else ratings, tuple(steps))


def _kept(ratings: Ratings, chosen: Filter, seeds: Seeds) -> Mask:
    """For each row, whether it stays; all events of a pair do as their count does."""
    if not ratings.events or getattr(chosen, "of_events", False):
        return chosen.keep(ratings, seeds)
    begins = (np.diff(ratings.users) != 0) | (np.diff(ratings.items) != 0)
    pairs = np.cumsum(np.append(0, begins))
    kept: Mask = chosen.keep(ratings.aggregate(), seeds)[pairs]
    return kept


def size_of(ratings: Ratings) -> Size:
    """The users and items with a rating, and the ratings, or the events of a log."""
    return Size(
        users=int(np.count_nonzero(ratings.user_counts)),
        items=int(np.count_nonzero(ratings.item_counts)),
        ratings=len(ratings),
    )
