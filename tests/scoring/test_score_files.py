"""Tables of scores that others made: read as they are meant, or refused in words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

from cranfield.base.errors import BadValue, CranfieldError, MissingFacts, OptionError
from cranfield.base.ids import Ids
from cranfield.base.options import options, parse
from cranfield.scoring.coverage import Coverage, Undefined
from cranfield.scoring.score_files import read_scores, scores_from_table
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from score_cases import N, U, scores_of, scores_of_topics, written_and_read
from suites import tries


def table(**columns: Any) -> pl.DataFrame:
    """Two systems and two users, with other columns in the place of the right ones."""
    made = scores_of({"A": [0.1, U], "B": [0.3, 0.4]}, segments=[0, 1], judged=[3, 5]).to_polars()
    return made.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def test_systems_and_metrics_that_are_numbers_are_read_as_names() -> None:
    found = scores_from_table(table(system=[7, 7, 30, 30], metric=[1, 1, 1, 1]))
    assert (found.systems, found.metrics) == (("7", "30"), ("1",))
    np.testing.assert_array_equal(found.of("30", "1"), [0.3, 0.4])


def test_systems_that_are_categories_are_read_as_names() -> None:
    categories = table().with_columns(pl.col("system").cast(pl.Categorical))
    assert scores_from_table(categories).systems == ("A", "B")


def test_whole_floats_are_whole_numbers() -> None:
    found = scores_from_table(table(segment=[0.0, 1.0, 0.0, 1.0], judged=[3.0, 5.0, 3.0, 5.0]))
    assert found.judged is not None
    assert found.topics.segments is not None
    assert (found.judged.tolist(), found.topics.segments.tolist()) == ([3, 5], [0, 1])


@pytest.mark.parametrize("column", ["segment", "judged"])
@pytest.mark.parametrize(
    ("values", "shown"), [(["x"] * 4, '"x"'), ([1, 2, None, 2], "nothing"), ([1.5] * 4, "1.5")]
)
def test_a_count_that_is_no_whole_number_is_refused(
    column: str, values: list[Any], shown: str
) -> None:
    if column == "judged" and shown == "nothing":
        values = [None, 2, 1, 2]  # counts are taken from the first system and metric
    with pytest.raises(BadValue, match=f'column "{column}": {shown} is not a whole number'):
        scores_from_table(table(**{column: values}))


@pytest.mark.parametrize("column", ["system", "metric"])
def test_a_row_without_a_name_is_refused(column: str) -> None:
    with pytest.raises(BadValue, match=f'column "{column}": nothing is not a name'):
        scores_from_table(table(**{column: ["A", "A", None, "B"]}))


def test_scores_that_are_text_are_refused() -> None:
    with pytest.raises(BadValue, match='column "score": "high" is not a number'):
        scores_from_table(table(score=["high"] * 4))


@pytest.mark.parametrize("values", [[1, 1, 0, 1], [True, None, True, True]])
def test_coverage_is_true_or_false(values: list[Any]) -> None:
    with pytest.raises(BadValue, match=r'column "covered": .* is not true or false'):
        scores_from_table(table(covered=values))


def test_undefined_scores_may_be_missing_or_not_a_number() -> None:
    for undefined in (None, float("nan")):
        found = scores_from_table(table(score=[0.1, undefined, 0.3, 0.4]))
        np.testing.assert_array_equal(found.of("A", "P@10"), [0.1, np.nan])


def test_scores_none_of_which_is_defined_are_read() -> None:
    found = scores_from_table(table(score=pl.Series([None] * 4, dtype=pl.Null)))
    assert np.isnan(found.values).all()


AGGREGATIONS = [
    *("mean", "weighted-mean", "weighted-mean(by=relevant)", "median", "geometric-mean"),
    *("weighted-mean(by=train)", "weighted-mean(by=all)", "weighted-mean(by=column(age))"),
    *("floored-geometric-mean", "standardised", "URisk(baseline=s0)", "TRisk(baseline=s1)"),
    *("floored-geometric-mean(as=rec_eval)", "standardised(reference=[s0, s2])", "GeoRisk"),
]


def test_these_tests_know_every_aggregation() -> None:
    named = {type(parse("aggregation", name)) for name in AGGREGATIONS}
    assert named == set(options("aggregation").values())


@pytest.mark.long
@settings(
    deadline=None,
    max_examples=tries(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(scores=scores_of_topics())
def test_every_aggregate_of_a_file_is_that_in_memory_bit_for_bit(
    tmp_path: Path, scores: Scores
) -> None:
    read = written_and_read(scores, tmp_path)
    for aggregation, coverage, undefined in product(
        AGGREGATIONS, get_args(Coverage), get_args(Undefined)
    ):
        chosen: Any = parse("aggregation", aggregation)
        choice = SummaryChoice(aggregation=chosen, coverage=coverage, undefined=undefined)
        if aggregation.startswith("weighted") and scores.judged is None:
            for each in (scores, read):
                with suppress(MissingFacts, OptionError):
                    assert all(row.evaluated == 0 for row in summarise(each, choice).rows)
            continue
        assert summarise(read, choice).to_polars().equals(summarise(scores, choice).to_polars())


@settings(
    deadline=None,
    max_examples=tries(30),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(scores=scores_of_topics())
def test_users_of_a_file_are_paired_as_in_memory(tmp_path: Path, scores: Scores) -> None:
    read, known = written_and_read(scores, tmp_path).by_user(), scores.by_user()
    np.testing.assert_array_equal(read.values, known.values)
    np.testing.assert_array_equal(read.covered, known.covered)
    assert read.to_polars().equals(known.to_polars())


def test_a_file_carries_all_that_is_known_of_a_topic(tmp_path: Path) -> None:
    made = scores_of(
        {"A": [0.1, U], "B": [0.3, N]}, segments=[0, 1], judged=[3, 5], relevant=[1, 2]
    )
    made = replace(
        made,
        topics=replace(made.topics, items=np.array([1, 0], np.int32)),
        item_ids=Ids(pl.Series([7, 8])),
    )
    made.to_parquet(tmp_path / "scores.parquet")
    rows = pl.read_parquet(tmp_path / "scores.parquet").rows(named=True)
    assert rows[3] == {
        "user_id": "u11",
        "item_id": 7,
        "segment": 1,
        "system": "B",
        "metric": "P@10",
        "score": 0.5,
        "covered": False,
        "judged": 5,
        "relevant": 2,
    }


def test_numbers_of_users_are_read_and_other_columns_are_not() -> None:
    """A number that depends on the system or the metric is none of the user's."""
    found = scores_from_table(
        table(
            age=[30, None, 30, None],
            height=[1.5, 1.75, 1.5, 1.75],
            seconds=[1, 2, 3, 4],
            town=["x", "y", "x", "y"],
        )
    )
    assert list(found.user_columns) == ["age", "height"]
    np.testing.assert_array_equal(found.user_columns["age"], [30, np.nan])
    assert found.user_columns["height"].tolist() == [1.5, 1.75]


def test_numbers_of_users_come_back_as_they_were(tmp_path: Path) -> None:
    columns = {"age": [0.1 + 0.2, U], "train_ratings": [3.0, 4.0]}
    made = scores_of({"A": [0.1, U], "B": [0.3, N]}, columns=columns)
    found = written_and_read(made, tmp_path)
    for name, numbers in columns.items():
        np.testing.assert_array_equal(found.user_columns[name], numbers)


def test_a_file_without_counts_and_segments_is_read() -> None:
    """As files were written that lack them; what needs them says so."""
    found = scores_from_table(table().drop("segment", "judged"))
    assert (found.topics.segments, found.judged, found.relevant) == (None, None, None)
    assert summarise(found).row("B", "P@10").value == pytest.approx((0.3 + 0.4) / 2)
    with pytest.raises(MissingFacts, match="the number of test ratings"):
        summarise(found, SummaryChoice(aggregation=parse("aggregation", "weighted-mean")))


def test_a_user_of_one_system_alone_is_refused_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    table(user_id=["u10", "u11", "u10", "u99"]).write_parquet(path)
    with pytest.raises(CranfieldError, match=r"scores\.parquet: not every system has a score"):
        read_scores(path)
