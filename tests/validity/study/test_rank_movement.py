from __future__ import annotations

from math import nan

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.rank_movement import rank_movement
from design_cases import crossed, designs_of
from suites import tries

THREE = pl.DataFrame({"cutoff": [5, 10, 20]})


def test_ranks_over_three_designs_by_hand() -> None:
    # orders: A B C, A B C, C A B
    values = [[3, 2, 1], [3, 2, 1], [2, 1, 3]]
    found = rank_movement(designs_of(THREE, values, base=0))
    a, b, c = found.systems
    assert [a.system, b.system, c.system] == ["A", "B", "C"]
    assert (a.reference, a.best, a.median, a.worst, a.first) == (1, 1, 1, 2, 2)
    assert (b.reference, b.best, b.median, b.worst, b.first) == (2, 2, 2, 3, 0)
    assert (c.reference, c.best, c.median, c.worst, c.first) == (3, 1, 3, 3, 1)
    # quartiles of 1, 1, 2 and of 1, 3, 3, halfway between neighbours
    assert (a.lower_quartile, a.upper_quartile) == (1, 1.5)
    assert (c.lower_quartile, c.upper_quartile) == (2, 3)
    # in the last, A–B agrees while A–C and B–C do not: (1 − 2)/3
    assert found.taus.tolist() == pytest.approx([1, 1, -1 / 3])
    assert (found.median_tau, found.same_order) == (1, 2)
    assert found.lowest_tau == pytest.approx(-1 / 3)
    assert found.importance.decisions[0].share == pytest.approx(1)


def test_without_a_base_the_order_by_mean_rank_is_the_reference() -> None:
    found = rank_movement(designs_of(THREE, [[1, 2, 3], [1, 3, 2], [1, 2, 3]]))
    assert found.reference == "mean rank"
    assert [system.system for system in found.systems] == ["C", "B", "A"]
    assert found.systems[0].reference == pytest.approx((1 + 2 + 1) / 3)


def test_systems_without_a_value_have_no_rank_there() -> None:
    found = rank_movement(designs_of(THREE, [[3, nan], [2, 1], [nan, nan]], base=0))
    a, b = found.systems
    assert (a.designs, a.first, b.designs, b.first) == (2, 2, 1, 0)
    assert b.reference is None
    assert np.isnan(found.taus).all()
    assert found.median_tau is None


def test_equal_systems_are_first_together() -> None:
    found = rank_movement(designs_of(THREE[:1], [[1.0, 1.0]], base=0))
    assert [system.first for system in found.systems] == [1, 1]
    assert [system.best for system in found.systems] == [1.5, 1.5]


def test_the_decision_that_reorders_systems_is_found() -> None:
    table = crossed({"metric": ["P", "AP"], "cutoff": [5, 10, 20]})
    values = [[3, 2, 1] if metric == "P" else [1, 2, 3] for metric in table["metric"]]
    found = rank_movement(designs_of(table, values, base=0))
    assert found.importance.decisions[0].decision == "metric"
    assert found.importance.decisions[0].share == pytest.approx(1)


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.permutations(range(4)), min_size=1, max_size=10))
def test_every_rank_is_taken_and_somebody_is_first(orders: list[list[int]]) -> None:
    table = pl.DataFrame({"seed": list(range(len(orders)))})
    found = rank_movement(designs_of(table, orders, base=0))
    assert sum(system.first for system in found.systems) == len(orders)
    assert [system.reference for system in found.systems] == [1, 2, 3, 4]
    assert found.taus[0] == 1
    for system in found.systems:
        assert system.best is not None
        assert system.worst is not None
        assert 1 <= system.best <= system.worst <= 4


def test_values_that_differ_by_rounding_alone_share_a_rank_and_the_first_place() -> None:
    found = rank_movement(designs_of(THREE[:2], [[0.3, 0.1 + 0.2, 0.1]] * 2, base=0))
    a, b, _ = found.systems
    assert (a.best, b.best, a.first, b.first) == (1.5, 1.5, 2, 2)
    # the order with a tie agrees with itself: (0 + 1 + 1)/2
    assert found.taus.tolist() == pytest.approx([1, 1])


def test_mean_ranks_ascend_in_the_reference_order_also_where_values_lack() -> None:
    # A is best once and then has no value, which is rank 3: (1 + 3 + 3)/3
    found = rank_movement(designs_of(THREE, [[3, 2, 1], [nan, 2, 1], [nan, 2, 1]]))
    assert [row.system for row in found.systems] == ["B", "A", "C"]
    expected = [(2 + 1 + 1) / 3, (1 + 3 + 3) / 3, (3 + 2 + 2) / 3]
    assert [row.reference for row in found.systems] == pytest.approx(expected)


@settings(deadline=None, max_examples=tries(30))
@given(st.lists(st.lists(st.sampled_from([0.1, 0.2, nan]), min_size=3, max_size=3), min_size=1,
                max_size=6))  # fmt: skip
def test_the_reference_order_is_that_of_its_ranks(values: list[list[float]]) -> None:
    table = pl.DataFrame({"seed": list(range(len(values)))})
    found = rank_movement(designs_of(table, values))
    known = [system.reference for system in found.systems if system.reference is not None]
    assert known == sorted(known)
    assert sum(system.first for system in found.systems) >= sum(
        any(value == value for value in row) for row in values
    )


VALUES = st.lists(
    st.lists(st.sampled_from([0.1, 0.2, 0.3, nan]), min_size=3, max_size=3), min_size=1, max_size=6
)


@settings(deadline=None, max_examples=tries(40))
@given(VALUES, st.booleans())
def test_quartiles_ascend_and_firsts_are_counted(rows: list[list[float]], based: bool) -> None:
    table = pl.DataFrame({"seed": list(range(len(rows)))})
    designs = designs_of(table, rows, base=0 if based else None)
    found = rank_movement(designs)
    assert {system.system for system in found.systems} == set("ABC")
    for system in found.systems:
        ranks = [system.best, system.lower_quartile, system.median]
        ranks += [system.upper_quartile, system.worst]
        known = [rank for rank in ranks if rank is not None]
        assert known == sorted(known)
        assert len(known) in (0, 5)
        assert (system.designs == 0) is (not known)
        assert system.first <= system.designs
    assert sum(system.first for system in found.systems) >= designs.first.any(axis=1).sum()


@settings(deadline=None, max_examples=tries(40))
@given(VALUES)
def test_the_base_agrees_with_itself(rows: list[list[float]]) -> None:
    table = pl.DataFrame({"seed": list(range(len(rows)))})
    found = rank_movement(designs_of(table, rows, base=0))
    assert np.isnan(found.taus[0]) or found.taus[0] == pytest.approx(1)
    known = found.taus[~np.isnan(found.taus)]
    assert found.same_order == np.count_nonzero(known == 1)
    assert (found.median_tau is None) is (not len(known))
    assert all(-1 <= tau <= 1 for tau in known)


def test_the_reference_of_a_system_without_a_value_in_the_base_is_unknown() -> None:
    found = rank_movement(designs_of(THREE, [[nan, 1, 2], [3, 1, 2], [3, 1, 2]], base=0))
    last = found.systems[-1]
    assert (last.system, last.reference, last.median, last.first) == ("A", None, 1, 2)
