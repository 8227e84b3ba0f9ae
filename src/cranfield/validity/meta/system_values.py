"""SystemValues: what systems reached on a test set, whole or thinned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadValue, EmptyInput, TooFew, UnreadableFile
from cranfield.base.ragged import frozen
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.validity.meta.published_tables import as_numbers, refuse_missing

SYSTEM_COLUMNS = ("Recommender", "system")
SIZE_COLUMNS = ("Percentage", "size")
_OF, _AT = "name of the system", "share of the test set"
"""Columns that are added; no metric is called so."""

_SHAPE = "A table of values has columns Recommender, perhaps Percentage, and one per metric."


@dataclass(frozen=True, eq=False)
class SystemValues:
    """What each system reached by each metric at each size (sizes × metrics × systems).

    ``sizes`` descend from 1, the whole test set. NaN means undefined.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    sizes: tuple[float, ...]
    values: Floats

    def __post_init__(self) -> None:
        shape = len(self.sizes), len(self.metrics), len(self.systems)
        assert self.values.shape == shape
        assert self.sizes[0] == 1
        object.__setattr__(self, "values", frozen(self.values))

    @property
    def whole(self) -> Floats:
        """The values on the whole test set (metrics × systems)."""
        return np.asarray(self.values[0])

    def down_to(self, least: float) -> SystemValues:
        """The values at sizes of at least so much."""
        count = sum(size >= least for size in self.sizes)
        return replace(self, sizes=self.sizes[:count], values=self.values[:count])


def values_from_scores(scores: Scores, aggregation: Aggregation) -> SystemValues:
    """The value of each system by each metric, over the topics on which it is defined."""
    if scores.n_users < 2:
        raise TooFew("an order of systems", "users", 2, scores.n_users)
    values = np.full((len(scores.metrics), len(scores.systems)), np.nan)
    for metric, system in np.ndindex(*values.shape):
        entered = enter(scores, system, metric, compared=aggregation.compares)
        if len(entered):
            values[metric, system] = aggregation.of_scores(entered)
    return SystemValues(scores.systems, scores.metrics, (1.0,), values[None])


def values_from_table(table: pl.DataFrame, where: str = "table") -> SystemValues:
    """Values from a column of systems, perhaps one of sizes, and one per metric.

    The columns are called ``Recommender`` and ``Percentage`` as in the tables of
    valcarce2018, or ``system`` and ``size``; a size is a share, 1 the whole test set.
    """
    system = _named(table, SYSTEM_COLUMNS)
    if system is None:
        refuse_missing(table, SYSTEM_COLUMNS[0], where, _SHAPE)
    assert system is not None
    if table[system].null_count():
        raise UnreadableFile(where, "a row does not name a system")
    size = _named(table, SIZE_COLUMNS)
    metrics = tuple(name for name in table.columns if name not in (system, size))
    if table.is_empty() or not metrics:
        raise EmptyInput(where, "values of systems")
    table = as_numbers(table, metrics if size is None else (size, *metrics), where)
    shares = pl.lit(1.0) if size is None else pl.col(size).cast(pl.Float64)
    named = table.with_columns(pl.col(system).cast(pl.String).alias(_OF), shares.alias(_AT))
    sizes = _sizes(named[_AT].rename(size or _AT), where)
    systems = tuple(sorted(set(named[_OF])))
    _refuse_gaps(named, len(sizes) * len(systems), where)
    ordered = named.sort([_AT, _OF], descending=[True, False])
    values = ordered.select(metrics).cast(pl.Float64).fill_null(np.nan).to_numpy()
    by_size = values.reshape(len(sizes), len(systems), len(metrics)).transpose(0, 2, 1)
    return SystemValues(systems, metrics, sizes, by_size)


def _named(table: pl.DataFrame, names: Iterable[str]) -> str | None:
    return next((name for name in names if name in table.columns), None)


def _sizes(column: pl.Series, where: str) -> tuple[float, ...]:
    sizes = tuple(sorted(set(column.to_list()), key=lambda size: -(size or 0)))
    wrong = [size for size in sizes if size is None or not 0 < size <= 1]
    if wrong:
        raise BadValue(where, column.name, wrong[0], "a share above 0 and at most 1")
    if sizes[0] != 1:
        raise UnreadableFile(where, "it has no values of the whole test set (size 1)")
    return sizes


def _refuse_gaps(named: pl.DataFrame, wanted: int, where: str) -> None:
    if len(named) != wanted or named.select(_OF, _AT).is_duplicated().any():
        raise UnreadableFile(where, "not every system has one row at every size")
