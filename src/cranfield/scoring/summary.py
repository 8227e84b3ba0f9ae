"""Summary: one row per system and metric, with all that a mean hides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from functools import partial
from math import isnan, nan, sqrt
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.base.errors import counted
from cranfield.base.machine.blas import dot
from cranfield.base.nouns.deferred import deferred
from cranfield.base.nouns.display import Plotted, Tabular, Typeset
from cranfield.base.nouns.preview import number, preview
from cranfield.base.options import to_table
from cranfield.base.serialisation.plain import restored
from cranfield.scoring.aggregation import Aggregation, LinearAggregation, influence
from cranfield.scoring.aggregations.mean import Mean
from cranfield.scoring.coverage import Coverage, EnteredScores, ListFacts, Undefined, enter
from cranfield.scoring.expectation.expectation import Expectation, adjust
from cranfield.scoring.scores import Floats, Scores

CONFIDENCE = 0.95
"""How often an interval of the mean holds what it is meant to hold."""


@decisions("summary")
@dataclass(frozen=True, kw_only=True)
class SummaryChoice:
    """How scores become values: aggregation (C3), coverage (C4), undefined topics."""

    aggregation: Aggregation = parameter(Mean())
    coverage: Coverage = "full"
    undefined: Undefined = "left-out"

    def to_dict(self) -> dict[str, object]:
        """The decisions, for records."""
        table = to_table(self.aggregation)
        return {"aggregation": table, "coverage": self.coverage, "undefined": self.undefined}


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one system reached by one metric; NaN where something is not known.

    ``value`` is by the chosen aggregation and coverage, ``full`` and ``forgiving`` by the
    same aggregation under those two. ``mean`` is the arithmetic mean over the topics that
    enter. The interval from ``low`` to ``high`` holds the mean, or the value where that
    is a weighted mean, with 95 % confidence (Student's t over users).
    Of all ``topics``, ``undefined`` ones have no score, ``covered`` ones have a list, and
    ``evaluated`` ones entered, ``left_out`` ones did not; ``users`` have a topic that
    entered. ``random`` is what a random ranking would get on the topics that entered,
    ``best`` what the best would, and ``adjusted`` is (value − random)/(best − random):
    by drawing rankings where the value is no mean, and not at all where it depends on
    other systems. The rest is that of `ListFacts`.
    """

    system: str
    metric: str
    value: float
    mean: float
    full: float
    forgiving: float
    standard_error: float
    low: float = deferred()
    high: float = deferred()
    topics: int
    evaluated: int
    users: int
    covered: int
    undefined: int
    left_out: int
    random: float = nan
    random_estimated: bool = False
    random_error: float = nan
    best: float = nan
    adjusted: float = nan
    depth: int | None = None
    user_coverage: float = nan
    coverage: float = nan
    tied: float = nan
    unjudged: float = nan


@dataclass(frozen=True, eq=False)
class Summary(Plotted, Typeset, Tabular):
    """One row per system and metric, systems and metrics in the order of the scores."""

    rows: tuple[Row, ...]
    choice: SummaryChoice

    def __repr__(self) -> str:
        metrics, rows = self.preview_rows()
        facts = counted(len(rows), "system"), counted(len(metrics), "metric")
        return preview("Summary", facts, rows, ["", *metrics])

    def preview_rows(self) -> tuple[list[str], list[list[str]]]:
        """The metrics, and for each system its name and values: the table in short."""
        metrics = list(dict.fromkeys(row.metric for row in self.rows))
        values: dict[str, list[str]] = {}
        for row in self.rows:
            values.setdefault(row.system, [row.system]).append(number(row.value))
        return metrics, list(values.values())

    def row(self, system: str, metric: str) -> Row:
        """What one system reached by one metric."""
        return next(row for row in self.rows if (row.system, row.metric) == (system, metric))

    def to_polars(self) -> pl.DataFrame:
        """A table of one row per system and metric; what is not known is null."""
        columns = {
            known.name: [_known(getattr(row, known.name)) for row in self.rows]
            for known in fields(Row)
        }
        types = {
            "float": pl.Float64,
            "int": pl.Int64,
            "int | None": pl.Int64,
            "bool": pl.Boolean,
            "str": pl.String,
        }
        schema = {known.name: types[str(known.type)] for known in fields(Row)}
        return pl.DataFrame(columns, schema=schema)

    def to_dict(self, decisions: Mapping[str, object] | None = None) -> dict[str, Any]:
        """For JSON: systems → metrics → numbers, and the decisions; unknown is null."""
        systems: dict[str, dict[str, Any]] = {}
        for row in self.rows:
            cell = {name: _known(value) for name, value in asdict(row).items()}
            systems.setdefault(cell.pop("system"), {})[cell.pop("metric")] = cell
        return {"systems": systems, "decisions": {**self.choice.to_dict(), **(decisions or {})}}

    @classmethod
    def from_dict(cls, systems: Mapping[str, Any], choice: SummaryChoice) -> Summary:
        """The summary whose systems `to_dict` recorded."""
        rows = [
            restored(Row, {"system": system, "metric": metric, **cell})
            for system, cells in systems.items()
            for metric, cell in cells.items()
        ]
        return cls(tuple(rows), choice)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value


