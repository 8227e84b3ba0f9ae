"""Each fault of a file gets one message that says where it is."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import CranfieldError
from cranfield.collection.sources.file import File
from zstandard_files import write_zstandard


def fault(path: Path, content: str | bytes, **parameters: Any) -> str:
    """What reading the content says, without the folder."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(CranfieldError) as caught:
        File(path=str(path), **parameters).read()
    return str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user,item,rating\na,x,3\nb,x,five\n", 'line 3, column "rating": "five" is not a number.'),
        (
            "\n\nuser,item,rating\n\na,x,3\n\nb,x,?\n",
            'line 7, column "rating": "?" is not a number.',
        ),
        (
            "user,item,rating\r\na,x,3\r\n\r\nb,x,?\r\n",
            'line 4, column "rating": "?" is not a number.',
        ),
        ('user,item,rating\n"a\nb",x,3\nb,x,?\n', 'line 4, column "rating": "?" is not a number.'),
        ("a,x,3\nb,x,five\n", 'line 2, column "column_3": "five" is not a number.'),
        ("user,item,rating\na,x,NaN\n", 'line 2, column "rating": nan is not a finite number.'),
        ("user,item,rating\na,x,inf\n", 'line 2, column "rating": inf is not a finite number.'),
        ("user,item,rating\na,x,1e999\n", 'line 2, column "rating": inf is not a finite number.'),
        ("user,item,rating\na,x,\n", 'line 2, column "rating": nothing is not a number.'),
        ("user,item,rating\na,x,3\n,x,3\n", 'line 3, column "user": nothing is not an id.'),
        ('user,item,rating\na,"",3\n', 'line 2, column "item": nothing is not an id.'),
        ("user,item,rating\n1,2,3\n,,\n", 'line 3, column "user": nothing is not an id.'),
        ("user,item,rating,time\na,x,3,\n", 'line 2, column "time": nothing is not a time.'),
        ("user,item,rating\na,x,3\na,y\n", "line 3: there are 2 fields where 3 are expected."),
        ("user,item,rating\na,x,3\na,y,3,4\n", "line 3: there are 4 fields where 3 are expected."),
        ("user,item,rating\na\n", "line 2: there is 1 field where 3 are expected."),
    ],
)
def test_a_bad_cell_is_named_by_line_and_column(tmp_path: Path, text: str, message: str) -> None:
    assert fault(tmp_path / "r.csv", text) == f"r.csv, {message}"


def test_a_bad_cell_far_down_is_named_by_its_exact_line(tmp_path: Path) -> None:
    rows = [f"{n},{n % 7},3" for n in range(5000)]
    rows[4321] = "4321,2,x"
    text = "user,item,rating\n\n" + "\n".join(rows)
    assert fault(tmp_path / "r.csv", text).startswith("r.csv, line 4324,")


@pytest.mark.parametrize("suffix", ["dat", "qrels"])
def test_other_formats_name_the_line_too(tmp_path: Path, suffix: str) -> None:
    text = {"dat": "1::2::3::4\n\n1::3::x::4\n", "qrels": "u 0 i 1\n\nu 0 j x\n"}[suffix]
    assert f'r.{suffix}, line 3, column "rating": "x"' in fault(tmp_path / f"r.{suffix}", text)


def test_a_bad_time_is_named_by_its_line(tmp_path: Path) -> None:
    message = fault(tmp_path / "r.csv", "user,item,rating,time\na,x,3,5\n\na,y,3,soon\n")
    assert message.startswith('r.csv, line 4, column "time')
    assert '"soon"' in message


@pytest.mark.parametrize("text", ["", "\n\n", "user,item,rating\n", "1:\n"])
def test_a_file_without_ratings_is_refused(tmp_path: Path, text: str) -> None:
    assert "there are no ratings" in fault(tmp_path / "r.csv", text)


def test_a_missing_column_lists_those_there_are(tmp_path: Path) -> None:
    message = fault(tmp_path / "r.csv", "user,film,stars\na,x,3\n")
    assert message.startswith('r.csv: no column for "item_id" among "user", "film", "stars".')


