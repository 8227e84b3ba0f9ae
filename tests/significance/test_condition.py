"""Conditions: what is read from "new < old - 2 %", and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import OptionError
from cranfield.significance.condition import Condition, read_condition

SYSTEMS = ("new", "old", "old-2", "user-kNN(k=20)", "a < b", "3 %")


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("new < old", Condition("new", "old")),
        ("new<old", Condition("new", "old")),
        ("  new > old ", Condition("new", "old", below=False)),
        ("new < old - 0.005", Condition("new", "old", size=0.005)),
        ("new < old − .5", Condition("new", "old", size=0.5)),
        ("new<old-2%", Condition("new", "old", size=0.02, relative=True)),
        ("new < old - 2.5 %", Condition("new", "old", size=0.025, relative=True)),
        ("new < old - 1e-3", Condition("new", "old", size=0.001)),
        ("new < old - 0", Condition("new", "old")),
        ("new > old + 150 %", Condition("new", "old", below=False, size=1.5, relative=True)),
        ("new < old-2", Condition("new", "old-2")),
        ("new < old-2 - 2", Condition("new", "old-2", size=2)),
        ("new < old - 2", Condition("new", "old", size=2)),
        (
            "new < user-kNN(k=20) - 1 %",
            Condition("new", "user-kNN(k=20)", size=0.01, relative=True),
        ),
        ("a < b < old", Condition("a < b", "old")),
        ("old < a < b - 0.1", Condition("old", "a < b", size=0.1)),
        ("new < 3 %", Condition("new", "3 %")),
    ],
)
def test_a_condition_is_read(text: str, condition: Condition) -> None:
    assert read_condition(text, SYSTEMS) == condition


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is neither < nor >"),
        ("new", 'Give one such as "new < old"'),
        ("new = old", "neither < nor >"),
        ("< old", "a system is missing"),
        ("new <", "a system is missing"),
        ("new <= old", "a system is missing"),
        ("nwe < old", 'no system is called "nwe". Did you mean "new"? The systems are new, old'),
        ("new < odl - 2 %", 'no system is called "odl". Did you mean "old"?'),
        ("new < old - two", 'no system is called "old - two"'),
        ("new < old - 2 % %", "no system is called"),
        ("new < new", "new is on both sides"),
        ("new < new - 1", "new is on both sides"),
        ("new < old + 0.1", 'Write "old - 0.1"'),
        ("new > old - 2 %", 'Write "old + 2%"'),
        ("new < old - 100 %", "too much to allow"),
        ("new < old - 1e999", "too much to allow"),
    ],
)
def test_a_bad_condition_is_refused_with_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(OptionError) as refused:
        read_condition(text, SYSTEMS)
    assert str(refused.value).startswith("condition ")
    assert said in str(refused.value)


@given(
    st.sampled_from(SYSTEMS),
    st.sampled_from(SYSTEMS),
    st.booleans(),
    st.integers(0, 9_999),
    st.booleans(),
)
def test_what_is_written_is_read_back(
    first: str, second: str, below: bool, size: int, relative: bool
) -> None:
    made = Condition(first, second, below, size / 10_000, relative and size > 0)
    if first == second:
        return
    again = read_condition(str(made), SYSTEMS)
    assert (again.first, again.second, again.below) == (first, second, below)
    assert again.size == pytest.approx(made.size, rel=1e-12)
    assert again.relative == made.relative


def test_the_limit_is_the_second_value_moved() -> None:
    assert read_condition("new < old - 0.1", SYSTEMS).limit(0.5) == 0.5 - 0.1
    assert read_condition("new < old - 10 %", SYSTEMS).limit(0.5) == pytest.approx(0.45)
    assert read_condition("new > old + 10 %", SYSTEMS).limit(0.5) == pytest.approx(0.55)
