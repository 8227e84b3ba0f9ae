"""Compiling ahead: the second process compiles what the first will need, and is not missed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from cranfield.workbench.cli.shared import compiling
from suites import spread

GIVEN = ["evaluate", "--judgments", "test", "--run", "one=run", "-m", "P@10", "--metric=AP@10"]
METRICS = ["P@10", "AP@10", "nDCG@10", "ERR@10", "RBP(p=0.8)", "StratifiedRecall(gamma=1)@10"]

COMPARE = """
import sys
from numba.core.dispatcher import Dispatcher
from cranfield import evaluate
from cranfield.workbench.cli.shared import compiling

def signatures():
    kernels = [value for name, module in sys.modules.items() if name.startswith("cranfield")
               for value in vars(module).values() if isinstance(value, Dispatcher)]
    return {(k.__module__, k.__name__, str(s)) for k in kernels for s in k.signatures}

test, run, train, *metrics = sys.argv[1:]
compiling.main(metrics)
ahead = signatures()
for known in (train, None):
    evaluate(test, {"mine": run}, metrics, relevance=4, train=known)
lacking = sorted({f"{module}.{name}" for module, name, _ in signatures() - ahead})
print(*lacking)
"""
READING = (
    "cranfield.base.kernels.ids.",
    "cranfield.collection.kernels.pair_order.",
    "cranfield.collection.kernels.plain_",
)


@pytest.fixture(params=spread(["trec", "parquet"], every=2))
def files(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """Judgments, a run and training ratings, of enough rows for the kernels that read them."""
    users = [f"u{row // 50}" for row in range(2000)]
    table = pl.DataFrame({"user": users, "item": [f"i{row % 50}" for row in range(2000)]})
    rated = table.with_columns(pl.lit(5.0).alias("rating")).sample(fraction=1, shuffle=True, seed=1)
    ranked = table.with_columns((50 - pl.int_range(pl.len()) % 50).cast(float).alias("score"))
    before = pl.DataFrame({"user": users[::50], "item": ["old"] * 40, "rating": [3.0] * 40})
    if request.param == "parquet":
        for name, frame in (("test", rated), ("run", ranked), ("train", before)):
            frame.write_parquet(tmp_path / name)
    else:
        for name, frame in (("test", rated), ("train", before)):
            lines = [f"{user} 0 {item} {rating:.0f}\n" for user, item, rating in frame.iter_rows()]
            (tmp_path / name).write_text("".join(lines))
        lines = [f"{u} Q0 {i} {51 - s:.0f} {s} mine\n" for u, i, s in ranked.iter_rows()]
        (tmp_path / "run").write_text("".join(lines))
    return [str(tmp_path / name) for name in ("test", "run", "train")]


@pytest.mark.long
def test_all_kernels_but_those_that_read_files_are_compiled_ahead(files: list[str]) -> None:
    words = [sys.executable, "-c", COMPARE, *files, *METRICS]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    lacking = done.stdout.split()
    assert lacking, "the files are too small to be read by kernels"
    assert [name for name in lacking if not name.startswith(READING)] == []


class Process:
    """Stands for a process, and keeps what becomes of it."""

    def __init__(self, words: list[str], **_: object) -> None:
        self.words, self.story = words, ["started"]
        PROCESSES.append(self)

    def terminate(self) -> None:
        self.story.append("ended")

    def wait(self) -> None:
        self.story.append("waited for")


PROCESSES: list[Process] = []


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """The processes that are started, none of them in truth."""
    PROCESSES.clear()
    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(compiling, "thread_count", lambda: 2)
    monkeypatch.setattr(compiling, "are_cached", lambda: False)
    return PROCESSES


def test_the_second_process_ends_with_the_work(processes: list[Process]) -> None:
    with compiling.compiling(GIVEN):
        assert [process.story for process in processes] == [["started"]]
    assert processes[0].words[1:] == [
        "-P",
        "-m",
        "cranfield.workbench.cli.shared.compiling",
        "P@10",
        "AP@10",
    ]
    assert processes[0].story == ["started", "ended", "waited for"]


def test_it_ends_with_work_that_fails_too(processes: list[Process]) -> None:
    with pytest.raises(ValueError, match="bad file"), compiling.compiling(GIVEN):
        raise ValueError("bad file")
    assert processes[0].story == ["started", "ended", "waited for"]


@pytest.mark.parametrize(("name", "value"), [("thread_count", 1), ("are_cached", True)])
def test_none_is_started_without_need_or_processor(
    name: str, value: object, processes: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, name, lambda: value)
    with compiling.compiling(GIVEN):
        pass
    assert processes == []


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["evaluate", "--help"],
        ["evaluate", *GIVEN[1:], "-h"],
        ["evaluate", "--run", "one=run"],
        ["evaluate", "--run", "one=run", "-m"],
        ["compare", "scores.parquet", "-m", "P@10"],
        ["run", "experiment.toml", "-m", "P@10", "--run", "one=run"],
    ],
)
def test_none_is_started_for_a_command_that_scores_no_runs(
    given: list[str], processes: list[Process]
) -> None:
    with compiling.compiling(given):
        pass
    assert processes == []


@pytest.mark.long
def test_it_is_started_before_the_compiler_is_loaded() -> None:
    seen = (
        "import subprocess, sys\n"
        "from cranfield.workbench.cli import main\n"
        "from cranfield.workbench.cli.shared import compiling\n"
        "compiling.thread_count, compiling.are_cached = lambda: 2, lambda: False\n"
        "def start(*_, **__):\n"
        "    print('numba' in sys.modules, 'polars' in sys.modules)\n"
        "    raise OSError\n"
        "subprocess.Popen = start\n"
        "main.main(sys.argv[1:])\n"
    )
    words = [sys.executable, "-c", seen, *GIVEN]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout == "False False\n"


def test_a_system_that_refuses_a_process_does_not_stop_the_work(
    processes: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with compiling.compiling(GIVEN):
        pass
    assert processes == []
