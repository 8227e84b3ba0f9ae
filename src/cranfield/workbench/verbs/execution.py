"""Verbs of execution: plan and execute experiments and studies, verify results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.base.errors import OptionError
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.data_sets import execute_data_sets
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.planning import EFFECTS, make_plan, make_plan_of_data_sets
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.plan.data_sets import (
    AnyPlan,
    PlanOfDataSets,
    plan_of_one,
    plan_of_several,
)
from cranfield.workbench.plan.plan import Plan
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.folders import verify_folder
from cranfield.workbench.results.planned import with_plan, with_plans
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.store.store import Store
from cranfield.workbench.verbs.definitions import asked_of, called, definition_of


def run(
    experiment: Experiment | Mapping[str, Any] | str | Path,
    *,
    store: str | Path | None = None,
    plan: AnyPlan | str | Path | None = None,
    workers: int | str | None = None,
) -> Results:
    """Execute an experiment: an object, a table of decisions, or the file that holds them.

    ``store`` is a folder in which computed parts are cached, or an address such as
    "s3://bucket/prefix", which fsspec must know. A system that fails is in
    ``failed`` of the results, with the reason, and the others are evaluated; an error is raised
    only if all fail. ``plan`` is a plan made beforehand, or its file: ``plan`` of the results
    says whether it was followed. ``workers`` is how many processes share the work, or "ray" or
    "ray://HOST:PORT" for a cluster; the results are the same, bit for bit.

    >>> import cranfield as cf
    >>> results = cf.run({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ... })
    >>> results.summary.row("kNN", "nDCG@10").users
    40
    """
    asked = definition_of(experiment)
    if isinstance(asked, Study):
        raise OptionError(f"{called(experiment)}: it defines a study. Use cranfield.study.")
    known = plan_of_one(plan)
    with open_pipeline(Store(store), workers) as road:
        return with_plan(execute(asked, road), known)


def study(
    definition: Study | Mapping[str, Any] | str | Path,
    *,
    store: str | Path | None = None,
    plan: AnyPlan | str | Path | None = None,
    workers: int | str | None = None,
) -> StudyResults:
    """Execute a study: does the conclusion hold under other answers to its decisions?

    ``store``, ``plan`` and ``workers`` are those of `run`.

    >>> import cranfield as cf
    >>> results = cf.study({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ...     "study": {"vary": {"cutoff": [5, 10], "targets": ["all-items", "condensed"]}},
    ... })
    >>> len(results.designs)
    4
    """
    asked = definition_of(definition)
    if isinstance(asked, Experiment):
        raise OptionError(f"{called(definition)}: it varies nothing. Use cranfield.run.")
    known = plan_of_one(plan)
    with open_pipeline(Store(store), workers) as road:
        return with_plan(execute_study(asked, road), known)


def plan(
    definition: Experiment | Study | StudyOfDataSets | Mapping[str, Any] | str | Path,
    *,
    effects: Sequence[float] = EFFECTS,
) -> Plan | PlanOfDataSets:
    """Freeze the decisions of an experiment or a study before any result; nothing is fitted.

    ``effects`` are mean differences, in standard deviations of users' differences, for which
    the power is reported. `Plan.write` writes it; `run` and `study` hold results to it. Where the
    definition names several data sets, the plan is of all of them, for `study_data_sets`.

    >>> import cranfield as cf
    >>> planned = cf.plan({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"],
    ... })
    >>> planned.users
    40
    """
    asked = asked_of(definition)
    if isinstance(asked, StudyOfDataSets):
        return make_plan_of_data_sets(asked, effects)
    return make_plan(asked, effects)


def study_data_sets(
    definition: StudyOfDataSets | Mapping[str, Any] | str | Path,
    *,
    store: str | Path | None = None,
    plan: AnyPlan | str | Path | None = None,
    workers: int | str | None = None,
) -> ResultsByDataSet:
    """Ask the same question of several data sets: on which of them does the answer hold?

    ``data`` is a list of them, or a table by name with the answers that differ on each.
    ``store``, ``plan`` and ``workers`` are those of `run`.

    >>> import cranfield as cf
    >>> results = cf.study_data_sets({
    ...     "data": {
    ...         "dense": {"source": "simulated(size=tiny, mnar=0)"},
    ...         "sparse": {"source": "simulated(size=tiny)", "relevance": 5},
    ...     },
    ...     "split": "per-user(test_share=0.3)", "relevance": 4, "metrics": ["nDCG@10"],
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"}, "seed": 1,
    ... })
    >>> results["sparse"].experiment.relevance
    5.0
    """
    asked = asked_of(definition)
    if not isinstance(asked, StudyOfDataSets):
        problem = "it names one data set. Use cranfield.study or cranfield.run."
        raise OptionError(f"{called(definition)}: {problem}")
    known = plan_of_several(plan, asked.parts)
    with open_pipeline(Store(store), workers) as road:
        return with_plans(execute_data_sets(asked, road), known)


def verify(folder: Path | str, **given: Any) -> Results | StudyResults | ResultsByDataSet:
    """Recompute the results of a folder from scratch, and refuse any difference.

    Whatever was not read from a file must be ``given`` again, by the name of its decision: the
    table in ``verify(folder, data=table)``, one model in ``systems={"mine": model}``.
    """

    def recompute(asked: Experiment | Study) -> Results | StudyResults:
        return execute_study(asked) if isinstance(asked, Study) else execute(asked)

    return verify_folder(folder, recompute, given)
