"""Summaries as tables for a terminal, the best value of each metric marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from functools import cached_property
from math import isnan, nan
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.summary import Row, Summary
from cranfield.view.names import Label, metric_label
from cranfield.view.numbers import UNKNOWN, fixed
from cranfield.view.tables.terminal import fits, printable, render

RANDOM = "a random ranking"
FAILED = "failed"
"""What stands in place of the values of a system that failed; notes say why."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SummaryLayout:
    """What every table of a summary shows, be it for a terminal, for LaTeX or for a page.

    ``unmarked`` are metrics of which more is not better. ``unknown_random`` is the reason
    why it is not known what a random ranking would get, if there is one to give. ``label``
    names a metric for readers. ``failed`` are systems without values, since they failed.
    """

    summary: Summary
    unmarked: Container[str] = ()
    unknown_random: str = ""
    label: Label = metric_label
    failed: Collection[str] = ()

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of the summary."""
        return tuple(dict.fromkeys(row.system for row in self.summary.rows))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order of the summary."""
        return tuple(dict.fromkeys(row.metric for row in self.summary.rows))

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The metrics as readers see them."""
        return tuple(map(self.label, self.metrics))

    def is_marked(self, system: str, metric: str) -> bool:
        """Whether a value is marked as the best of its metric."""
        return metric not in self.unmarked and is_best(self.summary, system, metric)

    @cached_property
    def random_place(self) -> Literal["row", "beside", "nowhere"]:
        """Where tables show what a random ranking would get.

        In one row if that is the same for all systems, else beside each value; nowhere if
        it is not known and no reason is given. Systems without a value do not count.
        """
        rows = [row for row in self.summary.rows if not (isnan(row.value) and isnan(row.random))]
        if all(isnan(row.random) for row in rows):
            return "row" if self.unknown_random else "nowhere"
        distinct = {(row.metric, self.random_text(row)) for row in rows}
        same = len(distinct) == len({row.metric for row in rows})
        return "row" if same else "beside"

    def random_text(self, row: Row, number: Callable[[float], str] = fixed) -> str:
        """What a random ranking would get in place of a system; "~" marks an estimate."""
        return f"{'~' if row.random_estimated else ''}{number(row.random)}"

    def random_row(self, number: Callable[[float], str]) -> list[str]:
        """What a random ranking would get by each metric, where it is one row."""
        of_metric = (
            [self.summary.row(system, metric) for system in self.systems] for metric in self.metrics
        )
        known = (min(rows, key=lambda row: isnan(row.random)) for rows in of_metric)
        return [self.random_text(row, number) for row in known]

    def beside(self, system: str, metric: str, number: Callable[[float], str]) -> str:
        """What a random ranking would get, in brackets, where it is shown beside each value."""
        if self.random_place != "beside":
            return ""
        return f" ({self.random_text(self.summary.row(system, metric), number)})"

    @cached_property
    def random_note(self) -> str:
        """What a reader should know of the figures of a random ranking; nothing if nothing."""
        sentences = []
        rows = self.summary.rows
        if self.random_place == "beside":
            sentences.append(f"In brackets: what {RANDOM} would get in place of that system.")
        if self.random_place != "nowhere" and any(row.random_estimated for row in rows):
            sentences.append("~ marks an estimate.")
        if self.unknown_random and any(isnan(row.random) for row in rows):
            sentences.append(f"{self.unknown_random[0].upper()}{self.unknown_random[1:]}.")
        return " ".join(sentences)

    def failed_rows(self, said: str = FAILED) -> list[tuple[str, ...]]:
        """A row for each system that failed."""
        facts = ["" for _ in self.fact_headings] if self.failed else []
        return [(name, *(said for _ in self.metrics), *facts) for name in self.failed]

    @cached_property
    def fact_headings(self) -> tuple[str, ...]:
        """The columns of `facts`."""
        depth = self.summary.rows[0].depth
        return "covered", f"Coverage@{depth}" if depth else "Coverage", "unjudged", "tied"

    def facts(self, system: str) -> tuple[float, ...]:
        """Shares: users with a list, filled positions, unjudged and tied positions."""
        row = self.summary.row(system, self.metrics[0])
        return row.user_coverage, row.coverage, row.unjudged, row.tied


def summary_table(
    summary: Summary,
    *,
    width: int | None = None,
    unmarked: Container[str] = (),
    unknown_random: str = "",
    label: Label = metric_label,
    failed: Collection[str] = (),
) -> str:
    """Systems by metrics, the best value of each metric marked, then facts of the lists.

    ``unmarked``, ``unknown_random``, ``label`` and ``failed`` are as in `SummaryLayout`. What a
    random ranking would get is the last row, or stands in brackets where it differs by system;
    "~" marks estimates. Where the table is wider than the width, metrics are rows.
    """
    layout = SummaryLayout(
        summary=summary,
        unmarked=unmarked,
        unknown_random=unknown_random,
        label=label,
        failed=failed,
    )
    headings = ("system", *layout.headings, *layout.fact_headings)
    rows = [
        (
            system,
            *(_cell(layout, system, metric) for metric in layout.metrics),
            *map(_share, layout.facts(system)),
        )
        for system in layout.systems
    ]
    rows += layout.failed_rows(f"{FAILED} ")
    if layout.random_place == "row":
        random = [f"{text} " for text in layout.random_row(fixed)]
        rows.append((RANDOM, *random, *("" for _ in layout.fact_headings)))
    if fits(rows, headings, width):
        return render(rows, headings, width=width)
    names, *columns = zip(*rows, strict=True)
    turned = [
        (heading, *(cell.rstrip(" ") for cell in cells))
        for heading, cells in zip(headings[1:], columns, strict=True)
    ]
    return render(turned, ("", *names), width=width)


def counts_line(summary: Summary, *, unknown_random: str = "", label: Label = metric_label) -> str:
    """Over how many topics the values are, what was excluded, and how to read the table."""
    layout = SummaryLayout(summary=summary, unknown_random=unknown_random)
    every = [summary.row(layout.systems[0], metric) for metric in layout.metrics]
    parts = [_counts(rows, len(every), summary, label) for rows in _alike(every)]
    text = ". ".join(parts) + "."
    covered = {s: summary.row(s, layout.metrics[0]).covered for s in layout.systems}
    worst = min(covered, key=lambda system: covered[system])
    if covered[worst] < every[0].topics:
        lacking = counted(every[0].topics - covered[worst], "topic")
        text += f" {printable(worst)} has no list for {lacking}."
    best = "* marks the best value." if len(layout.systems) > 1 else ""
    return " ".join(part for part in (text, best, layout.random_note) if part)


def _alike(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of metrics that were evaluated on as many topics."""
    found: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        found.setdefault((row.evaluated, row.undefined), []).append(row)
    return list(found.values())


