"""Filter: which ratings of a data set stay, and a record of what each filter removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import NothingLeft, counted
from cranfield.base.nouns.preview import preview
from cranfield.base.options import contract, spell_fully
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings

Mask = npt.NDArray[np.bool_]


@contract("filter")
class Filter(Protocol):
    """Which ratings of a data set are kept (decision A1)."""

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

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> FilterStep:
        """The step whose fields a record holds."""
        return cls(record["filter"], Size(**record["before"]), Size(**record["after"]))


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
    left, steps = ratings, list[FilterStep]()
    for left, _, step in filter_steps(ratings, filters, Seeds(seed)):  # noqa: B007
        steps.append(step)
    return Filtered(left.compact() if steps else left, tuple(steps))


def filter_steps(
    ratings: Ratings, filters: Iterable[Filter], seeds: Seeds, where: str = ""
) -> Iterator[tuple[Ratings, Mask, FilterStep]]:
    """After each filter: what is left under the same ids, which rows that are, and sizes.

    ``where`` is said after the filter that leaves nothing.
    """
    for number, chosen in enumerate(filters):
        before = size_of(ratings)
        kept = _kept(ratings, chosen, seeds.child("filter", step=number))
        ratings = ratings.take(kept)
        if not len(ratings):
            raise NothingLeft(f"{chosen}{where}", before.ratings)
        yield ratings, kept, FilterStep(spell_fully(chosen), before, size_of(ratings))


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
