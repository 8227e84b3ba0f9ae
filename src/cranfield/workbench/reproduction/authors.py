"""The authors' figures: what they published, as the tables that claims are held to.

Files are those of `assess`: p-values of pairs of systems, and means of systems while the
most popular items leave. The criteria of the experiment give the same tables as for our
own figures, with the data sets of the files as panels, so that every claim that these tables
decide is asked the same question.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from cranfield.base.options import from_table
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence
from cranfield.validity.meta.p_values import RUN_A, RUN_B, p_values_from_table
from cranfield.validity.meta.published_tables import read_table
from cranfield.validity.meta.system_values import (
    SIZE_COLUMNS,
    SYSTEM_COLUMNS,
    values_from_table,
)
from cranfield.workbench.reproduction.reproduction import AuthorsFiles, Reproduction
from cranfield.workbench.results.frames import Frames, assessment_frames, join_panels

PUBLISHED_VARIABLE = "CRANFIELD_PUBLISHED"
_KEYS = (RUN_A, RUN_B, *SYSTEM_COLUMNS, *SIZE_COLUMNS)
_GIVEN = "as given"
_POPULAR = "popular-items"


def authors_frames(made: Reproduction, without: str = "") -> Frames:
    """The tables of the criteria from the authors' files; none where there are no files.

    A system may be left out.
    """
    folder = os.environ.get(PUBLISHED_VARIABLE)
    if made.authors is None or folder is None:
        return {}
    panels: dict[str, Frames] = {}
    for given in made.definition.get("assess", ()):
        criterion: Criterion = from_table("criterion", given)
        for name, path in _files(made.authors, criterion).items():
            if (place := Path(folder) / path).is_file():
                table = named_columns(_without(read_table(place), without), made.authors.metrics)
                found = assessment_frames([_assess(criterion, table, path)])
                panels.setdefault(name, {}).update(found)
    return join_panels(panels) if panels else {}


def _files(authors: AuthorsFiles, criterion: Criterion) -> Mapping[str, str]:
    """The files that tell of a criterion: of robustness, where popular items alone leave."""
    if criterion.needs_p_values:
        return authors.p_values
    scenarios = getattr(criterion, "scenarios", (_POPULAR,))
    return authors.values if tuple(scenarios) == (_POPULAR,) else {}


def authors_systems(made: Reproduction) -> list[str]:
    """The systems that the authors' files name, in the order of the alphabet."""
    folder = os.environ.get(PUBLISHED_VARIABLE)
    if made.authors is None or folder is None:
        return []
    paths = [Path(folder) / path for path in made.authors.p_values.values()]
    tables = [read_table(path) for path in paths if path.is_file()]
    return sorted({name for table in tables for name in table[RUN_A]})


def _without(table: pl.DataFrame, system: str) -> pl.DataFrame:
    named = [name for name in (RUN_A, RUN_B, *SYSTEM_COLUMNS) if name in table.columns]
    return table.filter(*(pl.col(name) != system for name in named)) if system else table


def named_columns(table: pl.DataFrame, metrics: Mapping[str, str]) -> pl.DataFrame:
    """The table with the metrics that are named, as we call them.

    A name that ends in _ stands for all its cut-offs.

    >>> table = pl.DataFrame({"system": ["s"], "P_5": [0.1], "map": [0.2], "err": [0.3]})
    >>> named_columns(table, {"P_": "P@", "map": "AP@100"}).columns
    ['system', 'P@5', 'AP@100']
    """
    called = {}
    for column in table.columns:
        prefix = column.rstrip("0123456789")
        if column in metrics:
            called[column] = metrics[column]
        elif prefix.endswith("_") and prefix in metrics:
            called[column] = metrics[prefix] + column.removeprefix(prefix)
    keys = [column for column in table.columns if column in _KEYS]
    return table.select(*keys, *called).rename(called)


def _assess(criterion: Criterion, table: pl.DataFrame, where: str) -> Assessment:
    if criterion.needs_p_values:
        return criterion.assess(Evidence(p_values=p_values_from_table(table, where)))
    made = criterion.assess(Evidence(values=values_from_table(table, where)))
    return _as_popular_items(made)


def _as_popular_items(made: Assessment) -> Assessment:
    """The assessment with what the files are known to be: means while popular items leave."""
    words = {"scenario": _POPULAR, "mean": "arithmetic"}

    def told(table: pl.DataFrame) -> pl.DataFrame:
        known = [name for name in words if name in table.columns]
        return table.with_columns(pl.col(name).replace(_GIVEN, words[name]) for name in known)

    return replace(
        made,
        tables={name: told(table) for name, table in made.tables.items()},
        details={name: told(table) for name, table in made.details.items()},
    )
