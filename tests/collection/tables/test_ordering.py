"""Pairs come into order the same way by words, by indices and by counting."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.tables import ordering
from cranfield.collection.tables.ordering import order_pairs
from suites import tries

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40)


@pytest.mark.parametrize("chunk", [3, 1 << 20])
@pytest.mark.parametrize("grouped", [False, True], ids=["users anyhow", "users ascending"])
@pytest.mark.parametrize("way", ["in words", "by indices", "by counting"])
@settings(deadline=None, max_examples=tries(60))
@given(rows=pairs)
def test_pairs_are_sorted_and_equal_ones_stay_in_their_order(
    chunk: int, grouped: bool, way: str, rows: list[tuple[int, int]]
) -> None:
    rows = sorted(rows, key=lambda pair: pair[0]) if grouped else rows
    users = np.array([user for user, _ in rows], np.int32)
    items = np.array([item for _, item in rows], np.int32)
    values = np.arange(len(rows), dtype=np.float64)
    times = pl.concat(
        [pl.Series([row], dtype=pl.Int64) for row in range(len(rows))] or [pl.Series([])],
        rechunk=False,
    )
    size = 1 << 31 if way == "by indices" else 6
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "_CHUNK", chunk)
        patch.setattr(ordering, "COMPILED_ROWS", 1 if way == "by counting" else 1 << 20)
        patch.setattr(ordering, "_SPREAD", 12)
        ordered = order_pairs(users, items, size, size, (values, times, None))
    expected = sorted(range(len(rows)), key=lambda row: (rows[row], row))
    assert ordered.users.tolist() == [rows[row][0] for row in expected]
    assert ordered.items.tolist() == [rows[row][1] for row in expected]
    assert ordered.columns[0].tolist() == expected
    assert ordered.columns[1].tolist() == expected
    assert ordered.columns[2] is None


@settings(deadline=None, max_examples=tries(60))
@given(rows=pairs)
def test_repeats_are_the_places_after_an_equal_pair(rows: list[tuple[int, int]]) -> None:
    users = np.array([user for user, _ in rows], np.int32)
    items = np.array([item for _, item in rows], np.int32)
    inorder = sorted(rows)
    expected = [at for at in range(1, len(rows)) if inorder[at] == inorder[at - 1]]
    assert order_pairs(users, items, 6, 6).repeats().tolist() == expected


def test_pairs_in_order_are_not_touched() -> None:
    users, items = np.array([0, 0, 1], np.int32), np.array([1, 1, 0], np.int32)
    assert order_pairs(users, items, 2, 2).users is users


def test_a_late_step_back_is_noticed() -> None:
    users = np.zeros(3000, np.int32)
    items = np.arange(3000, dtype=np.int32)
    items[-1] = 5
    ordered = order_pairs(users, items, 1, 3000, [np.arange(3000)])
    assert ordered.columns[0][6] == 2999
