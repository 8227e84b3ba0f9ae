"""The exact reader reads what the fast one reads, for ratings and for runs, and names faults."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError
from cranfield.base.schema import ITEM, RANK, RATING, SCORE, TIMESTAMP, USER
from cranfield.base.text_ids import ids_from_text
from cranfield.collection.text.exact import line_of, records, table_of
from cranfield.collection.text.fast import read_delimited
from cranfield.collection.text.layout import BLANKS, TextLayout, sample_of
from suites import tries

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr)
IDS = st.sampled_from(["a", "b", "17", "3", "007", "é", "-1"])
ROWS = st.lists(st.tuples(IDS, IDS, NUMBERS, st.integers(1, 99).map(str)), min_size=1, max_size=8)
ROLES = {"ratings": (USER, ITEM, RATING, TIMESTAMP), "runs": (USER, ITEM, SCORE, RANK)}


def layout_of(lines: list[str], roles: tuple[str, ...], separator: str) -> TextLayout:
    quoted = separator == ","
    sample = tuple(map(tuple, sample_of(lines, separator, quoted)))
    return TextLayout(separator, roles, {role: role for role in roles}, 0, quoted, sample)


@settings(deadline=None, max_examples=tries(60))
@given(
    rows=ROWS,
    kind=st.sampled_from(sorted(ROLES)),
    separator=st.sampled_from([",", "\t", "::", BLANKS]),
    blank=st.sampled_from(["", " "]),
)
def test_both_readers_read_the_same_table(
    rows: list[tuple[str, str, str, str]],
    kind: str,
    separator: str,
    blank: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lines = [separator.join(row) for row in rows]
    path = tmp_path_factory.mktemp("text") / "table.txt"
    path.write_text("\n".join([*lines[:1], blank, *lines[1:]]) + "\n")
    layout = layout_of(lines, ROLES[kind], separator)
    exact, fast = table_of(path, layout), read_delimited(path, layout)
    exact = exact.with_columns(ids_from_text(exact[role]) for role in (USER, ITEM))
    assert exact.rows() == fast.with_columns(pl.col(fast.columns[3]).cast(exact.dtypes[3])).rows()
    for role in (USER, ITEM):
        assert exact[role].dtype.is_integer() == fast[role].dtype.is_integer()
    assert [line_of(path, layout, row) for row in range(len(rows))] == [
        1,
        *range(3, len(rows) + 2),
    ]


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("ratings", "a,x,,7", 'line 1, column "rating": nothing is not a number.'),
        ("runs", "a,x,,", 'line 1, column "score": nothing is not a number.'),
        ("runs", "a,x,3,", 'line 1, column "rank": nothing is not a number.'),
        ("runs", "a,x,1_0,1", 'line 1, column "score": "1_0" is not a number.'),
        ("runs", "a,x,٣,1", 'line 1, column "score": "٣" is not a number.'),
        ("ratings", "a,x,1e999,1", 'line 1, column "rating": "1e999" is not a finite number.'),
        ("ratings", "a,x,1, ", 'line 1, column "timestamp": nothing is not a time.'),
        ("runs", "a,,1,1", 'line 1, column "item_id": nothing is not an id.'),
    ],
)
def test_the_first_fault_is_named(tmp_path: Path, kind: str, text: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text + "\n")
    with pytest.raises(CranfieldError) as caught:
        table_of(path, layout_of([text], ROLES[kind], ","))
    assert str(caught.value) == f"{path}, {message}"


def test_an_item_that_was_only_ranked_has_no_score(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,x,0.5,1\na,y, ,2\n")
    assert table_of(path, layout_of([], ROLES["runs"], ",")).rows() == [
        ("a", "x", 0.5, 1.0),
        ("a", "y", None, 2.0),
    ]


@pytest.mark.parametrize(("complete", "fields"), [(False, 2), (True, 3)])
def test_fields_without_a_role_may_be_missing_unless_records_are_complete(
    tmp_path: Path, complete: bool, fields: int
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,x\n")
    roles = {USER: "who", ITEM: "what"}
    layout = TextLayout(",", ("who", "what", "note"), roles, 0, True, (), complete)
    assert len(next(records(path, layout))[1]) == 2
    if fields == 2:
        assert table_of(path, layout).rows() == [("a", "x")]
        return
    with pytest.raises(CranfieldError, match="line 1: there are 2 fields where 3 are expected"):
        table_of(path, layout)


def test_no_records_are_an_empty_table_of_the_same_kinds(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n")
    table = table_of(path, layout_of([], ROLES["runs"], ","))
    assert table.schema == {USER: pl.String, ITEM: pl.String, SCORE: pl.Float64, RANK: pl.Float64}
    assert table.is_empty()
