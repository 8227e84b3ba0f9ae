"""Plots of one evaluated design: what systems reached, and which users they cover."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from cranfield.scoring.summary import Row
from cranfield.view.charts.pair_plots import p_value_plot, pair_plots
from cranfield.view.charts.pareto_plots import pareto_plot
from cranfield.view.charts.plot import QUIET, Axis, Bars, Plot, PlotPanel, Points, Rule, rows_high
from cranfield.view.charts.user_plots import difference_plot, distribution_plots
from cranfield.view.numbers import fixed, interval, share
from cranfield.view.report_content import EvaluationContent, SummaryContent
from cranfield.view.tables.summaries import RANDOM, interval_of


def run_plots(content: EvaluationContent) -> list[Plot]:
    """All charts of one evaluated design."""
    single = (
        pareto_plot(content),
        difference_plot(content),
        p_value_plot(content),
        coverage_plot(content),
    )
    several = (*value_plots(content), *pair_plots(content), *distribution_plots(content))
    return [*several, *(plot for plot in single if plot is not None)]


def value_plots(content: SummaryContent) -> list[Plot]:
    """For every metric, what each system reached, and what a random ranking would."""
    return [_values(content, metric) for metric in content.metrics]


def _values(content: SummaryContent, metric: str) -> Plot:
    rows = [content.summary.row(system, metric) for system in content.systems]
    spans = [interval_of(content.summary, row) for row in rows]
    spanned = any(not isnan(low) for low, _ in spans)
    places = list(range(len(rows)))
    marks, chance = _random_marks(rows)
    marks.append(
        Points(
            x=[row.value for row in rows],
            y=places,
            low=[low for low, _ in spans],
            high=[high for _, high in spans],
            name="value, with its 95 % interval" if spanned else "value",
        )
    )
    return Plot(
        name=f"values-{content.metrics.index(metric) + 1}",
        title=f"{content.label(metric)}: what each system reached",
        description=f"{_highest(rows)}{chance}."
        + (" Lines are 95 % intervals over users." if spanned else ""),
        panels=(
            PlotPanel(
                x=Axis(),
                y=Axis(labels=content.systems),
                marks=tuple(marks),
                height=rows_high(len(rows)),
            ),
        ),
        headings=("system", content.label(metric), "95 % interval", "random ranking"),
        rows=tuple(
            (row.system, fixed(row.value), interval(*span), fixed(row.random))
            for row, span in zip(rows, spans, strict=True)
        ),
    )


def _random_marks(rows: Sequence[Row]) -> tuple[list[Rule | Points], str]:
    """What a random ranking would get: one line, or a point per system, and the same in words."""
    random = [row.random for row in rows if not isnan(row.random)]
    if not random:
        return [], ""
    ends = list(dict.fromkeys(map(fixed, (min(random), max(random)))))
    chance = f"; {RANDOM} would get {' to '.join(ends)}"
    if len(ends) == 1:
        return [Rule(at=random[0], name=RANDOM)], chance
    x, y = [row.random for row in rows], list(range(len(rows)))
    return [Points(x=x, y=y, name=RANDOM, hue=QUIET, shape="bar")], chance


def _highest(rows: Sequence[Row]) -> str:
    known = [row for row in rows if not isnan(row.value)]
    if not known:
        return "No system has a value"
    best = max(known, key=lambda row: row.value)
    return f"{best.system} has the highest value, {fixed(best.value)}"


def _shares(row: Row) -> list[str]:
    return [share(x) for x in (row.user_coverage, row.coverage, row.unjudged, row.tied)]


def coverage_plot(content: EvaluationContent) -> Plot | None:
    """For how many users each system has a list, and how full lists are; None if all are."""
    rows = [content.summary.row(system, content.metrics[0]) for system in content.systems]
    if not any(row.user_coverage < 1 or row.coverage < 1 for row in rows):
        return None
    filled = f"Coverage@{rows[0].depth}" if rows[0].depth else "Coverage"
    parts = {
        "users with a list": [row.user_coverage for row in rows],
        filled: [row.coverage for row in rows],
    }
    marks = tuple(
        Bars(
            y=[place - 0.2 + 0.4 * number for place in range(len(rows))],
            start=[0.0] * len(rows),
            end=values,
            name=name,
            hue=number,
            thickness=0.34,
        )
        for number, (name, values) in enumerate(parts.items())
    )
    least = min(rows, key=lambda row: row.user_coverage)
    return Plot(
        name="coverage",
        title="Coverage: who gets a list, and how full it is",
        description=f"{least.system} covers the fewest users, {share(least.user_coverage)}.",
        panels=(
            PlotPanel(
                x=Axis(low=0.0, high=1.0, percent=True),
                y=Axis(labels=content.systems),
                marks=marks,
                height=1.2 * rows_high(len(rows)),
            ),
        ),
        headings=("system", "users with a list", filled, "unjudged positions", "tied positions"),
        rows=tuple((row.system, *_shares(row)) for row in rows),
    )
