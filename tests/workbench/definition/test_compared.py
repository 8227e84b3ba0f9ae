"""How an experiment compares its systems: what follows from its answers, and what cannot be."""

from __future__ import annotations

import pytest

from cranfield.base.options import parse
from cranfield.scoring.summary import SummaryChoice
from cranfield.workbench import inventory
from cranfield.workbench.definition.compared import Compared, not_comparable

inventory.load()

MEAN, MEDIAN = (parse("aggregation", name) for name in ("mean", "median"))
WEIGHTED = parse("aggregation", "weighted-mean(by=test)")
NAMES = ("kNN", "Pop")


def test_a_comparison_takes_over_every_answer() -> None:
    asked = Compared(
        test=parse("test", "t"), correction=parse("correction", "none"), family="all",
        alpha=0.01, power=0.9, rope="1 %", baseline="Pop",  # type: ignore[arg-type]
    )  # fmt: skip
    choice = asked.choice(SummaryChoice(aggregation=MEDIAN, coverage="common", undefined="zero"))
    for name in ("test", "correction", "family", "alpha", "power", "rope", "baseline", "random"):
        assert getattr(choice, name) == getattr(asked, name), name
    assert (choice.aggregation, choice.coverage, choice.undefined) == (MEDIAN, "common", "zero")


@pytest.mark.parametrize(
    ("aggregation", "random", "test"),
    [
        (MEAN, "users", "permutation"),
        (MEDIAN, "users", "permutation"),
        (WEIGHTED, "users", "weighted-t"),
        (MEAN, "users-and-items", "t"),
        (WEIGHTED, "users-and-items", "weighted-t"),
    ],
)
def test_a_test_that_is_not_given_follows_from_the_aggregation(
    aggregation: object, random: str, test: str
) -> None:
    choice = Compared(random=random).choice(SummaryChoice(aggregation=aggregation))  # type: ignore[arg-type]
    assert str(choice.test).partition("(")[0] == test


def problems(compared: Compared, aggregation: object = MEAN) -> list[tuple[str, str]]:
    return list(not_comparable(compared, aggregation, NAMES))  # type: ignore[arg-type]


@pytest.mark.parametrize("test", [None, "t", "permutation", "sign"])
def test_nothing_keeps_means_from_being_compared(test: str | None) -> None:
    assert problems(Compared(test=None if test is None else parse("test", test))) == []


def test_a_test_of_means_is_not_for_medians() -> None:
    [(place, problem)] = problems(Compared(test=parse("test", "t")), MEDIAN)
    assert place == "comparison.test"
    assert problem.startswith('"t" is not ')
    assert "follows from the aggregation" in problem


def test_with_items_at_random_tests_that_draw_users_are_refused() -> None:
    asked = Compared(test=parse("test", "permutation"), random="users-and-items")
    [(place, problem)] = problems(asked)
    assert place == "comparison.test"
    assert "draws users alone" in problem


@pytest.mark.parametrize("test", [None, "t"])
def test_with_items_at_random_tests_by_the_error_are_right(test: str | None) -> None:
    made = None if test is None else parse("test", test)
    assert problems(Compared(test=made, random="users-and-items")) == []


def test_a_baseline_that_is_no_system_is_told_with_the_near_name() -> None:
    [(place, problem)] = problems(Compared(baseline="Popp"))
    assert place == "comparison.baseline"
    assert 'no system is called "Popp". It is one of kNN, Pop.' in problem
    assert 'Did you mean "Pop"' in problem


def test_a_baseline_that_is_a_system_is_right() -> None:
    assert problems(Compared(baseline="Pop")) == []
