"""Selection: what sorting finds, without sorting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.recommendation.kernels.selection import (
    Codes,
    merged,
    nth_lowest,
    places_of_largest,
)

VALUES = st.lists(st.floats(0, 5) | st.sampled_from([0.0, 1.0, np.inf]), min_size=1, max_size=40)
CODES = st.lists(st.integers(0, 30), max_size=20).map(lambda some: np.array(sorted(some), np.int32))


@given(values=VALUES, data=st.data())
def test_the_nth_lowest_is_what_sorting_puts_at_its_place(
    values: list[float], data: st.DataObject
) -> None:
    n = data.draw(st.integers(0, len(values) - 1))
    assert nth_lowest(np.array(values), n) == sorted(values)[n]


@given(values=VALUES, data=st.data())
def test_the_largest_are_those_that_a_stable_sort_puts_first(
    values: list[float], data: st.DataObject
) -> None:
    most = data.draw(st.integers(1, len(values)))
    given_values = np.array(values)
    first = np.argsort(-given_values, kind="stable")[:most]
    assert places_of_largest(given_values, most).tolist() == sorted(first.tolist())


@given(one=CODES, other=CODES)
def test_merged_codes_ascend(one: Codes, other: Codes) -> None:
    assert merged(one, other).tolist() == sorted([*one.tolist(), *other.tolist()])
