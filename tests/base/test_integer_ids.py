"""Integers numbered by a compiled loop get the codes that NumPy would give them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield.base import ids
from cranfield.base.ids import encode_ids, number_ids
from cranfield.base.integer_ids import look_up_integers, number_integers_of
from cranfield.base.ragged import runs_of
from suites import tries

LARGEST = 2**63 - 1
SMALL = st.integers(0, 20)
NEAR = st.sampled_from([0, -30, 2**16 - 9, 2**31 - 30, -(2**31), LARGEST - 30, -LARGEST - 1])

pytestmark = pytest.mark.usefixtures("few_ids_are_worth_it")


@st.composite
def columns(draw: st.DrawFn) -> pl.Series:
    """Integers close together, somewhere, in up to three pieces, many after their like."""
    near, times = draw(NEAR), draw(st.integers(1, 12))
    values = [near + each for each in draw(st.lists(SMALL, min_size=1, max_size=30))] * times
    values = sorted(values) if draw(st.booleans()) else values
    fits = min(values) >= -(2**31) and max(values) < 2**31
    kind = draw(st.sampled_from([pl.Int64, pl.Int32])) if fits else pl.Int64
    first, second = sorted(draw(st.tuples(*[st.integers(0, len(values))] * 2)))
    parts = (values[:first], values[first:second], values[second:])
    return pl.concat([pl.Series(part, dtype=kind) for part in parts], rechunk=False)


@settings(deadline=None, max_examples=tries(400))
@given(columns())
@example(pl.Series([2**16 - 1, 0, 2**16 - 1]))
@example(pl.Series([2**16, 5]))
@example(pl.Series([5, -1]))
def test_codes_are_places_among_the_distinct_integers(column: pl.Series) -> None:
    coded, looked_up = encode_ids(column), look_up_integers(column)
    assert looked_up is not None
    assert coded.ids.values.to_list() == looked_up[0].to_list() == sorted(set(column))
    assert coded.rows.tolist() == looked_up[1].tolist()
    assert coded.ids.values.dtype == looked_up[0].dtype == pl.Int64
    assert coded.ids.take(coded.rows).to_list() == column.to_list()


@settings(deadline=None, max_examples=tries(400))
@given(columns())
def test_numbers_are_those_of_first_occurrence_and_know_their_places(column: pl.Series) -> None:
    numbered = number_integers_of(column)
    assert numbered is not None
    distinct, numbers, places, changes = numbered
    once = list(dict.fromkeys(column))
    assert distinct.to_list() == sorted(once)
    assert numbers.tolist() == [once.index(each) for each in column]
    assert [distinct[place] for place in places.tolist()] == once
    runs = runs_of(numbers)[:-1].tolist()
    if changes is None:
        assert len(runs) > len(column) // 8
    else:
        assert changes.tolist() == runs


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([0, 2**20]),
        pl.Series([-LARGEST - 1, LARGEST]),
        pl.Series([], dtype=pl.Int64),
        pl.Series(["7"]),
        pl.Series([7], dtype=pl.UInt64),
    ],
)
def test_integers_far_apart_and_columns_of_other_kinds_are_left_to_others(
    column: pl.Series,
) -> None:
    assert look_up_integers(column) is None
    assert number_integers_of(column) is None


@settings(deadline=None)
@given(columns())
def test_columns_are_coded_alike_with_and_without_the_compiled_loop(column: pl.Series) -> None:
    coded, numbered = encode_ids(column), number_ids(column)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "COMPILED_ROWS", len(column) + 1)
        without, numbered_without = encode_ids(column), number_ids(column)
    assert coded.ids == without.ids == numbered.ids == numbered_without.ids
    assert coded.rows.tolist() == without.rows.tolist() == numbered.places[numbered.rows].tolist()
    assert coded.rows.dtype == without.rows.dtype == np.int32
