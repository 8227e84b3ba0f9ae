from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from cranfield.base.errors import (
    BadValue,
    EmptyInput,
    InputError,
    MissingColumn,
)
from cranfield.collection.ratings import Ratings
from rating_rows import SMALL, small

StringDType = getattr(np.dtypes, "StringDType", None)  # NumPy 2 has it


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.array(["a", "b"], dtype="string[pyarrow]"), ["a", "b"]),
        (pd.array(["a", "b"], dtype="string[python]"), ["a", "b"]),
        (pd.Series(["a", "b"], dtype=object), ["a", "b"]),
        (pd.Categorical(["b", "a"]), ["b", "a"]),
        (pd.Categorical([9, 8]), [9, 8]),
        (pd.array([9, 8], dtype="Int64"), [9, 8]),
        (pd.array([9, 8], dtype="int64[pyarrow]"), [9, 8]),
        (pd.array([2**63 + 1, 8], dtype="UInt64"), [str(2**63 + 1), "8"]),
        (pd.Series([9.0, 8.0]), [9, 8]),
        (pd.Series([9, "x"], dtype=object), ["9", "x"]),
    ],
)
def test_pandas_columns_of_every_type_are_ids(column: Any, expected: list[Any]) -> None:
    table = pd.DataFrame({"user": column, "item": [1, 2], "rating": [3, 4]})
    table.index = pd.Index([7, 7])
    read = Ratings.from_frame(table).to_polars().sort("item_id")["user_id"]
    assert read.to_list() == expected


@pytest.mark.parametrize(
    "column",
    [
        pd.array(["a", None], dtype="string[pyarrow]"),
        pd.array(["a", None], dtype="string[python]"),
        pd.Series(["a", None]),
        pd.Series(["a", float("nan")], dtype=object),
        pd.Series(["a", pd.NA], dtype=object),
        pd.Series([1, pd.NaT], dtype=object),
        pd.array([1, None], dtype="Int64"),
        pd.Series([1, None]),
        pd.Categorical(["a", None]),
    ],
)
def test_missing_ids_in_pandas_are_refused(column: Any) -> None:
    table = pd.DataFrame({"user": column, "item": [1, 2], "rating": [3, 4]})
    with pytest.raises(BadValue, match=r'^table, row 2, column "user": (nothing|nan|NaT) is not'):
        Ratings.from_frame(table)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.array(["b", "a"]), ["b", "a"]),
        (np.array(["b", "a"], dtype=object), ["b", "a"]),
        *([(np.array(["b", "a"], dtype=StringDType()), ["b", "a"])] if StringDType else []),
        (np.array([b"b", b"a"]), ["b", "a"]),
        (np.array([2**63 + 1, 1], dtype=np.uint64), [str(2**63 + 1), "1"]),
        (np.array([2**70, 1], dtype=object), [str(2**70), "1"]),
        (np.array([1, "a"], dtype=object), ["1", "a"]),
        (np.array([3, 1], dtype=np.int8), [3, 1]),
        (np.array([3, 1], dtype=">i4"), [3, 1]),
        (np.array([3.0, 1.0], dtype=np.float16), [3, 1]),
        (["a\x00", "a"], ["a\x00", "a"]),
        (("b", "a"), ["b", "a"]),
        (range(8, 10), [8, 9]),
    ],
)
def test_numpy_columns_of_every_type_are_ids(column: Any, expected: list[Any]) -> None:
    read = small(user=column).to_polars().sort("item_id")["user_id"]
    assert read.to_list() == expected


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA])
def test_missing_ids_among_text_are_not_read_as_text(missing: object) -> None:
    for column in (["a", missing], np.array(["a", missing], dtype=object)):
        with pytest.raises(BadValue, match='row 2, column "user": nothing is not an id'):
            small(user=column)


@pytest.mark.parametrize("values", [np.float32, np.float16, np.int8, np.uint64, bool])
def test_ratings_of_every_number_type_are_read(values: type) -> None:
    assert small(rating=np.array([1, 0], dtype=values)).values.tolist() == [1.0, 0.0]


def test_ratings_may_be_numbers_written_as_text() -> None:
    assert small(rating=["1", "2.5"]).values.tolist() == [1.0, 2.5]


NOON = datetime(2020, 1, 2, 12, tzinfo=UTC)
SECONDS = int(NOON.timestamp())


