"""The same ratings are read from every form of table, bit for bit; what is none is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings

from cranfield.base.errors import BadValue, InputError, MissingColumn, MissingLibrary
from cranfield.collection.ratings import Ratings
from rating_rows import DISTINCT, Row, frame
from suites import tries
from table_forms import NAMED, UNNAMED, ArrowStream, Interchanged


def same(one: Ratings, other: Ratings) -> bool:
    """Whether two are equal, bit for bit, also in the types of their columns."""
    columns = [(getattr(one, n), getattr(other, n)) for n in ("users", "items", "values")]
    times = one.timestamps, other.timestamps
    return (
        (one.user_ids, one.item_ids) == (other.user_ids, other.item_ids)
        and all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in columns)
        and (times[0] is None) == (times[1] is None)
        and (times[0] is None or times[0].tobytes() == times[1].tobytes())  # type: ignore[union-attr]
        and one.fingerprint == other.fingerprint
    )


@pytest.mark.parametrize("form", NAMED)
@settings(deadline=None, max_examples=tries(20))
@given(DISTINCT)
def test_every_form_gives_the_same_ratings(form: str, rows: list[Row]) -> None:
    table = pl.DataFrame(frame(rows))
    assert same(Ratings.from_frame(NAMED[form](table)), Ratings.from_frame(table))


@pytest.mark.parametrize("form", UNNAMED)
def test_columns_without_names_are_known_by_their_places(form: str) -> None:
    table = pl.DataFrame({"user_id": [4, 0, 2], "item_id": [1, 1, 9], "rating": [3, 5, 1]})
    assert same(Ratings.from_frame(UNNAMED[form](table)), Ratings.from_frame(table))


def test_arrays_may_lack_ratings_and_have_times() -> None:
    pairs = np.array([[1, 7], [2, 8]])
    assert Ratings.from_frame(pairs).values.tolist() == [1, 1]
    timed = Ratings.from_frame(np.array([[1, 7, 3.5, 20], [2, 8, 4.0, 10]]))
    assert timed.values.tolist() == [3.5, 4.0]
    assert timed.timestamps is not None
    assert timed.timestamps.tolist() == [20, 10]


def test_arrays_of_text_have_ids_of_text_and_ratings_of_numbers() -> None:
    made = Ratings.from_frame(np.array([["u", "007", "4"], ["v", "7", "2.5"]]))
    assert made.to_polars().rows() == [("u", "007", 4.0), ("v", "7", 2.5)]


@pytest.mark.parametrize(
    ("array", "shape"),
    [
        (np.ones(3), "3"),
        (np.ones((4, 1)), "4 × 1"),
        (np.ones((4, 7)), "4 × 7"),
        (np.ones((2, 2, 2)), "2 × 2 × 2"),
        (np.zeros((2, 2), dtype=[("user", int)]), "2 × 2"),
    ],
)
def test_arrays_of_other_shapes_are_refused(array: Any, shape: str) -> None:
    wanted = rf"^table: an array of {shape} is not a table\. Give an array with a column each for "
    with pytest.raises(InputError, match=wanted + r"user_id, item_id \(then rating, timestamp if"):
        Ratings.from_frame(array)


def test_a_matrix_of_one_dimension_is_refused() -> None:
    vector = scipy.sparse.coo_array(np.array([1, 0, 2]))
    with pytest.raises(InputError, match=r"^table: an array of .*3 is not a table"):
        Ratings.from_frame(vector)


@pytest.mark.parametrize("name", ["userId", "USER_ID", "user", "uid", "reviewerID"])
def test_usual_names_are_recognised_whatever_the_library(name: str) -> None:
    table = {name: [1, 2], "movieId": [3, 4], "stars": [5, 4]}
    for form in ("polars", "pandas", "arrow", "structured array"):
        assert Ratings.from_frame(NAMED[form](pl.DataFrame(table))).values.tolist() == [5, 4]


@pytest.mark.parametrize("form", NAMED)
def test_missing_columns_are_named_whatever_the_library(form: str) -> None:
    table = NAMED[form](pl.DataFrame({"user": [1] * 9, "thing": [2] * 9}))
    with pytest.raises(
        MissingColumn, match=r'^table: no column for "item_id" among "user", "thing"'
    ):
        Ratings.from_frame(table)


@pytest.mark.parametrize(
    ("rating", "told"),
    [
        ([3, None], "n"),  # nothing, or nan in pandas
        (["3", "four"], '"four"'),
        ([3, "four"], '"four"'),
        ([3.0, float("inf")], "inf"),
        ([[3], [4]], "List"),
        ([3, object()], "<object"),
        ([{1}, {2}], "{1}"),
    ],
)
@pytest.mark.parametrize("form", ["mapping", "pandas"])
def test_wrong_ratings_are_told_by_row_and_column(form: str, rating: Any, told: str) -> None:
    table: Any = {"user": [1, 2], "item": [3, 4], "rating": rating}
    table = pd.DataFrame(table) if form == "pandas" else table
    with pytest.raises(BadValue) as caught:
        Ratings.from_frame(table)
    assert re.match(r'table, row [12], column "rating": .* is not a', str(caught.value))
    assert told in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("ids", [[1, None], [{1}, {2}], [1, object()], [[1], [2]], [1.5, 2]])
@pytest.mark.parametrize("form", ["mapping", "pandas"])
def test_wrong_ids_are_told_by_row_and_column(form: str, ids: Any) -> None:
    table: Any = {"user": ids, "item": [3, 4], "rating": [1, 2]}
    table = pd.DataFrame(table) if form == "pandas" else table
    with pytest.raises(BadValue, match=r'^table, row [12], column "user": .* is not a'):
        Ratings.from_frame(table)


def test_what_is_masked_is_missing() -> None:
    masked = np.ma.masked_array([[1, 7, 3], [2, 8, 4]], mask=[[False] * 3, [False, False, True]])
    with pytest.raises(BadValue, match='row 2, column "rating": nothing is not a finite number'):
        Ratings.from_frame(masked)


def test_a_lazy_table_that_cannot_be_computed_is_refused() -> None:
    absent = pl.scan_parquet("no-such-file.parquet")
    with pytest.raises(InputError, match=r"^table: the lazy table cannot be read \(.*no-such-file"):
        Ratings.from_frame(absent)
    wrong = pl.LazyFrame({"user": [1]}).select("item")
    with pytest.raises(InputError, match=r"^table: the lazy table cannot be read \(.*item"):
        Ratings.from_frame(wrong)


def test_two_arrow_columns_of_one_name_are_refused() -> None:
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["user", "user"])
    with pytest.raises(InputError, match=r"^table: Table cannot be read as a table \(.*user"):
        Ratings.from_frame(twice)


def test_a_stream_that_breaks_off_is_refused() -> None:
    class Broken:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise ValueError("the connection is closed\nand more")

    told = r"^table: ArrowStream cannot be read as a table \(the connection is closed\)\.$"
    with pytest.raises(InputError, match=told):
        Ratings.from_frame(ArrowStream(Broken()))


def test_the_interchange_protocol_needs_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.interchange", None)
    with pytest.raises(MissingLibrary, match="interchange protocol needs pyarrow"):
        Ratings.from_frame(Interchanged(pa.table({"user": [1], "item": [2]})))


def test_relations_of_duckdb_are_tables() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select * from (values (1, 'a', 4.5), (2, 'b', 3)) t(userId, movieId, r)")
    made = Ratings.from_frame(relation, {"rating": "r"})
    assert made.to_polars().rows() == [(1, "a", 4.5), (2, "b", 3.0)]


def test_categories_of_arrow_are_their_texts() -> None:
    table = pa.table({"user": pa.array(["b", "a"]).dictionary_encode(), "item": [1, 2]})
    assert Ratings.from_frame(table).user_ids.values.to_list() == ["a", "b"]
