"""Groups of users and items, to break scores down by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError, MissingFile, OptionError
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.workbench.definition.side_tables import parse_grouping
from cranfield.workbench.execution.experiment.grouping import group_items, group_users

TRAIN = Ratings.from_frame(
    {"user": ["a", "b", "b", "c", "c", "c", "c"], "item": list("xxyxyzw"), "rating": [5] * 7}
)
TOPICS = Topics(np.array([0, 1, 2], dtype=np.int32))
TESTED = np.array([9, 1, 5])


def test_users_are_grouped_by_their_training_ratings() -> None:
    groups = group_users(parse_grouping("activity:3"), TRAIN, TESTED, TOPICS)
    assert [groups.names[code] for code in groups.of_code] == [
        "1: 1 to 1",
        "2: 2 to 2",
        "3: 4 to 4",
    ]


def test_users_are_grouped_by_their_test_ratings_also_without_training() -> None:
    for train in (TRAIN, TRAIN.take(np.zeros(7, dtype=bool))):
        groups = group_users(parse_grouping("test-size:2"), train, TESTED, TOPICS)
        assert groups.name == "test-size"
        assert [groups.names[code] for code in groups.of_code] == [
            "2: 5 to 9",
            "1: 1 to 1",
            "2: 5 to 9",
        ]


def test_activity_needs_training_ratings() -> None:
    none = TRAIN.take(np.zeros(7, dtype=bool))
    with pytest.raises(OptionError, match="it is counted in training ratings"):
        group_users(parse_grouping("activity"), none, TESTED, TOPICS)


@pytest.mark.parametrize(("suffix", "mark"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
def test_users_are_grouped_by_a_column_of_a_table(tmp_path: Path, suffix: str, mark: str) -> None:
    path = tmp_path / f"users.{suffix}"
    path.write_text(f"user{mark}age\nb{mark}old\na{mark}young\nnobody{mark}old\n")
    groups = group_users(parse_grouping(f"{path}:age"), TRAIN, TESTED, TOPICS)
    assert [groups.names[code] for code in groups.of_code[:3]] == ["young", "old", "unknown"]


def test_a_table_that_is_not_there_or_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        group_users(parse_grouping(f"{tmp_path}/no.csv:age"), TRAIN, TESTED, TOPICS)
    bad = tmp_path / "users.parquet"
    bad.write_text("no parquet")
    with pytest.raises(CranfieldError, match=r"it is not a table.*Give a CSV, TSV or Parquet"):
        group_users(parse_grouping(f"{bad}:age"), TRAIN, TESTED, TOPICS)


def test_items_are_grouped_once_or_not_at_all() -> None:
    twice = [parse_grouping("popularity"), parse_grouping("popularity:4")]
    nothing: object = None
    assert group_items([parse_grouping("activity")], nothing) is None  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="by popularity: given twice"):
        group_items(twice, nothing)  # type: ignore[arg-type]
