"""Answers of designs: as they are shown, when two are the same, and as a column."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from cranfield.workbench import inventory
from cranfield.workbench.definition.study.design_answers import (
    answer_column,
    same_answer,
    shown_answer,
)

inventory.load()


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "none"),
        (True, "true"),
        (False, "false"),
        (5, 5),
        (0.25, 0.25),
        ("mean", "mean"),
        (["a", 2], "a, 2"),
        ((), "none"),
        ({"k": 5}, '{"k": 5}'),
    ],
)
def test_an_answer_is_shown_in_words_or_as_its_number(answer: Any, shown: Any) -> None:
    found = shown_answer("cutoff", answer)
    assert found == shown
    assert type(found) is type(shown)


def test_the_same_targets_are_spelled_the_same() -> None:
    first, second = (shown_answer("targets", each) for each in ("test_items", "test-items"))
    assert first == second
    assert first.startswith("test-items")


def test_words_of_other_decisions_stay_as_they_are() -> None:
    assert shown_answer("title", "test_items") == "test_items"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (10, 10.0, True),
        ("10", 10, True),
        ("0.50", 0.5, True),
        ("mean", "mean", True),
        ("mean", "median", False),
        (1, 2, False),
        (None, 0, False),
        ("none", 0, False),
    ],
)
def test_answers_are_the_same_as_text_or_as_numbers(one: Any, other: Any, same: bool) -> None:
    assert same_answer(one, other) is same
    assert same_answer(other, one) is same


def test_a_column_of_numbers_has_numbers() -> None:
    found = answer_column([1, 0.5, None])
    assert found.dtype == pl.Float64
    assert found.to_list() == [1.0, 0.5, None]


@pytest.mark.parametrize("answers", [[1, "all"], [True, 2], ["a", None]])
def test_any_other_column_has_text(answers: list[Any]) -> None:
    found = answer_column(answers)
    assert found.dtype == pl.String
    assert found.to_list() == [None if each is None else str(each) for each in answers]


def test_a_column_without_an_answer_has_text() -> None:
    assert answer_column([None, None]).dtype == pl.String