def _counts(rows: Sequence[Row], metrics: int, summary: Summary, label: Label) -> str:
    """On how many topics some metrics were evaluated, and why not on others."""
    first, names = rows[0], ", ".join(label(row.metric) for row in rows)
    if not first.evaluated and first.undefined == first.topics:
        return f"{names} {'is' if len(rows) == 1 else 'are'} undefined for every topic"
    verb = "was" if first.evaluated == 1 else "were"
    text = f"{first.evaluated:,} of {counted(first.topics, 'topic')} {verb} evaluated"
    if first.undefined:
        one = first.undefined == 1
        excluded = f"{'was' if one else 'were'} excluded"
        done = excluded if summary.choice.undefined == "left-out" else "scored 0"
        text += f"; {first.undefined:,} {'has' if one else 'have'} no relevant item and {done}"
    return text if len(rows) == metrics else f"{names}: {text}"


def lists_table(
    lists: Mapping[str, Mapping[str, float]],
    *,
    width: int | None = None,
    label: Label = metric_label,
) -> str:
    """What lists are like beyond accuracy: systems by run metrics; nothing without any."""
    names = list(next(iter(lists.values()), {}))
    if not names:
        return ""
    rows = [(system, *(fixed(values[name]) for name in names)) for system, values in lists.items()]
    return render(rows, ("system", *map(label, names)), width=width)


def forgiving_table(
    summary: Summary, *, width: int | None = None, label: Label = metric_label
) -> str:
    """Both averages side by side where a system leaves users uncovered; else nothing."""
    layout = SummaryLayout(summary=summary)
    metrics = layout.metrics
    lacking = [s for s in layout.systems if summary.row(s, metrics[0]).user_coverage < 1]
    if not lacking:
        return ""
    rows = [
        (system, label(metric), fixed(row.full), fixed(row.forgiving), _share(row.user_coverage))
        for system in lacking
        for metric in metrics
        for row in [summary.row(system, metric)]
    ]
    headings = ("system", "metric", "full average", "covered users only", "covered")
    return render(rows, headings, left=(0, 1), width=width)


def interval_of(summary: Summary, row: Row) -> tuple[float, float]:
    """The interval of a value; that of a mean says nothing about other aggregations."""
    linear = isinstance(summary.choice.aggregation, LinearAggregation)
    return (row.low, row.high) if linear else (nan, nan)


def is_best(summary: Summary, system: str, metric: str) -> bool:
    """Whether a system has the highest value, to the digits shown, among several systems."""
    values = [row.value for row in summary.rows if row.metric == metric and not isnan(row.value)]
    value = summary.row(system, metric).value
    return len(values) > 1 and f"{value:.4f}" == f"{max(values):.4f}"


def _cell(layout: SummaryLayout, system: str, metric: str) -> str:
    value = fixed(layout.summary.row(system, metric).value)
    mark = "*" if layout.is_marked(system, metric) else " "
    return f"{value}{mark}{layout.beside(system, metric, fixed)}"


def _share(value: float) -> str:
    return UNKNOWN if isnan(value) else f"{value:.1%}"
