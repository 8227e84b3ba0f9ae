"""Signatures: what each public verb and each command takes, from the declarations.

A verb takes ``**decisions: Unpack[…]`` of one of the classes here, so that type checkers
know its keywords; `with_decisions` shows the same to ``help()`` and to completion.
"""

from __future__ import annotations

import argparse
import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict, TypeVar, get_args, get_origin, get_type_hints

from cranfield.base.checking.spelling import read_value, split_list, write_value
from cranfield.base.decisions import Decision, declared, parameters, written
from cranfield.base.errors import CranfieldError, UnknownParameter
from cranfield.base.options import contract_of
from cranfield.collection.filter import Filter
from cranfield.collection.target_choice import TargetChoice
from cranfield.collection.topics import Entering
from cranfield.recommendation.ranking.choice import Ties, Unscored
from cranfield.recommendation.runs.report import Kept, Repeated
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import Coverage, Undefined
from cranfield.significance.correction import Correction, Family
from cranfield.significance.equivalence import Rope
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.pigeonhole import RandomUnits
from cranfield.significance.resampling import Subsets
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.side_tables import Grouping

F = TypeVar("F", bound=Callable[..., Any])


class RankDecisions(TypedDict, total=False):
    """The decisions that change a ranking."""

    catalogue: Any
    scale: tuple[float, float] | None
    train_filters: str | Filter | Sequence[str | Filter]
    test_filters: str | Filter | Sequence[str | Filter]
    topics: Entering
    least_train: int | None
    training_items: Kept
    unscored: Unscored
    ties: Ties
    seed: int


class ScoreDecisions(TypedDict, total=False):
    """The decisions that change the score of a run on a topic."""

    catalogue: Any
    scale: tuple[float, float] | None
    train_filters: str | Filter | Sequence[str | Filter]
    test_filters: str | Filter | Sequence[str | Filter]
    judged_share: float
    topics: Entering
    least_train: int | None
    duplicates: Repeated
    training_items: Kept
    unknown_items: Kept
    targets: str | TargetChoice
    ties: Ties
    depth: int | None
    item_vectors: Any
    item_labels: Any
    seed: int


class EvaluateDecisions(ScoreDecisions, total=False):
    """The decisions of an evaluation of runs."""

    undefined: Undefined
    aggregation: str | Aggregation
    user_columns: Any
    coverage: Coverage
    by: str | tuple[str | Grouping, ...] | list[str]


class CompareDecisions(TypedDict, total=False):
    """The decisions of a comparison of systems by their scores."""

    test: str | PairedTest | None
    correction: str | Correction
    family: Family
    alpha: float
    power: float
    rope: str | float | Rope
    baseline: str | None
    random: RandomUnits
    subsets: Subsets | dict[str, Any] | None
    undefined: Undefined
    aggregation: str | Aggregation
    coverage: Coverage
    seed: int


class AssessDecisions(TypedDict, total=False):
    """The decisions of an assessment of metrics."""

    test: str | PairedTest | None
    aggregation: str | Aggregation
    seed: int


def keyword(name: str) -> Decision:
    """The decision that a keyword of a verb answers."""
    known = {each.name: each for each in (*parameters(Experiment), *parameters(Compared))}
    return known[name]


def with_decisions(kind: type) -> Callable[[F], F]:
    """Show the decisions of a verb as its keywords, and refuse others with the near name."""
    types = get_type_hints(kind)

    def mark(verb: F) -> F:
        @functools.wraps(verb)
        def checked(*args: Any, **given: Any) -> Any:
            for name in given:
                if name not in known:
                    raise UnknownParameter(verb.__name__, name, known, what="keyword")
            return verb(*args, **given)

        plain = inspect.signature(verb)
        own = [each for each in plain.parameters.values() if each.kind is not each.VAR_KEYWORD]
        more = [_parameter(keyword(name), hint) for name, hint in types.items()]
        known = [each.name for each in (*own, *more)]
        checked.__signature__ = plain.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        return checked  # type: ignore[return-value]

    return mark


def _parameter(decision: Decision, hint: Any) -> inspect.Parameter:
    value = decision.default
    default = (
        value if value is None or isinstance(value, bool | int | float | tuple) else str(value)
    )
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(decision.name, kind, default=default, annotation=hint)


def flags_of(
    parser: Any, names: Iterable[str], *, required: Iterable[str] = (), **defaults: object
) -> None:
    """Add the flags of some decisions, by name, to a parser or a group of its arguments.

    What is not given is None, so that the experiment's own default holds; ``defaults`` are
    those that a command changes.
    """
    known = {each.flag or written(each.name): each for each in declared(Experiment)}
    for name in names:
        decision = known[name]
        several = _is_repeatable(decision)
        words: dict[str, Any] = {"choices": decision.answers} if decision.answers else {}
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            dest=name,
            type=functools.partial(flag_value, decision),
            default=[] if several else defaults.get(name),
            action="append" if several else "store",
            required=name in required,
            help=_help(decision, defaults.get(name, decision.default)),
            **(words or {"metavar": _metavar(decision.type)}),
        )


def _help(decision: Decision, default: object) -> str:
    """What a decision is about, its default, and how its answers are listed."""
    text = decision.text[0].lower() + decision.text[1:].rstrip(".")
    if _is_repeatable(decision):
        text = f"{text}; repeatable"
    if default not in (None, "", ()) and not decision.required:
        text = f"{text} ({write_value(default)})"
    if kind := contract_of(decision.type):
        text = f"{text}; `cranfield options {kind}` lists all"
    elif decision.answers:
        text = f"{text}; `cranfield options {decision.name}` explains them"
    return text.replace("%", "%%")


def _is_repeatable(decision: Decision) -> bool:
    return get_origin(decision.type) is tuple and Ellipsis in get_args(decision.type)


def _metavar(hint: Any) -> str:
    members = get_args(hint) or (hint,)
    if get_origin(members[0]) is tuple:
        return ",".join("X" for _ in get_args(members[0]))
    if int in members or float in members:
        return "N" if int in members else "X"
    return "FILE" if hint is Any else "NAME" if contract_of(hint) else "LIST"


def flag_value(decision: Decision, text: str) -> Any:
    """What the text of a flag says; spelled options are left to the experiment.

    >>> flag_value(keyword("least_train"), "3")
    3
    """
    if decision.type is Any or decision.read is not None or contract_of(decision.type):
        return text
    listed = split_list(text) if get_origin(decision.type) is not None and "," in text else None
    given = read_value(text) if listed is None else [read_value(each) for each in listed]
    try:
        return decision.check(given)
    except CranfieldError as error:
        raise argparse.ArgumentTypeError(error.problems[0][1]) from None
