"""``cranfield compare --fail-if`` as a pipeline of checks meets it: exit codes and sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.workbench.cli.main import main
from score_cases import scores_of

OLD = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9]
NEW = [0.8, 0.7, 0.6, 0.8, 0.5, 0.7, 0.6, 0.8]
Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command on the scores of two systems, of which new is 0.1 behind."""
    monkeypatch.chdir(tmp_path)
    scores_of({"new": NEW, "old": OLD}).to_parquet("scores.parquet")
    return lambda *arguments: main(["compare", "scores.parquet", *arguments])


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("new < old", 4),
        ("old < new", 0),
        ("old > new", 4),
        ("new < old - 0.05", 4),
        ("new < old - 0.2", 0),
        ("new < old - 2 %", 4),
        ("new < old - 20 %", 0),
    ],
)
def test_the_exit_code_tells_whether_the_condition_holds(
    run: Run, capsys: pytest.CaptureFixture[str], condition: str, code: int
) -> None:
    assert run("--fail-if", condition) == code
    captured = capsys.readouterr()
    assert captured.err.startswith(f'--fail-if "{condition}": P@10: ')
    assert captured.err.count("\n") == 1
    assert captured.err.endswith("failed.\n" if code else "passed.\n")
    assert "fail" not in captured.out


def test_the_level_decides(run: Run) -> None:
    assert run("--fail-if", "new < old", "--alpha", "0.005") == 0  # p is 2/2⁸ = 0.0078
    assert run("--fail-if", "new < old", "--alpha", "0.01") == 4


def test_one_of_several_conditions_is_enough(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--fail-if", "old < new", "--fail-if", "new < old") == 4
    assert [line[-8:] for line in capsys.readouterr().err.splitlines()] == [" passed.", " failed."]


def test_the_record_is_that_of_the_verb(run: Run) -> None:
    condition = "new < old - 2 %"
    assert run("--fail-if", condition, "--seed", "7", "--json", "out.json") == 4
    gates = json.loads(Path("out.json").read_text())["gates"]
    assert gates == [json.loads(json.dumps(cf.gate("scores.parquet", condition, seed=7).to_dict()))]
    assert run("--json", "plain.json") == 0
    assert "gates" not in json.loads(Path("plain.json").read_text())


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("nwe < old", 'no system is called "nwe". Did you mean "new"?'),
        ("new", "there is neither < nor >"),
        ("new < old + 1", 'Write "old - 1"'),
    ],
)
def test_a_bad_condition_is_refused_and_leaves_nothing(
    run: Run, capsys: pytest.CaptureFixture[str], condition: str, said: str
) -> None:
    assert run("--fail-if", condition, "--json", "out.json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f'cranfield: condition "{condition}": ')
    assert said in captured.err
    assert not Path("out.json").exists()


def test_a_run_that_cannot_be_read_is_named_before_the_condition_is_refused(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("test.csv").write_text("user,item,rating\n1,7,5\n2,7,5\n1,8,1\n2,8,1\n")
    for name in ("old", "other"):
        Path(f"{name}.csv").write_text("user,item,score\n1,7,2\n2,8,2\n")
    Path("new.csv").write_text("user,item,score\n1,7,high\n")
    runs = [word for name in ("old", "other", "new") for word in ("--run", f"{name}.csv")]
    given = ["--judgments", "test.csv", "--relevance", "4", "-m", "RR", *runs]
    assert main(["compare", *given, "--fail-if", "new < old"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("Warning: new failed: ")
    assert 'no system is called "new"' in second
    assert main(["compare", *given, "--fail-if", "other < old"]) == 3
