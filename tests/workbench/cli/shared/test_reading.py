"""Runs are read by another thread while modules load, where that can change nothing."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from cranfield.collection.text import ahead
from cranfield.workbench.cli.main import main
from cranfield.workbench.cli.shared import reading

LINES = "".join(f"u{k // 5} Q0 i{k % 5} {k % 5 + 1} {5 - k % 5} mine\n" for k in range(50))


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that are read ahead, as two processors and cached kernels let them be."""
    for name in ("one.trec", "two.trec"):
        (tmp_path / name).write_text(LINES)
    (tmp_path / "test").write_text("u0 0 i1 5\nu0 0 i2 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "thread_count", lambda: 2)
    monkeypatch.setattr(reading, "are_cached", lambda: True)
    found: list[Path] = []
    before = ahead.reading_ahead

    @contextmanager
    def noted(files):  # type: ignore[no-untyped-def]
        found.extend(files)
        with before(files):
            yield

    monkeypatch.setattr(ahead, "reading_ahead", noted)
    return found


RUNS = ["--run", "one.trec", "--run", "second=two.trec"]
WORDS = ["evaluate", "--judgments", "test", "--relevance", "4", *RUNS, "-m", "P@5"]


def test_the_runs_of_an_evaluation_are_read_ahead(
    begun: list[Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interval = sys.getswitchinterval()
    assert main(WORDS) == 0
    early = capsys.readouterr()
    assert begun == [Path("one.trec"), Path("two.trec")]
    assert sys.getswitchinterval() == interval
    monkeypatch.setattr(reading, "thread_count", lambda: 1)
    assert main(WORDS) == 0
    assert capsys.readouterr() == early


@pytest.mark.parametrize(
    "words",
    [
        [*WORDS, "--help"],
        [*WORDS, "--columns", "score=score"],
        [*WORDS, "--workers", "2"],
        ["compare", *WORDS[1:]],
        ["evaluate", *RUNS],
        ["evaluate", *RUNS, "-m"],
        ["evaluate", "-m", "P@5", "--run", "third=three.trec"],
        ["evaluate", "-m", "P@5", "--run", "s3://bucket/run.trec"],
        ["evaluate", "-m", "P@5", "--run", "fifth=~nobody-is-called-so/run.trec"],
        ["evaluate", "-m", "P@5", "--run", "sixth=\0"],
        [],
    ],
)
def test_other_words_have_nothing_read_ahead(
    words: list[str], begun: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise AssertionError("it is asked how many threads there are")

    monkeypatch.setattr(reading, "thread_count", refuse)
    with reading.reading_runs(words):
        pass
    assert begun == []


def test_what_is_no_text_and_what_is_too_much_is_left_alone(
    begun: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("one.trec").write_bytes(b"PAR1\0\0")
    with reading.reading_runs(WORDS):
        pass
    assert begun == [Path("two.trec")]
    monkeypatch.setattr(reading, "_MOST_BYTES", 10)
    with reading.reading_runs(WORDS):
        pass
    assert begun == [Path("two.trec")]


@pytest.mark.parametrize(("name", "value"), [("thread_count", 1), ("are_cached", False)])
def test_without_a_thread_or_cached_kernels_nothing_is_read_ahead(
    name: str, value: object, begun: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, name, lambda: value)
    with reading.reading_runs(WORDS):
        pass
    assert begun == []


@pytest.mark.long
def test_reading_begins_before_polars_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "one.trec").write_text(LINES)
    (tmp_path / "two.trec").write_text(LINES)
    seen = (
        "import sys\n"
        "from cranfield.workbench.cli.shared import reading\n"
        "reading.thread_count, reading.are_cached = lambda: 2, lambda: True\n"
        "with reading.reading_runs(sys.argv[1:]):\n"
        "    from cranfield.collection.text import ahead\n"
        "    print(len(ahead._begun), 'polars' in sys.modules)\n"
    )
    words = [sys.executable, "-c", seen, *WORDS]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "2 False\n"
