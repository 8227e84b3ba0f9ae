"""The fast suite and the slow one together try everything."""

from __future__ import annotations

from suites import STEPS, spread


def test_one_in_so_many_is_fast_and_the_others_are_slow() -> None:
    made = spread([1, (2, 3), 4, 5], every=2)
    assert [each.values for each in made] == [(1,), (2, 3), (4,), (5,)]
    assert [[mark.name for mark in each.marks] for each in made] == [[], ["slow"], [], ["slow"]]


def test_all_are_looked_at_in_the_slow_suite() -> None:
    assert [(each.values, bool(each.marks)) for each in STEPS] == [((5,), False), ((1,), True)]
