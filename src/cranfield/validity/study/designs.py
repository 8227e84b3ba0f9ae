"""Designs: what every system reached under every design, and the decisions that vary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Counts, Flags, Floats
from cranfield.significance.samples.samples import ROUNDING

LEVEL = 0.05
"""The level of significance where none is given."""

Codes = npt.NDArray[np.int64]
Answer = str | float | bool

DOES_NOT_APPLY = -1
"""The code of a decision in a design to which it does not apply."""

_BY_DESIGN = ("values", "effects", "p_values", "users", "adjusted", "topics", "weights")
_SAME = "the first that is the same"
_ARRAYS = (*_BY_DESIGN, "joint", "same_as")


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

    Two designs are the same if no user's contribution and no system's value differs in any
    bit; ``same_as[d]`` is the first that is the same as d, each its own if not given.
    ``tried`` is how many there were before each was taken once, where that was done.
    ``reasons`` says why decisions had no effect, where that is known. ``weights``
    are those of the answers; they act on shares of designs and on no test.
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
    same_as: Counts | None = None
    tried: int | None = None
    weights: Floats | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = len(self), len(self.pairs)
        assert self.values.shape == (len(self), len(self.systems))
        assert self.effects.shape == shape
        assert self.p_values.shape == shape
        for name in _ARRAYS:
            if (array := getattr(self, name)) is not None:
                object.__setattr__(self, name, frozen(array))

    def __len__(self) -> int:
        return len(self.values)  # a table without a column has no rows in older Polars

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of systems, by their places, in the order of every array of pairs."""
        return tuple(combinations(range(len(self.systems)), 2))

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The decisions that take more than one answer."""
        return tuple(self.decisions.columns)

    @cached_property
    def copies(self) -> Counts:
        """How many designs are the same as each, itself included."""
        if self.same_as is None:
            return np.ones(len(self), dtype=np.int64)
        return np.asarray(np.bincount(self.same_as, minlength=len(self))[self.same_as])

    @cached_property
    def firsts(self) -> Codes:
        """The first of each set of designs that are the same."""
        same = np.arange(len(self)) if self.same_as is None else self.same_as
        return np.flatnonzero(same == np.arange(len(self)))

    @cached_property
    def without_effect(self) -> tuple[str, ...]:
        """The decisions whose answers change nothing, whatever the answers to the others."""
        if self.same_as is None:
            return ()
        return tuple(name for name in self.factors if self._has_no_effect(name))

    def _has_no_effect(self, name: str) -> bool:
        others = [other for other in self.factors if other != name]
        groups = self.decisions.with_columns(pl.Series(_SAME, self.same_as)).group_by(
            others or pl.lit(0)
        )
        found = groups.agg(pl.col(_SAME).n_unique(), pl.col(name).n_unique())
        return bool((found[_SAME] == 1).all() and (found[name] > 1).any())

    def distinct(self) -> Designs:
        """Each design once, by the decisions that have an effect."""
        if self.same_as is None:
            return self
        first = self.firsts
        taken: dict[str, Any] = {
            name: None if (known := getattr(self, name)) is None else known[first]
            for name in _BY_DESIGN
        }
        if self.weights is not None:
            whole = np.bincount(self.same_as, self.weights, len(self))
            taken["weights"] = (whole / self.copies)[first]
        base = self.base
        return replace(
            self,
            decisions=self.decisions[first.tolist()].drop(self.without_effect),
            base=None if base is None else int(np.searchsorted(first, self.same_as[base])),
            same_as=None,
            tried=len(self),
            **taken,
        )

    def share_of(self, designs: Flags) -> float:
        """The share of the flagged designs, by the weights of their answers."""
        weights = np.ones(len(self)) if self.weights is None else self.weights
        return float(weights[designs].sum() / weights.sum()) if weights.any() else 0.0

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

    def counts(self, among: Flags, weights: Floats | None = None) -> Floats:
        """How many of the flagged designs give each answer, or how much these weigh."""
        chosen = among & self.applies
        weighed = None if weights is None else weights[chosen]
        return np.bincount(self.codes[chosen], weighed, len(self.answers)).astype(float)

    def take(self, designs: Flags) -> Factor:
        """The same decision in the flagged designs."""
        return Factor(self.name, self.answers, self.codes[designs], self.numeric)


@dataclass(frozen=True)
class DesignFactors:
    """All varied decisions of a study.

    ``weights`` say how much designs count, alike unless given: one that is the same as
    another counts half.
    """

    members: tuple[Factor, ...]
    designs: int
    weights: Floats | None = None

    def weigh(self, among: Flags) -> float:
        """How many distinct designs are flagged."""
        return float(np.count_nonzero(among) if self.weights is None else self.weights[among].sum())

    def __iter__(self) -> Iterator[Factor]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, place: int) -> Factor:
        return self.members[place]

    def take(self, designs: Flags) -> DesignFactors:
        """The same decisions in the flagged designs."""
        members = tuple(factor.take(designs) for factor in self.members)
        weights = None if self.weights is None else self.weights[designs]
        return DesignFactors(members, int(np.count_nonzero(designs)), weights)


def factors_of(decisions: pl.DataFrame, weights: Floats | None = None) -> DesignFactors:
    """The decisions of a table of designs, a column each; null = does not apply.

    >>> factors_of(pl.DataFrame({"cutoff": [10, 5, None]}))[0].codes
    array([ 1,  0, -1])
    """
    return DesignFactors(tuple(_factor(column) for column in decisions), len(decisions), weights)


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
