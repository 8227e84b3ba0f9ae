"""Planned: results that say whether they followed a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from cranfield.workbench.definition.table import write_table
from cranfield.workbench.plan.changes import check_plan
from cranfield.workbench.plan.data_set_changes import check_plans
from cranfield.workbench.plan.data_sets import PlanOfDataSets
from cranfield.workbench.plan.plan import Plan, read_plan
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults

PLAN = "plan.json"
"""The file of a folder of results that holds the plan, if there was one."""

R = TypeVar("R", Results, StudyResults, Results | StudyResults)


def with_plan(results: R, plan: Plan | Path | str | None) -> R:
    """The same results, held to a plan or to the file of one; without a plan, as they are."""
    if plan is None:
        return results
    known = plan if isinstance(plan, Plan) else read_plan(plan)
    base = results.base if isinstance(results, StudyResults) else results
    varied = results.study.to_table()["study"] if isinstance(results, StudyResults) else None
    decided = write_table(base.experiment, complete=True)
    check = check_plan(known, decided, varied, base.data, base.failed)
    return replace(results, plan=check)


def with_plans(results: ResultsByDataSet, plan: PlanOfDataSets | None) -> ResultsByDataSet:
    """The same results, those of every data set held to its plan; without one, as they are."""
    if plan is None:
        return results
    held = {
        name: with_plan(each, plan.data_sets.get(name))
        for name, each in results.by_data_set.items()
    }
    checks = {name: each.plan for name, each in held.items() if each.plan is not None}
    bases = {name: each.base if isinstance(each, StudyResults) else each
             for name, each in held.items()}  # fmt: skip
    used = {name: write_table(base.experiment, complete=True) for name, base in bases.items()}
    return replace(results, by_data_set=held, plan=check_plans(plan, checks, used))


def plan_of(folder: Path, record: object) -> Path | None:
    """The file of the plan that results in a folder were held to, if their record says so."""
    stated = isinstance(record, dict) and record.get("plan") is not None
    return folder / PLAN if stated else None
