"""Planned: results that say whether they followed a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from cranfield.workbench.definition.table import write_table
from cranfield.workbench.plan.changes import check_plan
from cranfield.workbench.plan.plan import Plan, read_plan
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


def plan_of(folder: Path, record: object) -> Path | None:
    """The file of the plan that results in a folder were held to, if their record says so."""
    stated = isinstance(record, dict) and record.get("plan") is not None
    return folder / PLAN if stated else None
