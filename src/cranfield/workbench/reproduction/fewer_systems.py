"""Fewer systems: the tables of a run without one of its systems, from the tables themselves.

What a system scores, and how it compares with another, does not depend on third ones, but for
what permutations draw. Criteria that look at values of systems or at p-values of pairs are
assessed again on those that are left, as for the authors' figures; nothing is ranked or tested
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from cranfield.base.options import from_table, parse
from cranfield.validity.criterion import Criterion, Evidence
from cranfield.validity.meta.p_values import RUN_A, RUN_B, p_values_from_table
from cranfield.validity.meta.system_values import values_from_table
from cranfield.workbench.reproduction.reproduction import Reproduction
from cranfield.workbench.results.frames import Frames, assessment_frames, join_panels

_PANEL = "panel"
_NAMING = ("system", "first", "second")
"""Columns that name systems."""


def is_derivable(made: Reproduction) -> bool:
    """Whether all that is assessed follows from values of systems and p-values of pairs."""
    assessed = _criteria(made)
    if not assessed or "study" in made.definition:
        return False
    return not any(c.needs_hits or c.needs_scores or c.needs_test for c in assessed)


def frames_without(frames: Frames, made: Reproduction, system: str) -> Frames:
    """The tables of a run without a system."""
    left = {name: _without(table, system) for name, table in frames.items()}
    panels = {str(name): _panel(left, name) for name in _panels(left)}
    assessed = join_panels({name: _assessed(some, made) for name, some in panels.items()})
    return {**left, **assessed}


def _criteria(made: Reproduction) -> list[Criterion]:
    given: Sequence[Any] = made.definition.get("assess", ())
    return [
        parse("criterion", each) if isinstance(each, str) else from_table("criterion", each)
        for each in given
    ]


def _without(table: pl.DataFrame, system: str) -> pl.DataFrame:
    named = [name for name in _NAMING if name in table.columns]
    return table.filter(*(pl.col(name) != system for name in named))


def _panels(frames: Frames) -> list[Any]:
    named = _PANEL in frames["figures"].columns
    return frames["figures"][_PANEL].unique(maintain_order=True).to_list() if named else [""]


def _panel(frames: Frames, name: str) -> Frames:
    """The tables of one panel that criteria look at."""
    wanted: Frames = {kind: frames[kind] for kind in ("figures", "pairs") if kind in frames}
    if not name:
        return wanted
    return {kind: table.filter(pl.col(_PANEL) == name) for kind, table in wanted.items()}


def _assessed(frames: Frames, made: Reproduction) -> Frames:
    seed = int(made.definition.get("seed", 0))
    known = [(each, replace(_evidence(each, frames), seed=seed)) for each in _criteria(made)]
    return assessment_frames([criterion.assess(evidence) for criterion, evidence in known])


def _evidence(criterion: Criterion, frames: Frames) -> Evidence:
    if criterion.needs_p_values:
        table = frames["pairs"].rename({"first": RUN_A, "second": RUN_B})
        wide = table.pivot("metric", index=[RUN_A, RUN_B], values="p", maintain_order=True)
        return Evidence(p_values=p_values_from_table(wide))
    values = frames["figures"].pivot("metric", index="system", values="value", maintain_order=True)
    return Evidence(values=values_from_table(values))
