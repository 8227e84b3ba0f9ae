"""``cranfield recommend-design``: which design to trust on data like one's own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from cranfield.workbench.cli.shared.arguments import (
    columns_argument,
    file_source,
    seed_argument,
    store_argument,
    threshold,
    whole_number,
    workers_argument,
)
from cranfield.workbench.cli.shared.assessment_output import output, output_arguments
from cranfield.workbench.cli.shared.system_arguments import named_systems

if TYPE_CHECKING:
    from cranfield.validity.assessment import Assessment


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = (
        "Recommend a design: simulate collections of the size, density and skew of DATA, of "
        "which the truth is known, and say which design finds the true order of systems, and "
        "how sure that is."
    )
    parser.add_argument(
        "data", nargs="+", metavar="DATA",
        help="a file of ratings, the name of a data set (ml-1m), or a source; each by itself",
    )  # fmt: skip
    columns_argument(parser)
    parser.add_argument(
        "--relevance", type=threshold, metavar="R",
        help="ratings of at least R are relevant (three quarters up the scale)",
    )  # fmt: skip
    parser.add_argument(
        "--system", action="append", default=[], dest="systems", metavar="NAME=RECOMMENDER",
        help="a system to order, repeatable (default: two kNN, PureSVD, three baselines)",
    )  # fmt: skip
    parser.add_argument(
        "--metric", default="P@10", metavar="METRIC", help="the metric of the true order (P@10)"
    )
    parser.add_argument(
        "--worlds", type=whole_number, default=3, metavar="N",
        help="simulated collections for each assumed dependence of ratings on relevance (3)",
    )  # fmt: skip
    seed_argument(parser)
    output_arguments(parser)
    store_argument(parser)
    workers_argument(parser)
    parser.set_defaults(criterion="recommended design")


def run(arguments: argparse.Namespace) -> None:
    """Recommend a design for each of the data, and show what that rests on."""
    output(arguments, lambda: _recommended(arguments))


def _recommended(arguments: argparse.Namespace) -> list[Assessment]:
    from cranfield.workbench.cli.run import store_of
    from cranfield.workbench.verbs.truth import recommended_design

    sources = [(name, file_source(name, arguments)) for name in arguments.data]
    return [
        recommended_design(
            source.read(),
            store_of(arguments),
            relevance=arguments.relevance,
            systems=named_systems(arguments.systems),
            metric=arguments.metric,
            worlds=arguments.worlds,
            seed=arguments.seed,
            workers=arguments.workers,
            name=name,
        )
        for name, source in sources
    ]
