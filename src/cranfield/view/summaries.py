"""Summaries as tables: for a terminal and for LaTeX, the best value of each metric marked."""

from __future__ import annotations

from math import isnan

from cranfield.scoring.summary import Row, Summary
from cranfield.view.latex import escaped
from cranfield.view.tables import render

RANDOM = "a random ranking"


def summary_table(summary: Summary, *, width: int | None = None) -> str:
    """Systems by metrics, the best value of each metric marked, coverage beside them.

    The last row tells what a random ranking would get; "~" marks estimates.
    """
    systems, metrics = _names(summary)
    rows = [
        (
            system,
            *(_cell(summary, system, metric, "*") for metric in metrics),
            _share(summary.row(system, metrics[0]).user_coverage),
            _share(summary.row(system, metrics[0]).unjudged),
            _share(summary.row(system, metrics[0]).tied),
        )
        for system in systems
    ]
    chance = [_random(summary.row(systems[0], metric)) for metric in metrics]
    if any(chance):
        rows.append((RANDOM, *chance, "", "", ""))
    headings = ("system", *metrics, "covered", "unjudged", "tied")
    return render(rows, headings, width=width)


def counts_line(summary: Summary) -> str:
    """Over how many users the values are, and what was left out."""
    systems, metrics = _names(summary)
    row = summary.row(systems[0], metrics[0])
    text = f"{row.evaluated:,} of {row.topics:,} topics enter"
    if row.undefined:
        text += f"; {row.undefined:,} have nothing relevant to {metrics[0]}"
    lacking = [s for s in systems if summary.row(s, metrics[0]).covered < row.topics]
    if lacking:
        worst = min(lacking, key=lambda s: summary.row(s, metrics[0]).covered)
        missed = row.topics - summary.row(worst, metrics[0]).covered
        text += f"; {worst} has no list for {missed:,}"
    return f"{text}. * marks the best value."


def forgiving_table(summary: Summary) -> str:
    """Both averages side by side where a system leaves users uncovered; else nothing."""
    systems, metrics = _names(summary)
    lacking = [s for s in systems if summary.row(s, metrics[0]).user_coverage < 1]
    if not lacking:
        return ""
    rows = [
        (system, metric, f"{row.full:.4f}", f"{row.forgiving:.4f}", _share(row.user_coverage))
        for system in lacking
        for metric in metrics
        for row in [summary.row(system, metric)]
    ]
    headings = ("system", "metric", "full average", "covered users only", "covered")
    return render(rows, headings, left=(0, 1))


def summary_latex(summary: Summary) -> str:
    """The table for a paper: booktabs rules, the best value of each metric in bold."""
    systems, metrics = _names(summary)
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(metrics)}}}",
        r"\toprule",
        " & ".join(["", *map(escaped, metrics)]) + r" \\",
        r"\midrule",
    ]
    for system in systems:
        cells = [_latex_cell(summary, system, metric) for metric in metrics]
        lines.append(" & ".join([escaped(system), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _names(summary: Summary) -> tuple[list[str], list[str]]:
    systems = list(dict.fromkeys(row.system for row in summary.rows))
    return systems, list(dict.fromkeys(row.metric for row in summary.rows))


def _is_best(summary: Summary, system: str, metric: str) -> bool:
    """Whether a system has the highest value, to the digits shown, among several systems."""
    values = [row.value for row in summary.rows if row.metric == metric and not isnan(row.value)]
    value = summary.row(system, metric).value
    return len(values) > 1 and f"{value:.4f}" == f"{max(values):.4f}"


def _cell(summary: Summary, system: str, metric: str, mark: str) -> str:
    value = summary.row(system, metric).value
    shown = "–" if isnan(value) else f"{value:.4f}"
    return shown + (mark if _is_best(summary, system, metric) else " ")


def _latex_cell(summary: Summary, system: str, metric: str) -> str:
    value = summary.row(system, metric).value
    shown = "--" if isnan(value) else f"{value:.4f}"
    return rf"\textbf{{{shown}}}" if _is_best(summary, system, metric) else shown


def _random(row: Row) -> str:
    if isnan(row.random):
        return ""
    return f"{'~' if row.random_estimated else ''}{row.random:.4f} "


def _share(value: float) -> str:
    return "–" if isnan(value) else f"{value:.1%}"
