"""ResultsDifference: all in which two results differ, and what explains it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cranfield.view.nouns.noun_view import ShownTable
from cranfield.view.numbers import fixed, signed
from cranfield.workbench.definition.differing import Difference
from cranfield.workbench.review.explaining import Explanation, counted_numbers

_DIGITS = 6
"""Decimals of values that differ, which may do so in the last ones alone."""


@dataclass(frozen=True)
class ValueDifference:
    """One value that two results give differently; None is undefined."""

    system: str
    metric: str
    first: float | None
    second: float | None

    @property
    def difference(self) -> float | None:
        """Second minus first."""
        return None if self.first is None or self.second is None else self.second - self.first


@dataclass(frozen=True, kw_only=True)
class ResultsDifference:
    """How one of several results differs from the first.

    ``decisions``, ``data``, ``versions`` and ``conclusions`` are what differs, ``values`` the
    numbers of the ``common`` ones that do. ``explanation`` tells where the two part, and
    whether the decisions explain it.
    """

    name: str
    decisions: tuple[Difference, ...]
    data: tuple[Difference, ...]
    versions: tuple[Difference, ...]
    values: tuple[ValueDifference, ...]
    common: int
    conclusions: tuple[Difference, ...]
    explanation: Explanation

    @property
    def sentence(self) -> str:
        """How many values differ, and what explains it."""
        many = counted_numbers(len(self.values), self.common)
        return f"{many} {self.explanation.sentence}".strip()

    def tables(self, first: str) -> Iterator[ShownTable]:
        """One table for each kind of thing that differs; ``first`` names the first results."""
        names = first, self.name
        kinds: dict[str, Sequence[Difference]] = {
            "Decisions": self.decisions,
            "Data": self.data,
            "Versions and machine": self.versions,
            "Conclusions": self.conclusions,
        }
        for kind, found in kinds.items():
            if found:
                yield _table(f"{kind} that differ, {first} and {self.name}", found, names)
        if self.values:
            yield ShownTable(
                caption=f"Values that differ, {first} and {self.name}",
                headings=("system", "metric", *names, "difference"),
                rows=[_row(each) for each in self.values],
                words=(0, 1),
            )


def _table(caption: str, found: Sequence[Difference], names: tuple[str, str]) -> ShownTable:
    rows = [(each.path, _text(each.first), _text(each.second)) for each in found]
    return ShownTable(caption=caption, headings=("what", *names), rows=rows, words=(0, 1, 2))


def _text(answer: str | None) -> str:
    return "–" if answer is None else answer


def _row(found: ValueDifference) -> tuple[str, ...]:
    numbers = fixed(found.first, _DIGITS), fixed(found.second, _DIGITS)
    return (found.system, found.metric, *numbers, signed(found.difference, _DIGITS))
