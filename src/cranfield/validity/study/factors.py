"""Factors: the varied decisions of a study, with every answer as a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Flags

Codes = npt.NDArray[np.int64]
Answer = str | float | bool

DOES_NOT_APPLY = -1
"""The code of a decision in a design to which it does not apply."""


@dataclass(frozen=True, eq=False)
class Factor:
    """One varied decision: ``answers[codes[d]]`` is the answer of design d.

    ``codes`` are −1 where the decision does not apply. The answers of a numeric decision
    ascend; others come in the order in which they first occur.
    """

    name: str
    answers: tuple[Answer, ...]
    codes: Codes
    numeric: bool

    @property
    def applies(self) -> Flags:
        """The designs to which the decision applies."""
        return np.asarray(self.codes != DOES_NOT_APPLY)

    def counts(self, among: Flags) -> Codes:
        """How many of some designs give each answer."""
        chosen = self.codes[among & self.applies]
        return np.bincount(chosen, minlength=len(self.answers)).astype(np.int64)

    def take(self, designs: Flags) -> Factor:
        """The same decision in some of the designs."""
        return Factor(self.name, self.answers, self.codes[designs], self.numeric)


@dataclass(frozen=True)
class DesignFactors:
    """All varied decisions of a study."""

    members: tuple[Factor, ...]
    designs: int

    def __iter__(self) -> Iterator[Factor]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, place: int) -> Factor:
        return self.members[place]

    def take(self, designs: Flags) -> DesignFactors:
        """The same decisions in some of the designs."""
        members = tuple(factor.take(designs) for factor in self.members)
        return DesignFactors(members, int(np.count_nonzero(designs)))


def factors_of(decisions: pl.DataFrame) -> DesignFactors:
    """The decisions of a table of designs, a column each; null = does not apply.

    >>> factors_of(pl.DataFrame({"cutoff": [10, 5, None]}))[0].codes
    array([ 1,  0, -1])
    """
    return DesignFactors(tuple(_factor(column) for column in decisions), len(decisions))


def _factor(column: pl.Series) -> Factor:
    numeric = column.dtype.is_numeric()
    known = column.drop_nulls().unique(maintain_order=True)
    answers = tuple((known.sort() if numeric else known).to_list())
    places = {answer: place for place, answer in enumerate(answers)}
    codes = np.array(
        [DOES_NOT_APPLY if answer is None else places[answer] for answer in column.to_list()],
        dtype=np.int64,
    )
    return Factor(column.name, answers, frozen(codes), numeric)
