"""Budgets of tuning, who gets which, and what cannot be tuned as asked."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.base.errors import CranfieldError, OptionError
from cranfield.base.options import parse
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.tuning import (
    TRIALS,
    Seconds,
    Tuning,
    not_tunable,
    read_budget,
    trials_of,
    tuning_of,
)

OPEN = {"kNN": parse("recommender", "user-kNN(k=tune(5..50))")}
CLOSED = {"kNN": parse("recommender", "user-kNN(k=5)")}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (1, 1),
        (20, 20),
        ("20", 20),
        (" 007 ", 7),
        ("600 s", Seconds(600.0)),
        ("600s", Seconds(600.0)),
        ("1 second", Seconds(1.0)),
        ("0.5 Seconds", Seconds(0.5)),
        ("1e3 s", Seconds(1000.0)),
        ("600 s (13 trials)", Seconds(600.0, trials=13)),
        ("600 s (1 trial)", Seconds(600.0, trials=1)),
        (Seconds(2.0), Seconds(2.0)),
    ],
)
def test_a_budget_is_trials_or_seconds(given: Any, wanted: Any) -> None:
    assert read_budget(given) == wanted


@pytest.mark.parametrize(
    "given",
    [0, -1, 1.5, True, "0", "0 s", ". s", "1e999 s", "5 m", "s", "", "5 s (0 trials)", None],
)
def test_what_is_no_budget_is_refused_with_what_would_be_one(given: Any) -> None:
    with pytest.raises(OptionError, match=r"not a budget.*such as 20.*600 s"):
        read_budget(given)


@pytest.mark.parametrize("budget", [Seconds(600.0), Seconds(0.25), Seconds(600.0, trials=13)])
def test_a_budget_in_seconds_reads_back_as_it_is_spelled(budget: Seconds) -> None:
    assert read_budget(str(budget)) == budget


def test_one_trial_is_not_called_trials() -> None:
    assert str(Seconds(3.0, trials=1)) == "3 s (1 trial)"


def test_a_table_of_budgets_is_read_system_by_system() -> None:
    read = read_budget({"kNN": "30", "MF": "5 s"})
    assert dict(read) == {"kNN": 30, "MF": Seconds(5.0)}  # type: ignore[call-overload]


def test_every_wrong_budget_of_a_table_is_named_by_its_system() -> None:
    with pytest.raises(CranfieldError) as refused:
        read_budget({"kNN": "many", "MF": 5, "my model": 0})
    assert "kNN" in str(refused.value)
    assert "my model" in str(refused.value)
    assert "MF" not in str(refused.value)


def test_a_system_without_a_budget_of_its_own_has_the_default() -> None:
    tuning = Tuning(budget={"kNN": 7})
    assert tuning.budget_of("kNN") == 7
    assert tuning.budget_of("MF") == TRIALS


@pytest.mark.parametrize("budget", [7, Seconds(2.0)])
def test_one_budget_is_that_of_every_system(budget: Any) -> None:
    assert Tuning(budget=budget).budget_of("any") == budget


def test_seconds_tell_the_number_of_trials_once_it_is_known() -> None:
    assert trials_of(9) == 9
    assert trials_of(Seconds(5.0)) is None
    assert trials_of(Seconds(5.0, trials=3)) == 3


def test_systems_are_tuned_by_default_only_where_one_has_a_range() -> None:
    assert tuning_of(None, OPEN) == Tuning()
    assert tuning_of(None, CLOSED) is None
    assert tuning_of(None, {**CLOSED, "other": OPEN["kNN"]}) == Tuning()


def test_a_tuning_that_is_given_stays() -> None:
    given = Tuning(budget=3)
    assert tuning_of(given, CLOSED) is given
    assert tuning_of(given, OPEN) is given


def test_validation_ratings_cannot_be_given() -> None:
    tuning = Tuning(validation=given_parts("test.csv"))
    [(place, problem)] = not_tunable(tuning, OPEN)
    assert place == "tuning.validation"
    assert "per-user" in problem


def test_a_budget_for_a_system_that_is_not_there_is_told_with_the_near_name() -> None:
    [(place, problem)] = not_tunable(Tuning(budget={"kNM": 3, "kNN": 4}), OPEN)
    assert place == "tuning.budget"
    assert '"kNM"' in problem
    assert "kNN" in problem


def test_a_search_that_divides_its_trials_must_know_their_number() -> None:
    search = parse("search", "halving")
    [(place, problem)] = not_tunable(Tuning(search=search, budget=Seconds(5.0)), OPEN)
    assert place == "tuning.budget"
    assert "number of trials" in problem


def test_it_knows_them_where_seconds_have_become_trials() -> None:
    tuning = Tuning(search=parse("search", "halving"), budget=Seconds(5.0, trials=8))
    assert list(not_tunable(tuning, OPEN)) == []


def test_random_search_may_be_timed() -> None:
    assert list(not_tunable(Tuning(budget=Seconds(5.0)), OPEN)) == []


def test_nothing_keeps_systems_without_a_range_from_being_run() -> None:
    wrong = Tuning(validation=given_parts("test.csv"), budget={"nobody": 3})
    assert list(not_tunable(wrong, CLOSED)) == []
    assert list(not_tunable(None, OPEN)) == []
