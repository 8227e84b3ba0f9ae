from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.checking.values import Bounds, Place, Table, convert
from cranfield.base.errors import BadParameter


def converted(value: Any, hint: Any, bounds: Bounds | None = None) -> Any:
    return convert(value, hint, bounds or Bounds(), Place("it", "x"))


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(), ""),
        (Bounds(above=0, below=1), "above 0 and below 1"),
        (Bounds(at_least=1), "of at least 1"),
        (Bounds(at_least=1, at_most=1_000_000), "from 1 to 1000000"),
        (Bounds(above=0.1), "above 0.1"),
        (Bounds(at_most=-2.5), "of at most -2.5"),
    ],
)
def test_bounds_read_as_words(bounds: Bounds, text: str) -> None:
    assert str(bounds) == text


@given(st.floats(), st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_bounds_hold_exactly_between_their_ends(value: float, low: float, high: float) -> None:
    assert Bounds(above=low, below=high).hold(value) == (low < value < high)
    assert Bounds(at_least=low, at_most=high).hold(value) == (low <= value <= high)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32("inf")])
def test_numbers_are_finite(value: float) -> None:
    assert not Bounds().hold(math.nan)
    with pytest.raises(BadParameter, match=r"it, x: -?(nan|inf) is not a finite number\."):
        converted(value, float)
    with pytest.raises(BadParameter, match=r"it, x: -?(nan|inf) is not a whole number"):
        converted(value, int)


@pytest.mark.parametrize("value", [2**63, -(2**63), 10**400], ids=["high", "low", "huge"])
def test_whole_numbers_fit_a_machine_word(value: int) -> None:
    with pytest.raises(BadParameter, match=r"a whole number of at least 1, smaller than 2\^63"):
        converted(value, int, Bounds(at_least=1))


def test_whole_numbers_beyond_all_floats_are_refused() -> None:
    with pytest.raises(BadParameter, match=r"is not a number above 0\."):
        converted(10**400, float, Bounds(above=0))


@pytest.mark.parametrize(
    ("given_value", "hint", "expected"),
    [
        (2, float, 2.0),
        (2.0, int, 2),
        (np.int32(2), int, 2),
        (np.float32(0.5), float, 0.5),
        (np.int64(2), float, 2.0),
        (2**63 - 1, int, 2**63 - 1),
        (10**30, float, 1e30),
        (True, bool, True),
        ("a", Literal["a", "b"], "a"),
        (None, Literal["none"], "none"),
        (True, Literal["true"], "true"),
        (5, Literal["5"], "5"),
        (1.0, Literal[1, 2], 1),
        (None, int | None, None),
        (3, int | None, 3),
        ("x", int | str, "x"),
        (3, int | str, 3),
        ([1, 2], tuple[int, ...], (1, 2)),
        ((), tuple[int, ...], ()),
        (1, tuple[float, ...], (1.0,)),
        ([1, "a"], tuple[float, str], (1.0, "a")),
        ({"1": 2}, dict[int, float], {1: 2.0}),
        ({"1": "a"}, dict[str, str], {"1": "a"}),
        (object, Any, object),
    ],
)
def test_values_become_what_is_declared(given_value: Any, hint: Any, expected: Any) -> None:
    made = converted(given_value, hint)
    assert made == expected
    assert type(made) is type(expected) or isinstance(made, Table)


@pytest.mark.parametrize(
    ("given_value", "hint", "wanted"),
    [
        (1, bool, "one of true, false"),
        (0.0, bool, "one of true, false"),
        (True, Literal[1, 2], "one of 1, 2"),
        ("c", Literal["a", "b"], "one of a, b"),
        ([], Literal["a"], "one of a"),
        (1, Literal[True], "one of true"),
        (2.5, int, "a whole number"),
        (math.inf, int, "a whole number"),
        (10**400, float, "a number"),
        (np.bool_(True), int, "a whole number"),
        ([1, 2, 3], tuple[int, int], "a list of 2 numbers"),
        ([1, "x"], tuple[int, ...], "a whole number"),
        (None, str, "text; put it in double quotes"),
        (1.5, str, "text; put it in double quotes"),
        ("x", dict[int, int], "a table, such as {1: 0, 5: 1}"),
        ("x", list, "a list"),
    ],
)
def test_what_does_not_fit_is_refused(given_value: Any, hint: Any, wanted: str) -> None:
    with pytest.raises(BadParameter) as caught:
        converted(given_value, hint)
    assert str(caught.value).endswith(f" is not {wanted}.")


def test_bounds_hold_for_each_member() -> None:
    with pytest.raises(BadParameter, match=r"it, x\[1\]: 0 is not a whole number of at least 1\."):
        converted([1, 0], tuple[int, ...], Bounds(at_least=1))
    with pytest.raises(BadParameter, match=r"it, x\.-5: -1 is not a number of at least 0\."):
        converted({-5: -1}, dict[float, float], Bounds(at_least=0))


def test_tables_with_equal_entries_hash_alike() -> None:
    assert hash(Table({1: 2, 3: 4})) == hash(Table({3: 4, 1: 2}))


def test_none_as_text_is_none_where_nothing_else_would_do() -> None:
    assert converted("none", int | None) is None
    assert converted("none", tuple[int, ...] | None) is None
    assert converted("none", str | None) == "none"
    assert converted("none", Literal["none", "some"] | None) == "none"
    with pytest.raises(BadParameter):
        converted("none", int)
    with pytest.raises(BadParameter):
        converted("nothing", int | None)
