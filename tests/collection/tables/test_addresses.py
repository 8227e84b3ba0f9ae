"""Files at addresses: which are Parquet, and copies of the others while they are read."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from cranfield.base.errors import CranfieldError, EmptyInput, InputError, UnreadableFile
from cranfield.collection.tables.addresses import holds_parquet, local_copies, reading_address
from cranfield.collection.tables.locations import file_name
from cranfield.workbench.api import read as read_ratings
from web_server import serving

TEXT = "user_id,item_id,rating\n1,7,5\n2,8,3\n2,9,4\n"


@pytest.mark.parametrize(
    ("address", "name", "parquet"),
    [
        ("s3://bucket/run.parquet", "run.parquet", True),
        ("s3://bucket/run/", "run", True),
        ("s3://bucket/run/*", "*", True),
        ("gs://bucket/run/part-*.PARQUET", "part-*.PARQUET", True),
        ("gs://bucket/what?.csv", "what?.csv", False),
        ("https://host/run.parquet?key=a/b.csv", "run.parquet", True),
        ("https://host/run.csv?key=a.parquet", "run.csv", False),
        ("hf://datasets/who/what/run.jsonl.gz", "run.jsonl.gz", False),
        ("s3://bucket/run", "run", False),
    ],
)
def test_an_address_shows_what_it_names(address: str, name: str, parquet: bool) -> None:
    assert file_name(address) == name
    assert holds_parquet(address) is parquet


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_copies_are_the_lines_of_the_files(tmp_path: Path, end: str) -> None:
    (tmp_path / "part-0.csv").write_bytes(TEXT.replace("\n", end).encode())
    quoted = 'a,"b,c"\n\n"d ""e""",\té\n'
    (tmp_path / "part-1.csv").write_bytes(quoted.encode())
    with local_copies(f"file://{tmp_path}/part-*.csv", "ratings") as files:
        assert [each.name for each in files] == ["part-0.csv", "part-1.csv"]
        assert [line.rstrip() for line in files[0].read_text().splitlines()] == TEXT.splitlines()
        assert files[1].read_text() == quoted
    assert not any(each.exists() for each in files)


def test_packed_files_are_unpacked_under_their_names(tmp_path: Path) -> None:
    (tmp_path / "r.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    with serving(tmp_path) as web, local_copies(f"{web}/r.csv.gz?v=1", "ratings") as files:
        assert [(each.name, each.read_text()) for each in files] == [("r.csv", TEXT)]


def test_errors_name_the_address_and_not_the_copy(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(TEXT)
    address = f"file://{tmp_path}/r.csv"
    with (
        pytest.raises(CranfieldError) as caught,
        local_copies(address, "ratings") as (copy,),
    ):
        raise InputError(f"{copy}, line 3: odd.")
    assert str(caught.value) == f"{address}, line 3: odd."


def test_nothing_at_an_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    for name in ("empty.csv", "none-*.csv"):
        with (
            pytest.raises(EmptyInput, match=r"\.csv: there are no runs"),
            local_copies(f"file://{tmp_path}/{name}", "runs"),
        ):
            pass
    with serving(tmp_path) as web:
        problem = r"absent\.csv: it cannot be read \(.+\)\.$"
        with pytest.raises(UnreadableFile, match=problem), local_copies(f"{web}/absent.csv", "x"):
            pass


def test_what_polars_says_is_said_in_one_sentence() -> None:
    with (
        pytest.raises(UnreadableFile, match=r"^s3://b/x: it cannot be read \(first\)\.$"),
        reading_address("s3://b/x"),
    ):
        raise pl.exceptions.ComputeError("first\nsecond")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.csv", TEXT),
        ("r.tsv", TEXT.replace(",", "\t")),
        ("ratings.dat", "1::7::5\n2::8::3\n2::9::4\n"),
        ("r.inter", "user_id:token\titem_id:token\trating:float\n1\t7\t5\n2\t8\t3\n2\t9\t4\n"),
        ("qrels.txt", "1 0 7 5\n2 0 8 3\n2 0 9 4\n"),
    ],
)
def test_text_is_read_from_an_address_as_from_a_file(
    tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    expected = read_ratings(tmp_path / name)
    with serving(tmp_path) as web:
        found = read_ratings(f"{web}/{name}")
    assert found.fingerprint == expected.fingerprint
    assert len(found) == 3


def test_parts_of_text_at_an_address_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "whole.csv").write_text(TEXT)
    (tmp_path / "part-0.csv").write_text(TEXT[: TEXT.index("2,8")])
    (tmp_path / "part-1.csv").write_text(TEXT[:23] + TEXT[TEXT.index("2,8") :])
    found = read_ratings(f"file://{tmp_path}/part-*.csv")
    assert found.fingerprint == read_ratings(tmp_path / "whole.csv").fingerprint


def test_a_fault_in_text_at_an_address_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(TEXT.replace("2,8,3", "2,8,three"))
    with serving(tmp_path) as web, pytest.raises(InputError) as caught:
        read_ratings(f"{web}/r.csv")
    assert str(caught.value).startswith(f'{web}/r.csv, line 3, column "rating": "three" is not')
