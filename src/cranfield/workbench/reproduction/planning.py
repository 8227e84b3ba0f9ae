"""Planning: what a reproduction would run, and on which data, before any of it is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.workbench import inventory
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import read_study
from cranfield.workbench.reproduction.reproduction import Panel, Reproduction
from cranfield.workbench.reproduction.running import (
    answered,
    answers_of_draw,
    choose_panel,
    is_at_hand,
    source_of,
)


@dataclass(frozen=True)
class Planned:
    """A table or figure before it is run: its data, and how many designs are evaluated."""

    reproduction: Reproduction
    data: tuple[str, ...]
    designs: int


def plan_reproduction(made: Reproduction, *, small: bool = False, seeds: int = 1) -> Planned:
    """Which data a table or figure takes, and how many designs its draws have together."""
    inventory.load()
    data, designs = [], 0
    for panel in made.panels[:1] if small else made.panels:
        _, answers, standing_in = choose_panel(panel, made, small)
        data.append(_told(source_of(answers, made), standing_in))
        for draw in range(1 if standing_in else seeds):
            designs += _designs(answered(made, answers_of_draw(answers, made, draw, small)))
    return Planned(made, tuple(data), designs)


def _told(source: str, standing_in: bool) -> str:
    """A data set, and whether it stands in for another or has to be downloaded."""
    notes = [
        *(["stand-in"] if standing_in else []),
        *([] if is_at_hand(source) else ["to be downloaded"]),
    ]
    return f"{source} ({', '.join(notes)})" if notes else source


def _designs(table: Mapping[str, Any]) -> int:
    return len(Universe(read_study(table)).designs) if "study" in table else 1


def missing_data(made: Reproduction) -> list[str]:
    """The data sets that are not here and that nothing stands in for."""
    sources = [_source(panel, made) for panel in made.panels]
    return [source for source in dict.fromkeys(sources) if not is_at_hand(source)]


def _source(panel: Panel, made: Reproduction) -> str:
    return source_of(choose_panel(panel, made, small=False)[1], made)
