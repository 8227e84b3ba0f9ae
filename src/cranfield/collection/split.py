"""Split: which ratings train, and which test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit, OptionError, OtherData, counted
from cranfield.base.files import fingerprint
from cranfield.base.nouns.display import Plotted, Tabular, Typeset
from cranfield.base.nouns.preview import preview
from cranfield.base.options import contract
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import (
    ALWAYS,
    PARTS,
    TEST,
    TRAIN,
    UNUSED,
    VALIDATION,
    Facts,
    Fold,
    GivenFold,
    Mask,
    sizes_of,
)
from cranfield.collection.part_filters import UNFILTERED, PartFilters, filter_parts
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source


@dataclass(frozen=True, eq=False)
class Division:
    """What a splitter decides: the ratings, and for each fold which of them are test.

    ``facts`` holds what is worth knowing beyond sizes, such as the share that was reached.
    ``unused`` says for each fold which ratings are in no part, as what comes after the test
    of a window; without it, all that is not test is training.
    """

    ratings: Ratings
    tests: tuple[Mask, ...]
    facts: Facts = field(default_factory=dict)
    unused: tuple[Mask, ...] = ()

    @property
    def parts(self) -> Iterator[npt.NDArray[np.int8]]:
        """For each fold, the part of each rating."""
        for number, test in enumerate(self.tests):
            parts = np.where(test, TEST, TRAIN)
            if self.unused:
                parts[self.unused[number]] = UNUSED
            yield parts


@contract("split")
class Splitter(Protocol):
    """How ratings are divided into training and test (decision A2)."""

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Choose the test ratings of each fold, from the data and the seed alone."""
        ...


@runtime_checkable
class GivenParts(Protocol):
    """A split whose parts are given as they are, rather than cut from data."""

    def sources(self) -> tuple[Source | None, Source]:
        """What reads training, if there is any, and test."""
        ...


@dataclass(frozen=True, eq=False)
class Split(Plotted, Typeset, Tabular):
    """A division of ratings that can be reproduced exactly.

    Made from the ratings, the options and the seed alone; row order, threads and
    platform do not matter. ``facts`` is what the splitter reported. It can stand for a
    splitter, which divides the same ratings in the same way.
    """

    ratings: Ratings
    folds: tuple[Fold, ...]
    splitter: Splitter
    seed: int
    validation: Splitter | None = None
    facts: Facts = field(default_factory=dict)
    filters: PartFilters = UNFILTERED

    @property
    def train(self) -> Ratings:
        """The training ratings of the only fold."""
        return self._only.train

    @property
    def test(self) -> Ratings:
        """The test ratings of the only fold."""
        return self._only.test

    @cached_property
    def fingerprint(self) -> str:
        """The name of this division: same ratings in the same parts, same fingerprint."""
        return fingerprint(self.ratings.fingerprint, *(fold.parts for fold in self.folds))

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """The same division once more; ratings held out for validation are left out."""
        ours = self.ratings.fingerprint
        if ratings.fingerprint != ours:
            raise OtherData("the split", "ratings", ours, ratings.fingerprint)
        used = [fold.parts != VALIDATION for fold in self.folds]
        if any((each != used[0]).any() for each in used):
            problem = "its folds hold out different ratings for validation"
            raise InfeasibleSplit("the split", problem, "Give the parts of one fold")
        tests, unused = (
            tuple((fold.parts == code)[used[0]] for fold in self.folds) for code in (TEST, UNUSED)
        )
        return Division(ratings.take(used[0]), tests, self.facts, unused)

    def __repr__(self) -> str:
        facts = [str(self.splitter), f"seed {self.seed}", counted(len(self.folds), "fold")]
        rows = [
            [f"fold {number}", *(f"{each:,}" for each in sizes.values())]
            for number, sizes in enumerate(self.sizes, start=1)
        ]
        return preview("Split", facts, rows, ["", *self.sizes[0]])

    @property
    def sizes(self) -> list[dict[str, int]]:
        """How many ratings each part of each fold has; parts that no fold has are left out."""
        found = [sizes_of(fold) for fold in self.folds]
        names = [name for name in PARTS if any(name in sizes for sizes in found)]
        return [{name: sizes.get(name, 0) for name in names} for sizes in found]

    def to_polars(self) -> pl.DataFrame:
        """The ratings with the ``part`` that each is in, all of them once for each ``fold``."""
        table, names = self.ratings.to_polars(), pl.Series(list(PARTS), dtype=pl.String)
        return pl.concat(
            table.with_columns(
                pl.lit(number).cast(pl.Int64).alias("fold"), names.gather(fold.parts).alias("part")
            )
            for number, fold in enumerate(self.folds, start=1)
        )

    @property
    def _only(self) -> Fold:
        if len(self.folds) > 1:
            raise ValueError(f"this split has {len(self.folds)} folds; take one of .folds")
        return self.folds[0]


