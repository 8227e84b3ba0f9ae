"""Pareto plot: which systems no other system beats in accuracy, exposure and coverage at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from cranfield.base.errors import counted
from cranfield.view.charts.plot import QUIET, Axis, Mark, Plot, PlotPanel, Points, Polyline
from cranfield.view.numbers import fixed
from cranfield.view.prose import listed
from cranfield.view.report_content import EvaluationContent, Objective

Goodness = Mapping[str, tuple[float, ...]]
"""By system, how good it is by each objective: higher is better."""


def pareto_plot(content: EvaluationContent) -> Plot | None:
    """Accuracy against exposure and coverage; None without two systems that have all values."""
    aims = content.objectives
    found = {name: content.values(name, aims) for name in content.systems}
    known = {name: values for name, values in found.items() if all(map(isfinite, values))}
    if len(aims) < 2 or len(known) < 2:
        return None
    signs = [-1.0 if aim.lower_is_better else 1.0 for aim in aims]
    good = {
        name: tuple(sign * value for sign, value in zip(signs, values, strict=True))
        for name, values in known.items()
    }
    beaten = {name: dominating(good, name) for name in good}
    titles = [content.label(aim.metric) for aim in aims]
    front = [name for name, others in beaten.items() if not others]
    return Plot(
        name="pareto",
        title=f"{titles[0]} against {listed(titles[1:])}",
        description=_said(front, len(known), titles),
        panels=tuple(_panel(content, known, good, front, place) for place in range(1, len(aims))),
        headings=("system", *titles, "dominated by"),
        rows=tuple(
            (name, *map(fixed, values), ", ".join(beaten[name]) or "none")
            for name, values in known.items()
        ),
    )


def dominating(good: Goodness, name: str) -> list[str]:
    """The systems that are at least as good as one by every objective, and better by one.

    >>> dominating({"a": (1, 2), "b": (1, 1), "c": (2, 0)}, "b")
    ['a']
    """
    own = good[name]
    return [
        other
        for other, values in good.items()
        if values != own and all(x >= y for x, y in zip(values, own, strict=True))
    ]


def _said(front: Sequence[str], systems: int, titles: Sequence[str]) -> str:
    which = f"{listed(front)} {'is' if len(front) == 1 else 'are'} not dominated"
    of = f"{len(front)} of {counted(systems, 'system')}"
    return (
        f"{which} ({of}): no other system is at least as good by {listed(titles)}, and better by "
        "one of them. Up and to the right is better; rings are dominated."
    )


def _panel(
    content: EvaluationContent,
    known: dict[str, tuple[float, ...]],
    good: Goodness,
    front: Sequence[str],
    place: int,
) -> PlotPanel:
    """Accuracy against one other objective."""
    first, second = content.objectives[0], content.objectives[place]
    marks: list[Mark] = [_edge(known, good, place)]
    marks += [
        Points(
            x=[values[0]],
            y=[values[place]],
            name=name,
            hue=content.systems.index(name),
            shape="dot" if name in front else "ring",
        )
        for name, values in known.items()
    ]
    return PlotPanel(x=_axis(content, first), y=_axis(content, second), marks=tuple(marks))


def _axis(content: EvaluationContent, aim: Objective) -> Axis:
    better = "lower" if aim.lower_is_better else "higher"
    title = f"{content.label(aim.metric)} ({better} is better)"
    return Axis(title=title, reverse=aim.lower_is_better)


def _edge(known: dict[str, tuple[float, ...]], good: Goodness, place: int) -> Polyline:
    """The line through the systems that none beats by the two objectives of a panel."""
    two = {name: (values[0], values[place]) for name, values in good.items()}
    best = sorted((known[n][0], known[n][place]) for n in two if not dominating(two, n))
    return Polyline(
        x=[x for x, _ in best],
        y=[y for _, y in best],
        name="not dominated by these two",
        hue=QUIET,
        dots=False,
        dashed=True,
    )
