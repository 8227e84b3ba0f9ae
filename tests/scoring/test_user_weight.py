"""What users count by: against NumPy, and refused where it is not known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter, CranfieldError, MissingFacts
from cranfield.base.options import parse, spell_fully, to_table
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.scoring.user_weight import UserColumn, user_column
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from score_cases import N, U, scores_of
from suites import tries

FORMS = ("train", "all", "test", "relevant", "column(age)")
NUMBERS = {
    "judged": [3, 0, 2, 5],
    "relevant": [1, 0, 2, 1],
    "columns": {
        "train_ratings": [7, 9, 0, 1],
        "all_ratings": [10, 9, 2, 6],
        "age": [0.5, 31.25, 0, 7],
    },
}


def weights(by: str) -> list[float]:
    known: dict[str, Any] = {**NUMBERS, **NUMBERS["columns"]}  # type: ignore[dict-item]
    names = {"train": "train_ratings", "all": "all_ratings", "test": "judged", "column(age)": "age"}
    found: list[float] = known[names.get(by, by)]
    return found


def value(by: str, scores: Scores, system: int = 0, **how: Any) -> float:
    chosen: Any = parse("aggregation", f"weighted-mean(by={by})")
    return float(chosen.of_scores(enter(scores, system, 0, **how)))


@pytest.mark.parametrize("by", FORMS)
def test_weighted_means_are_those_of_numpy(by: str) -> None:
    row = [0.2, 0.9, 0.4, 0.7]
    scores = scores_of({"A": row}, **NUMBERS)  # type: ignore[arg-type]
    assert value(by, scores) == pytest.approx(np.average(row, weights=weights(by)))


@pytest.mark.parametrize("by", FORMS)
def test_undefined_and_uncovered_topics_are_resolved_as_in_any_mean(by: str) -> None:
    scores = scores_of({"A": [0.2, U, N, 0.7]}, **NUMBERS)  # type: ignore[arg-type]
    given_weights = np.array(weights(by))
    wanted = np.average([0.2, 0, 0.7], weights=given_weights[[0, 2, 3]])
    assert value(by, scores) == pytest.approx(wanted)
    wanted = np.average([0.2, 0.7], weights=given_weights[[0, 3]])
    assert value(by, scores, coverage="forgiving") == pytest.approx(wanted)


@settings(deadline=None, max_examples=tries(50))
@given(
    row=st.lists(st.floats(0, 1), min_size=4, max_size=4),
    ages=st.lists(st.floats(0, 1e308), min_size=4, max_size=4),
)
def test_any_numbers_are_weights_however_large_or_small(
    row: list[float], ages: list[float]
) -> None:
    """Their sum may be beyond all floats; the share of each is not."""
    assume(max(ages) > 0)
    found = value("column(age)", scores_of({"A": row}, columns={"age": ages}))
    wanted = np.average(row, weights=np.array(ages) / max(ages))
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-300)


def test_a_column_of_zeros_has_no_mean() -> None:
    assert np.isnan(value("column(age)", scores_of({"A": [0.5, 0.7]}, columns={"age": [0, 0]})))


@pytest.mark.parametrize(
    ("ages", "said"),
    [
        ([1, U, 3], 'user "u11" has no "age"'),
        ([1, 2, -4], 'user "u12" has -4 as "age"'),
        ([np.inf, 2, 4], 'user "u10" has inf as "age"'),
    ],
)
def test_users_without_a_right_weight_are_refused_by_name(ages: list[float], said: str) -> None:
    scores = scores_of({"A": [0.1, 0.2, 0.3]}, columns={"age": ages})
    with pytest.raises(CranfieldError, match=said):
        value("column(age)", scores)


def test_users_who_do_not_enter_need_no_weight() -> None:
    scores = scores_of({"A": [0.1, U, 0.3]}, columns={"age": [1, U, 3]})
    assert value("column(age)", scores) == pytest.approx((0.1 + 3 * 0.3) / 4)


def test_a_column_that_nobody_gave_is_refused_with_the_near_name() -> None:
    scores = scores_of({"A": [0.1]}, columns={"ages": [1], "train_ratings": [2]})
    with pytest.raises(CranfieldError, match=r'called "age" .* Did you mean "ages"\?'):
        value("column(age)", scores)


@pytest.mark.parametrize(("by", "said"), [("train", "training ratings"), ("all", "training and")])
def test_ratings_that_are_not_known_are_asked_for(by: str, said: str) -> None:
    with pytest.raises(MissingFacts, match=f"the number of {said} .* of each user|{said} of each"):
        value(by, scores_of({"A": [0.1]}, judged=[1]))


@pytest.mark.parametrize(
    "name", ["age", "year of birth", "2020", "none", "007", 'a"b', "a(b)", "é"]
)
def test_any_name_of_a_column_is_spelled_and_read_again(name: str) -> None:
    column = user_column(name)
    assert column.name == name
    made = parse("aggregation", f"weighted-mean(by={column})")
    assert isinstance(made.by, UserColumn)
    assert made.by.name == name
    for spelled in (str(made), spell_fully(made)):
        assert parse("aggregation", spelled) == made
    assert type(made)(**{k: v for k, v in to_table(made).items() if k != "name"}) == made


@pytest.mark.parametrize(
    "by",
    ["tests", "column", "column()", "column(a, b)", "column(of=a)", "column(a)@3", "3", "none"],
)
def test_what_is_no_weight_is_refused_with_all_that_are(by: str) -> None:
    wanted = r"not one of train, all, test, relevant or column\(NAME\)"
    with pytest.raises(BadParameter, match=wanted):
        parse("aggregation", f"weighted-mean(by={by})")


def _weighted_t(differences: list[float], counted: list[float]) -> float:
    """t = Σ w·d/SE, SE² = n/(n−1)·Σ w²(d − d̄)², as the formula stands."""
    shares = np.array(counted) / np.sum(counted)
    mean = float(shares @ differences)
    n = np.count_nonzero(shares)
    return mean / float(np.sqrt(n / (n - 1) * (shares**2 @ (np.array(differences) - mean) ** 2)))


@pytest.mark.parametrize("by", FORMS)
def test_the_weighted_t_is_about_the_weighted_mean(by: str) -> None:
    a, b = [0.2, 0.9, 0.4, 0.7], [0.1, 0.3, 0.8, 0.2]
    scores = scores_of({"A": a, "B": b}, **NUMBERS)  # type: ignore[arg-type]
    aggregation = parse("aggregation", f"weighted-mean(by={by})")
    choice = ComparisonChoice(test=parse("test", f"weighted-t(by={by})"), aggregation=aggregation)
    [pair] = compare(scores, choice).pairs
    apart = (np.array(a) - b).tolist()
    assert pair.difference == pytest.approx(np.average(apart, weights=weights(by)))
    assert pair.statistic == pytest.approx(_weighted_t(apart, weights(by)))
    row = summarise(scores, SummaryChoice(aggregation=aggregation)).row("A", "P@10")
    assert pair.first_value == row.value
    assert row.low < row.value < row.high


def test_a_weighted_t_by_another_weight_is_refused() -> None:
    scores = scores_of({"A": [0.1, 0.2], "B": [0.3, 0.5]}, columns={"age": [1, 2]})
    aggregation = parse("aggregation", "weighted-mean(by=column(age))")
    for by in ("train", "column(height)"):
        test = parse("test", f"weighted-t(by={by})")
        with pytest.raises(BadParameter, match=r"one with by = column\(age\)"):
            compare(scores, ComparisonChoice(test=test, aggregation=aggregation))


def test_columns_follow_their_topics_and_users() -> None:
    scores = scores_of({"A": [0.1, 0.2, 0.3]}, users=[0, 0, 1], columns={"age": [30, 30, 40]})
    taken = scores.take(np.array([1, 2]))
    assert taken.user_columns["age"].tolist() == [30, 40]
    assert scores.by_user().user_columns["age"].tolist() == [30, 40]
    assert replace(scores, systems=("B",)).user_columns["age"].tolist() == [30, 30, 40]
    with pytest.raises(ValueError, match="read-only"):
        scores.user_columns["age"][0] = 1
