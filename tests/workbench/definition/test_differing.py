"""The decisions that two definitions answer differently."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.workbench.definition.differing import Difference, differences_between
from cranfield.workbench.definition.table import write_table
from experiment_cases import experiment_of

ANSWERS = st.recursive(
    st.none() | st.integers(0, 3) | st.sampled_from(["a", "b"]) | st.lists(st.integers(0, 2)),
    lambda inner: st.dictionaries(st.sampled_from(["metrics", "x", "y.z"]), inner, max_size=3),
)
TABLES = st.dictionaries(st.sampled_from(["metrics", "x", "y.z"]), ANSWERS, max_size=3)


def test_a_number_an_option_and_a_system_are_told_by_path() -> None:
    other = {"split": "random(test_share=0.1)", "systems": {"Popularity": "Random"}}
    one, two = experiment_of(), experiment_of(seed=7, **other)
    tables = [write_table(each, complete=True) for each in (one, two)]
    found = {each.path: each for each in differences_between(*tables)}
    assert set(found) == {"seed", "split", "systems.Popularity", "systems.Random", "systems.kNN"}
    assert found["seed"] == Difference("seed", "0", "7")
    assert found["systems.Random"] == Difference("systems.Random", "Random", None)
    assert str(found["split"].first).startswith("per-user(test_share=0.4")


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (["P@5", "AP"], ["AP", "RR"], [("P@5", None), (None, "RR")]),
        (["P@5", "AP"], ["AP", "P@5"], [("P@5; AP", "AP; P@5")]),
        ([], ["AP"], [(None, "AP")]),
        (["AP"], "AP", [("AP", "AP")]),
    ],
)
def test_of_metrics_members_are_told_unless_only_the_order_differs(
    first: Any, second: Any, told: list[tuple[str | None, str | None]]
) -> None:
    found = differences_between({"metrics": first}, {"metrics": second})
    assert [(each.first, each.second) for each in found] == told


def test_filters_are_told_whole_as_their_order_matters() -> None:
    found = differences_between({"filters": ["a"]}, {"filters": ["a", "b"]})
    assert found == (Difference("filters", "a", "a; b"),)


def test_a_table_that_is_not_there_has_no_answers() -> None:
    found = differences_between({}, {"study": {"vary": {"cutoff": [5, 10]}}})
    assert found == (Difference("study.vary.cutoff", None, "5; 10"),)
    assert differences_between({"study": {"draws": 5}}, {"study": None}) == (
        Difference("study.draws", "5", None),
    )


def test_names_with_dots_stand_in_quotes() -> None:
    found = differences_between({"systems": {"my.model": "A"}}, {"systems": {"my.model": "B"}})
    assert found[0].path == 'systems."my.model"'


@given(TABLES)
def test_a_table_does_not_differ_from_itself(table: dict[str, Any]) -> None:
    assert differences_between(table, table) == ()


@given(TABLES, TABLES)
def test_swapped_tables_swap_their_answers(one: dict[str, Any], two: dict[str, Any]) -> None:
    there = {(each.path, each.first, each.second) for each in differences_between(one, two)}
    back = {(each.path, each.second, each.first) for each in differences_between(two, one)}
    assert there == back
