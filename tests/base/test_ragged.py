from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.ragged import Ragged, count_marked, frozen, offsets_of, runs_of


@given(st.lists(st.lists(st.integers(-5, 5), max_size=4), max_size=6))
def test_every_topic_gets_its_own_list_back(lists: list[list[int]]) -> None:
    ragged = Ragged.from_lists(lists, np.int64)
    assert [part.tolist() for part in ragged] == lists
    assert [ragged[topic].tolist() for topic in range(len(ragged))] == lists
    assert ragged.lengths.tolist() == [len(values) for values in lists]
    assert ragged.owners.tolist() == [t for t, values in enumerate(lists) for _ in values]
    assert len(ragged) == len(lists)


def test_offsets_start_at_nought_and_end_at_the_number_of_values() -> None:
    assert offsets_of(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]
    assert offsets_of(np.array([], dtype=np.int64)).tolist() == [0]
    assert offsets_of(np.array([2**31 - 1, 2**31 - 1], dtype=np.int32)).tolist()[-1] == 2**32 - 2


def test_a_part_is_a_view_of_the_values() -> None:
    ragged = Ragged.from_lists([[1.0], [2.0, 3.0]], np.float64)
    assert np.shares_memory(ragged[1], ragged.values)


def test_frozen_arrays_refuse_changes_and_leave_the_given_one_free() -> None:
    array = np.array([1, 2])
    cold = frozen(array)
    with pytest.raises(ValueError, match="read-only"):
        cold[0] = 5
    array[0] = 7
    assert np.shares_memory(cold, array)


@given(st.lists(st.lists(st.booleans(), max_size=4), max_size=6))
def test_marks_are_counted_list_by_list(lists: list[list[bool]]) -> None:
    ragged = Ragged.from_lists(lists, np.bool_)
    assert count_marked(ragged.values, ragged.offsets).tolist() == [sum(part) for part in lists]


@given(st.lists(st.integers(0, 2), max_size=12))
def test_runs_are_of_one_value_each_and_of_another_than_the_one_before(values: list[int]) -> None:
    runs = [values[a:b] for a, b in pairwise(runs_of(np.array(values, dtype=np.int32)).tolist())]
    assert [value for run in runs for value in run] == values
    assert all(len(set(run)) == 1 for run in runs)
    assert all(one[0] != other[0] for one, other in pairwise(runs))
