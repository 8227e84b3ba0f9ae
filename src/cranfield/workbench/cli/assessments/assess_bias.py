"""``cranfield assess bias``: what of a result is due to the way it was measured."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from cranfield.base.checking.spelling import split_list
from cranfield.base.errors import OptionError
from cranfield.workbench.cli.shared.arguments import (
    seed_argument,
    store_argument,
    threshold,
    whole_number,
    workers_argument,
)
from cranfield.workbench.cli.shared.assessment_output import output, output_arguments
from cranfield.workbench.cli.shared.failed import say_failed
from cranfield.workbench.cli.shared.system_arguments import named_systems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.validity.assessment import Assessment
    from cranfield.workbench.definition.experiment import Experiment

_SYSTEMS = {"kNN": "user-kNN(k=100)", "MF": "WRMF", "pLSA": "PLSA"}
"""The systems that are assessed where none is named: those of bellogin2017."""

_UNDRAWN = {"neutralised", "expected"}
"""Parts that are tables alone."""
_PARTS = "neutralised, expected, tendency, split, sparsity, size, head, skew"


def declare(criteria: Any) -> None:
    """One more criterion of the command, with its arguments."""
    parser: argparse.ArgumentParser = criteria.add_parser(
        "bias",
        help="how much of a result is popularity or sparsity",
        description="Assess how much of a result is popularity or sparsity: protocols that "
        "neutralise popularity, what was to be expected of random and popular rankings, and "
        "how metrics move with test sparsity, target sets, popularity skew and the head.",
    )
    parser.add_argument("experiment", nargs="?", metavar="EXPERIMENT.toml", help="an experiment")
    _data_arguments(parser)
    parser.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="PATH=VALUE",
        help="override a decision of the experiment, repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--parts", default=_PARTS, metavar="PART,…", help=f"what is assessed ({_PARTS})"
    )
    parser.add_argument(
        "--cutoff", type=whole_number, default=10, metavar="N", help="the n of P@n (10)"
    )
    parser.add_argument(
        "--sample", type=whole_number, metavar="N", help="non-relevant targets in 1R (99)"
    )
    output_arguments(parser)
    store_argument(parser)
    workers_argument(parser)
    parser.set_defaults(alone=run)


def _data_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("instead of an experiment")
    group.add_argument("--data", metavar="DATA", help="a file of ratings, a data set or a source")
    group.add_argument(
        "--relevance", type=threshold, metavar="R", help="ratings of at least R are relevant"
    )
    group.add_argument("--split", metavar="SPLIT", help="how test ratings are chosen (random)")
    group.add_argument(
        "--system", action="append", default=[], dest="systems", metavar="NAME=RECOMMENDER",
        help="a system, repeatable (kNN, MF and pLSA)",
    )  # fmt: skip
    group.add_argument(
        "--metric", "-m", action="append", default=[], dest="metrics", metavar="METRIC",
        help="a metric besides P@n and nDCG@n, repeatable",
    )  # fmt: skip
    seed_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look at the biases of the experiment, and show what was found."""
    from cranfield.workbench.bias.assessment import assess_bias
    from cranfield.workbench.bias.case import BiasChoice
    from cranfield.workbench.cli.run import store_of
    from cranfield.workbench.definition.study.remaining import without_systems
    from cranfield.workbench.execution.systems.failures import (
        Failures,
        reasons_of,
        repeat_without_failed,
    )

    choice = BiasChoice(cutoff=arguments.cutoff, sample=arguments.sample)
    parts: Any = tuple(part.strip() for part in split_list(arguments.parts))
    if arguments.plot and set(parts) <= _UNDRAWN:
        raise OptionError(f"--plot: {' and '.join(parts)} cannot be drawn. Leave it out.")
    asked, lost = _experiment(arguments), Failures()

    def assess(failed: Failures) -> Sequence[Assessment]:
        left = without_systems(asked, failed)
        store, workers = store_of(arguments), arguments.workers
        made = tuple(assess_bias(left, store, choice, parts, workers))
        lost.update(failed)
        return made

    output(arguments, lambda: repeat_without_failed(assess, asked.names))
    return say_failed(reasons_of(lost))


def _experiment(arguments: argparse.Namespace) -> Experiment:
    """The experiment of the file, or one made of data and systems."""
    from cranfield.workbench.definition.definition import read_definition
    from cranfield.workbench.definition.reading import read_table
    from cranfield.workbench.definition.study.study import Study

    given = [
        flag
        for flag in ("data", "relevance", "split", "systems", "metrics")
        if getattr(arguments, flag)
    ]
    if bool(arguments.experiment) == bool(given):
        raise OptionError("bias: give an experiment's file, or --data and --relevance.")
    if arguments.changes and not arguments.experiment:
        raise OptionError("bias: --set changes the experiment of a file, and no file was given.")
    if arguments.experiment and arguments.seed:
        raise OptionError(f"bias: give the seed as --set seed={arguments.seed} with a file.")
    if arguments.experiment:
        found = read_definition(arguments.experiment, arguments.changes)
        return found.base if isinstance(found, Study) else found
    if not arguments.data or arguments.relevance is None:
        raise OptionError("bias: --data and --relevance are needed where there is no experiment.")
    return read_table(
        {
            "data": arguments.data,
            "relevance": arguments.relevance,
            "split": arguments.split or "random",
            "systems": named_systems(arguments.systems) or _SYSTEMS,
            "metrics": [f"P@{arguments.cutoff}", *arguments.metrics],
            "seed": arguments.seed,
        },
        "bias",
    )
