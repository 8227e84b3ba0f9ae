"""``cranfield assess bias`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.workbench.cli.main import main

FILE = """
data = "simulated(size=tiny)"
split = "random(test_share=0.4)"
relevance = 4
metrics = ["P@5"]
systems = { kNN = "user-kNN(k=5)", SVD = "PureSVD(factors=3)" }
"""
FEW = ["--cutoff", "3", "--sample", "9", "--store", "none"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(FILE)


def test_protocols_are_shown_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess", "bias", "mine.toml", "--parts", "neutralised", *FEW]) == 0
    shown = capsys.readouterr().out
    for protocol in ("AR", "UAR", "AI-UAR", "1R", "U1R", "P1R", "1R −10 % head"):
        assert f"\n{protocol} " in shown
    assert "once item popularity is neutralised" in shown or "do not differ" in shown


@pytest.mark.long
def test_figures_and_pictures_are_written() -> None:
    wanted = ["--parts", "sparsity, tendency", "--json", "bias.json", "--plot", "bias.svg"]
    assert main(["assess", "bias", "mine.toml", *wanted, *FEW]) == 0
    made = json.loads(Path("bias.json").read_text())
    assert made["criterion"] == "bias"
    assert {each["criterion"] for each in made["parts"]} == {
        "bias: test sparsity",
        "bias: who recommends what is popular",
    }
    assert "<svg" in Path("bias.svg").read_text()


def test_data_and_systems_do_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--data", "simulated(size=tiny)", "--relevance", "4", "--split", "per-user"]
    systems = ["--system", "mine=user-kNN(k=5)", "--system", "PureSVD(factors=2)"]
    assert main(["assess", "bias", *given, *systems, "--parts", "tendency", *FEW]) == 0
    shown = capsys.readouterr().out
    assert "mine" in shown
    assert "PureSVD(factors=2)" in shown
    assert "Popularity" in shown


def test_sweeps_by_other_metrics_are_the_same_of_flags_and_of_a_file() -> None:
    Path("other.toml").write_text(FILE.replace('["P@5"]', '["P@3", "RR", "Recall@3"]'))
    given = ["--data", "simulated(size=tiny)", "--relevance", "4", "--system", "kNN=user-kNN(k=5)"]
    given += ["--system", "SVD=PureSVD(factors=3)", "--split", "random(test_share=0.4)"]
    made = []
    for words in (["other.toml"], [*given, "--metric", "RR", "-m", "Recall@3"]):
        asked = ["assess", "bias", *words, "--parts", "size", "--json", "made.json", *FEW]
        assert main(asked) == 0
        [part] = json.loads(Path("made.json").read_text())["parts"]
        made.append(part["tables"])
    assert made[0] == made[1]
    assert {"RR", "Recall@3"} <= {row["metric"] for row in made[0]["values"]}


def test_answers_of_the_file_can_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    changed = ["--set", "systems.kNN=AverageRating"]
    assert main(["assess", "bias", "mine.toml", *changed, "--parts", "size", *FEW]) == 0
    assert "kNN" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give an experiment's file, or --data and --relevance"),
        (["mine.toml", "--data", "x"], "give an experiment's file, or --data and --relevance"),
        (["--data", "simulated(size=tiny)"], "--data and --relevance are needed"),
        (["mine.toml", "--parts", "skews"], '"skews" is not a part. Did you mean "skew"?'),
        (["nowhere.toml"], "nowhere.toml"),
        (["mine.toml", "--plot", "bias.doc"], "a file that ends in"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["assess", "bias", *words, *FEW]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_study_is_looked_at_by_its_base(capsys: pytest.CaptureFixture[str]) -> None:
    Path("study.toml").write_text(FILE + "\n[study.vary]\nrelevance = [3, 4]\n")
    assert main(["assess", "bias", "study.toml", "--parts", "tendency", *FEW]) == 0
    assert "SVD" in capsys.readouterr().out


@pytest.mark.long
def test_a_system_that_fails_is_named_and_the_others_are_assessed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["assess", "bias", "mine.toml", "--parts", "neutralised, sparsity", *FEW]
    assert main(words) == 0
    alone = capsys.readouterr().out
    Path("mine.toml").write_text(
        FILE.replace("systems = {", 'systems = { E = "EASE(most_items=2)",')
    )
    assert main(words) == 3
    shown = capsys.readouterr()
    assert shown.out == alone
    assert "Warning: E failed: EASE(most_items=2): 50 items" in shown.err
