"""Tables of others: read from files, with numbers where numbers are meant."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadValue, MissingColumn, MissingFile, UnreadableFile
from cranfield.validity.meta.published_tables import (
    as_numbers,
    only_metrics,
    read_table,
    refuse_missing,
)
from suites import tries

TABLE = pl.DataFrame({"Recommender": ["a", "b"], "P": [0.25, 0.5], "RR": [1.0, 0.125]})


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet"])
def test_a_table_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        TABLE.write_parquet(path)
    else:
        TABLE.write_csv(path, separator="\t" if name == "t.tsv" else ",")
    assert read_table(path).equals(TABLE)
    assert read_table(str(path)).equals(TABLE)


@pytest.mark.parametrize("name", ["none.csv", "none.parquet", "."])
def test_a_file_that_is_not_there_is_said_to_be_missing(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read_table(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content"),
    [("t.parquet", b"a,b\n1,2\n"), ("t.csv", b""), ("t.csv", b"a,b\n1,2,3\n4,5,6\n")],
)
def test_a_file_that_holds_no_table_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=r"it is not a table. *Give CSV, TSV or Parquet"):
        read_table(path)


def test_a_column_whose_first_word_comes_late_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("system,P\n" + "a,1\n" * 2000 + "b,x\n")
    with pytest.raises(BadValue, match=r'line 2002.*"x" is not a number'):
        as_numbers(read_table(path), ["P"], "t.csv")


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.floats(allow_nan=False) | st.none(), min_size=1, max_size=6))
def test_numbers_written_as_text_are_the_same_numbers(numbers: list[float | None]) -> None:
    plain = pl.DataFrame({"P": numbers}, schema={"P": pl.Float64})
    written = [None if number is None else f" {number!r} " for number in numbers]
    text = pl.DataFrame({"P": written}, schema={"P": pl.String})
    assert as_numbers(text, ["P"], "t")["P"].to_list() == plain["P"].to_list()
    assert as_numbers(plain, ["P"], "t").equals(plain)


def test_whole_numbers_and_truths() -> None:
    found = as_numbers(pl.DataFrame({"P": [1, 2], "name": ["a", "b"]}), ["P"], "t")
    assert found["P"].to_list() == [1.0, 2.0]
    assert found["P"].dtype == pl.Float64
    assert found["name"].to_list() == ["a", "b"]


@pytest.mark.parametrize("cell", ["", "0,5", "1.2.3", "half"])
def test_the_first_cell_that_is_no_number_is_named_with_its_line(cell: str) -> None:
    with pytest.raises(BadValue, match=r't.csv, line 3, column "P": .* is not a number'):
        as_numbers(pl.DataFrame({"P": ["0.5", cell, "x"]}), ["P"], "t.csv")


def test_a_missing_column_is_named_among_those_that_are_there() -> None:
    refuse_missing(TABLE, "P", "t.csv", "So it is.")
    with pytest.raises(UnreadableFile, match=r't.csv.*"AP" among "Recommender", "P", "RR".*So it'):
        refuse_missing(TABLE, "AP", "t.csv", "So it is.")
    with pytest.raises(UnreadableFile, match="among none"):
        refuse_missing(pl.DataFrame(), "AP", "t.csv", "")


def test_metrics_are_chosen_by_name_once_and_in_the_order_asked_for() -> None:
    found = only_metrics(TABLE, ["Recommender", "Percentage"], ["RR", "P", "RR"], "t.csv")
    assert found.columns == ["Recommender", "RR", "P"]
    assert only_metrics(TABLE, ["Recommender"], [], "t.csv").equals(TABLE)
    with pytest.raises(MissingColumn, match="AP"):
        only_metrics(TABLE, ["Recommender"], ["P", "AP"], "t.csv")
