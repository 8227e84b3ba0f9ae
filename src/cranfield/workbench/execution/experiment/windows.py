"""Windows: the values of every system in each of several test windows on one timeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby, pairwise
from math import isnan

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.collection.fold import TEST, Fold
from cranfield.collection.target import Targets
from cranfield.scoring.metric import is_better_higher
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.scoring.summary import Summary, summarise
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.view.names import short_name
from cranfield.view.numbers import percent
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.systems.conditions import SystemOutput, condition_of

_SECONDS = (10**8, 10**10)
"""Times that are taken for seconds since 1970: those of the years 1973 to 2286."""
_WORDS = {
    "windows": "test windows",
    "values": "values by window",
    "first_test": "first test rating",
    "last_test": "last test rating",
    "training_ratings": "training ratings",
    "test_ratings": "test ratings",
    "test_users": "test users",
    "cold_users": "cold users",
    "test_items": "test items",
    "cold_items": "cold items",
    "users_entering": "users entering",
}


def are_windows(data: PreparedData) -> bool:
    """Whether the folds are windows on one timeline: in order, and none with leakage."""
    if len(data.folds) < 2 or any(fold.leakage is None for fold in data.folds):
        return False
    starts = [_ends(fold)[0] for fold in data.folds if isinstance(fold, Fold)]
    ascending = all(one < other for one, other in pairwise(starts))
    return ascending and not any(each.leakage.overall for each in data.folds if each.leakage)


@dataclass(eq=False)
class _Seen:
    """What was seen of one system in one window, some topics after others."""

    values: list[Floats]
    lengths: list[Counts]


class WindowObserver:
    """Notes what every system scores in each window."""

    def __init__(self, experiment: Experiment, data: PreparedData) -> None:
        self._experiment, self._data = experiment, data
        self._targets: dict[int, Targets] = {}
        self._seen: dict[tuple[int, str], _Seen] = {}

    def see(self, output: SystemOutput) -> None:
        """Note the scores of some topics."""
        self._targets.setdefault(output.fold, output.targets)
        seen = self._seen.setdefault((output.fold, output.system), _Seen([], []))
        seen.values.append(output.values)
        seen.lengths.append(output.hits.lengths)

    def assessment(self, scores: Scores) -> Assessment:
        """The values of the systems that have scores, window by window."""
        choice = self._experiment.summary_choice
        summaries = [summarise(self._scores(fold, scores), choice) for fold in self._targets]
        values = _value_table(summaries)
        readings = [*self._best(summaries), self._cold()]
        return Assessment(
            criterion="windows in time",
            reading=" ".join(readings),
            tables={"windows": self._window_table(), "values": values},
            decisions={"split": str(self._data.splitter), **choice.to_dict()},
            charts=tuple(_chart(values, str(each)) for each in self._experiment.metrics),
            words=_WORDS | {str(n): f"window {n}" for n in range(1, len(summaries) + 1)},
            across={"values": "window"},
        )

    def _scores(self, fold: int, whole: Scores) -> Scores:
        """The scores of one window; users have the columns that they have in all of them."""
        targets, names = self._targets[fold], whole.systems
        seen = {name: self._seen[fold, name] for name in names}
        made = Scores.from_systems(
            targets.topics,
            targets.train.user_ids,
            whole.metrics,
            {name: np.concatenate(each.values, axis=1) for name, each in seen.items()},
            {name: np.concatenate(each.lengths) for name, each in seen.items()},
            judgments=targets.judgments,
            train=targets.train,
        )
        columns = dict(made.user_columns)
        for name, values in whole.user_columns.items():
            if name not in columns:
                by_user = np.full(targets.train.n_users, np.nan)
                by_user[whole.topics.users] = values
                columns[name] = by_user[targets.topics.users]
        made = replace(made, unknown=whole.unknown, user_columns=columns)
        return replace(made, topic_weights=condition_of(self._experiment).topic_weights(targets))

    def _window_table(self) -> pl.DataFrame:
        rows = []
        for number, fold in enumerate(self._data.folds):
            first, last = _ends(fold) if isinstance(fold, Fold) else (0, 0)
            rows.append(
                {
                    "window": number + 1,
                    "first_test": moment(first),
                    "last_test": moment(last),
                    "training_ratings": len(fold.train),
                    "test_ratings": len(fold.test),
                    "test_users": fold.cold.test_users,
                    "cold_users": fold.cold.users,
                    "test_items": fold.cold.test_items,
                    "cold_items": fold.cold.items,
                    "users_entering": len(np.unique(self._targets[number].topics.users)),
                }
            )
        return pl.DataFrame(rows)

    def _best(self, summaries: Sequence[Summary]) -> Iterator[str]:
        """Which system is best in which window, by the first metric."""
        metric = self._experiment.metrics[0]
        sign = 1 if is_better_higher(metric) else -1
        best = []
        for summary in summaries:
            rows = [row for row in summary.rows if row.metric == str(metric)]
            known = [row for row in rows if not isnan(row.value)]
            found = max(known, key=lambda row: sign * row.value, default=None)
            best.append("none" if found is None else found.system)
        if len({row.system for summary in summaries for row in summary.rows}) < 2:
            return
        by = f"by {short_name(metric)}"
        if len(set(best)) == 1:
            yield f"{best[0]} is best {by} in all {len(best)} windows."
            return
        numbered = [(system, str(n)) for n, system in enumerate(best, start=1)]
        runs = [(k, [n for _, n in group]) for k, group in groupby(numbered, lambda each: each[0])]
        said = [f"{k} in window{'s' * (len(n) > 1)} {' and '.join(n)}" for k, n in runs]
        yield f"Which system is best {by} changes: {', '.join(said)}."

    def _cold(self) -> str:
        """How many test users and items are new in their window."""
        parts = []
        for what in ("users", "items"):
            cold = sum(getattr(fold.cold, what) for fold in self._data.folds)
            whole = sum(getattr(fold.cold, f"test_{what}") for fold in self._data.folds)
            parts.append(f"{cold:,} of {whole:,} test {what} ({percent(cold / max(whole, 1))})")
        return f"Over all windows, {' and '.join(parts)} have no training rating."


def _ends(fold: Fold) -> tuple[int, int]:
    """The times of the first and of the last test rating."""
    times = fold.rows(TEST).timestamps
    assert times is not None  # else there were no leakage to know
    return int(times.min()), int(times.max())


def moment(time: int) -> str:
    """A time as a date, where it is one in seconds; else as a number.

    >>> moment(975542400), moment(12)
    ('2000-11-30 00:00', '12')
    """
    if not _SECONDS[0] <= time < _SECONDS[1]:
        return str(time)
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M")


def _value_table(summaries: Sequence[Summary]) -> pl.DataFrame:
    """A row for each metric, system and window."""
    return pl.DataFrame(
        [
            {"metric": row.metric, "system": row.system, "window": number, "value": row.value}
            for rows in zip(*(summary.rows for summary in summaries), strict=True)
            for number, row in enumerate(rows, start=1)
        ],
        schema={
            "metric": pl.String,
            "system": pl.String,
            "window": pl.Int64,
            "value": pl.Float64,
        },
    )


def _chart(values: pl.DataFrame, metric: str) -> Chart:
    """The curve of each system over the windows, by one metric."""
    rows = values.filter(pl.col("metric") == metric)
    lines = tuple(
        Line(system, tuple(map(float, part["window"])), tuple(part["value"]))
        for (system,), part in rows.group_by(["system"], maintain_order=True)
    )
    return Chart(f"{metric} by window", "window", metric, lines)
