"""What an aggregation needs of its experiment, and how that is told."""

from __future__ import annotations

from cranfield.base.options import parse
from cranfield.workbench.definition.aggregated import column_asked, lacking

WEIGHTED = parse("aggregation", "mean(by=column(spend))")
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


def test_a_baseline_that_is_no_system_is_told_with_those_there_are() -> None:
    [(place, problem)] = lacking(AGAINST, None, ("Pops", "kNN"))
    assert place == "aggregation"
    assert 'no system is called "Pop"' in problem
    assert "one of Pops, kNN" in problem
    assert 'Did you mean "Pops"' in problem


def test_a_baseline_that_is_a_system_is_right() -> None:
    assert list(lacking(AGAINST, None, ("kNN", "Pop"))) == []
