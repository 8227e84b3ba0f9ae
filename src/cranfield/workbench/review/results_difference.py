"""ResultsDifference: all in which two results differ, and what explains it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.base.dataclass import dataclass
from cranfield.view.nouns.noun_view import ShownTable
from cranfield.view.numbers import fixed, signed
from cranfield.view.prose import listed
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
    whether the decisions explain it. ``data_set`` is which of several it is about.
    """

    name: str
    decisions: tuple[Difference, ...]
    data: tuple[Difference, ...]
    versions: tuple[Difference, ...]
    values: tuple[ValueDifference, ...]
    common: int
    conclusions: tuple[Difference, ...]
    explanation: Explanation
    data_set: str | None = None

    @property
    def sentence(self) -> str:
        """How many values differ, and what explains it."""
        many = counted_numbers(len(self.values), self.common)
        return f"{many} {self.explanation.sentence}".strip()

    @property
    def differing(self) -> dict[str, Sequence[Difference]]:
        """What differs, by its kind."""
        return {
            "Decisions": self.decisions,
            "Data": self.data,
            "Versions and machine": self.versions,
            "Conclusions": self.conclusions,
        }


def difference_tables(found: Sequence[ResultsDifference], first: str) -> Iterator[ShownTable]:
    """One table for each kind of thing in which results differ from the first, of that name.

    ``found`` are the differences of one results, on each data set where there are several.
    """
    if not found:
        return
    names = first, found[0].name
    several = found[0].data_set is not None
    columns = ("data set",) if several else ()
    for kind in found[0].differing:
        rows = _merged([(each, [one.cells for one in each.differing[kind]]) for each in found])
        if rows:
            yield ShownTable(
                caption=f"{kind} that differ, {' and '.join(names)}",
                headings=(*columns, "what", *names),
                rows=rows,
                words=tuple(range(3 + several)),
            )
    rows = _merged([(each, list(map(_row, each.values))) for each in found])
    if rows:
        yield ShownTable(
            caption=f"Values that differ, {' and '.join(names)}",
            headings=(*columns, "system", "metric", *names, "difference"),
            rows=rows,
            words=tuple(range(2 + several)),
        )


_Row = tuple[str, ...]


def _merged(found: Sequence[tuple[ResultsDifference, Sequence[_Row]]]) -> list[_Row]:
    """The rows of all data sets, each with those that it is of; without any, as they are."""
    of_rows: dict[_Row, list[str]] = {}
    for difference, rows in found:
        if difference.data_set is None:
            return list(rows)
        for row in rows:
            of_rows.setdefault(row, []).append(difference.data_set)
    every = len(found) if len(found) > 1 else 0
    return [("all" if len(on) == every else listed(on), *row) for row, on in of_rows.items()]


def _row(found: ValueDifference) -> _Row:
    numbers = fixed(found.first, _DIGITS), fixed(found.second, _DIGITS)
    return (found.system, found.metric, *numbers, signed(found.difference, _DIGITS))
