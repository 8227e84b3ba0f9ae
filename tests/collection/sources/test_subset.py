"""A subset has the rows of a file in which a column has a certain value."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import EmptyInput, MissingColumn, OptionError
from cranfield.base.options import parse
from cranfield.collection.sources.subset import Subset
from cranfield.workbench import inventory

inventory.load("source")

DATA = pytest.mark.skipif("CRANFIELD_DATA" not in os.environ, reason="needs $CRANFIELD_DATA")
ROWS = {
    "user": ["b", "a", "a", "c"],
    "item": [1, 2, 1, 2],
    "rating": [5, 4, 3, 2],
    "known": [1, 0, 1, 2],
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "rows.csv"
    pl.DataFrame(ROWS).write_csv(path)
    return str(path)


def rows(source: Subset) -> list[tuple[object, ...]]:
    return source.read().to_polars().rows()


def test_the_rows_of_a_value_are_read_with_their_own_ratings(file: str) -> None:
    assert rows(Subset(source=file, column="known")) == [("a", 1, 3.0), ("b", 1, 5.0)]
    assert rows(Subset(source=file, column="known", value=2)) == [("c", 2, 2.0)]


def test_users_and_items_without_such_a_row_are_not_there(file: str) -> None:
    made = Subset(source=file, column="known").read()
    assert made.user_ids.values.to_list() == ["a", "b"]
    assert made.item_ids.values.to_list() == [1]


@pytest.mark.parametrize("suffix", ["parquet", "tsv", "csv.gz"])
def test_any_format_is_read_as_the_file_source_reads_it(suffix: str, tmp_path: Path) -> None:
    path, frame = tmp_path / f"rows.{suffix}", pl.DataFrame(ROWS)
    if suffix == "parquet":
        frame.write_parquet(path)
    elif suffix == "tsv":
        frame.write_csv(path, separator="\t")
    else:
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    assert rows(Subset(source=str(path), column="known")) == [("a", 1, 3.0), ("b", 1, 5.0)]


def test_a_spelled_file_has_its_columns_named_within(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    pl.DataFrame(ROWS).rename({"user": "who", "rating": "stars"}).write_csv(path)
    within = f'file(path="{path}", columns={{user_id: who, rating: stars}})'
    assert rows(Subset(source=within, column="known")) == [("a", 1, 3.0), ("b", 1, 5.0)]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 5),
                          st.integers(0, 1)), min_size=1, max_size=20,
                unique_by=lambda row: row[:2]))  # fmt: skip
def test_both_values_together_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory, given_rows: list[tuple[int, int, int, int]]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    names = ["user", "item", "rating", "known"]
    pl.DataFrame(given_rows, schema=names, orient="row").write_parquet(path)
    found: list[tuple[object, ...]] = []
    for value in {row[3] for row in given_rows}:
        found += rows(Subset(source=str(path), column="known", value=value))
    assert sorted(found, key=repr) == sorted(
        [(u, i, float(r)) for u, i, r, _ in given_rows], key=repr
    )


def test_what_cannot_be_a_subset_is_refused_by_name(file: str, tmp_path: Path) -> None:
    with pytest.raises(MissingColumn, match=r'"knwon".*Did you mean "known"'):
        Subset(source=file, column="knwon").read()
    with pytest.raises(EmptyInput, match='rows in which "known" is 7'):
        Subset(source=file, column="known", value=7).read()
    with pytest.raises(OptionError, match="has no columns"):
        Subset(source="simulated(size=tiny)", column="known").read()
    log = tmp_path / "log.csv"
    log.write_text("user,item,timestamp,known\n1,1,5,1\n1,1,6,0\n")
    with pytest.raises(OptionError, match="events of a log"):
        Subset(source=str(log), column="known").read()


def test_it_reads_back_what_it_spells(file: str) -> None:
    made = Subset(source=file, column="known", value=2)
    assert parse("source", str(made)) == made


@DATA
def test_what_people_knew_of_cm100k_is_a_tenth_and_better_liked() -> None:
    chosen, shown = cf.read("subset(source=cm100k, column=known)"), cf.read("cm100k")
    assert (len(chosen), len(shown)) == (11_594, 103_584)
    assert chosen.values.mean() > shown.values.mean() + 0.5
