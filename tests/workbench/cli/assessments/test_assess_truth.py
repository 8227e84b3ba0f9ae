"""``cranfield assess truth`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.collection.source import source_of
from cranfield.workbench.cli.main import main

FILE = """
data = "simulated(size=tiny)"
split = "random(test_share=0.4)"
relevance = 4
metrics = ["P@5"]
systems = { kNN = "user-kNN(k=5)", Popularity = "Popularity", Random = "Random" }
"""
VARIED = """
[study.vary]
metric = ["P", "nDCG"]
targets = ["test-items", "test-items, one-relevant, sampled(n=9)"]
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(FILE + VARIED)
    Path("single.toml").write_text(FILE)
    source_of("power-law(users=60, items=40, ratings=600)").read().to_polars().write_csv("real.csv")


def test_designs_are_ranked_by_their_agreement_with_the_truth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["assess", "truth", "study.toml", "--metric", "P@5", "--store", "none"]
    assert main([*words, "--json", "truth.json", "--plot", "truth.svg"]) == 0
    shown = capsys.readouterr().out
    assert "Nearest to the truth is" in shown
    made = json.loads(Path("truth.json").read_text())["parts"][0]
    assert made["decisions"]["true_metric"] == "P@5"
    assert len(made["details"]["designs"]) == 4
    assert "<svg" in Path("truth.svg").read_text()


def test_data_like_the_users_own_are_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["assess", "truth", "study.toml", "--store", "none", "--worlds", "2"]
    assert main([*words, "--like", "real.csv"]) == 0
    shown = capsys.readouterr().out
    assert "For data like yours, trust this design:" in shown
    assert "2 collections of other seeds" in shown


def test_the_data_of_the_study_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["assess", "truth", "study.toml", "--store", "none", "--worlds", "1"]
    assert main([*words, "--set", "data=real.csv", "--like"]) == 0
    assert "simulated data beside yours" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["single.toml"], "it varies nothing"),
        (["study.toml", "--set", "data=real.csv"], "the truth behind these ratings is not known"),
        (["study.toml", "--like"], "its truth is known already"),
        (["study.toml", "--metric", "PP@5"], "no metric is called"),
        (["nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["assess", "truth", *words, "--store", "none"]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_system_that_fails_is_named_and_the_others_are_assessed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["assess", "truth", "study.toml", "--metric", "P@5", "--store", "none"]
    assert main(words) == 0
    alone = capsys.readouterr().out
    more = (FILE + VARIED).replace("systems = {", 'systems = { E = "EASE(most_items=2)",')
    Path("study.toml").write_text(more)
    assert main(words) == 3
    shown = capsys.readouterr()
    assert shown.out == alone
    assert "Warning: E failed: EASE(most_items=2): 50 items" in shown.err
