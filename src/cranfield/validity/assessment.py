"""Assessment: a verdict on the measurement, with the figures behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import isfinite
from typing import TYPE_CHECKING, Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnknownParameter
from cranfield.base.nouns.display import Plotted, Tabular, Typeset, as_pandas
from cranfield.base.nouns.preview import preview
from cranfield.base.serialisation.plain import plain, restored, table_of
from cranfield.base.storable import storable

if TYPE_CHECKING:
    import pandas as pd

VALUE = "value"
"""The column of a long table that holds its figures."""


@storable
@dataclass(frozen=True)
class Line:
    """One line of a chart: a name and its points, x ascending or descending."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@storable
@dataclass(frozen=True)
class Chart:
    """Lines that belong into one picture."""

    title: str
    x_title: str
    y_title: str
    lines: tuple[Line, ...]


@storable
@dataclass(frozen=True)
class HeatMap:
    """Agreements from −1 to 1 of every row with every column, to be shown as colours."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@storable
@dataclass(frozen=True, eq=False)
class Assessment(Plotted, Typeset, Tabular):
    """A verdict on the measurement.

    ``reading`` says in one sentence what the figures mean. ``tables`` hold the figures to
    look at, ``details`` those to compute with; NaN means undefined in both. ``decisions``
    say how the verdict was reached, ``notes`` what else a reader should know. Tables and
    columns are named by identifiers; ``words`` are what readers see in place of them, and
    of the numbers that head a column. A table named in ``across`` is long: it has a row for
    each value of the column given there, and readers see these values side by side.
    """

    criterion: str
    reading: str
    tables: Mapping[str, pl.DataFrame]
    decisions: Mapping[str, Any]
    details: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    charts: tuple[Chart | HeatMap, ...] = ()
    notes: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    across: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        tables = [[name, f"{len(table):,} rows"] for name, table in self.tables.items()]
        return preview("Assessment", [self.criterion, self.reading], tables)

    def to_polars(self, table: str | None = None) -> pl.DataFrame:
        """A table of figures: the first, or the one of that name."""
        known = {**self.tables, **self.details}
        wanted = next(iter(known), "") if table is None else table
        if wanted not in known:
            raise UnknownParameter("assessment", wanted, known, what="table")
        return known[wanted]

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """The table of `to_polars` as one of pandas; needs pandas."""
        return as_pandas(self.to_polars(table))

    def title(self, name: str) -> str:
        """What readers see in place of the name of a table or column."""
        return self.words.get(name, name)

    def shown(self, name: str) -> pl.DataFrame:
        """A table as readers see it: its columns in words, a long one with columns side by side."""
        table = self.tables[name]
        table = table.rename({each: self.title(each) for each in table.columns})
        if name not in self.across:
            return table
        return side_by_side(table, self.title(self.across[name]), self.words)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the reading, then every figure; what is undefined is null."""
        return {
            "criterion": self.criterion,
            "reading": self.reading,
            "decisions": dict(self.decisions),
            "tables": {name: _rows(table) for name, table in self.tables.items()},
            "details": {name: _rows(table) for name, table in self.details.items()},
            "charts": plain(self.charts),
            "notes": list(self.notes),
            "words": dict(self.words),
            "across": dict(self.across),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Assessment:
        """The assessment that `to_dict` recorded."""
        tables, details = (
            {name: _table(rows) for name, rows in record[part].items()}
            for part in ("tables", "details")
        )
        return cls(
            record["criterion"],
            record["reading"],
            tables,
            record["decisions"],
            details,
            restored(tuple[Chart | HeatMap, ...], record["charts"]),
            tuple(record["notes"]),
            restored(dict[str, str], record["words"]),
            restored(dict[str, str], record["across"]),
        )


def side_by_side(
    table: pl.DataFrame, column: str, words: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """A long table with the values of one column as columns, which ``value`` fills.

    Text heads its column as it is, a number in the given words. A value that is called like
    another column is told apart from it.

    >>> long = pl.DataFrame({"metric": ["P", "P"], "size": [1.0, 0.5], "value": [0.9, 0.8]})
    >>> side_by_side(long, "size", {"0.5": "50 %"}).rows(named=True)
    [{'metric': 'P', '1': 0.9, '50 %': 0.8}]
    """
    keys = [each for each in table.columns if each not in (column, VALUE)]
    wide = table.select(keys).unique(maintain_order=True)
    for value in table[column].unique(maintain_order=True):
        heading = value if isinstance(value, str) else number_key(value)
        heading = heading if isinstance(value, str) else (words or {}).get(heading, heading)
        while heading in wide.columns:
            heading += f" ({column})"
        part = table.filter(pl.col(column) == value).select(*keys, pl.col(VALUE).alias(heading))
        wide = wide.join(part, keys, "left", nulls_equal=True, maintain_order="left")
    return wide


def number_key(number: float) -> str:
    """A number as ``words`` name it.

    >>> number_key(1.0), number_key(0.05)
    ('1', '0.05')
    """
    return f"{number:.12g}"


def _rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    return [{key: _known(value) for key, value in row.items()} for row in table.to_dicts()]


def _table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The table that has these rows; its columns are those of the first."""
    names = list(rows[0]) if rows else []
    return table_of({name: [row[name] for row in rows] for name in names})


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
