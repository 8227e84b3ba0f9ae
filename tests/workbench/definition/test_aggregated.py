"""What an aggregation needs of its experiment, and how that is told."""

from __future__ import annotations

import pytest

from cranfield.base.options import parse
from cranfield.workbench import inventory
from cranfield.workbench.definition.aggregated import column_asked, lacking

inventory.load()

WEIGHTED = parse("aggregation", "weighted-mean(by=column(spend))")
AGAINST = parse("aggregation", "URisk(alpha=1, baseline=Pop)")


def test_a_mean_by_a_column_of_users_asks_for_that_column() -> None:
    assert column_asked(WEIGHTED) == "spend"


def test_a_mean_by_what_is_known_of_users_asks_for_none() -> None:
    assert column_asked(parse("aggregation", "mean")) is None
    assert column_asked(AGAINST) is None


def test_a_table_of_users_is_asked_for_with_the_name_of_the_column() -> None:
    [(place, problem)] = lacking(WEIGHTED, None, ("A", "B"))
    assert place == "user_columns"
    assert '"spend"' in problem
    assert str(WEIGHTED) in problem


def test_nothing_lacks_once_there_is_one() -> None:
    assert list(lacking(WEIGHTED, {"user": [1], "spend": [2]}, ("A", "B"))) == []


@pytest.mark.parametrize("spelling", ["URisk(baseline=Pop)", "TRisk(baseline=Pop)"])
def test_a_baseline_that_is_no_system_is_told_with_those_there_are(spelling: str) -> None:
    [(place, problem)] = lacking(parse("aggregation", spelling), None, ("Pops", "kNN"))
    assert place == "aggregation"
    assert 'no system is called "Pop"' in problem
    assert "one of Pops, kNN" in problem
    assert 'Did you mean "Pops"' in problem


def test_every_reference_that_is_no_system_is_told() -> None:
    problems = lacking(parse("aggregation", "standardised(reference=[A, B, C])"), None, ("B", "D"))
    assert [problem.partition(".")[0] for _, problem in problems] == [
        'no system is called "A"',
        'no system is called "C"',
    ]


def test_a_baseline_that_is_a_system_is_right() -> None:
    assert list(lacking(AGAINST, None, ("kNN", "Pop"))) == []


@pytest.mark.parametrize("spelling", ["mean", "median", "GeoRisk", "standardised"])
def test_an_average_that_names_no_system_needs_none(spelling: str) -> None:
    assert list(lacking(parse("aggregation", spelling), None, ("A", "B"))) == []
