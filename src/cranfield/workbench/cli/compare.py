"""``cranfield compare``: test which differences between systems are real."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from typing import get_args

from cranfield.base import options
from cranfield.base.decisions import parameters
from cranfield.base.errors import OptionError
from cranfield.base.files import json_text, writing
from cranfield.base.options import find
from cranfield.base.spelling import read_spelling
from cranfield.significance.comparison import Comparison, ComparisonChoice, compare
from cranfield.significance.correction import Family
from cranfield.significance.samples import Pairing, Undefined
from cranfield.significance.resampling import Subsets
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.comparisons import comparison_latex, marked_table, pairs_table
from cranfield.workbench.cli.arguments import seed_argument, whole_number
from cranfield.workbench.cli.run_arguments import refuse_unless_one, run_arguments
from cranfield.workbench.cli.score_arguments import scores_argument, scores_of

KINDS = (
    "source",
    "split",
    "target",
    "gain",
    "metric",
    "run-metric",
    "aggregation",
    "test",
    "correction",
)
"""The kinds of options that the command needs."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    scores_argument(parser)
    parser.add_argument(
        "-m", "--metric", action="append", default=[], dest="metrics", metavar="METRIC",
        help="a metric to compare by, repeatable; of scores, all by default",
    )  # fmt: skip
    run_arguments(parser)
    _add_decisions(parser)
    seed_argument(parser)
    parser.add_argument("--json", metavar="FILE", help="write all pairs as JSON")
    parser.add_argument("--latex", action="store_true", help="print a LaTeX table instead")


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    def add(name: str, default: str, text: str) -> None:
        parser.add_argument(name, default=default, metavar="NAME", help=f"{text} ({default})")

    add("--test", "permutation", "the paired test; `cranfield options test` lists all")
    add("--correction", "holm", "how p-values are adjusted for many pairs")
    add("--aggregation", "mean", "what is reported of each system: the test should fit it")
    parser.add_argument(
        "--draws", type=int, metavar="N", help="draws of a test by drawing (100,000: permutation)"
    )
    parser.add_argument(
        "--coverage", choices=get_args(Pairing), default="full",
        help="users whom a system does not cover: score 0, or left out for all (full)",
    )  # fmt: skip
    parser.add_argument(
        "--undefined", choices=get_args(Undefined), default="left-out",
        help="users on whom a metric is undefined for a system: for all left out, or 0 (left-out)",
    )  # fmt: skip
    parser.add_argument(
        "--family", choices=get_args(Family), default="metric",
        help="what is corrected together: the pairs of each metric, or all (metric)",
    )  # fmt: skip
    numbers = {
        "alpha": (0.05, "the level of significance"),
        "power": (0.8, "the power for the smallest difference that the users would show"),
        "rope": (0.01, "the largest difference that is as good as none"),
        "subset-share": (0.5, "the share of users in each subset"),
    }
    for name, (default, text) in numbers.items():
        parser.add_argument(
            f"--{name}", type=float, default=default, metavar="X", help=f"{text} ({default})"
        )
    parser.add_argument(
        "--subsets", type=whole_number, metavar="N",
        help="repeat the test on N random subsets of users and tell how often it rejects",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Compare the systems, write what was asked for, and print the tables."""
    choice = _choice(arguments)
    refuse_unless_one("compare", arguments, "scores")
    with ExitStack() as files:
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        made = compare(scores_of("compare", arguments), choice, seed=arguments.seed)
        if json:
            json.write_text(json_text(made.to_dict()), encoding="utf-8")
    _show(made, arguments.latex)


def _choice(arguments: argparse.Namespace) -> ComparisonChoice:
    test = arguments.test
    if arguments.draws is not None:
        test = _with_draws(test, arguments.draws)
    share, count = arguments.subset_share, arguments.subsets
    return ComparisonChoice(
        test=options.parse("test", test),
        correction=options.parse("correction", arguments.correction),
        aggregation=options.parse("aggregation", arguments.aggregation),
        coverage=arguments.coverage,
        undefined=arguments.undefined,
        family=arguments.family,
        alpha=arguments.alpha,
        power=arguments.power,
        rope=arguments.rope,
        subsets=None if count is None else Subsets(count=count, share=share),
    )


def _with_draws(test: str, draws: int) -> str:
    """The spelling of a test with its number of draws."""
    spelled = read_spelling(test)
    kind = find("test", spelled.name)
    if not any(known.name == "draws" for known in parameters(kind)):
        raise OptionError(f"--draws: the test {spelled.name} draws nothing. Leave it out.")
    if "(" in test:
        raise OptionError(f"--draws: give it inside, as in {spelled.name}(draws={draws}).")
    return f"{test}(draws={draws})"


def _show(made: Comparison, latex: bool) -> None:
    if latex:
        tables.show(comparison_latex(made))
        return
    width = tables.terminal_width()
    tables.show(f"{pairs_table(made, width=width)}\n\n{marked_table(made, width=width)}")
    errors = [pair.p_error for pair in made.pairs]
    if max(errors) > 0:
        tables.show(f"Monte-Carlo standard error of p: at most {max(errors):.1g}.")
    for note in made.notes:
        tables.show(f"note: {tables.printable(note)}")
