"""``cranfield run``: execute an experiment or a study from its definition."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cranfield.base.errors import OptionError, counted
from cranfield.base.files import refuse_unwritable
from cranfield.view.charts.files import FORMATS
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.assessments import assessment_text
from cranfield.view.tables.breakdowns import breakdown_table
from cranfield.view.tables.comparisons import pairs_table
from cranfield.view.tables.summaries import (
    counts_line,
    lists_table,
    summary_table,
)
from cranfield.view.tables.tuning import tuning_table
from cranfield.view.tables.users import users_line
from cranfield.view.tables.verdicts import verdict_rows
from cranfield.workbench.cli.shared.arguments import definition_arguments, workers_argument
from cranfield.workbench.cli.shared.failed import exit_code
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.definition import read_asked
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.data_sets import execute_data_sets, execute_part
from cranfield.workbench.execution.estimate import estimate
from cranfield.workbench.execution.experiment.checks import foresee
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.planning import check_ahead, check_data_sets_ahead
from cranfield.workbench.plan.changes import PlanCheck
from cranfield.workbench.plan.data_set_changes import PlanCheckOfDataSets
from cranfield.workbench.plan.data_sets import AnyPlan, PlanOfDataSets, plan_of_one, plan_of_several
from cranfield.workbench.plan.plan import Plan
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.files import REPORT, base_of, report_content
from cranfield.workbench.results.folders import AnyResults, write_results
from cranfield.workbench.results.methods.tuning_content import tuning_content
from cranfield.workbench.results.planned import with_plan, with_plans
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.store.store import Store, default_folder

Asked = Experiment | Study | StudyOfDataSets
_MOST_PAIRS = 30
"""Pairs that a terminal is shown; all are in the report."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    definition_arguments(parser)
    parser.add_argument(
        "--out", metavar="DIR",
        help="the folder to write results and report to; without it, they are only printed",
    )  # fmt: skip
    parser.add_argument(
        "--charts",
        metavar="FORMATS",
        default="",
        help=f"also write every chart for papers: {', '.join(FORMATS)}",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="only say what would be computed, and the time and memory it needs",
    )
    parser.add_argument(
        "--plan", metavar="FILE",
        help="a plan made beforehand; results say whether it was followed",
    )  # fmt: skip
    parser.add_argument(
        "--evidence", action="store_true", help="also print the evidence for the verdict of a study"
    )
    store_argument(parser)
    workers_argument(parser)


def store_argument(parser: argparse.ArgumentParser) -> None:
    """Where stages keep what they make."""
    parser.add_argument(
        "--store",
        metavar="DIR",
        help="the folder of the cache, or an address such as s3://bucket/prefix (default: "
        "$CRANFIELD_STORE, or the user's cache folder); none turns it off",
    )


def store_of(arguments: argparse.Namespace) -> Store:
    """The store that the arguments name."""
    given = arguments.store
    return Store(None if given == "none" else default_folder() if given is None else given)


def run(arguments: argparse.Namespace) -> int:
    """Estimate, run, write, and print the verdict."""
    charts = _charts(arguments)
    asked = read_asked(arguments.file, arguments.changes)
    plan = _plan_for(asked, arguments.plan)
    if arguments.out and not arguments.dry_run:
        refuse_unwritable(arguments.out)
    store = store_of(arguments)
    used = Store(None) if arguments.dry_run else store
    with open_pipeline(used, arguments.workers) as pipeline:
        failing = _foresee(asked, arguments, pipeline, store)
        if arguments.dry_run:
            _show_plan(_checked_ahead(plan, asked, pipeline, failing))
            return exit_code([name for each in failing.values() for name in each])
        made = _executed(asked, pipeline, plan)
    if arguments.out:
        write_results(made, arguments.out, charts)
    if isinstance(made, ResultsByDataSet):
        _show_data_sets(made, evidence=arguments.evidence)
    else:
        _show(made, evidence=arguments.evidence)
    _show_plan(made.plan)
    if arguments.out:
        tables.show(f"\nreport: {Path(arguments.out) / REPORT}")
    return exit_code(_failed(made))


