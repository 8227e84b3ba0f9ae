"""Groupings, item vectors and catalogues, from what a user gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError, MissingFile, OptionError
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.workbench.definition.side_tables import (
    Grouping,
    catalogue_ids,
    object_text,
    parse_grouping,
    vectors_of,
)

ITEMS = Ids(pl.Series(["x", "y", "z"]))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("activity", Grouping(kind="activity", parts=10)),
        ("popularity:4", Grouping(kind="popularity", parts=4)),
        ("test-size:2", Grouping(kind="test-size", parts=2)),
        ("users.csv:age", Grouping(kind="attribute", table="users.csv", column="age")),
        ("C:/users.csv:age", Grouping(kind="attribute", table="C:/users.csv", column="age")),
        ("users.csv:age:4", Grouping(kind="attribute", table="users.csv", column="age", parts=4)),
        ("C:/u.csv:age:4", Grouping(kind="attribute", table="C:/u.csv", column="age", parts=4)),
        ("C:/u.csv:4", Grouping(kind="attribute", table="C:/u.csv", column="4")),
        ("users.csv:2024", Grouping(kind="attribute", table="users.csv", column="2024")),
        ("age.csv:activity", Grouping(kind="attribute", table="age.csv", column="activity")),
    ],
)  # fmt: skip
def test_groupings_are_read_as_they_are_spelled(text: str, wanted: Grouping) -> None:
    assert parse_grouping(text) == wanted
    assert parse_grouping(str(wanted)) == wanted
    assert wanted.of_users is (wanted.kind != "popularity")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "age",
        ":",
        "users.csv:",
        ":age",
        "activity:0",
        "activity:x",
        "popularity:-1",
        "users.csv:age:0",
    ],
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="grouping"):
        parse_grouping(text)


def test_numbers_stay_and_labels_are_one_where_an_item_has_them() -> None:
    table = {"item": ["z", "x"], "year": [1990, 2000], "genre": ["War|Drama", "Drama"]}
    made = vectors_of(table, ITEMS)
    assert made is not None
    assert made[:, 0].tolist() == [2000.0, 0.0, 1990.0]
    assert sorted(made[:, 1:].T.tolist()) == [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]


def test_an_item_has_one_vector_and_that_says_something() -> None:
    with pytest.raises(CranfieldError, match="an item once"):
        vectors_of({"item": ["x", "x"], "year": [1, 2]}, ITEMS)
    with pytest.raises(OptionError, match="no column other than item describes the items"):
        vectors_of({"item": ["x"]}, ITEMS)


@pytest.mark.parametrize(
    "given_ids", [["z", "x", "x"], {"item": ["x", "z"]}, pl.DataFrame({"item_id": ["z", "x"]})]
)
def test_a_catalogue_is_a_list_or_a_column_of_items(given_ids: Any) -> None:
    assert catalogue_ids(given_ids).values.to_list() == ["x", "z"]


def test_a_catalogue_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("item,title\n7,a\n3,b\n")
    assert catalogue_ids(path).values.to_list() == [3, 7]
    assert catalogue_ids(catalogue_ids(str(path))).values.to_list() == [3, 7]
    with pytest.raises(MissingFile):
        catalogue_ids(tmp_path / "none.csv")


def test_objects_are_recorded_by_their_content() -> None:
    one, same = {"item": [1, 2], "genre": ["a", None]}, {"item": [1, 2], "genre": ["a", None]}
    assert object_text(one) == object_text(pl.DataFrame(same))
    assert object_text(one) != object_text({**one, "item": [1, 3]})
    assert object_text(one) != object_text({**one, "item": [1, None]})
    assert object_text({"item": [1, 2]}) != object_text({"item": ["1", "2"]})
    assert object_text(one) != object_text({**one, "genre": ["a", "b"]})
    ratings = Ratings.from_triples([1], [7])
    assert object_text(ratings) == f"Ratings {ratings.fingerprint}"
    assert object_text(Path("a.csv")) == "a.csv"
    assert object_text(None) == ""
    assert object_text(object).startswith("<class")


def test_groupings_by_different_tables_differ() -> None:
    one, other = ({"user": [1], "age": [number]} for number in (1, 2))
    first, second = (Grouping(kind="attribute", table=each, column="age") for each in (one, other))
    assert first != second
    assert str(first) != str(second)
    assert str(first).endswith(":age")


@given(st.sampled_from(["activity", "test-size", "popularity"]), st.integers(1, 1000))
def test_a_grouping_reads_back_as_it_is_spelled(kind: Any, parts: int) -> None:
    wanted = Grouping(kind=kind, parts=parts)
    assert parse_grouping(str(wanted)) == wanted
    assert parse_grouping(f"{kind}:{parts}") == wanted
