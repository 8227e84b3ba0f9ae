"""Groups of users and items, and vectors of items, from tables beside the ratings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadParameter, CranfieldError, MissingFile, OptionError
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.workbench.execution.grouping import (
    Grouping,
    Vectors,
    group_items,
    group_users,
    parse_grouping,
)

TRAIN = Ratings.from_frame(
    {"user": ["a", "b", "b", "c", "c", "c", "c"], "item": list("xxyxyzw"), "rating": [5] * 7}
)
TOPICS = Topics(np.array([0, 1, 2], dtype=np.int32))
ITEMS = Ids(pl.Series(["x", "y", "z"]))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("activity", Grouping(kind="activity", parts=10)),
        ("popularity:4", Grouping(kind="popularity", parts=4)),
        ("users.csv:age", Grouping(kind="attribute", table="users.csv", column="age")),
        ("C:/users.csv:age", Grouping(kind="attribute", table="C:/users.csv", column="age")),
        ("age.csv:activity", Grouping(kind="attribute", table="age.csv", column="activity")),
    ],
)  # fmt: skip
def test_groupings_are_read_as_they_are_spelled(text: str, wanted: Grouping) -> None:
    assert parse_grouping(text) == wanted
    assert wanted.of_users is (wanted.kind != "popularity")


@pytest.mark.parametrize(
    "text", ["", "age", ":", "users.csv:", ":age", "activity:0", "activity:x", "popularity:-1"]
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="--by"):
        parse_grouping(text)


def test_users_are_grouped_by_their_training_ratings() -> None:
    groups = group_users(parse_grouping("activity:3"), TRAIN, TOPICS)
    assert [groups.names[code] for code in groups.of_code] == [
        "1: 1 to 1",
        "2: 2 to 2",
        "3: 4 to 4",
    ]


def test_activity_needs_training_ratings() -> None:
    none = TRAIN.take(np.zeros(7, dtype=bool))
    with pytest.raises(OptionError, match="it is counted in training ratings"):
        group_users(parse_grouping("activity"), none, TOPICS)


@pytest.mark.parametrize(("suffix", "mark"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
def test_users_are_grouped_by_a_column_of_a_table(tmp_path: Path, suffix: str, mark: str) -> None:
    path = tmp_path / f"users.{suffix}"
    path.write_text(f"user{mark}age\nb{mark}old\na{mark}young\nnobody{mark}old\n")
    groups = group_users(parse_grouping(f"{path}:age"), TRAIN, TOPICS)
    assert [groups.names[code] for code in groups.of_code[:3]] == ["young", "old", "unknown"]


def test_a_table_that_is_not_there_or_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        group_users(parse_grouping(f"{tmp_path}/no.csv:age"), TRAIN, TOPICS)
    bad = tmp_path / "users.parquet"
    bad.write_text("no parquet")
    with pytest.raises(CranfieldError, match=r"it is not a table.*Give a CSV, TSV or Parquet"):
        group_users(parse_grouping(f"{bad}:age"), TRAIN, TOPICS)


def test_items_are_grouped_once_or_not_at_all() -> None:
    twice = [parse_grouping("popularity"), parse_grouping("popularity:4")]
    nothing: object = None
    assert group_items([parse_grouping("activity")], nothing) is None  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="by popularity: given twice"):
        group_items(twice, nothing)  # type: ignore[arg-type]


def test_numbers_stay_and_labels_are_one_where_an_item_has_them() -> None:
    table = {"item": ["z", "x"], "year": [1990, 2000], "genre": ["War|Drama", "Drama"]}
    made = Vectors(table).of_items(ITEMS)
    assert made[:, 0].tolist() == [2000.0, 0.0, 1990.0]
    assert sorted(made[:, 1:].T.tolist()) == [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]


def test_an_item_has_one_vector_and_that_says_something() -> None:
    with pytest.raises(CranfieldError, match="an item once"):
        Vectors({"item": ["x", "x"], "year": [1, 2]}).of_items(ITEMS)
    with pytest.raises(OptionError, match="no column beside item says what items are like"):
        Vectors({"item": ["x"]}).of_items(ITEMS)
