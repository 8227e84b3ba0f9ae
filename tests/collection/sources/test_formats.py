"""Every format gives the same ratings, whatever it looks like on disk."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.file import File
from suites import tries
from zstandard_files import write_zstandard

ROWS = [("1", "31", 2.5, 1260759144), ("1", "1029", 3.0, 1260759179), ("7", "31", 4.0, 851868750)]
EXPECTED = {
    "user_id": [1, 1, 7],
    "item_id": [31, 1029, 31],
    "rating": [2.5, 3.0, 4.0],
    "timestamp": [1260759144, 1260759179, 851868750],
}


def read(path: Path, text: str | bytes, **parameters: Any) -> Ratings:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return File(path=str(path), **parameters).read()


def content(ratings: Ratings) -> dict[str, list[Any]]:
    return ratings.to_polars().to_dict(as_series=False)


def joined(separator: str, header: str = "", end: str = "\n") -> str:
    lines = [separator.join(map(str, row)) for row in ROWS]
    return end.join([*([header] if header else []), *lines, ""])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ratings.csv", joined(",", "userId,movieId,rating,timestamp")),
        ("ratings.dat", joined("::")),
        ("u.data", joined("\t")),
        ("plain.csv", joined(",")),
        ("semicolons.csv", joined(";", "user;item;rating;timestamp")),
        ("bars.txt", joined("|")),
        ("blanks.txt", joined(" ")),
        ("ml.inter", joined("\t", "user_id:token\titem_id:token\trating:float\ttimestamp:float")),
        ("bom.csv", "\ufeff" + joined(",", "userId,movieId,rating,timestamp")),
        ("bom-plain.tsv", "\ufeff" + joined("\t")),
        ("crlf.csv", joined(",", "user,item,rating,time", end="\r\n")),
        ("open-ended.csv", joined(",", "user,item,rating,time").rstrip("\n")),
        ("blank-lines.csv", "\n\n" + joined(",", "user,item,rating,time", end="\n\n") + "\n"),
        ("blanks.csv", joined(",", "user,item,rating,time").replace(",2.5,", ", 2.5 , ")),
    ],
)
def test_text_formats_give_the_same_ratings(tmp_path: Path, name: str, text: str) -> None:
    assert content(read(tmp_path / name, text)) == EXPECTED


def test_dat_ids_may_hold_a_colon(tmp_path: Path) -> None:
    ratings = read(tmp_path / "ratings.dat", "a:b::x::3::9\nc::y:z::4::8\n")
    assert content(ratings) == {
        "user_id": ["a:b", "c"],
        "item_id": ["x", "y:z"],
        "rating": [3.0, 4.0],
        "timestamp": [9, 8],
    }


def test_a_late_colon_in_an_id_is_not_lost(tmp_path: Path) -> None:
    text = "".join(f"{n}::1::3::9\n" for n in range(500)) + "a:b::1::3::9\n"
    assert "a:b" in content(read(tmp_path / "ratings.dat", text))["user_id"]


@pytest.mark.parametrize("text", ["u1 0 i1 4\nu2 0 i1 0\n", "u1\t0\ti1\t4\nu2   0\ti1  0\n"])
def test_qrels_are_read_between_any_blanks(tmp_path: Path, text: str) -> None:
    assert content(read(tmp_path / "test.qrels", text)) == {
        "user_id": ["u1", "u2"],
        "item_id": ["i1", "i1"],
        "rating": [4.0, 0.0],
    }


def test_quoted_fields_may_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    text = 'user,item,rating\n"a,b","x ""y""",3\n"c\nd",z,4\n'
    assert content(read(tmp_path / "r.csv", text)) == {
        "user_id": ["a,b", "c\nd"],
        "item_id": ['x "y"', "z"],
        "rating": [3.0, 4.0],
    }


def test_quotes_between_tabs_are_part_of_the_text(tmp_path: Path) -> None:
    assert content(read(tmp_path / "r.tsv", 'u1\t"Heroes\t5\n'))["item_id"] == ['"Heroes']


def test_pairs_without_a_rating_count_one(tmp_path: Path) -> None:
    assert content(read(tmp_path / "r.csv", "user,item\na,x\nb,y\n"))["rating"] == [1.0, 1.0]
    assert content(read(tmp_path / "s.tsv", "a\tx\nb\ty\n"))["rating"] == [1.0, 1.0]


def test_columns_can_be_named_where_there_is_a_header(tmp_path: Path) -> None:
    columns = {"user_id": "who", "item_id": "what", "rating": "how"}
    ratings = read(tmp_path / "r.csv", "what,extra,who,how\nx,,a,3\n", columns=columns)
    assert content(ratings) == {"user_id": ["a"], "item_id": ["x"], "rating": [3.0]}


def test_columns_can_be_numbered_where_there_is_none(tmp_path: Path) -> None:
    columns = {"user_id": "column_3", "item_id": "column_1"}
    ratings = read(tmp_path / "r.csv", "x,3,a\n", columns=columns)
    assert content(ratings) == {"user_id": ["a"], "item_id": ["x"], "rating": [1.0]}


def test_a_header_can_be_denied(tmp_path: Path) -> None:
    ratings = read(tmp_path / "r.csv", "user,item\nann,film\n", header=False)
    assert content(ratings)["user_id"] == ["ann", "user"]


@pytest.mark.parametrize("name", ["r.csv.gz", "misnamed.csv"])
def test_gzip_is_known_by_its_bytes(tmp_path: Path, name: str) -> None:
    packed = gzip.compress(joined(",", "user,item,rating,time").encode())
    assert content(read(tmp_path / name, packed)) == EXPECTED


