"""What criteria say of the metrics in every design of a study, as one assessment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from cranfield.base.errors import counted
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.phrases import joined

_SAID = 3
"""Metrics of which the reading speaks; all are in the tables."""
_DESIGN = "design"


@dataclass(frozen=True, eq=False)
class AssessedDesigns:
    """What one criterion says in some designs.

    ``decisions`` has a row per design: its number and its answers to what was varied;
    ``assessments`` are in the same order, None where there is none, for the reason in
    ``problems``, which names a design by its number.
    """

    criterion: str
    decisions: pl.DataFrame
    assessments: Sequence[Assessment | None]
    problems: Sequence[tuple[int, str]] = ()

    def together(self) -> Assessment:
        """One assessment: what was found in each design, and every table with the answers."""
        known = [each for each in self.assessments if each is not None]
        tables = {"what was found in each design": self._readings(), **self._merged("tables")}
        return Assessment(
            f"{self.criterion} over designs",
            self._reading(),
            tables,
            {
                "designs": len(self.assessments),
                "varied": self._varied,
                **_common([dict(each.decisions) for each in known]),
            },
            self._merged("details"),
            tuple(self._charts()),
            tuple(self._notes()),
        )

    @property
    def _varied(self) -> list[str]:
        return [name for name in self.decisions.columns if name != _DESIGN]

    def _reading(self) -> str:
        """The range of the first figure over the designs, metric by metric."""
        found = sum(each is not None for each in self.assessments)
        if not found:
            many = counted(len(self.assessments), "design")
            return f"{self.criterion} could not be assessed in any of {many}."
        by = f" ({', '.join(self._varied)})" if self._varied else ""
        over = f"Over {counted(found, 'design')}{by}"
        for title, figure, table in self._figures():
            return f"{over}, {figure} ({title}) is {_ranges(table, figure)}."
        return f"{over}, what was found in each is in the table."

    def _readings(self) -> pl.DataFrame:
        said = [None if each is None else each.reading for each in self.assessments]
        return self.decisions.with_columns(pl.Series("reading", said, dtype=pl.String))

    def _merged(self, kind: str) -> dict[str, pl.DataFrame]:
        """The tables of all designs by title, each with the answers of its design."""
        found: dict[str, list[pl.DataFrame]] = {}
        for place, each in enumerate(self.assessments):
            parts = {} if each is None else getattr(each, kind)
            for title, table in parts.items():
                row = self.decisions[[place] * len(table)]
                names = {name: f"decision {name}" for name in row.columns if name in table.columns}
                named = row.rename(names)
                whole = pl.concat([named, table], how="horizontal")
                found.setdefault(title, []).append(whole)
        return {title: pl.concat(tables, how="diagonal_relaxed") for title, tables in found.items()}

    def _figures(self) -> Iterator[tuple[str, str, pl.DataFrame]]:
        """Title, first figure and rows of each table with a row per metric and design."""
        for title, table in self._merged("tables").items():
            own = table.columns[self.decisions.width :]
            figures = [name for name in own if table[name].dtype.is_float()]
            if "metric" not in own or not figures:
                continue
            if not set(figures) & set(table["metric"]):  # a matrix of metrics is no curve
                yield title, figures[0], table

    def _charts(self) -> Iterator[Chart]:
        """The first figure of each table over the one number that varies, or the designs."""
        alone = self._varied[0] if len(self._varied) == 1 else _DESIGN
        across = alone if self.decisions[alone].dtype.is_numeric() else _DESIGN
        for title, figure, table in self._figures():
            x = table.columns[self.decisions.columns.index(across)]
            yield Chart(f"{title}: {figure}", across, figure, _lines(table, x, figure))

    def _notes(self) -> Iterator[str]:
        numbers = self.decisions[_DESIGN].to_list()
        for number, each in zip(numbers, self.assessments, strict=True):
            yield from (f"design {number}: {note}" for note in (() if each is None else each.notes))
        yield from (f"design {number} was not assessed: {why}" for number, why in self.problems)


def _lines(table: pl.DataFrame, across: str, figure: str) -> tuple[Line, ...]:
    parts = table.sort(across, maintain_order=True).group_by("metric", maintain_order=True)
    return tuple(
        Line(str(name), tuple(map(float, part[across])), tuple(part[figure]))
        for (name,), part in parts
    )


def _common(decided: Sequence[dict[str, object]]) -> dict[str, object]:
    """The decisions that are the same in all designs."""
    first = decided[0] if decided else {}
    return {
        name: value
        for name, value in first.items()
        if all(each.get(name) == value for each in decided)
    }


def _ranges(table: pl.DataFrame, figure: str) -> str:
    """From where to where a figure goes for each of the first metrics."""
    said = []
    for (name,), part in table.group_by("metric", maintain_order=True):
        known = part[figure].drop_nans()
        ends = [f"{each:.3g}" for each in sorted(known.to_list())] or ["undefined"]
        said.append(f"{' to '.join(dict.fromkeys([ends[0], ends[-1]]))} for {name}")
    more = len(said) - _SAID
    rest = [f"{counted(more, 'more metric')} in the table"] if more > 0 else []
    return joined([*said[:_SAID], *rest], "and")
