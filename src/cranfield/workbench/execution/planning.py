"""Planning: the plan of an experiment or a study; data are read and split, nothing is fitted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from cranfield.base.errors import BadParameter
from cranfield.significance.planned_power import PlannedPower, detectable_effect, planned_power
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.definition.table import write_table
from cranfield.workbench.execution.data.data_facts import facts_of
from cranfield.workbench.execution.experiment.checks import foresee
from cranfield.workbench.execution.experiment.users import users_entering
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.plan.changes import PlanCheck, check_plan
from cranfield.workbench.plan.data_set_changes import PlanCheckOfDataSets, check_plans
from cranfield.workbench.plan.data_sets import PlanOfDataSets
from cranfield.workbench.plan.plan import Plan
from cranfield.workbench.results.results import versions

EFFECTS = (0.05, 0.1, 0.2)
"""Mean differences, in standard deviations of users' differences, for which power is told."""


_DIGITS = 6
"""Decimals of power that a plan holds, so that its fingerprint does not depend on the last bits."""


def make_plan(
    asked: Experiment | Study, effects: Sequence[float] = EFFECTS, pipeline: Pipeline | None = None
) -> Plan:
    """Freeze all decisions, with the data and the power that the users of the base give.

    What would go wrong later is refused first. ``effects`` are mean differences in standard
    deviations of users' differences.
    """
    _refuse_no_effects(effects)
    road = pipeline or Pipeline()
    foresee(asked, road).refuse(asked.where if isinstance(asked, Study) else "experiment")
    base = asked.base if isinstance(asked, Study) else asked
    data = road.prepare(base)
    targets = [road.targets(data, fold, base) for fold in data.folds]
    users, together = users_entering(base, targets).users, _comparisons(base)
    choice = base.comparison_choice
    corrected = max(together, 1) if str(choice.correction) != "none" else 1
    stated = [_rounded(planned_power(e, users, choice.alpha, corrected)) for e in effects]
    return Plan(
        title=base.title,
        decisions=_as_recorded(write_table(base, complete=True)),
        study=_as_recorded(asked.to_table()["study"]) if isinstance(asked, Study) else None,
        data=_as_recorded(facts_of(data)),
        users=users,
        comparisons=together,
        alpha=choice.alpha,
        wanted_power=choice.power,
        power=tuple(stated if together else ()),
        detectable=round(detectable_effect(users, choice.alpha / corrected, choice.power), _DIGITS),
        versions=versions(),
    )


def make_plan_of_data_sets(
    asked: StudyOfDataSets, effects: Sequence[float] = EFFECTS, pipeline: Pipeline | None = None
) -> PlanOfDataSets:
    """Freeze the decisions on every data set, each with its data and its power."""
    road = pipeline or Pipeline()
    for part in asked.parts.values():
        foresee(part, road).refuse(asked.where)
    plans = {name: make_plan(part, effects, road) for name, part in asked.parts.items()}
    return PlanOfDataSets(title=asked.title, data_sets=plans)


def check_data_sets_ahead(
    plan: PlanOfDataSets,
    asked: StudyOfDataSets,
    pipeline: Pipeline,
    failing: Mapping[str, Mapping[str, str]],
) -> PlanCheckOfDataSets:
    """Whether what is going to be done on each data set is what was planned for it.

    ``failing`` are the systems that will fail, by data set.
    """
    checks = {
        name: check_ahead(plan[name], part, pipeline, failing.get(name, {}))
        for name, part in asked.parts.items()
        if name in plan.data_sets
    }
    used = {name: write_table(base, complete=True) for name, base in asked.bases.items()}
    return check_plans(plan, checks, used)


def check_ahead(
    plan: Plan, asked: Experiment | Study, pipeline: Pipeline, failing: Mapping[str, str]
) -> PlanCheck:
    """Whether what is going to be done is what was planned; ``failing`` systems will fail."""
    base = asked.base if isinstance(asked, Study) else asked
    varied = asked.to_table()["study"] if isinstance(asked, Study) else None
    decided, facts = write_table(base, complete=True), facts_of(pipeline.prepare(base))
    return check_plan(plan, decided, varied, facts, failing)


def _rounded(found: PlannedPower) -> PlannedPower:
    return PlannedPower(
        effect=float(found.effect),
        power=round(found.power, _DIGITS),
        corrected_power=round(found.corrected_power, _DIGITS),
    )


def _refuse_no_effects(effects: Sequence[float]) -> None:
    wanted = "a number above 0, in standard deviations of users' differences, such as 0.1"
    for each in effects:
        if isinstance(each, bool) or not isinstance(each, int | float) or not 0 < each < 1e6:
            raise BadParameter("plan", "effect", each, wanted)


def _comparisons(base: Experiment) -> int:
    """How many comparisons are corrected together."""
    systems = len(base.names)
    pairs = comb(systems, 2) if base.comparison.baseline is None else systems - 1
    return pairs * (len(base.metrics) if base.comparison.family == "all" else 1)


def _as_recorded(table: dict[str, Any]) -> Any:
    """A table as JSON gives it back."""
    return json.loads(json.dumps(table))
