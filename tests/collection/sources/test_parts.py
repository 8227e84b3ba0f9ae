"""Parts of a table are read as the table would be, whichever way they are named."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.sources  # noqa: F401  (registers the sources)
from cranfield.base.errors import CranfieldError, DuplicatePairs, MissingFile, UnreadableFile
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_ratings, source_of
from cranfield.collection.sources.file import File
from cranfield.collection.tables.locations import part_files, partitioned_files
from suites import tries

TABLE = pl.DataFrame(
    {
        "userId": [3, 1, 2, 1, 3, 2, 9],
        "movieId": [7, 8, 7, 5, 5, 8, 7],
        "rating": [3.0, 4.5, 1.0, 5.0, 2.0, 2.5, 4.0],
        "timestamp": [70, 10, 20, 50, 30, 60, 40],
    }
)
WHOLE = Ratings.from_frame(TABLE)
KINDS = ("parquet", "csv", "tsv", "csv.gz")


def write(table: pl.DataFrame, path: Path) -> None:
    if path.suffix == ".parquet":
        table.write_parquet(path)
        return
    text = table.write_csv(separator="\t" if ".tsv" in path.name else ",").encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def write_parts(folder: Path, kind: str, cuts: Sequence[int] = (3, 5)) -> None:
    edges = [0, *cuts, len(TABLE)]
    for number, (start, end) in enumerate(pairwise(edges)):
        write(TABLE[start:end], folder / f"part-{number:05}-5f3a.{kind}")
    (folder / "_SUCCESS").touch()
    (folder / ".part-00000.crc").touch()


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_and_a_pattern_are_read_as_the_whole(tmp_path: Path, kind: str) -> None:
    write_parts(tmp_path, kind)
    for name in (tmp_path, tmp_path / f"part-*.{kind}"):
        made = read_ratings(name)
        assert made.fingerprint == WHOLE.fingerprint
        assert (made.user_ids, made.item_ids) == (WHOLE.user_ids, WHOLE.item_ids)


@settings(deadline=None, max_examples=tries(20))
@given(st.lists(st.integers(1, len(TABLE) - 1), unique=True).map(sorted))
def test_where_a_table_is_cut_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    write_parts(folder, "parquet", cuts)
    assert read_ratings(folder).fingerprint == WHOLE.fingerprint


def test_parts_whose_ids_are_numbers_here_and_text_there_are_text(tmp_path: Path) -> None:
    (tmp_path / "part-0.csv").write_text("user,item,rating\n7,1,3\n")
    (tmp_path / "part-1.csv").write_text("user,item,rating\n007,1,4\n")
    assert read_ratings(tmp_path).user_ids.values.to_list() == ["007", "7"]


@pytest.mark.parametrize("names", [("0.parquet", "1.parquet"), ("data_00.csv", "data_01.csv")])
def test_names_that_differ_in_numbers_alone_are_parts(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    write(TABLE[:4], tmp_path / names[0])
    write(TABLE[4:], tmp_path / names[1])
    assert read_ratings(tmp_path).fingerprint == WHOLE.fingerprint


@pytest.mark.parametrize(
    "names", [("movies.csv", "tags.csv"), ("part-0.csv", "part-1.parquet"), ("notes.md",), ()]
)
def test_other_files_are_no_parts(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).touch()
    assert part_files(tmp_path) == []
    with pytest.raises(UnreadableFile, match=r"it is a folder without a file called .* pattern"):
        read_ratings(tmp_path)


def test_a_file_of_ratings_comes_before_parts(tmp_path: Path) -> None:
    write_parts(tmp_path, "csv")
    write(TABLE[:2], tmp_path / "ratings.csv")
    assert len(read_ratings(tmp_path)) == 2


def test_a_fault_is_told_with_its_own_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "part-0.csv").write_text("user,item,rating\n1,1,3\n")
    (tmp_path / "part-1.csv").write_text("user,item,rating\n2,1,3\n3,1,five\n")
    with pytest.raises(
        CranfieldError, match=r'part-1\.csv, line 3, column "rating": "five" is not'
    ):
        read_ratings(tmp_path)


def test_a_pair_in_two_parts_is_told_of_the_whole(tmp_path: Path) -> None:
    write(TABLE, tmp_path / "part-0.csv")
    write(TABLE[:1], tmp_path / "part-1.csv")
    with pytest.raises(DuplicatePairs, match=rf"^{tmp_path}: 1 pair occurs more than once"):
        read_ratings(tmp_path)
    assert len(read_ratings(tmp_path, duplicates="last")) == len(TABLE)


def test_parts_with_other_columns_are_refused(tmp_path: Path) -> None:
    write(TABLE[:3], tmp_path / "part-0.csv")
    write(TABLE[3:].drop("timestamp"), tmp_path / "part-1.csv")
    with pytest.raises(
        UnreadableFile, match=r"part-0\.csv has columns for user_id, .*, part-1\.csv"
    ):
        read_ratings(tmp_path)


def test_columns_can_be_named_and_rows_counted(tmp_path: Path) -> None:
    for number in (0, 1):
        table = pl.DataFrame({"who": [1, 1, 2], "what": [5, 6, 5]})
        table.write_csv(tmp_path / f"part-{number}.csv")
    columns = {"user_id": "who", "item_id": "what"}
    path = str(tmp_path / "part-?.csv")
    made = File(path=path, columns=columns, values="events").read()
    assert made.to_polars().rows() == [(1, 5, 5.0), (1, 6, 5.0), (2, 5, 5.0)]


def test_a_pattern_that_matches_nothing_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match="there is no such file"):
        read_ratings(tmp_path / "part-*.csv")
    with pytest.raises(MissingFile, match="there is no such file"):
        File(path=str(tmp_path / "part-*.csv")).read()


@pytest.mark.parametrize("pattern", ["", "part-*.parquet", "*"])
def test_addresses_are_read_by_polars(tmp_path: Path, pattern: str) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, (start, end) in enumerate([(0, 3), (3, 7)]):
        TABLE[start:end].write_parquet(folder / f"part-{number}.parquet")
    address = f"file://{folder}/{pattern}"
    assert read_ratings(address).fingerprint == WHOLE.fingerprint


def test_an_address_is_given_to_polars_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def scan(address: str) -> pl.LazyFrame:
        asked.append(address)
        return TABLE.lazy()

    monkeypatch.setattr(pl, "scan_parquet", scan)
    address = "s3://bucket/ratings/*.parquet"
    assert read_ratings(address).fingerprint == WHOLE.fingerprint
    assert asked == [address]
    assert source_of(str(source_of(address))) == source_of(address)


def test_what_is_wrong_at_an_address_is_told(tmp_path: Path) -> None:
    absent = f"file://{tmp_path}/absent.parquet"
    with pytest.raises(UnreadableFile, match=r"absent\.parquet: it cannot be read \("):
        read_ratings(absent)
    (tmp_path / "torn.parquet").write_bytes(b"PAR1 no table")
    with pytest.raises(UnreadableFile, match=r"torn\.parquet: it cannot be read \("):
        read_ratings(f"file://{tmp_path}/torn.parquet")


def write_divided(table: pl.DataFrame, folder: Path, keys: list[str]) -> None:
    for values, part in table.partition_by(keys, as_dict=True, include_key=False).items():
        pairs = zip(keys, values, strict=True)
        inside = folder.joinpath(*(f"{key}={value}" for key, value in pairs))
        inside.mkdir(parents=True)
        part.write_parquet(inside / "part-0.parquet")


@pytest.mark.parametrize("keys", [["rating"], ["rating", "timestamp"], ["movieId"]])
def test_a_table_divided_by_columns_is_read_as_the_whole(tmp_path: Path, keys: list[str]) -> None:
    write_divided(TABLE, tmp_path / "log", keys)
    (tmp_path / "log" / "_SUCCESS").touch()
    assert len(list((tmp_path / "log").iterdir())) > 2
    made = read_ratings(tmp_path / "log")
    assert made.fingerprint == WHOLE.fingerprint
    assert (made.user_ids, made.item_ids) == (WHOLE.user_ids, WHOLE.item_ids)


def test_folders_around_a_table_tell_no_column_of_it(tmp_path: Path) -> None:
    inside = tmp_path / "rating=9"
    (inside / "log").mkdir(parents=True)
    write_parts(inside / "log", "parquet")
    assert read_ratings(inside / "log").fingerprint == WHOLE.fingerprint


def test_folders_that_are_no_parts_of_one_table_are_refused(tmp_path: Path) -> None:
    for name, columns in (("year=1", ["userId", "movieId"]), ("year=2", ["timestamp"])):
        (tmp_path / name).mkdir()
        TABLE.select(columns).write_parquet(tmp_path / name / "part-0.parquet")
    with pytest.raises(UnreadableFile, match="its Parquet files are not parts of one table"):
        read_ratings(tmp_path)


def test_a_folder_with_more_than_divided_parts_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "year=1").mkdir()
    TABLE.write_parquet(tmp_path / "year=1" / "part-0.parquet")
    assert partitioned_files(tmp_path) == [tmp_path / "year=1" / "part-0.parquet"]
    (tmp_path / "notes.md").touch()
    assert partitioned_files(tmp_path) == []
