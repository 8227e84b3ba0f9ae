"""``cranfield assess truth``: which designs find out what is true."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from cranfield.base.errors import OptionError
from cranfield.workbench.cli.shared.arguments import store_argument, whole_number, workers_argument
from cranfield.workbench.cli.shared.assessment_output import output, output_arguments
from cranfield.workbench.cli.shared.failed import say_failed

if TYPE_CHECKING:
    from cranfield.validity.assessment import Assessment
    from cranfield.workbench.definition.study.study import Study

_OWN = ""
"""What --like stands for without a value: the data of the study."""


def declare(criteria: Any) -> None:
    """One more criterion of the command, with its arguments."""
    parser: argparse.ArgumentParser = criteria.add_parser(
        "truth",
        help="which designs find the true order of systems",
        description="Assess which designs find the true order of systems, on data of which the "
        "truth is known: simulated ones, or a complete block of real ratings.",
    )
    parser.add_argument("study", metavar="STUDY.toml", help="a study, with decisions to vary")
    parser.add_argument(
        "--like", nargs="?", const=_OWN, metavar="DATA",
        help="simulate data of the size, density and skew of DATA, or of the study's own",
    )  # fmt: skip
    parser.add_argument(
        "--worlds", type=whole_number, metavar="N",
        help="on how many simulated collections to repeat it (1; 3 with --like)",
    )  # fmt: skip
    parser.add_argument(
        "--metric", default="P@10", metavar="METRIC", help="the metric of the true order (P@10)"
    )
    parser.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="PATH=VALUE",
        help="override a decision of the base, repeatable",
    )  # fmt: skip
    output_arguments(parser)
    store_argument(parser)
    workers_argument(parser)
    parser.set_defaults(alone=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the study against the truth, and show what was found."""
    from cranfield.workbench.definition.study.remaining import study_without
    from cranfield.workbench.execution.systems.failures import (
        Failures,
        reasons_of,
        repeat_without_failed,
    )

    study, lost = _study(arguments), Failures()

    def assess(failed: Failures) -> list[Assessment]:
        made = [_assess(study_without(study, failed), arguments)]
        lost.update(failed)
        return made

    output(arguments, lambda: repeat_without_failed(assess, study.base.names))
    return say_failed(reasons_of(lost))


def _study(arguments: argparse.Namespace) -> Study:
    from cranfield.workbench.definition.definition import read_definition
    from cranfield.workbench.definition.study.study import Study

    found = read_definition(arguments.study, arguments.changes)
    if not isinstance(found, Study):
        raise OptionError(f"{arguments.study}: it varies nothing. Add what to vary under [study].")
    return found


def _assess(study: Study, arguments: argparse.Namespace) -> Assessment:
    from cranfield.collection.source import Source, source_of
    from cranfield.workbench.cli.run import store_of
    from cranfield.workbench.truth.assessment import assess_designs

    like: Source | bool = arguments.like is not None
    if arguments.like:
        like = source_of(arguments.like)
    asked = {"worlds": arguments.worlds, "metric": arguments.metric, "workers": arguments.workers}
    return assess_designs(study, store_of(arguments), like=like, **asked)
