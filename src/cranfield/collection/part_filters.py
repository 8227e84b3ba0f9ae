"""Part filters: which training and which test ratings of a split are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, FilterStep, Mask, filter_steps
from cranfield.collection.ratings import Ratings


@dataclass(frozen=True)
class PartFilters:
    """Filters of training and filters of test, each applied in order to its part alone."""

    train: tuple[Filter, ...] = ()
    test: tuple[Filter, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.train or self.test)


UNFILTERED = PartFilters()


@dataclass(frozen=True)
class PartStep:
    """One filter as applied to the ``part`` train or test.

    Afterwards ``test_users`` users have test ratings and training ratings, and so many
    ``test_ratings``: what is left to judge systems that must know a user.
    """

    part: str
    step: FilterStep
    test_users: int
    test_ratings: int

    def to_dict(self) -> dict[str, Any]:
        """For records: part and filter, sizes before and after, and the test that is left."""
        left = {"test_users": self.test_users, "test_ratings": self.test_ratings}
        return {"part": self.part, **asdict(self.step), **left}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> PartStep:
        """The step that `to_dict` recorded."""
        step = FilterStep.from_dict(record)
        return cls(record["part"], step, record["test_users"], record["test_ratings"])


@dataclass(frozen=True, eq=False)
class KeptParts:
    """Which ratings of training and of test stay, and what each filter did."""

    train: Mask
    test: Mask
    steps: tuple[PartStep, ...]


def filter_parts(train: Ratings, test: Ratings, filters: PartFilters, seeds: Seeds) -> KeptParts:
    """Apply filters to training and to test, which share their ids; ids stay, also unrated.

    Each part is filtered by its own counts: a core of training does not depend on test. A
    filter that leaves nothing of its part is refused.
    """
    left, masks, steps = {"train": train, "test": test}, {}, list[PartStep]()
    for part, chosen in (("train", filters.train), ("test", filters.test)):
        kept = np.ones(len(left[part]), dtype=bool)
        of_part = filter_steps(left[part], chosen, seeds.child(part), f" of {part}_filters")
        for left[part], mask, step in of_part:
            kept[kept] = mask
            steps.append(PartStep(part, step, *_judged(**left)))
        masks[part] = kept
    return KeptParts(masks["train"], masks["test"], tuple(steps))


def _judged(train: Ratings, test: Ratings) -> Iterator[int]:
    """The test users with a training rating, and their test ratings."""
    counts = test.user_counts[train.user_counts > 0]
    yield int(np.count_nonzero(counts))
    yield int(counts.sum())
