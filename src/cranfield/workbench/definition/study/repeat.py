"""Repeat: over how many splits and fits a study repeats its base."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.workbench.definition.experiment import Experiment


@decisions("repeat")
@dataclass(frozen=True, kw_only=True)
class Repeat:
    """Over how many splits, and fits on each, the base of a study is repeated.

    Split s has the seed of the base plus s, which is also that of its first fit, so that
    the first repeat is the base itself. All other fits have seeds of their own.
    """

    split_seeds: int = parameter(
        1, "Number of random splits, including that of the base.", at_least=1, at_most=1000
    )
    fit_seeds: int = parameter(
        1, "Number of fits of each system on each split.", at_least=1, at_most=1000
    )

    def seeds(self, base: int) -> list[tuple[int, tuple[int, ...]]]:
        """The seed of each split, and those of the fits on it.

        >>> Repeat(split_seeds=2, fit_seeds=3).seeds(7)
        [(7, (7, 9, 10)), (8, (8, 11, 12))]
        """
        splits, more = self.split_seeds, self.fit_seeds - 1
        return [
            (base + s, (base + s, *(base + splits + s * more + f for f in range(more))))
            for s in range(splits)
        ]

    def problems(self, base: Experiment) -> Iterator[tuple[str, str]]:
        """Why the base cannot be repeated like that."""
        if self.split_seeds * self.fit_seeds == 1:
            yield "repeat", "one split and one fit repeat nothing: give split_seeds or fit_seeds."
        if self.split_seeds > 1 and base.data is None:
            yield "repeat.split_seeds", "the parts of a given split are one split: give 1."
        if base.runs:
            yield "repeat", f"runs cannot be fitted again: {', '.join(base.runs)}."
        if fitted := [name for name, each in base.systems.items() if getattr(each, "fitted", 0)]:
            names = ", ".join(fitted)
            yield "repeat", f"a model that is given fitted is not fitted again: {names}."
        if not isinstance(base.aggregation, LinearAggregation):
            why = "what a user adds to it is not known"
            yield "repeat", f"it needs a mean, and {base.aggregation} is not one: {why}."
