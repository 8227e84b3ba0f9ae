"""Whether kernels are cached: seen in the folder that the compiler keeps them in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cranfield.scoring.kernels import cached, levels
from cranfield.scoring.kernels.cached import are_cached

KERNEL = "levels.add_up-131.py311.nbi"
OF_LISTS = "plain_lists.locate_plain-43.py311.nbi"
SEEN = """
import sys
from cranfield.scoring.kernels.cached import are_cached
before = are_cached(), "numba" in sys.modules
from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from hit_cases import Ranking, hits_of
measure(hits_of([Ranking((5.0,))]), [parse("metric", sys.argv[1])])
print(*before, are_cached())
"""


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are compiled, and nobody has said where they are to be kept."""
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of that of the source, with one for what is compiled."""
    (tmp_path / "__pycache__").mkdir()
    monkeypatch.setattr(cached, "_HERE", tmp_path)
    monkeypatch.setattr(cached, "_OF_LISTS", tmp_path / "lists")
    return tmp_path


def refuse_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)


@pytest.mark.long
@pytest.mark.parametrize("metric", ["P@1", "nDCG@1"])
def test_the_compiler_leaves_what_is_looked_for_whatever_the_metric(
    metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    words = [sys.executable, "-c", SEEN, metric]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "False False True\n"


def test_only_the_kernel_itself_counts(source: Path) -> None:
    (source / "__pycache__" / "levels.count_runs-104.py311.nbi").touch()
    assert not are_cached()
    (source / "__pycache__" / KERNEL).touch()
    assert are_cached()


def test_metrics_without_a_kernel_leave_one_of_lists_behind(source: Path) -> None:
    (source / "lists" / "__pycache__").mkdir(parents=True)
    assert not are_cached()
    (source / "lists" / "__pycache__" / OF_LISTS).touch()
    assert are_cached()


@pytest.mark.long
@pytest.mark.parametrize("metric", ["nDCG@10", "Gini@10"])
def test_no_second_evaluation_starts_a_process_to_compile(
    metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test").write_text("".join(f"u{n // 9} 0 i{n % 9} 5\n" for n in range(900)))
    listed = (f"u{n // 9} Q0 i{n % 9} {n % 9 + 1} {1 / (n % 9 + 1)} x\n" for n in range(900))
    (tmp_path / "run").write_text("".join(listed))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    run = ["--judgments", "test", "--run", "one=run", "--relevance", "4", "-m", metric]
    words = [sys.executable, "-m", "cranfield", "evaluate", *run]
    subprocess.run(words, capture_output=True, check=True, cwd=tmp_path)
    assert are_cached()


def test_a_source_that_never_ran_has_nothing_cached(source: Path) -> None:
    (source / "__pycache__").rmdir()
    assert not are_cached()


def test_a_folder_of_the_users_choice_counts_alone(
    source: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = tmp_path_factory.mktemp("chosen")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(chosen))
    (source / "__pycache__" / KERNEL).touch()
    assert not are_cached()
    (chosen / f"{source.name}_0af1").mkdir()
    (chosen / f"{source.name}_0af1" / KERNEL).touch()
    assert are_cached()


def test_where_the_source_cannot_be_written_the_compiler_is_asked(
    source: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_writing(monkeypatch)
    known = tmp_path_factory.mktemp("known")
    stats = SimpleNamespace(cache_path=str(known))
    monkeypatch.setattr(levels, "add_up", SimpleNamespace(stats=stats))
    assert not are_cached()
    (known / KERNEL).touch()
    assert are_cached()


@pytest.mark.parametrize(
    "kernel", [SimpleNamespace(stats=SimpleNamespace(cache_path=None)), lambda: None]
)
def test_where_nothing_can_be_kept_nothing_is_lacking(
    kernel: object, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_writing(monkeypatch)
    monkeypatch.setattr(levels, "add_up", kernel)
    assert are_cached()


def test_where_nothing_is_compiled_nothing_is_lacking(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert are_cached()
