"""Designs: what every system reached under every design, and the decisions that vary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Counts, Flags, Floats
from cranfield.significance.samples import ROUNDING

LEVEL = 0.05
"""The level of significance where none is given."""

Codes = npt.NDArray[np.int64]
Answer = str | float | bool

DOES_NOT_APPLY = -1
"""The code of a decision in a design to which it does not apply."""


@dataclass(frozen=True, eq=False)
class Designs:
    """What every system reached under every design: the universe of a study.

    A design answers every varied decision once. ``decisions`` has a row per design and a
    column per varied decision, numbers where all its answers are numbers and else text as
    spelled; a design to which a decision does not apply (the gain of a precision) has null.
    ``values[d, s]`` is the aggregated value of system s. ``pairs`` are all pairs of
    systems; ``effects[d, p]`` is the standardised difference of pair p, first minus second
    (the mean over users divided by the standard deviation, on the scale of the test),
    ``p_values[d, p]`` its two-sided p-value, unadjusted. NaN = undefined. ``users[d]``
    counts the users compared, ``topics[d]`` the topics that entered the first system's
    value, where known. ``base`` is the design from which the others vary, if it is
    among them. ``joint[p]`` is the p-value of "no difference in any design" and
    ``adjusted[d, p]`` allows for all designs (maximum statistic), where they were tested.
    """

    decisions: pl.DataFrame
    systems: tuple[str, ...]
    values: Floats
    effects: Floats
    p_values: Floats
    users: Counts
    base: int | None = None
    alpha: float = LEVEL
    joint: Floats | None = None
    adjusted: Floats | None = None
    draws: int = 0
    topics: Counts | None = None

    def __post_init__(self) -> None:
        shape = len(self), len(self.pairs)
        assert self.values.shape == (len(self), len(self.systems))
        assert self.effects.shape == shape
        assert self.p_values.shape == shape
        for name in ("values", "effects", "p_values", "users", "joint", "adjusted", "topics"):
            if (array := getattr(self, name)) is not None:
                object.__setattr__(self, name, frozen(array))

    def __len__(self) -> int:
        return len(self.decisions)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of systems, by their places, in the order of every array of pairs."""
        return tuple(combinations(range(len(self.systems)), 2))

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The decisions that take more than one answer."""
        return tuple(self.decisions.columns)

    @cached_property
    def differences(self) -> Floats:
        """Value of the first system minus that of the second; 0 up to rounding is 0."""
        first, second = (
            self.values[:, np.array([pair[place] for pair in self.pairs], int)] for place in (0, 1)
        )
        equal = np.abs(first - second) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
        return np.where(equal, 0.0, first - second)

    @cached_property
    def signs(self) -> Floats:
        """1 where the first system of a pair scores more, −1 less, 0 the same or undefined."""
        return np.sign(np.nan_to_num(self.differences))

    @cached_property
    def ranks(self) -> Floats:
        """The rank of each system under each design, 1 the best; equal values share a mean.

        Values that differ by rounding alone are equal; an undefined one is below all others.
        """
        values, sizes = np.nan_to_num(self.values, nan=-np.inf), np.abs(np.nan_to_num(self.values))
        mine, others = values[:, :, None], values[:, None, :]
        slack = ROUNDING * np.maximum(sizes[:, :, None], sizes[:, None, :])
        with np.errstate(invalid="ignore"):
            equal = (others == mine) | (np.abs(others - mine) <= slack)
        above = (others > mine) & ~equal
        return np.asarray(above.sum(axis=2) + (equal.sum(axis=2) + 1) / 2)

    @cached_property
    def first(self) -> Flags:
        """Where no other system has a better value (designs × systems)."""
        best = self.ranks == self.ranks.min(axis=1, keepdims=True)
        return np.asarray(best & ~np.isnan(self.values))


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
        """How many of the flagged designs give each answer."""
        chosen = self.codes[among & self.applies]
        return np.bincount(chosen, minlength=len(self.answers)).astype(np.int64)

    def take(self, designs: Flags) -> Factor:
        """The same decision in the flagged designs."""
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
        """The same decisions in the flagged designs."""
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