def test_a_column_named_in_vain_is_refused(tmp_path: Path) -> None:
    text = "user,item,rating\na,x,3\n"
    message = fault(tmp_path / "r.csv", text, columns={"user_id": "who", "item_id": "item"})
    assert '"who"' in message


def test_a_parquet_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"user": [1], "film": [2]}).write_parquet(path)
    with pytest.raises(CranfieldError, match='no column for "item_id" among "user", "film"'):
        File(path=str(path)).read()


def test_duplicates_are_counted_and_the_first_is_shown(tmp_path: Path) -> None:
    text = "user,item,rating\na,x,1\n\nb,y,1\nc,z,1\na,x,2\nb,y,2\na,x,3\n"
    message = fault(tmp_path / "r.csv", text)
    assert message.startswith("r.csv: 2 pairs occur more than once, first a and x (lines 2 and 6).")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    assert fault(tmp_path / "r.csv", b"\x7fELF\x00\x01\x02") == (
        "r.csv: it is a binary file, not text."
    )
    assert "zip archive" in fault(tmp_path / "s.csv", b"PK\x03\x04\x00")
    late = b"user,item,rating\n" + b"a,x,3\n" * 20000 + b"b,\x00,x\n"
    assert "r2.csv, line 20002: there is binary data in it" in fault(tmp_path / "r2.csv", late)


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz"])
def test_text_that_is_not_utf_8_is_named_by_its_line(tmp_path: Path, name: str) -> None:
    content = "user,item,rating\na,x,3\nb,é,3\n".encode("latin-1")
    packed = gzip.compress(content) if name.endswith("gz") else content
    message = fault(tmp_path / name, packed)
    assert message.startswith(f"{name}, line 3: it is not UTF-8 text.")


def test_a_truncated_gzip_file_is_refused(tmp_path: Path) -> None:
    text = "user,item,rating\n" + "".join(f"{n},{n * 7 % 1001},3\n" for n in range(50000))
    packed = gzip.compress(text.encode())
    for size in (len(packed) - 4, len(packed) // 2, 30):
        message = fault(tmp_path / "r.csv.gz", packed[:size])
        assert message.startswith("r.csv.gz: the compressed data are damaged or end too early.")


def test_a_truncated_zstandard_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.csv.zst"
    table = pl.DataFrame({"user": range(50000), "item": [n * 7 % 1001 for n in range(50000)]})
    packed = write_zstandard(table, path)
    for size in (len(packed) - 4, len(packed) // 2, 12):
        message = fault(path, packed[:size])
        assert message.startswith("r.csv.zst: the compressed data are damaged or end too early.")


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"user": range(5000), "item": 1, "rating": 3.0}).write_parquet(path)
    whole = path.read_bytes()
    assert "r.parquet: it is not a whole Parquet file." in fault(path, whole[: len(whole) // 2])
    assert "not a Parquet file" in fault(path, "user,item\na,x\n")


def test_a_lone_quote_that_makes_polars_panic_is_refused(tmp_path: Path) -> None:
    message = fault(tmp_path / "r.csv", 'user;item;rating;time\na;b;3;4\na;c;"')
    assert message.startswith("r.csv, line 3: there are 3 fields where 4 are expected.")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match=r"nowhere\.csv: there is no such file"):
        File(path=str(tmp_path / "nowhere.csv")).read()


def test_a_folder_without_ratings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match="it is a folder without a file called"):
        File(path=str(tmp_path)).read()


def test_a_file_without_permission_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("user,item\na,x\n")

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(CranfieldError, match="there is no permission to read it"):
        File(path=str(path)).read()


def test_a_bad_number_in_a_zstandard_file_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "r.csv.zst"
    table = pl.DataFrame({"user": ["a", "b"], "item": ["x", "x"], "rating": ["3", "five"]})
    write_zstandard(table, path)
    with pytest.raises(CranfieldError, match='line 3, column "rating": "five" is not a number'):
        File(path=str(path)).read()


@pytest.mark.parametrize("blank", ["", " ", "  "])
def test_a_line_of_blanks_among_tabs_is_no_record(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "r.tsv"
    path.write_text(f"a\tx\t3\n{blank}\nb\ty\t4\n")
    assert File(path=str(path)).read().to_polars().rows() == [("a", "x", 3.0), ("b", "y", 4.0)]
