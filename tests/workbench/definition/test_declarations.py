"""Every decision is refused when it is misspelled or out of bounds, whoever gives it.

The cases follow from the declarations, so that a new decision is tested on arrival.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from cranfield.base.checking.spelling import write_value
from cranfield.base.decisions import Bounds, Decision, declared, parameters, written
from cranfield.base.errors import CranfieldError, OptionError, UnknownDecision
from cranfield.base.options import contract_of, decisions, from_table, options, parse
from cranfield.collection.topics import UserChoice
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.runs.report import RunRules
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.resampling import Subsets
from cranfield.workbench import inventory
from cranfield.workbench.definition.definition import (
    every_decision,
    find_decision,
    read_definition,
)
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.study.repeat import Repeat
from cranfield.workbench.definition.study.study import Study, read_study
from cranfield.workbench.definition.tuning import Tuning
from cranfield.workbench.signatures import flags_of
from experiment_cases import experiment_of, table_of

inventory.load()
DECISIONS = every_decision()
CLOSED = [each for each in DECISIONS if each.answers]
BOUNDED = [each for each in DECISIONS if each.bounds != Bounds()]
PARAMETERS = [
    (decision, name, known)
    for decision in decisions()
    for name, cls in options(decision).items()
    if cls.__module__.startswith("cranfield.")
    for known in parameters(cls)
]

Give = Callable[[Decision, Any, Path], None]


TUNED = {"kNN": "user-kNN(k=tune(2..9))", "Popularity": "Popularity"}


def whole(decision: Decision, value: Any) -> dict[str, Any]:
    """The table of a study in which one decision is answered."""
    asked = {"vary": {"seed": [1, 2]}, "repeat": {"split_seeds": 2}}
    table = table_of(
        study=asked, comparison={"subsets": {"count": 3}}, assess=["DP"], systems=TUNED, tuning={}
    )
    inner = table
    *steps, last = decision.path.split(".")
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return table


def by_keyword(decision: Decision, value: Any, folder: Path) -> None:
    table = whole(decision, value)
    study = table.pop("study")
    Study(base=Experiment(**table), **study)


def by_replacing(decision: Decision, value: Any, folder: Path) -> None:
    base = experiment_of(comparison={"subsets": {"count": 3}}, assess=["DP"], systems=TUNED)
    study = Study(base=base, vary={"seed": (1, 2)}, repeat=Repeat(split_seeds=2))
    tables = (base.comparison, base.comparison.subsets, base.tuning)
    for owner in (base, *tables, study, study.repeat):
        if type(owner) is decision.owner:
            replace(owner, **{decision.name: value})  # type: ignore[type-var]


def by_table(decision: Decision, value: Any, folder: Path) -> None:
    read_study(whole(decision, value))


def by_toml(decision: Decision, value: Any, folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(toml_text(whole(decision, value)))
    read_definition(path)


def by_yaml(decision: Decision, value: Any, folder: Path) -> None:
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(whole(decision, value)))
    read_definition(path)


def by_override(decision: Decision, value: Any, folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(toml_text(whole(decision, decision.default)))
    read_definition(path, [f"{decision.path}={value}"])


def by_flag(decision: Decision, value: Any, folder: Path) -> None:
    if decision.path.startswith(("study.", "tuning.")):
        by_replacing(decision, value, folder)
        return
    name = decision.flag or written(decision.name)
    parser = argparse.ArgumentParser(exit_on_error=False)
    flags_of(parser, [name])
    text = value if isinstance(value, str) else write_value(value)  # the shell takes quotes away
    try:
        parser.parse_args([f"--{name.replace('_', '-')}={text}"])
    except argparse.ArgumentError as error:
        raise OptionError(str(error)) from None


WAYS = (by_keyword, by_replacing, by_table, by_toml, by_yaml, by_override, by_flag)


def wrong(word: str) -> str:
    """A word with its last letter twice."""
    return f"{word}{word[-1]}"


def outside(bounds: Bounds) -> list[float]:
    """Numbers just out of bounds."""
    ends = [(bounds.above, 0), (bounds.below, 0), (bounds.at_least, -1), (bounds.at_most, 1)]
    return [int(end + step) for end, step in ends if end is not None]


def named(decision: Decision) -> str:
    return decision.path


@pytest.mark.parametrize("give", WAYS)
@pytest.mark.parametrize("decision", CLOSED, ids=named)
def test_a_misspelled_answer_is_refused_with_the_near_one(
    decision: Decision, give: Give, tmp_path: Path
) -> None:
    for word in decision.answers:
        with pytest.raises(CranfieldError) as caught:
            give(decision, wrong(word), tmp_path)
        assert f'"{wrong(word)}" is not one of ' in str(caught.value)
        assert f'Did you mean "{word}"?' in str(caught.value)
        assert f"`cranfield options {decision.name}` explains them." in str(caught.value)


@pytest.mark.parametrize("give", WAYS)
@pytest.mark.parametrize("decision", CLOSED, ids=named)
def test_every_answer_of_a_closed_list_is_taken(
    decision: Decision, give: Give, tmp_path: Path
) -> None:
    for word in decision.answers:
        give(decision, word, tmp_path)


@pytest.mark.parametrize("give", WAYS)
@pytest.mark.parametrize("decision", BOUNDED, ids=named)
def test_a_number_out_of_bounds_is_refused(decision: Decision, give: Give, tmp_path: Path) -> None:
    assert outside(decision.bounds)
    for value in (*outside(decision.bounds), math.nan, "many"):
        with pytest.raises(CranfieldError) as caught:
            give(decision, value, tmp_path)
        assert str(decision.bounds) in str(caught.value)


@pytest.mark.parametrize("decision", DECISIONS, ids=named)
def test_a_misspelled_name_is_refused_with_the_near_one(decision: Decision) -> None:
    if decision.owner in (Subsets, Repeat):
        return
    name = wrong(decision.name)
    owner = {
        Experiment: experiment_of(),
        Study: Study(base=experiment_of(), vary={"seed": (1,)}),
        Tuning: Tuning(),
    }
    chosen = owner.get(decision.owner, experiment_of().comparison)
    with pytest.raises(OptionError, match=f'has no decision "{name}".*"{decision.name}"'):
        replace(chosen, **{name: 1})  # type: ignore[type-var]


@pytest.mark.parametrize("decision", DECISIONS, ids=named)
def test_every_decision_says_what_it_is_about(decision: Decision) -> None:
    assert decision.text.endswith(".")
    assert tuple(decision.texts) == decision.answers
    assert find_decision(decision.path) == decision


def test_a_decision_is_found_however_it_is_typed() -> None:
    assert find_decision("Judged-By").name == "judged_by"
    assert find_decision("family").path == "comparison.family"
    with pytest.raises(UnknownDecision, match='Did you mean "coverage"'):
        find_decision("covrage")


def test_the_codes_are_those_of_the_papers() -> None:
    codes = {each.code for each in declared(Experiment)}
    assert codes - {""} == {"A1", "A2", "B1", "B2", "C1", "C2", "C3", "C4", "D"}


def problems_of(make: Callable[[], object]) -> dict[str, str]:
    with pytest.raises(OptionError) as caught:
        make()
    return dict(caught.value.problems)


def of_option(case: tuple[str, str, Decision]) -> str:
    return f"{case[0]}-{case[1]}-{case[2].name}"


@pytest.mark.parametrize("case", PARAMETERS, ids=of_option)
def test_a_wrong_parameter_of_an_option_is_refused(case: tuple[str, str, Decision]) -> None:
    decision, name, known = case
    values: list[Any] = [wrong(word) for word in known.answers if isinstance(word, str)]
    values += outside(known.bounds)
    key = written(known.name)
    for value in values:
        ways = (
            lambda given=value: known.owner(**{known.name: given}),
            lambda given=value: parse(decision, f"{name}({key}={write_value(given)})"),
            lambda given=value: from_table(decision, {"name": name, key: given}),
        )
        for way in ways:
            told = problems_of(way)
            assert next(text for path, text in told.items() if path.startswith(key))
    misspelled = wrong(key)
    told = problems_of(lambda: known.owner(**{misspelled: 1}))
    assert f'has no parameter "{misspelled}". Did you mean "' in told[misspelled]


CHOICES = (UserChoice, RankingChoice, RunRules, SummaryChoice, ComparisonChoice, Subsets)
OF_CHOICES = [(cls, known) for cls in CHOICES for known in parameters(cls)]


@pytest.mark.parametrize(
    ("cls", "known"), OF_CHOICES, ids=[f"{cls.__name__}-{each.name}" for cls, each in OF_CHOICES]
)
def test_the_choices_of_every_stage_are_checked_by_the_same_declarations(
    cls: Any, known: Decision
) -> None:
    for value in (*map(wrong, known.answers), *outside(known.bounds), object()):
        told = problems_of(lambda given=value: cls(**{known.name: given}))  # type: ignore[misc]
        assert list(told) == [known.name]
        told = problems_of(lambda given=value: replace(cls(), **{known.name: given}))  # type: ignore[misc]
        assert list(told) == [known.name]


def test_a_choice_of_an_experiment_is_that_of_its_stage() -> None:
    made = experiment_of(
        topics="relevant", least_train=2, ties="trec_eval", duplicates="first",
        unknown_items="drop", training_items="keep",
    )  # fmt: skip
    assert made.user_choice == UserChoice(topics="relevant", least_train=2)
    assert made.run_rules == RunRules(
        ties="trec_eval", duplicates="first", unknown_items="drop", training_items="keep"
    )
    assert replace(made, ties="optimistic").run_rules.ties == "item-id"


def test_options_and_closed_lists_are_told_apart() -> None:
    kinds = {each.path: contract_of(each.type) for each in declared(Experiment)}
    assert kinds["comparison.test"] == "test"
    assert kinds["metrics"] == "metric"
    assert kinds["coverage"] is None
