"""Fold: one division of ratings into training, test and what else there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.collection.leakage import Cold, Leakage, cold, in_both, leakage
from cranfield.collection.part_filters import PartStep
from cranfield.collection.ratings import Ratings

Mask = npt.NDArray[np.bool_]
Facts = Mapping[str, float]
"""What a split found out while it was made, by name."""

TRAIN, TEST, VALIDATION, UNUSED = np.int8(0), np.int8(1), np.int8(2), np.int8(3)
PARTS: Mapping[str, np.int8] = {
    "train": TRAIN, "test": TEST, "validation": VALIDATION, "unused": UNUSED,
}  # fmt: skip
ALWAYS = ("train", "test")
"""The parts that every fold has."""


@dataclass(frozen=True, eq=False)
class GivenFold:
    """Training and test as they were given, under the same ids; a pair may be in both."""

    train: Ratings
    test: Ratings
    steps: tuple[PartStep, ...] = ()

    @cached_property
    def repeated(self) -> Mask:
        """For each test rating, whether its pair is in training too."""
        return in_both(self.test, self.train)

    @property
    def test_share(self) -> float:
        """The share of all ratings that are test."""
        return len(self.test) / max(len(self.train) + len(self.test), 1)

    @cached_property
    def leakage(self) -> Leakage | None:
        """How far training looks into the future of the test; None without timestamps."""
        return leakage(self.train, self.test)

    @cached_property
    def cold(self) -> Cold:
        """How many test users and test items are unknown to training."""
        return cold(self.train, self.test)


@dataclass(frozen=True, eq=False)
class Fold:
    """One division of the ratings: every rating is in exactly one part, none is empty.

    The part ``unused`` is neither learnt from nor judged by. Of a log, every event is in one
    part, which counts its own: a pair may be in several.
    ``validation_facts`` is what the split reported that cut validation from training,
    ``steps`` what filters of training and test did.
    """

    ratings: Ratings
    parts: npt.NDArray[np.int8]
    validation_facts: Facts = field(default_factory=dict)
    steps: tuple[PartStep, ...] = ()

    def __repr__(self) -> str:
        return f"Fold({', '.join(f'{size:,} {name}' for name, size in sizes_of(self).items())})"

    def rows(self, code: np.int8) -> Ratings:
        """What was divided, as far as it is in one part: ratings, or the events of a log."""
        return self.ratings.take(self.parts == code)

    def part(self, code: np.int8) -> Ratings:
        """The ratings of one part, its events counted, made anew at every call."""
        return self.rows(code).aggregate()

    @cached_property
    def train(self) -> Ratings:
        """What systems may learn from."""
        return self.part(TRAIN)

    @cached_property
    def test(self) -> Ratings:
        """What systems are judged by."""
        return self.part(TEST)

    @cached_property
    def validation(self) -> Ratings | None:
        """What parameters may be chosen by, if it was asked for."""
        return self.part(VALIDATION) if (self.parts == VALIDATION).any() else None

    @cached_property
    def repeated(self) -> Mask:
        """For each test rating, whether its pair is in training too, as events can be."""
        if not self.ratings.events:
            return np.zeros(len(self.test), dtype=bool)
        return in_both(self.test, self.train)

    @property
    def test_share(self) -> float:
        """The share of all ratings, or of all events, that are test."""
        return float(np.mean(self.parts == TEST))

    @cached_property
    def leakage(self) -> Leakage | None:
        """How far training looks into the future of the test; None without timestamps."""
        return leakage(self.rows(TRAIN), self.rows(TEST))

    @cached_property
    def cold(self) -> Cold:
        """How many test users and test items are unknown to training."""
        return cold(self.train, self.test)


def sizes_of(fold: Fold) -> dict[str, int]:
    """How many ratings each part of a fold has; validation and unused only where there are some."""
    sizes = {name: int(np.count_nonzero(fold.parts == code)) for name, code in PARTS.items()}
    return {name: size for name, size in sizes.items() if size or name in ALWAYS}
