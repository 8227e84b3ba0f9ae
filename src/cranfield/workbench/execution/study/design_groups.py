"""Groups of designs: those that share their data, and of these, those that share their rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cranfield.scoring.metric import Metric
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.designs import Design
from cranfield.workbench.execution.pipeline import Upcoming, data_key
from cranfield.workbench.execution.study.design_assessments import DesignAssessments
from cranfield.workbench.execution.systems.conditions import Observer, RankingCondition

Cells = dict[Experiment, list[int]]
"""Designs that share their rankings, by the experiment that makes these."""


def upcoming(
    designs: Sequence[Design],
    groups: Mapping[str, Sequence[int]],
    assessing: DesignAssessments | None,
) -> Iterator[Upcoming]:
    """What will be scored of each group."""
    for places in groups.values():
        conditions = conditions_of(designs, by_ranking(designs, places), assessing)
        yield designs[places[0]].experiment, None, conditions


def by_data(designs: Sequence[Design]) -> dict[str, list[int]]:
    """Designs by the data and split that they share."""
    groups: dict[str, list[int]] = {}
    for place, design in enumerate(designs):
        groups.setdefault(data_key(design.experiment), []).append(place)
    return groups


def conditions_of(
    designs: Sequence[Design], cells: Cells, assessing: DesignAssessments | None
) -> list[RankingCondition]:
    """One condition for all designs that share their rankings."""
    more = () if assessing is None else assessing.metrics
    return [
        RankingCondition(
            experiment=experiment,
            metrics=tuple(dict.fromkeys((*metrics_of(designs, members), *more))),
            lenient=True,
        )
        for experiment, members in cells.items()
    ]


def metrics_of(designs: Sequence[Design], places: Sequence[int]) -> list[Metric]:
    """The metric of each of some designs."""
    return [designs[place].metric for place in places]


def observers_of(
    cells: Cells, assessing: DesignAssessments | None, first: int = 0
) -> dict[int, Observer]:
    """Who looks at the rankings of each condition, the first of which has this number."""
    if assessing is None:
        return {}
    return {number: assessing.observer(cell) for number, cell in enumerate(cells, start=first)}


def by_ranking(designs: Sequence[Design], places: Sequence[int]) -> Cells:
    """Designs that share their rankings, by the experiment that makes these."""
    groups: Cells = {}
    for place in places:
        groups.setdefault(designs[place].cell, []).append(place)
    return groups
