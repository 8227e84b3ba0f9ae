"""Plots of users: how their scores are spread, and how two systems differ for them."""

from __future__ import annotations

from itertools import pairwise
from math import isnan, nan

import numpy as np

from cranfield.base.errors import counted
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.samples.pairing import pair_users
from cranfield.view.charts.plot import (
    QUIET,
    Axis,
    Bars,
    Columns,
    Hue,
    Plot,
    PlotPanel,
    Points,
    Rule,
    hues_of,
    rows_high,
)
from cranfield.view.numbers import fixed, signed
from cranfield.view.report_content import EvaluationContent

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def distribution_plots(content: EvaluationContent) -> list[Plot]:
    """For every metric, how the scores of users are spread for each system."""
    return [_distribution(content, metric) for metric in content.metrics]


def _distribution(content: EvaluationContent, metric: str) -> Plot:
    places = list(range(len(content.systems)))
    scores = [user_scores(content, system, metric) for system in content.systems]
    found = [_quantiles(of_system) for of_system in scores]
    least, lower, median, upper, most = zip(*found, strict=True)
    # Added up in one order, so that the order of users changes no digit.
    means = [float(np.sort(s).mean()) if len(s) else nan for s in scores]
    marks = (
        Bars(y=places, start=least, end=most, name="90 % of users", hue=QUIET, thickness=0.14),
        Bars(y=places, start=lower, end=upper, name="half of users", thickness=0.5, faint=True),
        Points(x=median, y=places, name="median user", shape="bar"),
        Points(x=means, y=places, name="mean", shape="ring"),
    )
    return Plot(
        name=f"users-{content.metrics.index(metric) + 1}",
        title=f"{content.label(metric)}: scores of users",
        description="; ".join(
            f"{system}: half of the users score between {fixed(low, 3)} and {fixed(high, 3)}"
            if not isnan(low)
            else f"{system}: no user has a score"
            for system, low, high in zip(content.systems[:2], lower, upper, strict=False)
        )
        + ".",
        panels=(
            PlotPanel(y=Axis(labels=content.systems), marks=marks, height=rows_high(len(places))),
        ),
        headings=("system", "users", "5 %", "25 %", "median", "75 %", "95 %", "mean"),
        rows=tuple(
            (system, f"{len(s):,}", *(fixed(q, 3) for q in quantiles), fixed(mean, 3))
            for system, s, quantiles, mean in zip(
                content.systems, scores, found, means, strict=True
            )
        ),
    )


def user_scores(content: EvaluationContent, system: str, metric: str) -> Floats:
    """The scores of the users who entered the summary, a user's topics averaged."""
    users, choice = content.scores.by_user(), content.summary.choice
    place = users.system_number(system), users.metric_number(metric)
    return enter(users, *place, choice.coverage, choice.undefined).scores


def _quantiles(scores: Floats) -> tuple[float, ...]:
    if not len(scores):
        return (nan,) * len(_QUANTILES)
    return tuple(np.quantile(scores, _QUANTILES).tolist())


def difference_plot(content: EvaluationContent) -> Plot | None:
    """How the two best systems differ, user by user, by the first metric."""
    if content.comparison is None or len(content.systems) < 2:
        return None
    metric, choice = content.metrics[0], content.comparison.choice
    means = SummaryChoice(coverage=choice.coverage, undefined=choice.undefined)
    samples = pair_users(content.scores, means, (metric,))
    first, second = content.systems[:2]
    differences = samples.differences(
        0, (samples.systems.index(first), samples.systems.index(second))
    )
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    ties = len(differences) - wins - losses
    hues = hues_of(content.scores.systems, first, second)
    columns = _histogram(differences, (f"{first} better", f"{second} better"), hues)
    mean = float(np.sort(differences).mean())
    across = Axis(title=f"{first} minus {second}")
    return Plot(
        name="differences",
        title=f"{content.label(metric)}: {first} minus {second}, user by user",
        description=f"{first} scores more for {counted(wins, 'user')}, {second} for {losses:,}; "
        f"both score the same for {ties:,}.",
        panels=(
            PlotPanel(
                x=across,
                y=Axis(title="users", low=0.0, whole=True),
                marks=(*columns, Rule(at=mean, name=f"mean of users {signed(mean)}")),
                height=240,
            ),
        ),
        headings=("difference from", "to", "users", "outcome"),
        rows=(*_column_rows(columns), ("0", "0", f"{ties:,}", "both the same")),
    )


def _column_rows(columns: list[Columns]) -> list[tuple[str, ...]]:
    return [
        (signed(left, 3), signed(right, 3), f"{int(height):,}", column.name)
        for column in columns
        for (left, right), height in zip(pairwise(column.edges), column.heights, strict=True)
        if height
    ]


def _histogram(differences: Floats, names: tuple[str, str], hues: tuple[Hue, Hue]) -> list[Columns]:
    """Columns of those who differ, in the same widths on both sides of 0."""
    reach = float(np.abs(differences).max(initial=0.0)) or 1.0
    half = int(np.clip(np.sqrt(len(differences)), 5, 20))
    edges = np.linspace(-reach, reach, 2 * half + 1)
    edges[half] = 0.0
    below = np.histogram(differences[differences < 0], edges)[0].tolist()
    above = np.histogram(differences[differences > 0], edges)[0].tolist()
    sides = edges.tolist()
    return [
        Columns(edges=sides[half:], heights=above[half:], name=names[0], hue=hues[0]),
        Columns(edges=sides[: half + 1], heights=below[:half], name=names[1], hue=hues[1]),
    ]
