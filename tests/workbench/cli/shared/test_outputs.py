"""No command writes over a file that it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.workbench.cli.main import main

DEFINITION = """
data = "ratings.csv"
split = "per-user(test_share=0.5)"
relevance = 4
metrics = ["P@2"]
systems = { A = "Popularity", B = "AverageRating" }
"""
EVALUATE = "evaluate --judgments ratings.csv --relevance 4 --run a=a.tsv --run b=b.tsv -m P@2"
COMPARE = EVALUATE.replace("evaluate", "compare")
ROBUST = EVALUATE.replace("evaluate", "assess robustness")
RANK = "rank --train ratings.csv --test test.csv --system Popularity"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with ratings, two runs and a definition, in which commands are given."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{user},{item},{1 + (user * item) % 5}" for user in range(6) for item in range(4)]
    text = "\n".join(["user_id,item_id,rating", *rows]) + "\n"
    (tmp_path / "ratings.csv").write_text(text)
    (tmp_path / "test.csv").write_text(text)
    for name, sign in (("a", 1), ("b", -1)):
        lists = [f"{user}\t{item}\t{sign * item}" for user in range(6) for item in range(4)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(lists) + "\n")
    (tmp_path / "mine.toml").write_text(DEFINITION)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "filter ratings.csv --filter k-core(k=2) --out ratings.csv",
        f"{RANK} --out test.csv",
        f"{RANK} --out ./ratings.csv",
        f"{EVALUATE} --json a.tsv",
        f"{COMPARE} --json ratings.csv",
        f"{ROBUST} --json b.tsv",
        "plan mine.toml --out mine.toml",
    ],
)
def test_a_file_that_is_read_is_not_written(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(command.split(" ")) == 1
    assert "cannot be written (this command reads it; name another file)" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_another_file_may_be_replaced(folder: Path) -> None:
    (folder / "out.json").write_text("{}")
    assert main(f"{EVALUATE} --json out.json".split(" ")) == 0
    assert (folder / "out.json").stat().st_size > 100


def test_scores_are_written_to_a_file_that_is_called_parquet(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(f"{EVALUATE} --per-user scores.xlsx".split(" ")) == 1
    assert "scores.xlsx: cannot be written (scores are written as" in capsys.readouterr().err
    assert not (folder / "scores.xlsx").exists()
