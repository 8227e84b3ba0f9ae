"""Fewer systems: the tables of a run without one of its systems, from the tables themselves.

What a system scores, and how it compares with another, does not depend on third ones, but for
what permutations draw. Criteria that look at values of systems or at p-values of pairs are
assessed again on those that are left, as for the authors' figures. Test sets are thinned once,
with all systems; nothing is ranked or tested again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from cranfield.base.options import from_table, parse
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence
from cranfield.validity.meta.p_values import RUN_A, RUN_B, p_values_from_table
from cranfield.validity.meta.self_agreement import ThinnedScenarios
from cranfield.validity.meta.system_values import values_from_table
from cranfield.validity.thinned_criterion import Thinning
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.assessing import thin_systems
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.reproduction.reproduction import Reproduction
from cranfield.workbench.reproduction.running import (
    Edition,
    answered,
    called,
    chosen_panels,
    first_table,
)
from cranfield.workbench.results.frames import Frames, assessment_frames, join_panels

_PANEL = "panel"
_NAMING = ("system", "first", "second")
"""Columns that name systems."""

Thinned = Mapping[str, Mapping[Criterion, ThinnedScenarios]]
"""By panel and criterion: what systems reach on thinned test sets."""


def is_derivable(made: Reproduction, small: bool = False) -> bool:
    """Whether all that is assessed follows from what systems reach and from p-values of pairs."""
    table = first_table(made, small)
    if "study" in table:
        return False
    criteria = _criteria(table)
    return bool(criteria) and not any(map(_looks_at_users, criteria))


def thin_panels(made: Reproduction, edition: Edition) -> Thinned:
    """What systems reach on the thinned test sets of the paper's own data.

    Data that stand in for others decide no claim, and are left out.
    """
    found = {}
    for name, answers, standing_in in chosen_panels(made, edition.small):
        experiment = read_table(answered(made, answers), f"{made.name}.toml")
        if not standing_in and any(isinstance(each, Thinning) for each in experiment.assess):
            with open_pipeline(edition.store, edition.workers) as pipeline:
                found[name] = thin_systems(experiment, pipeline)
    return found


def frames_without(
    frames: Frames, made: Reproduction, system: str, thinned: Thinned, small: bool = False
) -> Frames:
    """The tables of a run without a system; ``thinned`` are those with all systems."""
    left = {name: _without(table, system) for name, table in frames.items()}
    panels = {str(name): _panel(left, name) for name in _panels(left)}
    table = first_table(made, small)
    assessed = join_panels(
        {
            name: assessment_frames(
                [*_assess_again(some, table), *_assess_thinned(thinned.get(name, {}), system)]
            )
            for name, some in panels.items()
        }
    )
    return {**left, **called(assessed, made.called)}


def _criteria(table: Mapping[str, Any]) -> list[Criterion]:
    given: Sequence[Any] = table.get("assess", ())
    return [
        parse("criterion", each) if isinstance(each, str) else from_table("criterion", each)
        for each in given
    ]


def _looks_at_users(criterion: Criterion) -> bool:
    """Whether a verdict needs more than values and p-values, but for what is thinned once."""
    looks = criterion.needs_hits or criterion.needs_scores or criterion.needs_test
    return looks and not isinstance(criterion, Thinning)


def _without(table: pl.DataFrame, system: str) -> pl.DataFrame:
    named = [name for name in _NAMING if name in table.columns]
    return table.filter(*(pl.col(name) != system for name in named))


def _panels(frames: Frames) -> list[Any]:
    named = _PANEL in frames["figures"].columns
    return frames["figures"][_PANEL].unique(maintain_order=True).to_list() if named else [""]


def _panel(frames: Frames, name: str) -> Frames:
    """The tables of one panel that criteria look at."""
    wanted = {kind: table for kind, table in frames.items() if kind in ("figures", "pairs")}
    if not name:
        return wanted
    return {kind: table.filter(pl.col(_PANEL) == name) for kind, table in wanted.items()}


def _assess_again(frames: Frames, table: Mapping[str, Any]) -> Iterator[Assessment]:
    seed = int(table.get("seed", 0))
    for criterion in _criteria(table):
        if not isinstance(criterion, Thinning):
            yield criterion.assess(replace(_evidence(criterion, frames), seed=seed))


def _assess_thinned(
    thinned: Mapping[Criterion, ThinnedScenarios], system: str
) -> Iterator[Assessment]:
    for each in thinned.values():
        yield each.without(system).assess()


def _evidence(criterion: Criterion, frames: Frames) -> Evidence:
    if criterion.needs_p_values:
        table = frames["pairs"].rename({"first": RUN_A, "second": RUN_B})
        wide = table.pivot("metric", index=[RUN_A, RUN_B], values="p", maintain_order=True)
        return Evidence(p_values=p_values_from_table(wide))
    values = frames["figures"].pivot("metric", index="system", values="value", maintain_order=True)
    return Evidence(values=values_from_table(values))
