"""The rows of each group by chance or by time."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import held_out, nearest, random_order, time_order
from suites import tries

GROUPS = st.lists(st.integers(0, 4), min_size=1, max_size=30)


def codes(groups: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(groups, dtype=np.int32)


@given(GROUPS, st.data())
@settings(deadline=None, max_examples=tries(60))
def test_first_takes_exactly_the_wanted_number_of_each_group(
    groups: list[int], data: st.DataObject
) -> None:
    words = Seeds(1).words("any", size=len(groups))
    order = random_order(codes(groups), 5, words)
    wanted = np.array([data.draw(st.integers(0, int(size))) for size in order.sizes])
    assert order.count(order.first(wanted)).tolist() == wanted.tolist()


@given(GROUPS, st.data())
@settings(deadline=None, max_examples=tries(60))
def test_equal_keys_go_by_row(groups: list[int], data: st.DataObject) -> None:
    order = random_order(codes(groups), 5, np.zeros(len(groups), dtype=np.uint64))
    wanted = np.array([data.draw(st.integers(0, int(size))) for size in order.sizes])
    seen: dict[int, int] = defaultdict(int)
    for group, chosen in zip(groups, order.first(wanted), strict=True):
        assert chosen == (seen[group] < wanted[group])
        seen[group] += 1


def test_groups_of_any_number_leave_room_for_a_word_above_all() -> None:
    for n_groups in (1, 2, 3, 4, 255, 256):
        groups = codes([n_groups - 1] * 3)
        order = random_order(groups, n_groups, np.full(3, 2**64 - 1, dtype=np.uint64))
        assert order.first(order.sizes).all()
        assert not order.first(np.zeros(n_groups, dtype=np.int64)).any()


def test_every_row_of_a_group_is_as_likely_to_come_first() -> None:
    firsts = np.zeros(4)
    for seed in range(2000):
        order = random_order(codes([0] * 4), 1, Seeds(seed).words("any", size=4))
        firsts += order.first(np.array([1]))
    # 500 expected each, standard deviation sqrt(2000 * 1/4 * 3/4) = 19.4; five of them.
    assert (abs(firsts - 500) < 5 * 19.4).all()


@pytest.mark.parametrize("times", [[3, 1, 2], [-(2**63), 2**63 - 1, 0], [2**62, -(2**62), 0]])
def test_times_of_any_size_keep_their_order(times: list[int]) -> None:
    order = time_order(codes([1, 1, 1]), 2, np.array(times, dtype=np.int64))
    for count in range(4):
        expected = np.argsort(np.argsort(times)) < count
        assert order.first(np.array([0, count])).tolist() == expected.tolist()


def test_halves_go_up_even_where_the_product_falls_short_of_one() -> None:
    assert 0.145 * 100 < 14.5
    assert nearest(0.145, [100]).tolist() == [15]


def test_a_half_stays_in_training() -> None:
    assert held_out(0.5, [1, 3, 4]).tolist() == [0, 1, 2]