@pytest.mark.parametrize(
    "column",
    [
        [SECONDS, 0],
        [float(SECONDS), 0.0],
        [SECONDS + 0.75, 0.5],
        [str(SECONDS), "0"],
        [f"{SECONDS}.0", "0.0"],
        [NOON.replace(tzinfo=None), datetime(1970, 1, 1)],
        [NOON, datetime(1970, 1, 1, tzinfo=UTC)],
        [NOON.astimezone(timezone(timedelta(hours=5))), datetime(1970, 1, 1, tzinfo=UTC)],
        ["2020-01-02T12:00:00", "1970-01-01T00:00:00"],
        ["2020-01-02 12:00:00.25", "1970-01-01"],
        ["2020-01-02T12:00:00Z", "1970-01-01"],
        ["2020-01-02T17:00:00+05:00", "1970-01-01T00:00:00Z"],
        ["2020/01/02 12:00", "1970/01/01"],
        np.array(["2020-01-02T12", "1970-01-01T00"], dtype="M8[h]"),
        np.array(["2020-01-02T12:00", "1970-01-01T00:00"], dtype="M8[ns]"),
        pl.Series([NOON, datetime(1970, 1, 1, tzinfo=UTC)], dtype=pl.Datetime("ms", "UTC")),
    ],
)
def test_times_of_every_kind_become_seconds(column: Any) -> None:
    for order in (slice(None), slice(None, None, -1)):
        given = {"user": [1, 2], "item": [1, 1], "timestamp": column}
        reordered = {name: values[order] for name, values in given.items()}
        times = Ratings.from_frame(reordered).timestamps
        assert times is not None
        assert times.tolist() == [SECONDS, 0]
        assert times.dtype == np.int64


def test_dates_become_their_first_second() -> None:
    times = small(timestamp=[date(1970, 1, 2), date(1969, 12, 31)]).timestamps
    assert times is not None
    assert times.tolist() == [86400, -86400]


def test_pandas_times_become_seconds() -> None:
    table = SMALL.to_pandas()
    for zone in (None, "UTC"):
        table["timestamp"] = pd.to_datetime(["1970-01-02", "1970-01-03"]).tz_localize(zone)
        times = Ratings.from_frame(table).timestamps
        assert times is not None
        assert times.tolist() == [86400, 172800]


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        ([10, None], "nothing"),
        (["2020-01-01", None], "nothing"),
        (["2020-01-01", "yesterday"], '"yesterday"'),
        (["2020-01-01", "02/01/2020"], '"02/01/2020"'),
        (["5", "yesterday"], '"yesterday"'),
        ([10.0, float("nan")], "nan"),
        ([10.0, float("inf")], "inf"),
        ([10.0, 1e300], r"1e\+300"),
        (np.array([1, 2**63], dtype=np.uint64), str(2**63)),
        (pl.Series([timedelta(1)] * 2), "1 day"),
        (pl.Series([[1], [2]]), r"List\(Int64\)"),
        (pl.Series([None, None]), "nothing"),
    ],
)
def test_what_is_no_time_is_refused(column: Any, shown: str) -> None:
    with pytest.raises(BadValue, match=rf'table, row [12], column "ts": {shown}.* is not a time\.'):
        small(ts=column)


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        ([3, float("nan")], "nan"),
        ([3, float("inf")], "inf"),
        ([3, -float("inf")], "-inf"),
        ([3, None], "nothing"),
        (["3", "five"], '"five"'),
        (["3", ""], '""'),
        (["3", "NaN"], '"NaN"'),
        ([date(2020, 1, 1)] * 2, "2020-01-01"),
        (pl.Series([[3], [4]]), "List(Int64)"),
        (np.array([3j, 4j]), "3j"),
    ],
)
def test_what_is_no_finite_number_is_refused(column: Any, shown: str) -> None:
    with pytest.raises(BadValue) as caught:
        small(rating=column)
    row = 1 if len({str(value) for value in column}) == 1 or shown in ("List(Int64)", "3j") else 2
    assert str(caught.value) == (
        f'table, row {row}, column "rating": {shown} is not a finite number.'
    )


def test_bad_values_are_shown_with_their_line_where_that_is_known() -> None:
    for column, values in [("rating", [1, None]), ("user", [1, None]), ("timestamp", [1, None])]:
        table = {"user": [1, 2], "item": [1, 2], "rating": [1, 2], "timestamp": [1, 2]}
        with pytest.raises(BadValue, match=rf'^x\.csv, line 11, column "{column}": nothing is not'):
            Ratings.from_frame(table | {column: values}, where="x.csv", line_of=lambda r: r + 10)


def test_nothing_is_refused() -> None:
    with pytest.raises(EmptyInput, match="table: there are no ratings"):
        Ratings.from_frame({"user": [], "item": []})
    with pytest.raises(EmptyInput, match="matrix: there are no ratings"):
        Ratings.from_matrix(scipy.sparse.csr_array((3, 3)))


def test_missing_columns_are_named() -> None:
    with pytest.raises(MissingColumn, match='no column for "item_id" among "user"'):
        Ratings.from_frame({"user": [1]})


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(
        InputError, match="arrays: the columns differ in length: user_id 2, item_id 1"
    ):
        Ratings.from_triples([1, 2], [1])


def test_two_columns_of_one_name_are_refused() -> None:
    table = pd.DataFrame([[1, 2, 3]], columns=["user", "item", "item"])
    with pytest.raises(InputError, match="table: two of the columns user, item, item share a name"):
        Ratings.from_frame(table)


@pytest.mark.parametrize("thing", [5, "ratings.csv", [1, 2], pl.Series([1]), {1, 2}, print])
def test_what_is_no_table_is_refused(thing: object) -> None:
    with pytest.raises(TypeError, match=r"is not a table. Give a table of Polars, pandas, Arrow"):
        Ratings.from_frame(thing)
