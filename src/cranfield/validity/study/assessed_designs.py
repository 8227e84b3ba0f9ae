"""What criteria say of the metrics in every design of a study, as one assessment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.phrases import joined

_SAID = 3
"""Metrics of which the reading speaks; all are in the tables."""
_DESIGN = "design"


class Figure(NamedTuple):
    """A figure of metrics in every design: a column of a table, whose rows ``keys`` name."""

    title: str
    name: str
    table: pl.DataFrame
    keys: tuple[str, ...]

    def parts(self, order: str | None = None) -> Iterator[tuple[str, pl.DataFrame]]:
        """The rows of each metric, where there are several of it by what else names them."""
        rows = self.table if order is None else self.table.sort(order, maintain_order=True)
        for (metric, *others), part in rows.group_by(self.keys, maintain_order=True):
            yield f"{metric}{''.join(f', {each}' for each in others)}", part


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
        made = Assessment(
            f"{self.criterion} over designs",
            "",
            {"readings": self._readings(), **self._merged("tables")},
            {
                "designs": len(self.assessments),
                "varied": self._varied,
                **_common([dict(each.decisions) for each in known]),
            },
            self._merged("details"),
            notes=tuple(self._notes()),
            words={**_united(known, "words"), "readings": "what was found in each design"},
            across=_united(known, "across"),
        )
        figures = list(self._figures(made))
        charts = tuple(self._charts(figures))
        return replace(made, reading=self._reading(figures), charts=charts)

    @property
    def _varied(self) -> list[str]:
        return [name for name in self.decisions.columns if name != _DESIGN]

    def _reading(self, figures: Sequence[Figure]) -> str:
        """The range of the first figure over the designs, metric by metric."""
        found = sum(each is not None for each in self.assessments)
        if not found:
            many = counted(len(self.assessments), "design")
            return f"{self.criterion} could not be assessed in any of {many}."
        by = f" ({', '.join(self._varied)})" if self._varied else ""
        over = f"Over {counted(found, 'design')}{by}"
        for each in figures[:1]:
            return f"{over}, {each.name} ({each.title}) is {_ranges(each)}."
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
                names = {name: f"decision_{name}" for name in row.columns if name in table.columns}
                named = row.rename(names)
                whole = named.hstack(table)
                found.setdefault(title, []).append(whole)
        return {title: pl.concat(tables, how="diagonal_relaxed") for title, tables in found.items()}

    def _figures(self, made: Assessment) -> Iterator[Figure]:
        """The first figure of each table with a row per metric and design, as readers see it."""
        for name in made.tables:
            table = made.shown(name)
            own = table.columns[self.decisions.width :]
            figures = [each for each in own if table[each].dtype.is_float()]
            if "metric" not in own or not figures:
                continue
            if set(figures) & set(table["metric"]):  # a matrix of metrics is no curve
                continue
            keys = [each for each in own if table[each].dtype == pl.String and each != "metric"]
            several = [each for each in keys if table[each].n_unique() > 1]
            yield Figure(made.title(name), figures[0], table, ("metric", *several))

    def _charts(self, figures: Sequence[Figure]) -> Iterator[Chart]:
        """The first figure of each table over the one number that varies, or the designs."""
        alone = self._varied[0] if len(self._varied) == 1 else _DESIGN
        across = alone if self.decisions[alone].dtype.is_numeric() else _DESIGN
        for each in figures:
            x = each.table.columns[self.decisions.columns.index(across)]
            lines = tuple(
                Line(name, tuple(map(float, part[x])), tuple(part[each.name]))
                for name, part in each.parts(x)
            )
            yield Chart(f"{each.title}: {each.name}", across, each.name, lines)

    def _notes(self) -> Iterator[str]:
        numbers = self.decisions[_DESIGN].to_list()
        for number, each in zip(numbers, self.assessments, strict=True):
            yield from (f"design {number}: {note}" for note in (() if each is None else each.notes))
        yield from (f"design {number} was not assessed: {why}" for number, why in self.problems)


def _united(known: Sequence[Assessment], kind: str) -> dict[str, str]:
    """What the assessments of all designs have of words, or of long tables."""
    return {key: value for each in known for key, value in getattr(each, kind).items()}


def _common(decided: Sequence[dict[str, object]]) -> dict[str, object]:
    """The decisions that are the same in all designs."""
    first = decided[0] if decided else {}
    return {
        name: value
        for name, value in first.items()
        if all(each.get(name) == value for each in decided)
    }


def _ranges(figure: Figure) -> str:
    """From where to where a figure goes for each of the first metrics."""
    said = []
    for name, part in figure.parts():
        known = part[figure.name].drop_nans()
        ends = [f"{each:.3g}" for each in sorted(known.to_list())] or ["undefined"]
        said.append(f"{' to '.join(dict.fromkeys([ends[0], ends[-1]]))} for {name}")
    more = len(said) - _SAID
    rest = [f"{counted(more, 'more metric')} in the table"] if more > 0 else []
    return joined([*said[:_SAID], *rest], "and")
