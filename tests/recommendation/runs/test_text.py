from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import (
    BadParameter,
    BadValue,
    CranfieldError,
    EmptyInput,
    MissingColumn,
    MissingFile,
    OptionError,
    UnreadableFile,
)
from cranfield.recommendation.runs.report import RunRules
from run_cases import TABLE, TREC, read, write

BAD_FILES: dict[str, tuple[str, type[CranfieldError], str]] = {
    "word.run": (
        TREC.replace("0.5", "half"),
        BadValue,
        'word.run, line 3, column "score": "half" is not a number',
    ),
    "first.tsv": ("1\t7\thalf\n", BadValue, 'first.tsv, line 1, column "score": "half"'),
    "nan.tsv": ("1\t7\t1\n\n1\t8\tnan\n", BadValue, 'nan.tsv, line 3, column "score": "?nan"?'),
    "inf.csv": (
        "user,item,score\n1,7,1\n1,8,-inf\n",
        BadValue,
        'inf.csv, line 3, column "score": "?-inf"? is not a finite number',
    ),
    "gap.csv": (
        "user,item,score\n1,7,1\n1,8,\n",
        BadValue,
        '3, column "score": nothing is not a number',
    ),
    "no_user.csv": (
        "user,item,score\n,7,1\n",
        BadValue,
        '2, column "user": nothing is not an id',
    ),
    "few.run": (TREC + "1 Q0 7\n", UnreadableFile, "line 5: there are 3 fields where 6 are"),
    "many.tsv": (
        "1\t7\t1\n1\t8\t1\t1\n",
        UnreadableFile,
        "line 2: there are 4 fields where 3 are",
    ),
    "four.tsv": ("1\t7\t1\t1\n", UnreadableFile, "line 1: there are 4 columns. A run has 3"),
    "empty.tsv": ("", EmptyInput, "empty.tsv: there are no ranked items"),
    "blank.tsv": ("\n \n", EmptyInput, "there are no ranked items"),
    "header.csv": ("user,item,score\n", EmptyInput, "there are no ranked items"),
    "who.csv": ("who,item,score\n1,7,1\n", MissingColumn, 'no column for "user_id" among "who"'),
    "score.csv": ("user,item,x\n1,7,a\n", MissingColumn, 'no column for "score" among "user"'),
    "two.csv": ("user,uid,item,score\n1,1,7,1\n", OptionError, "user and uid may both be"),
    "binary.tsv": ("1\t7\t\x00\x01\n", UnreadableFile, "binary"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_faulty_file_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    text, error, message = BAD_FILES[name]
    with pytest.raises(error, match=message):
        read(write(tmp_path, name, text))


def test_a_line_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.tsv"
    path.write_bytes(b"1\t7\t1\n1\t\xe9\t2\n")
    with pytest.raises(UnreadableFile, match=r"latin.tsv, line 2: it is not UTF-8"):
        read(path)


@pytest.mark.parametrize("share", [0.5, 0.999])
def test_a_truncated_gzip_file_is_refused(tmp_path: Path, share: float) -> None:
    lines = "".join(f"{user}\t7\t{user / 7}\n" for user in range(5000))
    packed = gzip.compress(lines.encode())
    path = tmp_path / "cut.tsv.gz"
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(UnreadableFile, match="damaged or end too early"):
        read(path)


def test_a_truncated_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.parquet"
    pl.DataFrame(TABLE).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match="not a whole Parquet file"):
        read(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read(tmp_path / "nothing.run")
    with pytest.raises(UnreadableFile, match="it is a folder"):
        read(tmp_path)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None, "many"])
def test_a_table_with_a_score_that_is_no_number_is_refused_by_row(score: Any) -> None:
    with pytest.raises(BadValue, match='table, row 2, column "score"'):
        read({"user": [1, 1], "item": [7, 8], "score": [1.0, score]})


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(EmptyInput, match="table: there are no ranked items"):
        read(pl.DataFrame(TABLE).head(0))


def test_an_unknown_format_or_rule_is_refused_with_what_there_is() -> None:
    with pytest.raises(BadParameter, match='format: "jso" is not one of auto, trec, tsv'):
        read(TABLE, format="jso")
    with pytest.raises(BadParameter, match='ties: "luck" is not one of item-id, file'):
        RunRules(ties="luck")  # type: ignore[arg-type]


def test_a_trec_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"3 columns. A run has 6 \(user Q0 item rank score"):
        read(write(tmp_path, "a.run", "1 7 0.5\n"), format="trec")