@pytest.mark.parametrize("end", ["", "\n\n"])
def test_zstandard_is_read(tmp_path: Path, end: str) -> None:
    path = tmp_path / "r.tsv.zst"
    write_zstandard(pl.DataFrame(ROWS, orient="row"), path, header=False)
    assert content(File(path=str(path)).read()) == EXPECTED


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"user": ["007", "7"], "item": [1, 2], "rating": [3, 4]}).write_parquet(path)
    assert content(File(path=str(path)).read())["user_id"] == ["007", "7"]


@pytest.mark.parametrize("odd", ["007", "+7", "-0", " 7", "7.0", "1234567890123456789012", "x"])
def test_one_odd_id_anywhere_keeps_all_ids_as_written(tmp_path: Path, odd: str) -> None:
    ids = [str(n) for n in range(1, 400)] + [odd]
    text = "user,item,rating\n" + "".join(f"{name},1,3\n" for name in ids)
    assert sorted(content(read(tmp_path / "r.csv", text))["user_id"]) == sorted(ids)


@settings(deadline=None, max_examples=tries(60))
@given(
    users=st.lists(
        st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=6),
        min_size=1,
        max_size=8,
        unique=True,
    )
)
@example(users=["\ufeff"])
@example(users=["\ufeffa", "b"])
def test_ids_survive_a_csv_letter_for_letter(
    tmp_path_factory: pytest.TempPathFactory, users: list[str]
) -> None:
    path = tmp_path_factory.mktemp("ids") / "r.csv"
    pl.DataFrame({"user": users, "item": "x", "rating": 1.0}).write_csv(path)
    found = content(File(path=str(path), header=True).read())["user_id"]
    assert sorted(map(str, found)) == sorted(users)


@pytest.mark.parametrize("name", ["late.csv", "late.dat"])
@pytest.mark.parametrize("column", [0, 1, 3])
def test_a_late_integer_may_be_beyond_32_bits(tmp_path: Path, name: str, column: int) -> None:
    rows = [[user, 1, 3, 7] for user in range(1, 301)]
    rows[-1][column] = 2**31 + 300
    separator = "::" if name.endswith("dat") else ","
    text = "".join(separator.join(map(str, row)) + "\n" for row in rows)
    ratings = read(tmp_path / name, text)
    assert [list(row) for row in ratings.to_polars().rows()] == rows
    assert ratings.timestamps is not None
    assert ratings.timestamps.dtype == np.int64


def test_times_of_32_bits_become_64_whether_rows_are_in_order_or_not(tmp_path: Path) -> None:
    text = "1,2,3,7\n1,1,3,8\n"
    for rows in (text, "".join(reversed(text.splitlines(keepends=True)))):
        ratings = read(tmp_path / "f.csv", rows)
        assert ratings.timestamps is not None
        assert ratings.timestamps.dtype == np.int64
        assert ratings.timestamps.tolist() == [8, 7]


def test_iso_dates_become_seconds(tmp_path: Path) -> None:
    ratings = read(tmp_path / "r.csv", "user,item,rating,date\na,x,3,1970-01-02 00:00:00\n")
    assert content(ratings)["timestamp"] == [86400]


def test_a_folder_stands_for_the_ratings_in_it(tmp_path: Path) -> None:
    (tmp_path / "u.data").write_text(joined("\t"))
    assert content(File(path=str(tmp_path)).read()) == EXPECTED


def test_events_are_counted_and_rated(tmp_path: Path) -> None:
    text = "u\ta\t5\nu\tb\t1\nu\ta\t7\nu\ta\t6\nu\ta\t8\n"
    columns = {"user_id": "column_1", "item_id": "column_2", "timestamp": "column_3"}
    ratings = read(tmp_path / "plays.tsv", text, columns=columns, values="events")
    # a: 4 of 5 plays, share 5/5; b: 1 of 5 plays, share 1/5.
    assert content(ratings) == {
        "user_id": ["u", "u"],
        "item_id": ["a", "b"],
        "rating": [5.0, 1.0],
        "timestamp": [8, 1],
    }


needs_data = pytest.mark.skipif(
    "CRANFIELD_DATA" not in os.environ, reason="CRANFIELD_DATA names no folder of real data"
)


@needs_data
def test_movielens_1m_is_the_same_from_every_format(tmp_path: Path) -> None:
    folder = Path(os.environ["CRANFIELD_DATA"]) / "movielens-1m"
    parquet = File(path=str(folder / "ratings.parquet")).read()
    assert (parquet.n_users, parquet.n_items, len(parquet)) == (6040, 3706, 1_000_209)
    plain, table = tmp_path / "ratings.dat", tmp_path / "ratings.csv"
    plain.write_bytes(gzip.decompress((folder / "ratings.dat.gz").read_bytes()))
    parquet.to_polars().sample(fraction=1, shuffle=True, seed=1).write_csv(table)
    for path in (folder / "ratings.dat.gz", plain, table):
        assert File(path=str(path)).read().fingerprint == parquet.fingerprint


@needs_data
def test_movielens_100k_is_the_same_from_its_text_and_from_parquet() -> None:
    folder = Path(os.environ["CRANFIELD_DATA"]) / "movielens-100k"
    text, parquet = (File(path=str(folder / n)).read() for n in ("u.data.gz", "ratings.parquet"))
    assert (text.n_users, text.n_items, len(text)) == (943, 1682, 100_000)
    assert text.fingerprint == parquet.fingerprint
