"""Commands with --workers find what they find without, and workers do the work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.significance import resampling
from cranfield.workbench.api import run, verify
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.workers import workers as driver
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.verify import NOT_COMPARED
from cranfield.workbench.store.store import Store
from experiment_cases import file_of, table_of
from worker_cases import Inline, three_blocks


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Inline]:
    """Whoever did the work that workers were asked for."""
    found: list[Inline] = []

    def opened(*_: Any) -> Inline:
        found.append(Inline())
        return found[-1]

    monkeypatch.setattr(driver, "open_executor", opened)
    return found


def both(
    words: list[str], done: list[Inline], capsys: pytest.CaptureFixture[str]
) -> tuple[str, str]:
    """What a command prints with workers, and without; some were asked, and are closed."""
    assert main([*words, "--workers", "2"]) == 0
    with_workers = capsys.readouterr().out
    assert any(each.tasks for each in done)
    assert all(each.closed and not each.shared for each in done)
    asked = len(done)
    assert main(words) == 0
    assert len(done) == asked
    return with_workers, capsys.readouterr().out


def comparable(folder: Path) -> dict[str, Any]:
    record = json.loads((folder / "results.json").read_text())
    for name in NOT_COMPARED:
        record.pop(name, None)
    return {"record": record, "scores": (folder / "scores.parquet").read_bytes()}


def test_run(done: list[Inline], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, outs = file_of(tmp_path), [tmp_path / "with", tmp_path / "without"]
    for out, more in zip(outs, (["--workers", "2"], []), strict=True):
        assert main(["run", str(file), "--out", str(out), "--store", "none", *more]) == 0
    assert comparable(outs[0]) == comparable(outs[1])
    assert len(done) == 1
    capsys.readouterr()


def test_results_by_workers_are_verified_without_and_read_back(
    done: list[Inline], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    words = ["run", str(file_of(tmp_path)), "--out", str(out), "--store", "none"]
    assert main([*words, "--workers", "2"]) == 0
    verify(out)
    again = read_results(out)
    assert isinstance(again, Results)
    assert again.workers[0]["tasks"] == 1
    assert again.to_dict() == json.loads((out / "results.json").read_text())


def test_a_dry_run_starts_no_workers(
    done: list[Inline], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(file_of(tmp_path)), "--dry-run", "--workers", "2"]) == 0
    assert done == []
    capsys.readouterr()


def test_what_is_cached_starts_no_workers(done: list[Inline], tmp_path: Path) -> None:
    store = tmp_path / "store"
    one = run(table_of(), store=store)
    other = run(table_of(), store=store, workers=2)
    assert done == []
    assert other.workers == ()
    assert one.scores.values.tobytes() == other.scores.values.tobytes()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments and two runs, as arguments."""
    rows = [(user, item, (user * item) % 5 + 1) for user in range(20) for item in range(8)]
    schema = ["user", "item", "rating"]
    test = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col("rating") * 1.0)
    test.write_csv(tmp_path / "test.csv")
    words = ["--judgments", str(tmp_path / "test.csv"), "--relevance", "4"]
    for shift in (1, 3):
        run = test.with_columns((pl.col("item") * shift % 8).alias("score")).drop("rating")
        run.write_csv(tmp_path / f"run{shift}.csv")
        words += ["--run", f"r{shift}={tmp_path / f'run{shift}.csv'}"]
    return [*words, "-m", "nDCG@3", "-m", "P@3"]


def test_evaluate(done: list[Inline], files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    one, other = both(["evaluate", *files], done, capsys)
    assert one == other


@pytest.mark.parametrize(
    "words",
    [
        ["discriminative-power", "--test", "t"],
        ["robustness", "--samples", "2"],
    ],
)
def test_assess_runs(
    done: list[Inline], files: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = both(["assess", *words, *files], done, capsys)
    assert one == other


@pytest.mark.parametrize("scored", [True, False])
def test_the_draws_of_an_assessment_are_shared(
    done: list[Inline],
    files: list[str],
    tmp_path: Path,
    scored: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resampling, "large_blocks", three_blocks)
    scores = tmp_path / "scores.parquet"
    assert main(["evaluate", *files, "--per-user", str(scores)]) == 0
    capsys.readouterr()
    given = [str(scores)] if scored else files
    words = ["assess", "discriminative-power", "--test", "permutation(draws=300, exact_up_to=0)"]
    one, other = both([*words, *given], done, capsys)
    assert one == other
    jobs = [job for task in done[0].tasks for job in task.jobs]
    assert len([job for job in jobs if job.draws is not None]) == 3


def test_assess_refuses_workers_where_there_is_nothing_for_them(
    tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    scores = tmp_path / "scores.parquet"
    assert main(["evaluate", *files, "--per-user", str(scores)]) == 0
    words = ["assess", "correlation", str(scores), "--workers", "2"]
    assert main(words) == 1
    assert "SCORES.parquet and --workers do not go together" in capsys.readouterr().err


def test_assess_bias(
    done: list[Inline], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["assess", "bias", str(file_of(tmp_path)), "--parts", "size", "--store", "none"]
    one, other = both(words, done, capsys)
    assert one == other


def test_assess_truth(
    done: list[Inline], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = {"vary": {"targets": ["all-items", "test-items"], "split.test_share": [0.2, 0.4]}}
    file = file_of(tmp_path, study=study)
    one, other = both(["assess", "truth", str(file), "--store", "none"], done, capsys)
    assert one == other


@pytest.mark.long
@pytest.mark.skipif(pl.__version__.startswith("1."), reason="`reproduce` needs Polars 2")
def test_reproduce(done: list[Inline], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = ["reproduce", "canamares2020", "Figure 2", "--small"]
    found = []
    for out, more in (("with", ["--workers", "2"]), ("without", [])):
        words = [*item, "--store", str(tmp_path / f"{out} store"), "--out", str(tmp_path / out)]
        assert main([*words, *more]) == 0
        (page,) = (tmp_path / out).glob("*.json")
        found.append({**json.loads(page.read_text())})
    assert done[0].tasks
    assert _without_seconds(found[0]) == _without_seconds(found[1])
    assert Store(tmp_path / "with store").sizes()
    capsys.readouterr()


def _without_seconds(found: Any) -> Any:
    if isinstance(found, dict):
        return {
            name: _without_seconds(each) for name, each in found.items() if "seconds" not in name
        }
    return [_without_seconds(each) for each in found] if isinstance(found, list) else found


def test_help_says_what_workers_are(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["run"], ["evaluate"], ["reproduce"], ["assess", "bias"]):
        with pytest.raises(SystemExit):
            main([*command, "--help"])
        assert "--workers N" in capsys.readouterr().out
