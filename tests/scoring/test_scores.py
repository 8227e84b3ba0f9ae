"""Scores as tables, files and per user."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from cranfield.base.errors import CranfieldError, EmptyInput, MissingFile, UnreadableFile
from cranfield.base.ids import Ids
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.scoring.score_files import read_scores, scores_from_table
from cranfield.scoring.scores import Scores
from score_cases import N, U, many_scores, scores_of
from suites import tries


def one_relevant() -> Scores:
    """Three topics of two users, by two metrics."""
    return Scores(
        Topics(
            np.array([0, 0, 1], np.int32),
            np.array([1, 0, 1], np.int32),
            np.array([0, 1, 0], np.int32),
        ),
        Ids(pl.Series(["a", "b"])),
        ("X", "Y"),
        ("P@1", "RR"),
        np.arange(12, dtype=np.float64).reshape(2, 2, 3),
        np.array([[True, False, True], [True, True, False]]),
        Ids(pl.Series([70, 80])),
        np.array([5, 5, 2]),
        np.array([2, 2, 1]),
    )


def same(left: Scores, right: Scores) -> bool:
    return (
        (left.systems, left.metrics) == (right.systems, right.metrics)
        and np.array_equal(left.values, right.values, equal_nan=True)
        and np.array_equal(left.covered, right.covered)
        and left.to_polars().equals(right.to_polars())
    )


def test_scores_from_systems_are_covered_where_a_list_has_items() -> None:
    topics = Topics(np.array([0, 1], np.int32))
    scores = Scores.from_systems(
        topics,
        Ids(pl.Series([1, 2])),
        ("P@1",),
        {"A": np.array([[0.1, 0.2]]), "B": np.array([[0.3, 0.4]])},
        {"B": np.array([3, 0]), "A": np.array([0, 1])},
    )
    assert scores.of("B", "P@1").tolist() == [0.3, 0.4]
    assert scores.covered.tolist() == [[False, True], [True, False]]


def test_judgments_tell_item_ids_and_how_much_each_user_rated() -> None:
    test = Ratings.from_triples([1, 1, 2], [70, 80, 70], [5, 2, 3])
    scores = Scores.from_systems(
        Topics(np.array([0, 1], np.int32)),
        test.user_ids,
        ("P@1",),
        {"A": np.zeros((1, 2))},
        {"A": np.ones(2, dtype=np.int64)},
        judgments=judge(test, relevance=4),
    )
    assert scores.item_ids == Ids(pl.Series([70, 80]))
    assert scores.to_polars().select("judged", "relevant").rows() == [(2, 1), (1, 0)]


def test_the_table_has_a_row_for_each_system_metric_and_topic() -> None:
    table = one_relevant().to_polars()
    assert table.columns == [
        *("user_id", "item_id", "segment", "system", "metric", "score", "covered"),
        *("judged", "relevant"),
    ]
    assert table.row(7) == ("a", 70, 1, "Y", "P@1", 7.0, True, 5, 2)
    assert len(table) == 2 * 2 * 3


def test_an_undefined_score_is_null_in_the_table() -> None:
    assert scores_of({"A": [U, 0.5]}).to_polars()["score"].to_list() == [None, 0.5]


@settings(deadline=None, max_examples=tries(40))
@given(scores=many_scores(segments=True))
def test_tables_read_back_are_the_same_scores(scores: Scores) -> None:
    assert scores.topics.segments is not None
    order = np.lexsort((scores.topics.segments, scores.topics.users))
    ordered = scores.take(order)
    assert same(scores_from_table(ordered.to_polars()), ordered)


def test_a_file_read_back_is_the_same_whatever_the_order_of_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    one_relevant().to_parquet(path)
    assert same(read_scores(path), one_relevant())
    table = pl.read_parquet(path)
    rows = [11, *range(11)]
    again = scores_from_table(table[rows])
    assert again.systems == ("Y", "X")
    np.testing.assert_array_equal(again.of("X", "RR"), one_relevant().of("X", "RR"))


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "scores.parquet").mkdir()
    with pytest.raises(CranfieldError, match="cannot be written"):
        one_relevant().to_parquet(tmp_path / "scores.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["scores.parquet"]


def test_a_table_with_gaps_is_refused() -> None:
    table = scores_of({"A": [0.1, 0.2], "B": [0.3, 0.4]}).to_polars()
    with pytest.raises(UnreadableFile, match="not every system"):
        scores_from_table(table[:3])
    swapped = table.with_columns(user_id=pl.Series(["u10", "u11", "u10", "u12"]))
    with pytest.raises(UnreadableFile, match="not every system"):
        scores_from_table(swapped)


def test_what_is_no_file_of_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read_scores(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("hello")
    with pytest.raises(UnreadableFile, match="not a Parquet file of scores"):
        read_scores(tmp_path / "text.parquet")
    with pytest.raises(CranfieldError, match='no column for "metric"'):
        scores_from_table(pl.DataFrame({"user_id": [1], "system": ["A"]}))
    with pytest.raises(EmptyInput):
        scores_from_table(one_relevant().to_polars().clear())


def test_by_user_averages_the_defined_topics_of_each_user() -> None:
    scores = scores_of(
        {"A": [0.2, 0.4, U, U, 0.9], "B": [N, N, N, 0.1, 0.3]}, users=[0, 0, 0, 3, 4]
    )
    users = scores.by_user()
    assert users.topics.users.tolist() == [0, 3, 4]
    np.testing.assert_allclose(users.of("A", "P@10"), [(0.2 + 0.4) / 2, np.nan, 0.9])
    assert users.covered.tolist() == [[True, True, True], [False, True, True]]
    assert users.to_polars()["user_id"].unique(maintain_order=True).to_list() == [
        "u10",
        "u13",
        "u14",
    ]


@settings(deadline=None, max_examples=tries(40))
@given(scores=many_scores())
def test_by_user_changes_nothing_where_each_user_has_one_topic(scores: Scores) -> None:
    once = scores.by_user()
    assert same(once.by_user(), once)
    assert len(once) == scores.n_users


def test_scores_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        one_relevant().values[0, 0, 0] = 1


def test_unknown_systems_and_metrics_are_named() -> None:
    with pytest.raises(CranfieldError, match="X, Y"):
        one_relevant().of("Z", "RR")
    with pytest.raises(CranfieldError, match="P@1, RR"):
        one_relevant().of("X", "P@2")


def test_a_topic_without_a_list_scores_nothing_in_the_mean_of_its_user() -> None:
    """The metric makes 0.5 of an empty list, as AUC does; an undefined one stays left out."""
    scores = scores_of({"A": [0.8, N, U, N]}, users=[0, 0, 0, 1])
    users = scores.by_user()
    np.testing.assert_allclose(users.of("A", "P@10"), [(0.8 + 0) / 2, 0])
    assert users.covered.tolist() == [[True, False]]


def test_scores_of_no_topic_are_those_of_no_user() -> None:
    scores = one_relevant().take(np.array([], dtype=np.int64)).by_user()
    assert (len(scores), scores.n_users) == (0, 0)
    assert scores.values.shape == (2, 2, 0)