def summarise(
    scores: Scores,
    choice: SummaryChoice | None = None,
    *,
    lists: Mapping[str, ListFacts] | None = None,
    expectation: Expectation | Mapping[str, Expectation] | None = None,
) -> Summary:
    """Aggregate scores: one row per system and metric.

    ``lists`` tells what the lists of a system are like, ``expectation`` what random
    rankings score on the same topics by the same metrics: one for all systems, or one for
    each by name, in lists as long as its own.
    """
    chosen = choice or SummaryChoice()
    by_system = expectation if isinstance(expectation, Mapping) else {}
    for_all = None if isinstance(expectation, Mapping) else expectation
    rows = [
        _row(
            _Cell(scores, chosen, system, metric),
            (lists or {}).get(name),
            by_system.get(name, for_all),
        )
        for system, name in enumerate(scores.systems)
        for metric in range(len(scores.metrics))
    ]
    return Summary(tuple(rows), chosen)


@dataclass(frozen=True, eq=False)
class _Cell:
    """One system and one metric while they are summarised."""

    scores: Scores
    choice: SummaryChoice
    system: int
    metric: int

    def entered(self, coverage: Coverage) -> EnteredScores:
        compared = self.choice.aggregation.compares
        place, undefined = (self.system, self.metric), self.choice.undefined
        return enter(self.scores, *place, coverage, undefined, compared=compared)

    def value(self, entered: EnteredScores) -> float:
        return self.choice.aggregation.of_scores(entered) if len(entered) else nan


def _row(cell: _Cell, facts: ListFacts | None, expectation: Expectation | None) -> Row:
    scores, choice = cell.scores, cell.choice
    full = cell.entered("full")
    forgiving = full if scores.covered[cell.system].all() else cell.entered("forgiving")
    entered = cell.entered("common") if choice.coverage == "common" else full
    entered = forgiving if choice.coverage == "forgiving" else entered
    value = cell.value(entered)
    return Row(
        system=scores.systems[cell.system],
        metric=scores.metrics[cell.metric],
        value=value,
        mean=dot(entered.weights, entered.scores) if len(entered) else nan,
        full=value if full is entered else cell.value(full),
        forgiving=value if forgiving is entered else cell.value(forgiving),
        topics=len(scores),
        evaluated=len(entered),
        users=entered.n_users,
        covered=int(scores.covered[cell.system].sum()),
        undefined=int(np.isnan(scores.values[cell.system, cell.metric]).sum()),
        left_out=len(scores) - len(entered),
        **_interval(choice.aggregation, entered),
        **(_chance(cell, entered, value, expectation) if expectation else {}),
        **(asdict(facts) if facts else {}),
    )


def _interval(aggregation: Aggregation, entered: EnteredScores) -> dict[str, Any]:
    """The standard error of the mean, weighted if the aggregation is, and the interval.

    Its ends are computed when they are read: most commands show none.
    """
    linear = aggregation if isinstance(aggregation, LinearAggregation) else Mean()
    if not len(entered):
        return {"standard_error": nan, "low": nan, "high": nan}
    mean, users = linear.of_scores(entered), entered.n_users
    added = np.nan_to_num(influence(linear, entered))
    error = float(np.sqrt(dot(added, added) * users / (users - 1))) if users > 1 else nan
    low, high = (partial(_end, sign, mean, error, users) for sign in (-1, 1))
    return {"standard_error": error, "low": low, "high": high}


def _end(sign: int, mean: float, error: float, users: int) -> float:
    """An end of the interval, below or above the mean."""
    from scipy.special import stdtrit  # the quantile of Student's t

    reach = float(stdtrit(users - 1, (1 + CONFIDENCE) / 2)) * error if users > 1 else nan
    return mean + sign * reach


def _chance(
    cell: _Cell, entered: EnteredScores, value: float, expectation: Expectation
) -> dict[str, Any]:
    """What random rankings get on the same topics, and the best one."""
    aggregation, name = cell.choice.aggregation, cell.scores.metrics[cell.metric]
    if name not in expectation.metrics or not len(entered) or aggregation.compares:
        return {}
    place = expectation.metrics.index(name)
    best = _value_of_others(cell, entered, expectation.best[place])
    if isinstance(aggregation, LinearAggregation):
        random = _value_of_others(cell, entered, expectation.values[place])
        known = expectation.estimated[place], expectation.errors[place]
    elif expectation.drawn is None:
        return {}
    else:
        drawn = [_value_of_others(cell, entered, row) for row in expectation.drawn[:, place]]
        random, known = fmean(drawn), (True, float(np.std(drawn, ddof=1)) / sqrt(len(drawn)))
    return {
        "random": random,
        "random_estimated": known[0],
        "random_error": known[1],
        "best": best,
        "adjusted": adjust(value, random, best),
    }


def _value_of_others(cell: _Cell, entered: EnteredScores, of_topics: Floats) -> float:
    """The value of other lists on the same topics, which cover all of them.

    A topic on which the system is undefined, and which enters all the same, scores 0.
    NaN where a score of the other lists is not known.
    """
    scores, place = entered.measured, (entered.system, entered.metric)
    undefined = np.isnan(scores.values[place])
    if np.isnan(of_topics[entered.topics][~undefined[entered.topics]]).any():
        return nan
    alone = replace(
        scores,
        systems=scores.systems[place[0] : place[0] + 1],
        metrics=scores.metrics[place[1] : place[1] + 1],
        values=np.where(undefined, np.nan, of_topics)[None, None],
        covered=np.ones((1, len(scores)), dtype=bool),
    )
    return cell.value(replace(entered, measured=alone, system=0, metric=0))
