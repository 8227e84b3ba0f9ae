"""Summaries as tables: for a terminal and for LaTeX, the best value of each metric marked."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from math import isnan, nan

from cranfield.base.errors import counted
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.breakdown import Breakdown
from cranfield.scoring.summary import Row, Summary
from cranfield.view.tables.latex import escaped
from cranfield.view.tables.terminal import printable, render

RANDOM = "a random ranking"


def summary_table(
    summary: Summary, *, width: int | None = None, unmarked: Container[str] = ()
) -> str:
    """Systems by metrics, the best value of each metric marked, facts of the lists beside them.

    ``unmarked`` are metrics of which more is not better.
    The last row tells what a random ranking would get; "~" marks estimates. Where that is
    wider than the width, metrics are rows and systems columns.
    """
    systems, metrics = _names(summary)
    columns = [("system", [*systems, RANDOM])]
    columns += [(m, _values(summary, m, " " if m in unmarked else "*")) for m in metrics]
    columns += [(name, [*values, ""]) for name, values in _facts(summary).items()]
    if not any(cell for _, (*_, cell) in columns[1:]):
        columns = [(name, cells[:-1]) for name, cells in columns]
    headings = [name for name, _ in columns]
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    table = render(rows, headings)
    if width is None or max(map(len, table.splitlines())) <= width:
        return table
    turned = [(name, *(cell.rstrip(" ") for cell in cells)) for name, cells in columns[1:]]
    return render(turned, ("", *columns[0][1]), width=width)


def _values(summary: Summary, metric: str, mark: str) -> list[str]:
    systems, _ = _names(summary)
    values = [_cell(summary, system, metric, mark) for system in systems]
    return [*values, _random(summary.row(systems[0], metric))]


def _facts(summary: Summary) -> dict[str, list[str]]:
    """What the lists are like: who has one, how full they are, unjudged and tied positions."""
    systems, metrics = _names(summary)
    rows = [summary.row(system, metrics[0]) for system in systems]
    filled = f"Coverage@{rows[0].depth}" if rows[0].depth else "Coverage"
    return {
        "covered": [_share(row.user_coverage) for row in rows],
        filled: [_share(row.coverage) for row in rows],
        "unjudged": [_share(row.unjudged) for row in rows],
        "tied": [_share(row.tied) for row in rows],
    }


def counts_line(summary: Summary) -> str:
    """Over how many topics the values are, and what was left out."""
    systems, metrics = _names(summary)
    rows = [summary.row(systems[0], metric) for metric in metrics]
    entered = _range(row.evaluated for row in rows)
    verb = "enters" if entered == "1" else "enter"
    text = f"{entered} of {counted(rows[0].topics, 'topic')} {verb}"
    if any(row.undefined for row in rows):
        lacking = _range(row.undefined for row in rows)
        zero, one = summary.choice.undefined == "zero", lacking == "1"
        done = (
            ("counts" if one else "count") + " 0" if zero else f"{'is' if one else 'are'} left out"
        )
        text += f"; {lacking} {'has' if one else 'have'} nothing relevant and {done}"
    covered = {system: summary.row(system, metrics[0]).covered for system in systems}
    short = [system for system in systems if covered[system] < rows[0].topics]
    if short:
        worst = min(short, key=lambda system: covered[system])
        text += f"; {printable(worst)} has no list for {rows[0].topics - covered[worst]:,}"
    return f"{text}." + (" * marks the best value." if len(systems) > 1 else "")


def _range(counts: Iterable[int]) -> str:
    found = sorted(set(counts))
    return f"{found[0]:,}" if len(found) == 1 else f"{found[0]:,} to {found[-1]:,}"


def lists_table(lists: Mapping[str, Mapping[str, float]], *, width: int | None = None) -> str:
    """What lists are like beyond accuracy: systems by run metrics; nothing without any."""
    names = list(next(iter(lists.values()), {}))
    if not names:
        return ""
    rows = [(system, *(_shown(values[name]) for name in names)) for system, values in lists.items()]
    return render(rows, ("system", *names), width=width)


def breakdown_table(breakdown: Breakdown, *, width: int | None = None) -> str:
    """Groups by systems and metrics, with the number of users of each group."""
    parts = breakdown.parts
    columns = list(dict.fromkeys((part.system, part.metric) for part in parts))
    found = {(part.group, part.system, part.metric): part for part in parts}
    alone = len({system for system, _ in columns}) == 1
    headings = [metric if alone else f"{system} {metric}" for system, metric in columns]
    rows = []
    for group in dict.fromkeys(part.group for part in parts):
        cells = [found[group, *column] for column in columns]
        rows.append((group, f"{cells[0].users:,}", *(_shown(part.value) for part in cells)))
    return render(rows, (breakdown.name, "users", *headings), width=width)


def forgiving_table(summary: Summary) -> str:
    """Both averages side by side where a system leaves users uncovered; else nothing."""
    systems, metrics = _names(summary)
    lacking = [s for s in systems if summary.row(s, metrics[0]).user_coverage < 1]
    if not lacking:
        return ""
    rows = [
        (system, metric, _shown(row.full), _shown(row.forgiving), _share(row.user_coverage))
        for system in lacking
        for metric in metrics
        for row in [summary.row(system, metric)]
    ]
    headings = ("system", "metric", "full average", "covered users only", "covered")
    return render(rows, headings, left=(0, 1))


def summary_latex(
    summary: Summary,
    *,
    unmarked: Container[str] = (),
    lists: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """The table for a paper: booktabs rules, the best value of each metric in bold.

    ``lists`` are values beyond accuracy, which follow those of the summary.
    """
    systems, metrics = _names(summary)
    beyond = lists or {system: {} for system in systems}
    names = [*metrics, *next(iter(beyond.values()), {})]
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(names)}}}",
        r"\toprule",
        " & ".join(["", *map(escaped, names)]) + r" \\",
        r"\midrule",
    ]
    for system, values in beyond.items():
        cells = [_latex_cell(summary, system, m, marked=m not in unmarked) for m in metrics]
        cells += ["--" if isnan(value) else f"{value:.4f}" for value in values.values()]
        lines.append(" & ".join([escaped(system), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _names(summary: Summary) -> tuple[list[str], list[str]]:
    systems = list(dict.fromkeys(row.system for row in summary.rows))
    return systems, list(dict.fromkeys(row.metric for row in summary.rows))


def interval_of(summary: Summary, row: Row) -> tuple[float, float]:
    """The interval of a value; that of a mean says nothing about other aggregations."""
    linear = isinstance(summary.choice.aggregation, LinearAggregation)
    return (row.low, row.high) if linear else (nan, nan)


def is_best(summary: Summary, system: str, metric: str) -> bool:
    """Whether a system has the highest value, to the digits shown, among several systems."""
    values = [row.value for row in summary.rows if row.metric == metric and not isnan(row.value)]
    value = summary.row(system, metric).value
    return len(values) > 1 and f"{value:.4f}" == f"{max(values):.4f}"


def _cell(summary: Summary, system: str, metric: str, mark: str) -> str:
    value = summary.row(system, metric).value
    return _shown(value) + (mark if is_best(summary, system, metric) else " ")


def _latex_cell(summary: Summary, system: str, metric: str, *, marked: bool) -> str:
    value = summary.row(system, metric).value
    shown = "--" if isnan(value) else f"{value:.4f}"
    return rf"\textbf{{{shown}}}" if marked and is_best(summary, system, metric) else shown


def _random(row: Row) -> str:
    if isnan(row.random):
        return ""
    return f"{'~' if row.random_estimated else ''}{row.random:.4f} "


def _shown(value: float) -> str:
    return "–" if isnan(value) else f"{value:.4f}"


def _share(value: float) -> str:
    return "–" if isnan(value) else f"{value:.1%}"
