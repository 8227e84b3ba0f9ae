"""Trials: which is chosen, what was gained, and how they are recorded."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isnan, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.checking.ranges import Choice, Range
from cranfield.workbench.tuning.trials import (
    Trial,
    Tuned,
    TunedDesigns,
    edges_of,
    recorded_value,
    timed_as,
)


def trial(number: int, value: float, **more: Any) -> Trial:
    known: dict[str, Any] = {
        "number": number, "parameters": {"k": number}, "system": f"user-kNN(k={number})",
        "value": value, "seconds": 0.5, "seed": 7,
    }  # fmt: skip
    return Trial(**{**known, **more})


def tuned(*trials: Trial, **more: Any) -> Tuned:
    known: dict[str, Any] = {
        "name": "kNN", "fold": 0, "asked": "user-kNN(k=tune(1..9))", "metric": "nDCG@10",
        "higher_is_better": True, "validation": "per-user", "search": "random", "budget": "9",
        "trials": trials,
    }  # fmt: skip
    return Tuned(**{**known, **more})


def test_the_best_is_chosen_and_of_equal_ones_the_first() -> None:
    made = tuned(trial(1, 0.2), trial(2, 0.5), trial(3, 0.5), trial(4, 0.3))
    assert made.chosen.number == 2
    assert made.default.number == 1
    assert made.gain == 0.5 - 0.2
    assert made.curve == [(1, 0.2), (2, 0.5), (3, 0.5), (4, 0.5)]
    assert made.settings == 4


def test_of_a_metric_of_which_less_is_better_the_lowest_is_chosen() -> None:
    made = tuned(trial(1, 0.9), trial(2, 0.7), trial(3, 0.8), higher_is_better=False)
    assert made.chosen.number == 2
    assert made.gain == 0.7 - 0.9
    assert made.curve == [(1, 0.9), (2, 0.7), (3, 0.7)]


def test_what_failed_or_had_few_users_is_not_chosen() -> None:
    few, failed = trial(2, 0.9, share=1 / 3), trial(3, nan, failed="no.")
    made = tuned(trial(1, 0.1, share=1 / 3), few, trial(1, 0.2), failed, trial(4, 0.3))
    assert made.finished == (trial(1, 0.2), trial(4, 0.3))
    assert made.chosen.number == 4
    assert made.default == trial(1, 0.2)
    assert made.curve == [(1, 0.2), (2, 0.2), (3, 0.3)]
    assert made.settings == 4


def test_a_default_that_failed_leaves_the_gain_unknown() -> None:
    made = tuned(trial(1, nan, failed="no."), trial(2, 0.3))
    assert made.chosen.number == 2
    assert isnan(made.gain)
    assert made.to_dict()["gain"] is None
    assert isnan(made.curve[0][1])


@given(
    st.lists(st.floats(0, 1) | st.just(nan), min_size=1).filter(
        lambda values: not all(map(isnan, values))
    ),
    st.booleans(),
)
def test_the_end_of_the_curve_is_what_was_chosen(values: list[float], higher: bool) -> None:
    trials = [trial(number, value) for number, value in enumerate(values, start=1)]
    made = tuned(*trials, higher_is_better=higher)
    known = [value for value in values if not isnan(value)]
    assert made.chosen.value == (max if higher else min)(known) == made.curve[-1][1]
    assert values.index(made.chosen.value) == made.chosen.number - 1


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_records_read_back(values: list[float]) -> None:
    parameters = {"k": 3, "smoothing": "dirichlet", "x": 0.5, "none": None, "flag": True}
    trials = [
        trial(number, value, parameters=parameters) for number, value in enumerate(values, start=1)
    ]
    made = tuned(*trials, edges={"k": "lowest"})
    assert Tuned.from_dict(json.loads(json.dumps(made.to_dict()))) == made
    group = TunedDesigns((0, 3), (made,))
    record = json.loads(json.dumps(group.to_dict()))
    assert record["designs"] == [1, 4]
    assert TunedDesigns.from_dict(record) == group


def test_a_record_names_the_choice() -> None:
    record = tuned(trial(1, 0.2), trial(2, 0.5)).to_dict()
    assert (record["chosen"], record["system"]) == (2, "user-kNN(k=2)")
    assert record["gain"] == 0.5 - 0.2


def test_seconds_are_taken_from_a_record_of_the_same_shape() -> None:
    made = tuned(trial(1, 0.2), trial(2, 0.5))
    slow = replace(made, trials=tuple(replace(each, seconds=9.0) for each in made.trials))
    assert timed_as((made,), (slow,)) == (slow,)
    assert timed_as((made,), (tuned(trial(1, 0.2)),)) == (made,)
    assert timed_as((made,), ()) == (made,)


def test_edges_are_those_of_ranges_alone() -> None:
    ranges: dict[str, Range | Choice] = {
        "k": Range(1, 9),
        "x": Range(0.1, 5.0),
        "word": Choice(("a", "b")),
    }
    chosen = trial(1, 0.5, parameters={"k": 9, "x": 0.1, "word": "a", "other": 1})
    assert edges_of(chosen, ranges) == {"k": "highest", "x": "lowest"}
    assert edges_of(trial(1, 0.5, parameters={"k": 5}), ranges) == {}


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "word"])
def test_plain_values_are_recorded_as_they_are(value: Any) -> None:
    assert recorded_value(value) is value


def test_other_values_are_recorded_as_text() -> None:
    assert recorded_value(Range(1, 5)) == "tune(1..5)"
