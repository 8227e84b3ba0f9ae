"""Tables of scores that others made: read as they are meant, or refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadValue, CranfieldError
from cranfield.scoring.score_files import read_scores, scores_from_table
from score_cases import U, scores_of


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


def test_a_user_of_one_system_alone_is_refused_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    table(user_id=["u10", "u11", "u10", "u99"]).write_parquet(path)
    with pytest.raises(CranfieldError, match=r"scores\.parquet: not every system has a score"):
        read_scores(path)
