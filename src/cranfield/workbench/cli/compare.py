"""``cranfield compare``: test which differences between systems are real."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from cranfield.base.checking.spelling import read_spelling
from cranfield.base.decisions import parameters
from cranfield.base.errors import OptionError
from cranfield.base.files import json_text, writing
from cranfield.base.options import find, parse
from cranfield.significance.comparison import Comparison
from cranfield.significance.condition import read_condition
from cranfield.significance.default_test import default_test
from cranfield.significance.gate import Gate, gate_of
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.comparisons import comparison_latex, marked_table, pairs_table
from cranfield.view.tables.users import users_line
from cranfield.workbench.cli.shared.arguments import seed_argument
from cranfield.workbench.cli.shared.failed import say_failed
from cranfield.workbench.cli.shared.outputs import refuse_overwriting
from cranfield.workbench.cli.shared.run_arguments import (
    OF_USERS,
    ScoredRuns,
    given,
    refuse_unless_one,
    run_arguments,
    scored_runs,
    scores_argument,
)
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.signatures import flags_of
from cranfield.workbench.verbs.conclusion import compare

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

_DECISIONS = (
    "test", "correction", "aggregation", "coverage", "undefined", "family", "alpha", "power",
    "rope", "baseline", "random", "subsets", "subset_share",
)  # fmt: skip


GATE_FAILED = 4
"""The exit code where a condition holds under which the command is to fail."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    scores_argument(parser)
    parser.add_argument(
        "-m", "--metric", action="append", default=[], dest="metrics", metavar="METRIC",
        help="a metric to compare by, repeatable; of scores, all by default",
    )  # fmt: skip
    run_arguments(parser)
    flags_of(parser, _DECISIONS, subsets=None)  # there are none unless asked for
    flags_of(parser, OF_USERS)
    parser.add_argument(
        "--draws",
        type=int,
        metavar="N",
        help="number of draws of a test that draws, such as permutation",
    )
    seed_argument(parser)
    parser.add_argument(
        "--fail-if", action="append", default=[], metavar="CONDITION",
        help=f"exit with code {GATE_FAILED} if it holds and is significant, as in "
        '"new < old", "new < old - 0.005" or "new < old - 2 %%"; repeatable',
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all pairs as JSON")
    parser.add_argument("--latex", action="store_true", help="print a LaTeX table instead")


def run(arguments: argparse.Namespace) -> int:
    """Compare the systems, write what was asked for, and print the tables."""
    refuse_overwriting(arguments)
    decisions = _decisions(arguments)
    refuse_unless_one("compare", arguments, "scores")
    with ExitStack() as files:
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        scored = scored_runs("compare", arguments, Pipeline(ranks=False))
        failed = say_failed(scored.failed)
        for each in arguments.fail_if:
            read_condition(each, scored.scores.systems)  # before anything is tested
        made = compare(scored.scores, seed=arguments.seed, **decisions)
        gates = [
            gate_of(made, scored.scores, each, seed=arguments.seed) for each in arguments.fail_if
        ]
        if json:
            of_gates = {"gates": [each.to_dict() for each in gates]} if gates else {}
            json.write_text(json_text({**made.to_dict(), **of_gates}), encoding="utf-8")
    _show(made, scored, arguments.latex)
    return GATE_FAILED if _say_gates(gates) else failed


def _say_gates(gates: Sequence[Gate]) -> bool:
    """What was found of each condition, beside the output; and whether one fails."""
    for each in gates:
        for sentence in each.sentences:
            tables.show(f'--fail-if "{each.condition}": {sentence}', sys.stderr)
    return any(each.failed for each in gates)


def _decisions(arguments: argparse.Namespace) -> dict[str, Any]:
    """The decisions that were given, as `cranfield.compare` takes them."""
    said = {name: getattr(arguments, name) for name in given(arguments, *_DECISIONS)}
    if arguments.draws is not None:
        aggregation = parse("aggregation", said.get("aggregation", "mean"))
        fitting = str(default_test(aggregation, of_means="permutation")).partition("(")[0]
        said["test"] = _with_draws(said.get("test", fitting), arguments.draws)
    count, share = said.pop("subsets", None), said.pop("subset_share", None)
    if count is None and share is not None:
        raise OptionError("--subset-share: say with --subsets how many subsets there are.")
    if count is not None:
        said["subsets"] = {"count": count} | ({} if share is None else {"share": share})
    return said


def _with_draws(test: str, draws: int) -> str:
    """The spelling of a test with its number of draws."""
    spelled = read_spelling(test)
    kind = find("test", spelled.name)
    if not any(known.name == "draws" for known in parameters(kind)):
        raise OptionError(f"--draws: the test {spelled.name} draws nothing. Leave it out.")
    if "(" in test:
        raise OptionError(f"--draws: give it inside, as in {spelled.name}(draws={draws}).")
    return f"{test}(draws={draws})"


def _show(made: Comparison, scored: ScoredRuns, latex: bool) -> None:
    label, users = scored.label, scored.users
    if latex:
        tables.show(comparison_latex(made, label=label, users=users))
        return
    width = tables.terminal_width()
    if users is not None:
        tables.show(f"{tables.wrapped(users_line(users), width)}\n")
    pairs, marked = (show(made, width=width, label=label) for show in (pairs_table, marked_table))
    tables.show(f"{pairs}\n\n{marked}")
    error = max((pair.p_error for pair in made.pairs if pair.p_error > 0), default=0.0)
    if error:
        tables.show(f"Monte-Carlo standard error of p: at most {error:.1g}.")
    for note in made.notes:
        tables.show(tables.noted(note, width))