def _charts(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The formats in which charts are wanted."""
    charts = tuple(part.strip() for part in arguments.charts.split(",") if part.strip())
    for each in charts:
        if each not in FORMATS:
            raise OptionError(f'--charts: "{each}" is not one of {", ".join(FORMATS)}.')
    if charts and not arguments.out and not arguments.dry_run:
        raise OptionError("--charts: say with --out DIR where charts go.")
    return charts


def _plan_for(asked: Asked, given: str | None) -> AnyPlan | None:
    """The plan that results are held to, of as many data sets as are asked for."""
    if isinstance(asked, StudyOfDataSets):
        return plan_of_several(given, asked.parts)
    return plan_of_one(given)


def _checked_ahead(
    plan: AnyPlan | None, asked: Asked, pipeline: Pipeline, failing: dict[str, dict[str, str]]
) -> PlanCheck | PlanCheckOfDataSets | None:
    """Whether what is going to be done was planned."""
    if isinstance(plan, PlanOfDataSets) and isinstance(asked, StudyOfDataSets):
        return check_data_sets_ahead(plan, asked, pipeline, failing)
    if isinstance(plan, Plan) and not isinstance(asked, StudyOfDataSets):
        return check_ahead(plan, asked, pipeline, failing[""])
    return None


def _foresee(
    asked: Asked, arguments: argparse.Namespace, pipeline: Pipeline, store: Store
) -> dict[str, dict[str, str]]:
    """Refuse what would go wrong, say what there is to do, and which systems will fail where.

    A single data set goes without a name.
    """
    if not isinstance(asked, StudyOfDataSets):
        return {"": _foresee_part(asked, arguments, pipeline, store)}
    failing = {}
    for name, part in asked.parts.items():
        tables.show(f"{name}:", None if arguments.dry_run else sys.stderr)
        failing[name] = _foresee_part(part, arguments, pipeline, store)
    return failing


def _foresee_part(
    asked: Experiment | Study, arguments: argparse.Namespace, pipeline: Pipeline, store: Store
) -> dict[str, str]:
    """Refuse what would go wrong on one data set, and say what there is to do."""
    foreseen = foresee(asked, pipeline, _charts(arguments))
    foreseen.refuse(arguments.file)
    planned = estimate(asked, pipeline, store)
    tables.show(str(planned), None if arguments.dry_run else sys.stderr)
    for name, reason in foreseen.failing.items():
        tables.show(f"{tables.WARNING}{name} will fail: {reason}", sys.stderr)
    return dict(foreseen.failing)


def _executed(asked: Asked, pipeline: Pipeline, plan: AnyPlan | None) -> AnyResults:
    if isinstance(asked, StudyOfDataSets):
        several = plan if isinstance(plan, PlanOfDataSets) else None
        return with_plans(execute_data_sets(asked, pipeline, foreseen=True), several)
    return with_plan(execute_part(asked, pipeline), plan if isinstance(plan, Plan) else None)


def _show_plan(check: PlanCheck | PlanCheckOfDataSets | None) -> None:
    """Whether the plan was followed, then each change."""
    for number, sentence in enumerate(check.sentences if check else ()):
        text = tables.wrapped(sentence, tables.terminal_width(), mark="  · " if number else "")
        tables.show(text if number else f"\n{text}")


def _failed(made: AnyResults) -> dict[str, str]:
    """The systems that failed, on any data set."""
    if isinstance(made, ResultsByDataSet):
        found = [_failed(each).items() for each in made.by_data_set.values()]
        return {name: why for each in found for name, why in each}
    return dict(base_of(made).failed)


def _show_data_sets(made: ResultsByDataSet, *, evidence: bool) -> None:
    """The results of each data set, then what they say together."""
    for name in made:
        tables.show(f"{tables.strong(tables.printable(name))}\n")
        _show(made[name], evidence=evidence)
        tables.show("")
    width = tables.terminal_width()
    first, *others = made.findings.sentences
    tables.show(tables.strong(tables.wrapped(first, width)))
    for sentence in others:
        tables.show(tables.wrapped(sentence, width))


def _show(made: Results | StudyResults, *, evidence: bool) -> None:
    base = made.base if isinstance(made, StudyResults) else made
    width = tables.terminal_width()
    tables.show(f"{tables.wrapped(users_line(base.users), width)}\n")
    tables.show(
        summary_table(
            base.summary, width=width, unmarked=base.unmarked,
            unknown_random=base.unknown_random, label=base.label, failed=base.failed,
        )
    )  # fmt: skip
    if isinstance(made, StudyResults):
        _show_study(made, width, evidence=evidence)
    else:
        _show_run(made, width)


def _show_run(made: Results, width: int | None) -> None:
    _show_details(made, width)
    if (tuned := tuning_content(made)) is not None:
        tables.show(f"\n{tuning_table(tuned, width=width)}")
    if made.comparison is not None and len(made.comparison.pairs) <= _MOST_PAIRS:
        pairs = pairs_table(made.comparison, width=width, label=made.label, kinds=made.kinds)
        tables.show(f"\n{pairs}")
    tables.show(f"\n{tables.strong(tables.wrapped(report_content(made).verdict, width))}")


def _show_details(base: Results, width: int | None) -> None:
    """What stands below the table of one design."""
    tables.show(tables.wrapped(counts_line(base.summary, label=base.label), width))
    if lists := lists_table(base.lists, width=width, label=base.label):
        tables.show(f"\n{lists}")
    for each in base.breakdowns:
        tables.show(f"\n{breakdown_table(each, width=width, label=base.label)}")
    for note in base.notes:
        tables.show(tables.noted(note, width))


def _show_study(made: StudyResults, width: int | None, *, evidence: bool) -> None:
    """The badge, the verdict and its numbers; the rest is in the report, or asked for."""
    verdict = made.conclusion.verdict
    if evidence:
        _show_details(made.base, width)
    else:
        tables.show(tables.wrapped(counts_line(made.base.summary, label=made.base.label), width))
        warnings = [note for note in made.base.notes if note.startswith(tables.WARNING)]
        for note in warnings:
            tables.show(tables.noted(note, width))
        if many := len(made.base.notes) - len(warnings):
            tables.show(f"{counted(many, 'note')}: see the report, or add --evidence.")
    tables.show(f"\n{tables.strong(tables.printable(verdict.badge.upper()))}")
    tables.show(tables.wrapped(verdict.sentence, width))
    headings, *rows = verdict_rows(made.conclusion)
    tables.show(tables.render(rows, headings, width=width))
    if evidence:
        for sentence in verdict.evidence:
            tables.show(tables.wrapped(sentence, width, mark="  · "))
    for each in made.assessments:
        tables.show(f"\n{tables.wrapped(f'{each.criterion}: {each.reading}', width)}")
        if evidence:
            tables.show(f"\n{assessment_text(each, width=width)}")
    if repeats := report_content(made).repeats:
        tables.show(f"\n{tables.wrapped(' '.join(repeats), width)}")
