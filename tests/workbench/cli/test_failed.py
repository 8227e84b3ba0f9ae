"""Systems that fail, at the command line: named with the reason, the others done, exit code 3."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cranfield.workbench.cli.main import main
from experiment_cases import file_of

SYSTEMS = {"Popularity": "Popularity", "E": "EASE(most_items=2)", "kNN": "user-kNN(k=5)"}
REASON = "EASE(most_items=2): 50 items would take"


def run_of(tmp_path: Path, *more: str, **changes: Any) -> tuple[int, Path]:
    """Run the small experiment with a system that fails; exit code and results."""
    file, out = file_of(tmp_path, systems=SYSTEMS, **changes), tmp_path / "out"
    return main(["run", str(file), "--out", str(out), "--store", "none", *more]), out


def test_run_evaluates_the_others_and_leaves_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run_of(tmp_path)
    shown = capsys.readouterr().out
    assert code == 3
    assert f"Warning: E failed: {REASON}" in shown
    rows = [line for line in shown.splitlines() if line.startswith("E ")]
    assert rows[0].split()[1:] == ["failed", "failed"]
    record = json.loads((out / "results.json").read_text())
    assert list(record["systems"]) == ["Popularity", "kNN"]
    assert record["failed"]["E"].startswith(REASON)
    assert set(record["decisions"]["systems"]) == set(SYSTEMS)


@pytest.mark.parametrize("name", ["methods.txt", "report.html", "tables.tex"])
def test_every_file_for_readers_names_what_failed_and_why(tmp_path: Path, name: str) -> None:
    text = (run_of(tmp_path)[1] / name).read_text(encoding="utf-8")
    assert "50 items would take" in text
    assert "failed" in text


def test_results_with_a_failed_system_are_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = run_of(tmp_path)
    assert main(["verify", str(out)]) == 0
    record = json.loads((out / "results.json").read_text())
    record["failed"]["E"] = "it was not even tried."
    (out / "results.json").write_text(json.dumps(record))
    assert main(["verify", str(out)]) == 1
    assert "differ in failed.E" in capsys.readouterr().err


def test_results_of_a_system_that_works_by_now_are_not_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = run_of(tmp_path)
    definition = out / "experiment.toml"
    definition.write_text(definition.read_text().replace("most_items=2", "most_items=200"))
    assert main(["verify", str(out)]) == 1
    assert re.search("differ in decisions.systems.E, failed, ", capsys.readouterr().err)


def test_a_study_names_what_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = {"vary": {"cutoff": [3, 5]}, "draws": 100}
    code, out = run_of(tmp_path, study=study)
    assert code == 3
    assert f"Warning: E failed: {REASON}" in capsys.readouterr().out
    assert "E" in json.loads((out / "results.json").read_text())["base"]["failed"]
    assert main(["verify", str(out)]) == 0


def test_if_all_systems_fail_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    systems = {"E": "EASE(most_items=2)", "F": "EASE(most_items=3)"}
    file, out = file_of(tmp_path, systems=systems), tmp_path / "out"
    assert main(["run", str(file), "--out", str(out), "--store", "none"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if " failed: EASE" in line] == [lines[-2], lines[-1]]
    assert not out.exists()


def test_a_bad_definition_still_refuses_everything_at_once(tmp_path: Path) -> None:
    file, out = file_of(tmp_path, systems={**SYSTEMS, "F": "EASEE"}), tmp_path / "out"
    assert main(["run", str(file), "--out", str(out), "--store", "none"]) == 1
    assert not out.exists()


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """Arguments for judgments and three runs, one of which cannot be read."""
    users = range(1, 9)
    rows = [f"{user},{item},{5 - (user + item) % 3}" for user in users for item in (1, 2, 3, 4)]
    (tmp_path / "test.csv").write_text("\n".join(["user,item,rating", *rows]))
    for name, sign in {"up": 1, "down": -1}.items():
        rows = [f"{user},{item},{sign * item}" for user in users for item in (1, 2, 3, 4)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,score", *rows]))
    (tmp_path / "bad.csv").write_text("user,item,score\n1,1,abc\n")
    files = [f"{name}={tmp_path / name}.csv" for name in ("up", "bad", "down")]
    given = ["--judgments", str(tmp_path / "test.csv"), "--relevance", "5", "-m", "P@2"]
    return [*given, *(word for file in files for word in ("--run", file))]


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate"],
        ["evaluate", "--latex"],
        ["compare"],
        ["compare", "--latex"],
        ["assess", "correlation", "-m", "AP"],
        ["assess", "discriminative-power"],
        ["assess", "robustness", "--samples", "2"],
    ],
    ids=" ".join,
)
def test_commands_on_runs_do_without_one_that_cannot_be_read(
    command: list[str], runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, *runs]) == 3
    shown = capsys.readouterr()
    said = " ".join((shown.out + shown.err).split())
    assert "bad failed" in said
    assert "is not a number" in said


def test_evaluate_records_what_failed(runs: list[str], tmp_path: Path) -> None:
    assert main(["evaluate", *runs, "--json", str(tmp_path / "made.json")]) == 3
    record = json.loads((tmp_path / "made.json").read_text())
    assert list(record["systems"]) == ["up", "down"]
    assert '"abc" is not a number' in record["failed"]["bad"]


def test_rank_writes_the_runs_of_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "split"
    split = ["split", "simulated(size=tiny)", "--split", "per-user", "--out", str(folder)]
    assert main(split) == 0
    parts = ["--train", str(folder / "train.parquet"), "--test", str(folder / "test.parquet")]
    systems = ["--system", "EASE(most_items=2)", "--system", "Popularity"]
    assert main(["rank", *parts, *systems, "--out", str(tmp_path / "made.run")]) == 3
    assert [each.name for each in tmp_path.glob("*.run")] == ["made-Popularity.run"]
    assert "EASE(most_items=2) failed: " in capsys.readouterr().err
    assert main(["rank", *parts, *systems[:2], "--out", str(tmp_path / "other.run")]) == 1
