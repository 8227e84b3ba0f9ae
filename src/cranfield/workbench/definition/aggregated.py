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
    column, others = column_asked(aggregation), aggregation.compares
    if column is not None and user_columns is None:
        yield (
            "user_columns",
            f"{aggregation} needs a file or table of users that has the column {shown(column)}.",
        )
    for name in others if isinstance(others, tuple) else ():
        if name not in names:
            known = f"It is one of {', '.join(names)}.{near(name, names)}"
            yield "aggregation", f"no system is called {shown(name)}. {known}"
