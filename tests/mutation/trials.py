"""Try mutants, one after the other: a server that forks a fresh process for each.

    python -m mutation.trials TREE warm|fresh

TREE is a copy of the project that nobody else uses. Libraries are loaded once. A warm server
also imports the project and collects tests once: a fork then gives functions the mutant's code.
A fresh server lets each fork import the mutant, as constants and defaults need. Each line of
the standard input asks for one trial, each line of the standard output answers it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

LIBRARIES = (
    "numpy", "scipy.stats", "scipy.optimize", "scipy.sparse.linalg", "scipy.special", "polars",
    "numba", "rich.console", "rich.table", "yaml", "threadpoolctl", "pandas", "pyarrow",
    "hypothesis.extra.numpy", "hypothesis.strategies", "_pytest.doctest", "sklearn.linear_model",
    "matplotlib.figure", "statsmodels.api", "multiprocessing.pool", "concurrent.futures.process",
)  # fmt: skip
PASSED, FAILED, TOO_LONG = "passed", "failed", "too long"
STALLED, NOT_APPLIED = "stalled", "not applied"
IDLE = 4.0
"""Seconds without work after which a fork of a warm server is taken to wait for ever."""
PATIENCE = 5
"""How much longer than its processor seconds a trial may take by the clock."""
_NOTHING_CHANGED = 77
_MEANINGS = {0: PASSED, 5: PASSED, _NOTHING_CHANGED: NOT_APPLIED}
"""What a child's exit code means: pytest's own, and ours. All others are failures."""
_OPTIONS = (
    "-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",  # libraries are loaded before pytest starts
)  # fmt: skip


class _FirstFailure:
    """Remembers which test failed first."""

    def __init__(self) -> None:
        self.test = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid


def main() -> None:
    """Serve trials until the input ends."""
    tree = Path(sys.argv[1]).resolve()
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree / "src")
    sys.path.insert(0, str(tree / "src"))
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    seen: set[str] | None = set() if sys.argv[2] == "warm" else None
    for line in sys.stdin:
        asked = json.loads(line)
        if seen is not None:
            _collect(asked["tests"], seen)
        answers.write(json.dumps(_trial(tree, asked, warm=seen is not None)) + "\n")
        answers.flush()


def _collect(tests: list[str], seen: set[str]) -> None:
    """Import tests, and thereby the project, so that forks need not."""
    new = [file for file in dict.fromkeys(map(_file, tests)) if file not in seen]
    seen.update(new)
    if new:
        pytest.main(["--collect-only", *_OPTIONS[1:], *new])
        gc.unfreeze()  # functions are looked for among all objects


def _file(test: str) -> str:
    return test.partition("::")[0]


def change_functions(path: Path, text: str) -> bool:
    """Give the functions of an imported file the code of a mutant; whether there are any."""
    codes = dict(_codes(compile(text, str(path), "exec")))
    functions = [
        each
        for each in gc.get_objects()
        if type(each) is FunctionType and each.__code__.co_filename == str(path)
    ]
    for function in functions:
        function.__code__ = codes[function.__code__.co_qualname]
    return bool(functions)


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """The code of all functions, by their qualified names."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each.co_qualname, each
            yield from _codes(each)


def _trial(tree: Path, asked: dict[str, Any], *, warm: bool) -> tuple[str, str]:
    """Put the mutant into the tree, run tests in a fork, and put the file back."""
    file = tree / asked["path"]
    right = file.read_bytes()
    times, text = file.stat(), asked["text"]
    prepare = partial(change_functions, file, text) if warm and text is not None else None
    try:
        if text is not None:
            file.write_text(text, encoding="utf-8")
        return _forked(asked["tests"], asked["seconds"], IDLE if warm else inf, prepare)
    finally:
        file.write_bytes(right)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def _forked(
    tests: list[str], seconds: float, idle: float, prepare: Callable[[], bool] | None
) -> tuple[str, str]:
    """Run tests in a process of their own; the outcome, and which test failed first."""
    there, back = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.close(there)
        _run(tests, back, prepare)
    os.close(back)
    outcome = awaited(child, seconds, idle)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.set_blocking(there, False)  # what a test has started may still hold the other end
    with contextlib.suppress(BlockingIOError), os.fdopen(there, "rb", buffering=0) as told:
        return outcome, (told.read() or b"").decode() if outcome == FAILED else ""
    return outcome, ""


def _run(tests: list[str], back: int, prepare: Callable[[], bool] | None) -> None:
    """What the child does: run the tests, tell the first that failed, and end."""
    first, code = _FirstFailure(), 1
    with contextlib.suppress(BaseException):
        if prepare is not None and not prepare():
            os._exit(_NOTHING_CHANGED)
        code = int(pytest.main([*_OPTIONS, *tests], plugins=[first]))
    os.write(back, (first.test or f"exit code {code}").encode())
    os._exit(code)


def awaited(child: int, seconds: float, idle: float) -> str:
    """How a child ended, or that it took too many processor seconds or did nothing for so long.

    Then it is killed. A test that waits for a thread which a fork does not have does nothing.
    """
    start = at_work = time.monotonic()
    spent, outcome = 0.0, TOO_LONG
    while spent < seconds and time.monotonic() - start < PATIENCE * seconds:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return _MEANINGS.get(os.waitstatus_to_exitcode(status), FAILED)
        now, before = time.monotonic(), spent
        spent = _processor_seconds(child)
        at_work = now if spent > before else at_work
        if now - at_work > idle:
            outcome = STALLED
            break
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return outcome


def _processor_seconds(child: int) -> float:
    """What a child has used, and those that it has started and awaited."""
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
