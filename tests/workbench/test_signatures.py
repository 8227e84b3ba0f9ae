"""Signatures and flags are those of the declarations."""

from __future__ import annotations

import argparse
import inspect
from typing import Any, Literal, Unpack, get_args, get_origin, get_type_hints

import pytest

from cranfield.base.decisions import Decision, declared, written
from cranfield.base.errors import UnknownParameter
from cranfield.base.options import contract_of
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.signatures import (
    AssessDecisions,
    CompareDecisions,
    EvaluateDecisions,
    RankDecisions,
    ScoreDecisions,
    flag_value,
    flags_of,
    keyword,
    with_decisions,
)
from experiment_cases import experiment_of

inventory.load()
KINDS = (RankDecisions, ScoreDecisions, EvaluateDecisions, CompareDecisions, AssessDecisions)
ENTRIES = [(kind, name) for kind in KINDS for name in kind.__annotations__]
FLAGS = {each.flag or written(each.name): each for each in declared(Experiment)}


@pytest.mark.parametrize(("kind", "name"), ENTRIES, ids=[f"{k.__name__}-{n}" for k, n in ENTRIES])
def test_a_keyword_has_the_type_that_is_declared(kind: Any, name: str) -> None:
    given, known = get_type_hints(kind)[name], keyword(name)
    if known.answers or known.bounds != type(known.bounds)() or get_origin(given) is Literal:
        assert given == known.type
    elif (decision := contract_of(known.type)) is not None:
        assert contract_of(given) == decision
        assert str in get_args(given), "an option may be spelled"
    elif known.type is not Any:
        assert given == known.type or known.read is not None or name == "subsets"


@pytest.mark.parametrize("name", [name for kind in KINDS for name in kind.__annotations__])
def test_every_keyword_is_a_decision_of_the_experiment(name: str) -> None:
    known = keyword(name)
    base = experiment_of()
    assert hasattr(base if known.owner is Experiment else base.comparison, name)


@with_decisions(EvaluateDecisions)
def evaluate(
    judgments: Any, metrics: Any, *, relevance: float, **decisions: Unpack[EvaluateDecisions]
) -> dict[str, Any]:
    """Score."""
    return dict(decisions)


def test_keywords_are_shown_with_types_and_defaults() -> None:
    shown = inspect.signature(evaluate).parameters
    assert list(shown)[:3] == ["judgments", "metrics", "relevance"]
    assert set(shown) == {"judgments", "metrics", "relevance", *EvaluateDecisions.__annotations__}
    assert all(each.kind is not each.VAR_KEYWORD for each in shown.values())
    assert shown["coverage"].default == "full"
    assert get_args(shown["coverage"].annotation) == ("full", "forgiving", "common")
    assert shown["aggregation"].default == "mean"
    assert shown["targets"].default == "all-items"
    assert shown["least_train"].default is None
    assert shown["by"].default == ()
    assert evaluate.__doc__ == "Score."


def test_a_verb_refuses_a_keyword_that_it_lacks_with_the_near_one() -> None:
    assert evaluate([], ["RR"], relevance=4, ties="random") == {"ties": "random"}
    with pytest.raises(UnknownParameter, match=r'evaluate has no keyword "covrage"\. .*"coverage"'):
        evaluate([], ["RR"], relevance=4, covrage="full")  # type: ignore[call-arg]


def parser_of(*names: str, **more: Any) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(exit_on_error=False)
    flags_of(parser, names, **more)
    return parser


@pytest.mark.parametrize("name", FLAGS)
def test_every_decision_can_be_a_flag_and_is_none_unless_given(name: str) -> None:
    parser = parser_of(name)
    assert vars(parser.parse_args([])) in ({name: None}, {name: []})
    text = " ".join(parser.format_help().split())
    assert f"--{name.replace('_', '-')}" in text
    assert FLAGS[name].text.rstrip(".").split(":")[0].split()[0].lower() in text.lower()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("least_train", "3", 3), ("depth", "none", None), ("judged_share", "0.5", 0.5),
        ("scale", "1,5", (1.0, 5.0)), ("ties", "trec_eval", "trec_eval"), ("alpha", "1e-3", 0.001),
        ("targets", "TI, 1R", "TI, 1R"), ("aggregation", "median", "median"),
        ("catalogue", "007", "007"), ("title", "Mine, all mine", "Mine, all mine"),
        ("subsets", "20", 20), ("subset_share", "0.25", 0.25), ("relevance", "4", 4.0),
    ],
)  # fmt: skip
def test_a_flag_is_read_as_its_decision_declares(name: str, text: str, value: Any) -> None:
    flag = f"--{name.replace('_', '-')}={text}"
    assert vars(parser_of(name).parse_args([flag])) == {name: value}


def test_a_flag_of_a_list_is_repeated() -> None:
    given = parser_of("by").parse_args(["--by", "activity", "--by", "users.csv:age"])
    assert given.by == ["activity", "users.csv:age"]


def test_a_command_may_change_a_default_and_need_a_flag() -> None:
    parser = parser_of("depth", "relevance", required=("relevance",), depth=100)
    assert parser.parse_args(["--relevance", "4"]).depth == 100
    assert "(100)" in parser.format_help()
    with pytest.raises((argparse.ArgumentError, SystemExit)):
        parser.parse_args([])


def test_help_names_the_default_and_the_way_to_list_options() -> None:
    text = " ".join(parser_of("coverage", "aggregation").format_help().split())
    assert "{full,forgiving,common}" in text
    assert "empty list (full)" in text
    assert "(mean); `cranfield options aggregation` lists all" in text


def test_a_wrong_flag_says_what_would_do() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match='Did you mean "forgiving"'):
        flag_value(keyword("coverage"), "Forgivng")


def test_keywords_are_decisions() -> None:
    assert isinstance(keyword("alpha"), Decision)
    assert keyword("alpha").path == "alpha"
