"""Runs in several files: parts of one table in a folder, or files of one pattern."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import (
    BadValue,
    CranfieldError,
    MissingFile,
    OddRun,
    UnreadableFile,
)
from cranfield.workbench.cli.main import main
from run_cases import LISTS, TREC, lists, read, write


def test_parts_of_text_are_one_run_though_a_list_is_divided(tmp_path: Path) -> None:
    first, second = TREC.splitlines(keepends=True)[:3], TREC.splitlines(keepends=True)[3:]
    write(tmp_path, "part-0.txt", "".join(first))
    write(tmp_path, "part-1.txt.gz", "".join(second))
    assert lists(read(tmp_path / "part-*")) == LISTS
    assert lists(read(tmp_path)) == LISTS


def test_numbers_of_one_part_and_text_of_another_are_text(tmp_path: Path) -> None:
    write(tmp_path, "part-0.csv", "user,item,score\n1,9,0.5\n1,7,0.25\n")
    write(tmp_path, "part-1.csv", "user,item,score\n1,x8,0.1\n2,7,0.1\n")
    reading = read(tmp_path)
    assert reading.report.unknown_items.example == "x8"
    assert reading.report.lists == 2


def test_what_is_wrong_in_a_part_is_told_with_its_file_and_line(tmp_path: Path) -> None:
    write(tmp_path, "part-0.csv", "user,item,score\n1,9,0.5\n")
    write(tmp_path, "part-1.csv", "user,item,score\n2,7,0.5\n2,8,half\n")
    with pytest.raises(BadValue, match=r'part-1.csv, line 3, column "score": "half" is not'):
        read(tmp_path)


def test_parts_of_other_columns_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "part-0.csv", "user,item,score\n1,9,0.5\n")
    write(tmp_path, "part-1.csv", "user,item,rank\n2,7,1\n")
    with pytest.raises(UnreadableFile, match=r"part-0.csv has .*score, part-1.csv for .*rank"):
        read(tmp_path)


def test_two_systems_of_one_folder_are_not_taken_for_one(tmp_path: Path) -> None:
    write(tmp_path, "run1.tsv", "1\t7\t0.5\n1\t8\t0.25\n")
    write(tmp_path, "run2.tsv", "1\t8\t0.5\n1\t9\t0.25\n")
    with pytest.raises(OddRun, match="1 row repeats an item of its list"):
        read(tmp_path)


@pytest.mark.parametrize("names", [["a.tsv", "b.tsv"], ["part-0.tsv", "part-1.csv"], []])
def test_a_folder_of_anything_else_is_refused(names: list[str], tmp_path: Path) -> None:
    for name in names:
        write(tmp_path, name, "1\t7\t0.5\n")
    with pytest.raises(UnreadableFile, match="does not hold the parts of a table"):
        read(tmp_path)


def test_a_pattern_that_nothing_matches_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"part-\*.parquet"):
        read(tmp_path / "part-*.parquet")


def test_a_damaged_part_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1], "item": [7], "score": [1.0]}).write_parquet(
        tmp_path / "part-0.parquet"
    )
    (tmp_path / "part-1.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(UnreadableFile, match="it is not a whole Parquet file"):
        read(tmp_path)


def test_the_command_line_takes_folders_patterns_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.DataFrame({"user": [1, 2], "item": [7, 7], "rating": [5, 5]}).write_csv(tmp_path / "t.csv")
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, user in enumerate((1, 2)):
        table = pl.DataFrame({"user": [user], "items": [[8, 7]], "scores": [[0.5, 0.1 * user]]})
        table.write_parquet(folder / f"part-{number}.parquet")
    write(tmp_path, "lines.jsonl", '{"user": 1, "items": [8, 7]}\n{"user": 2, "items": [8, 7]}\n')
    runs = [f"A={folder}", f"B={folder}/part-*.parquet", f"C={tmp_path / 'lines.jsonl'}"]
    flags = [word for run in runs for word in ("--run", run)]
    test = ["--judgments", str(tmp_path / "t.csv"), "--relevance", "4"]
    assert main(["evaluate", *test, "--metric", "RR", *flags]) == 0
    shown = capsys.readouterr().out
    assert shown.count("0.5") >= 3


def test_a_definition_may_name_a_pattern_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "test.csv", "user,item,rating\n1,7,5\n")
    write(tmp_path, "part-0.jsonl", '{"user": 1, "items": [8, 7]}\n')
    text = 'relevance = 4\nmetrics = ["RR"]\nsplit = "given(test=test.csv)"\n[runs]\n'
    write(tmp_path, "e.toml", f'{text}mine = "part-*.jsonl"\n')
    assert cf.run(tmp_path / "e.toml").summary.row("mine", "RR").value == 0.5
    write(tmp_path, "e.toml", f'{text}mine = "missing-*.jsonl"\n')
    with pytest.raises(CranfieldError, match=r'runs.mine: there is no file ".*missing-\*.jsonl"'):
        cf.run(tmp_path / "e.toml")


def test_a_run_divided_by_a_column_is_one_run(tmp_path: Path) -> None:
    rows = pl.read_csv(TREC.encode(), separator=" ", has_header=False)
    names = ["user", "q0", "item", "rank", "score", "system"]
    table = rows.rename(dict(zip(rows.columns, names, strict=True))).drop("q0")
    folder = tmp_path / "bucket=1" / "run"  # what the folders around it are called does not count
    for (user,), part in table.partition_by("user", as_dict=True, include_key=False).items():
        (folder / f"user={user}").mkdir(parents=True)
        part.write_parquet(folder / f"user={user}" / "part-0.parquet")
    assert lists(read(folder)) == LISTS
    assert read(folder).run.system == table["system"][0]
