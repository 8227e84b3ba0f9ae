"""Aggregated: what an aggregation needs of the experiment that it is part of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield.base.errors import near, shown
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.user_weight import UserColumn


def column_asked(aggregation: Aggregation) -> str | None:
    """The column of users that an aggregation weights by, if any."""
    weight = getattr(aggregation, "by", None)
    return weight.name if isinstance(weight, UserColumn) else None


def lacking(
    aggregation: Aggregation, user_columns: Any, names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What an experiment with these systems lacks for its aggregation."""
    column = column_asked(aggregation)
    if column is not None and user_columns is None:
        yield (
            "user_columns",
            f"{aggregation} needs a file or table of users that has the column {shown(column)}.",
        )
    for name in _systems_named(aggregation):
        if name not in names:
            known = f"It is one of {', '.join(names)}.{near(name, names)}"
            yield "aggregation", f"no system is called {shown(name)}. {known}"


def _systems_named(aggregation: Aggregation) -> tuple[str, ...]:
    """The systems that an aggregation compares with by name: a reference, or a baseline."""
    others, baseline = aggregation.compares, getattr(aggregation, "baseline", None)
    if isinstance(others, tuple):
        return others
    return () if baseline is None else (baseline,)