def split(
    ratings: Ratings,
    splitter: Splitter,
    seed: int = 0,
    validation: Splitter | None = None,
    filters: PartFilters = UNFILTERED,
) -> Split:
    """Divide ratings into training and test and, if asked, cut validation from training.

    Training and test share the ids of the whole. A fold with an empty part is refused. The
    events of a log are divided one by one, and each part counts its own. What ``filters``
    drop of training or test is unused; validation is cut from what they leave of training.
    """
    seeds = Seeds(seed).child("split")
    division = splitter.split(ratings, seeds)
    folds = []
    for number, parts in enumerate(division.parts):
        fold = Fold(division.ratings, parts)
        _refuse_empty(fold, splitter, ALWAYS)
        fold = filter_fold(fold, filters, seed, number)
        if validation is not None:
            fold = _with_validation(fold, validation, seeds.child("validation", fold=number))
        folds.append(fold)
    events = {"events": len(ratings)} if ratings.events else {}
    facts = {**division.facts, **events}
    return Split(division.ratings, tuple(folds), splitter, seed, validation, facts, filters)


def filter_fold(fold: Fold, filters: PartFilters, seed: int, number: int) -> Fold:
    """The fold of a number, with what filters drop of training and test as unused."""
    if not filters:
        return fold
    seeds = Seeds(seed).child("part-filters", fold=number)
    kept = filter_parts(fold.rows(TRAIN), fold.rows(TEST), filters, seeds)
    parts = fold.parts.copy()
    for code, mask in ((TRAIN, kept.train), (TEST, kept.test)):
        parts[fold.parts == code] = np.where(mask, code, UNUSED)
    return replace(fold, parts=parts, steps=kept.steps)


def filter_given(train: Ratings, test: Ratings, filters: PartFilters, seed: int) -> GivenFold:
    """Given parts, which share their ids, with what filters leave of each, events counted."""
    if filters.train and not len(train):
        raise OptionError("train_filters: no training ratings are given.")
    kept = filter_parts(train, test, filters, Seeds(seed).child("part-filters", fold=0))
    if filters:
        train, test = train.take(kept.train), test.take(kept.test)
    return GivenFold(train.aggregate(), test.aggregate(), kept.steps)


def _with_validation(fold: Fold, validation: Splitter, seeds: Seeds) -> Fold:
    train = fold.rows(TRAIN)
    division = validation.split(train, seeds)
    if len(division.tests) != 1 or len(division.ratings) != len(train):
        raise InfeasibleSplit(
            f"validation {validation}",
            f"it makes {len(division.tests)} folds of {len(division.ratings):,} ratings, "
            f"but one part of the {len(train):,} training ratings is wanted",
            "Choose a split with a single fold for validation",
        )
    parts, [cut_parts] = fold.parts.copy(), division.parts
    parts[parts == TRAIN] = np.where(cut_parts == TEST, VALIDATION, cut_parts)
    cut = replace(fold, parts=parts, validation_facts=division.facts)
    _refuse_empty(cut, validation, ("train", "validation"))
    return cut


def _refuse_empty(fold: Fold, splitter: Splitter, names: tuple[str, ...]) -> None:
    for name in names:
        if not (fold.parts == PARTS[name]).any():
            raise InfeasibleSplit(
                str(splitter),
                f"of {len(fold.ratings):,} ratings none is left for {name}",
                "Give more ratings, another share or another seed",
            )
