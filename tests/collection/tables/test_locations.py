"""What names files: a path, a pattern that matches some, an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.collection.tables.locations import is_address, matching_files, names_files


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s3://bucket/r.parquet", True),
        ("gs://bucket/r.parquet", True),
        ("abfss://container@account/r.parquet", True),
        ("hf://datasets/who/what/r.parquet", True),
        ("file:///tmp/r.parquet", True),
        ("C://ratings.parquet", False),
        ("ratings.csv", False),
        ("a/b://c", False),
        ("", False),
    ],
)
def test_an_address_begins_with_its_protocol(text: str, expected: bool) -> None:
    assert is_address(text) is expected


def test_matching_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("part-2.csv", "part-0.csv", "part-1.csv", "other.csv"):
        (tmp_path / name).touch()
    (tmp_path / "part-3.csv").mkdir()
    found = matching_files(str(tmp_path / "part-*.csv"))
    assert [path.name for path in found] == ["part-0.csv", "part-1.csv", "part-2.csv"]
    assert len(matching_files(str(tmp_path / "part-[01].csv"))) == 2
    assert len(matching_files(str(tmp_path / "*" / "*.csv"))) == 0


def test_what_names_no_file_matches_none(tmp_path: Path) -> None:
    assert matching_files(str(tmp_path / "ratings.csv")) == []
    assert matching_files("a\0*") == []
    for text in (str(tmp_path / "part-*.csv"), "ratings\0.csv", "~nobody-of-this-name/r.csv", "?"):
        assert not names_files(text)


def test_paths_patterns_and_addresses_name_files(tmp_path: Path) -> None:
    (tmp_path / "r[1].csv").touch()
    assert names_files(str(tmp_path))
    assert names_files(str(tmp_path / "r[1].csv"))  # as it stands, though it is a pattern too
    assert names_files(str(tmp_path / "*.csv"))
    assert names_files("s3://bucket/r.parquet")
