"""Objects as JSON can hold them are the same objects again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.serialisation.plain import Unrestorable, plain, restored


class Ends(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Inner:
    name: str
    share: float | None
    kind: Literal["a", "b"] = "a"


@dataclass(frozen=True)
class Outer:
    inner: tuple[Inner, ...]
    ends: dict[str, Ends]
    answer: str | float | bool
    count: int = 0
    value: float = nan


@dataclass(frozen=True, eq=False)
class Arrays:
    values: npt.NDArray[np.float64]
    codes: npt.NDArray[np.int64]
    table: pl.DataFrame


inner = st.builds(Inner, st.text(), st.none() | st.floats(-9, 9), st.sampled_from(["a", "b"]))
ends = st.builds(Ends, st.floats(-9, 9), st.floats(-9, 9))
answers = st.text() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.builds(
        Outer,
        st.lists(inner).map(tuple),
        st.dictionaries(st.text(), ends),
        answers,
        st.integers(),
        st.floats(-9, 9),
    )
)
def test_what_becomes_json_becomes_the_same_object_again(made: Outer) -> None:
    assert restored(Outer, json.loads(json.dumps(plain(made), allow_nan=False))) == made


def test_arrays_and_tables_keep_their_types() -> None:
    table = pl.DataFrame({"name": ["a", None], "value": [0.5, None], "whole": [1, 2]})
    made = Arrays(np.array([[0.1, nan], [1.0, 2.0]]), np.array([3, 4]), table)
    again: Arrays = restored(Arrays, json.loads(json.dumps(plain(made), allow_nan=False)))
    assert np.array_equal(again.values, made.values, equal_nan=True)
    assert (again.values.dtype.kind, again.codes.dtype.kind) == ("f", "i")
    assert again.codes.tolist() == [3, 4]
    assert again.table.equals(table)


def test_what_is_not_finite_is_null_and_not_known_again() -> None:
    assert plain({"a": nan, "b": (inf, 1.0)}) == {"a": None, "b": [None, 1.0]}
    assert isnan(restored(float, None))
    assert restored(float | None, None) is None


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (float, "1"), (float, True), (int, 1.5), (int, True), (str, 7), (bool, 1),
        (tuple[int, int], [1]), (tuple[int, ...], "12"), (dict[str, int], [1]),
        (Literal["a", "b"], "c"), (Inner, {"name": "x"}), (Inner, [1]), (Ends, [1.0]),
        (str | int, 1.5), (pl.DataFrame, [1]), (npt.NDArray[np.float64], "text"),
        (npt.NDArray[np.int64], [10**30]), (npt.NDArray[np.int64], [[1], 2]),
        (npt.NDArray[np.float64], [{}]), (npt.NDArray[np.float64] | None, ["x"]),
    ],
)  # fmt: skip
def test_what_is_of_another_type_is_refused(kind: Any, value: Any) -> None:
    with pytest.raises(Unrestorable):
        restored(kind, value)


def test_fields_that_a_class_no_longer_has_are_left_out() -> None:
    assert restored(Inner, {"name": "x", "share": 1.0, "old": 3}) == Inner("x", 1.0)
