"""Paths into a table of decisions, with names in quotes where they need them."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import OptionError
from cranfield.workbench.definition.paths import inner_path, path_and_value, path_steps, path_text
from suites import tries

STEP = st.sampled_from(["a.b", 'a"b', "it's", " ", "=", "\\", "x\ny", "é", "."]) | st.text(
    min_size=1, max_size=6
)
STEPS = st.lists(STEP, min_size=1, max_size=4)


@settings(deadline=None, max_examples=tries(150))
@given(STEPS)
def test_any_names_come_back_from_their_path(steps: list[str]) -> None:
    assert path_steps(path_text(steps)) == tuple(steps)


@settings(deadline=None, max_examples=tries(100))
@given(STEPS, st.text(max_size=6))
def test_a_change_is_divided_where_its_path_ends(steps: list[str], value: str) -> None:
    assert path_and_value(f"{path_text(steps)}={value}") == (path_text(steps), value.strip())


@pytest.mark.parametrize("path", ["a", "a.b-c.d_1", 'a."b.c".d', "'b.c'.d", ' a . "b" '])
def test_what_toml_can_read_means_the_same_here(path: str) -> None:
    table: Any = tomllib.loads(f"{path} = 0")
    for step in path_steps(path):
        table = table[step]
    assert table == 0


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("systems.my model.k", ("systems", "my model", "k")),
        ("systems.naïve.k", ("systems", "naïve", "k")),
        ("systems.it's.k", ("systems", "it's", "k")),
        ('systems."open.k', ("systems", '"open', "k")),
        ('"a"b.c', ('"a"b', "c")),
    ],
)
def test_a_name_without_dots_needs_no_quotes(path: str, steps: tuple[str, ...]) -> None:
    assert path_steps(path) == steps


@pytest.mark.parametrize("path", ["", ".", "a.", ".a", "a..b", '""', "a.''"])
def test_a_path_without_a_name_is_refused(path: str) -> None:
    with pytest.raises(OptionError, match=r"is not a path, such as split.test_share"):
        path_steps(path)


@pytest.mark.parametrize("change", ["", "seed", "=3", "  = 3"])
def test_a_change_has_two_sides(change: str) -> None:
    assert path_and_value(change) is None


def test_only_below_another_name_is_a_name_quoted() -> None:
    assert inner_path("", "systems.kNN.k") == "systems.kNN.k"
    assert inner_path("systems", "my.model") == 'systems."my.model"'
    assert inner_path('systems."my.model"', "k") == 'systems."my.model".k'
