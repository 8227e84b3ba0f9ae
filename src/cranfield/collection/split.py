"""Split: which ratings train, which test, and how far the test leaks into the training."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import InfeasibleSplit
from cranfield.base.options import contract
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings

Mask = npt.NDArray[np.bool_]

TRAIN, TEST, VALIDATION = np.int8(0), np.int8(1), np.int8(2)


@dataclass(frozen=True, eq=False)
class Division:
    """What a splitter decides: the ratings, and for each fold which of them are test."""

    ratings: Ratings
    tests: tuple[Mask, ...]


@contract("split")
class Splitter(Protocol):
    """How ratings are divided into training and test (decision A2)."""

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Choose the test ratings of each fold, from the data and the seed alone."""
        ...


@dataclass(frozen=True, eq=False)
class Fold:
    """One division of the ratings: every rating is in exactly one part."""

    ratings: Ratings
    parts: npt.NDArray[np.int8]

    @cached_property
    def train(self) -> Ratings:
        """What systems may learn from."""
        return self.ratings.take(self.parts == TRAIN)

    @cached_property
    def test(self) -> Ratings:
        """What systems are judged by."""
        return self.ratings.take(self.parts == TEST)

    @cached_property
    def validation(self) -> Ratings | None:
        """What parameters may be chosen by, if it was asked for."""
        chosen = self.parts == VALIDATION
        return self.ratings.take(chosen) if chosen.any() else None

    @cached_property
    def leakage(self) -> Leakage | None:
        """How far training looks into the future of the test; None without timestamps."""
        return leakage(self.train, self.test)


@dataclass(frozen=True, eq=False)
class Split:
    """A division of ratings that anyone can make again.

    Made from the ratings, the options and the seed alone; row order, threads and
    platform do not matter.
    """

    ratings: Ratings
    folds: tuple[Fold, ...]
    splitter: Splitter
    seed: int
    validation: Splitter | None = None

    @property
    def train(self) -> Ratings:
        """The training ratings of the only fold."""
        return self._only.train

    @property
    def test(self) -> Ratings:
        """The test ratings of the only fold."""
        return self._only.test

    @property
    def _only(self) -> Fold:
        if len(self.folds) > 1:
            raise ValueError(f"this split has {len(self.folds)} folds; take one of .folds")
        return self.folds[0]


def split(
    ratings: Ratings, splitter: Splitter, seed: int = 0, validation: Splitter | None = None
) -> Split:
    """Divide ratings into training and test and, if asked, cut validation from training.

    Training and test share the ids of the whole. A fold without a test rating, or
    without a training rating, is refused.
    """
    seeds = Seeds(seed).child("split")
    division = splitter.split(ratings, seeds)
    folds = [
        Fold(division.ratings, np.where(test, TEST, TRAIN).astype(np.int8))
        for test in division.tests
    ]
    if validation is not None:
        folds = [
            _with_validation(fold, validation, seeds.child("validation", fold=number))
            for number, fold in enumerate(folds)
        ]
    for fold in folds:
        _refuse_empty(fold, splitter)
    return Split(division.ratings, tuple(folds), splitter, seed, validation)


def _with_validation(fold: Fold, validation: Splitter, seeds: Seeds) -> Fold:
    division = validation.split(fold.train, seeds)
    if len(division.tests) != 1 or len(division.ratings) != len(fold.train):
        raise InfeasibleSplit(
            str(validation), "it does not cut one part from the training ratings",
            "Choose a split with a single fold for validation",
        )
    parts = fold.parts.copy()
    parts[np.flatnonzero(parts == TRAIN)[division.tests[0]]] = VALIDATION
    return Fold(fold.ratings, parts)


def _refuse_empty(fold: Fold, splitter: Splitter) -> None:
    for name, part in (("training", fold.train), ("test", fold.test)):
        if not len(part):
            raise InfeasibleSplit(
                str(splitter), f"no rating of {len(fold.ratings):,} is left for {name}",
                "Give more ratings or another share",
            )


@dataclass(frozen=True)
class Leakage:
    """How much of the training comes from the future of the test.

    ``per_user``: the share of training ratings later than their own user's first test
    rating. ``overall``: the share later than the earliest test rating of anyone, which is
    0 only on a global timeline.
    """

    per_user: float
    overall: float


def leakage(train: Ratings, test: Ratings) -> Leakage | None:
    """The leakage of one fold; None where there are no timestamps."""
    if train.timestamps is None or test.timestamps is None or not len(train) or not len(test):
        return None
    first = np.full(test.n_users, np.iinfo(np.int64).max)
    np.minimum.at(first, test.users, test.timestamps)
    return Leakage(
        per_user=float(np.mean(train.timestamps > first[train.users])),
        overall=float(np.mean(train.timestamps > test.timestamps.min())),
    )
