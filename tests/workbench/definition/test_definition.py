"""What a file of a definition holds: an experiment, a study, or several data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import (
    BadExperiment,
    MissingObjects,
    RatingsForDefinition,
    UnknownDecision,
)
from cranfield.workbench.definition.definition import (
    every_decision,
    find_decision,
    read_definition,
)
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from experiment_cases import file_of


def test_a_file_without_a_study_is_an_experiment_called_after_it(tmp_path: Path) -> None:
    found = read_definition(file_of(tmp_path, "mine.toml"))
    assert isinstance(found, Experiment)
    assert found.title == "mine"


def test_a_title_of_its_own_stays(tmp_path: Path) -> None:
    found = read_definition(file_of(tmp_path, title="Ours"))
    assert isinstance(found, Experiment)
    assert found.title == "Ours"


def test_a_file_with_a_study_is_one(tmp_path: Path) -> None:
    assert isinstance(
        read_definition(file_of(tmp_path, study={"vary": {"relevance": [3, 4]}})), Study
    )


def test_answers_on_the_command_line_come_before_those_of_the_file(tmp_path: Path) -> None:
    found = read_definition(file_of(tmp_path), ["relevance=5"])
    assert isinstance(found, Experiment)
    assert found.relevance == 5


def test_systems_that_are_given_join_those_of_the_file(tmp_path: Path) -> None:
    given = {"systems": {"Random": "Popularity", "more": "Random"}}
    found = read_definition(file_of(tmp_path), (), given)
    assert isinstance(found, Experiment)
    assert found.names == ("Popularity", "Random", "kNN", "more")
    assert str(found.systems["Random"]) == "Popularity"


@pytest.mark.parametrize(
    "data", ["table 0123456789abcdef", "Ratings 0123456789abcdef0123456789abcdef"]
)
def test_what_was_given_in_python_is_asked_for_again(tmp_path: Path, data: str) -> None:
    file = file_of(tmp_path, data=data)
    with pytest.raises(MissingObjects, match="data"):
        read_definition(file)
    given: dict[str, Any] = {"data": "simulated(size=tiny)"}
    assert isinstance(read_definition(file, (), given), Experiment)


def test_ratings_in_place_of_a_definition_are_told_from_one(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("user,item,rating\n1,2,5\n1,3,4\n2,2,3\n")
    with pytest.raises(RatingsForDefinition):
        read_definition(file)


def test_a_definition_that_is_misspelled_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text("user,item,rating\n1,2,5\n")
    with pytest.raises(BadExperiment):
        read_definition(file)


@pytest.mark.parametrize("name", ["comparison.alpha", "alpha", "ALPHA", "Comparison.Alpha"])
def test_a_decision_is_found_by_path_or_name_however_it_is_capitalised(name: str) -> None:
    assert find_decision(name).path == "comparison.alpha"


def test_a_path_comes_before_a_name() -> None:
    for decision in every_decision():
        assert find_decision(decision.path).path == decision.path


def test_an_unknown_decision_is_told_with_the_near_name() -> None:
    with pytest.raises(UnknownDecision, match="relevance"):
        find_decision("relevence")
