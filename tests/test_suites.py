"""The fast suite and the slow one together try everything."""

from __future__ import annotations

import pytest

from suites import STEPS, spread, tries


def test_one_in_so_many_is_fast_and_the_others_are_slow() -> None:
    made = spread([1, (2, 3), 4, 5], every=2)
    assert [each.values for each in made] == [(1,), (2, 3), (4,), (5,)]
    assert [[mark.name for mark in each.marks] for each in made] == [[], ["slow"], [], ["slow"]]


def test_all_are_looked_at_in_the_slow_suite() -> None:
    assert [(each.values, bool(each.marks)) for each in STEPS] == [((5,), False), ((1,), True)]


def test_properties_are_tried_on_fewer_cases_in_the_fast_suite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CRANFIELD_CASES", raising=False)
    assert [tries(number) for number in (10, 25, 60, 200, 3000)] == [8, 8, 8, 20, 300]
    monkeypatch.setenv("CRANFIELD_CASES", "all")
    assert tries(3000) == 3000
