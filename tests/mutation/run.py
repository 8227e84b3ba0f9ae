"""Change the source a little, at places drawn by seed, and see whether the fast suite notices.

    PYTHONPATH=tests python -m mutation.run [--mutants N] [--seed S] [--workers N] [--survivors]
        [--budget SECONDS]

`make coverage` comes first: it measures which tests reach a line. Every mutant is tried on those
that reach its lines until one fails, in a copy of the project; mutants of kernels as plain Python.
Tests of one mutant take a minute at most, or the budget that is given: `--survivors` with a larger
one tries more of the suite.
A test that notices a mutant is tried on the right source too. survivors.toml lists what no test
noticed; `--survivors` tries these again. Fails if more than one mutant in ten survives, or one
without a reason.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

from mutation.mutants import Mutant, drawn
from mutation.reach import BUDGET, read_reach
from mutation.survivors import FILE, found_survivors, read_survivors
from mutation.trials import FAILED, NOT_APPLIED, PASSED, STALLED

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEAST = 0.9
"""The share of mutants that the suite must notice."""
PATIENCE = 20.0
"""Processor seconds that tests may take beyond twice what they take in the suite: a mutant that
takes more counts as one that never ends."""


class Worker:
    """A copy of the project, and servers of trials in it, each started when it is needed."""

    def __init__(self, tree: Path, seconds: dict[str, float]) -> None:
        self.tree = tree
        self._seconds = seconds
        self._servers: dict[tuple[str, bool], Any] = {}
        self._sound: dict[tuple[str, str], bool] = {}

    def ask(self, mutant: Mutant, tests: list[str]) -> tuple[str, str]:
        """The outcome of tests on a mutant, and the first that failed.

        What stalls in a warm server, or fails there on the right source too, is tried in a fresh
        one: it may need threads, which a fork does not have.
        """
        found = NOT_APPLIED, ""
        for kind in ("warm", "fresh") if mutant.in_function else ("fresh",):
            found = self._ask(kind, mutant, tests, mutated=True)
            if found[0] == FAILED and kind == "warm" and not self.is_sound(mutant, found[1], kind):
                continue
            if found[0] not in (STALLED, NOT_APPLIED):
                break
        return found

    def is_sound(self, mutant: Mutant, test: str, kind: str = "fresh") -> bool:
        """Whether a test passes on the right source. Names of its cases may be the mutant's."""
        function = test.partition("[")[0]
        if (function, kind) not in self._sound:
            outcome, _ = self._ask(kind, mutant, [function], mutated=False)
            self._sound[function, kind] = outcome == PASSED
        return self._sound[function, kind]

    def end(self) -> None:
        """Let the servers go."""
        for server in self._servers.values():
            server.stdin.close()
            server.wait()

    def _ask(self, kind: str, mutant: Mutant, tests: list[str], mutated: bool) -> tuple[str, str]:
        server = self._server(kind, "/kernels/" in mutant.path)
        text = mutant.text if mutated else None
        seconds = self._patience(tests)
        asked = {"path": mutant.path, "text": text, "tests": tests, "seconds": seconds}
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        outcome, test = json.loads(server.stdout.readline())
        return outcome, test

    def _patience(self, tests: list[str]) -> float:
        """How many processor seconds tests may take."""
        files = {test.partition("::")[0] for test in tests}
        return PATIENCE + 2 * sum(self._seconds.get(file, 0.0) for file in files)

    def _server(self, kind: str, plain: bool) -> Any:
        if (kind, plain) not in self._servers:
            self._servers[kind, plain] = subprocess.Popen(
                [sys.executable, "-m", "mutation.trials", str(self.tree), kind],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env=os.environ | {"NUMBA_DISABLE_JIT": str(int(plain))},
            )  # fmt: skip
        return self._servers[kind, plain]


def main() -> int:
    """Try the mutants that were asked for; 1 if too many survive, or any without a reason."""
    asked = _arguments()
    known = read_survivors(FILE.read_text(encoding="utf-8")) if FILE.exists() else None
    everyone = drawn(ROOT, asked.mutants, asked.seed)
    tried = everyone
    if asked.survivors and known:
        tried = [mutant for mutant in everyone if mutant.name in known.reasons]
    survived = [
        mutant for mutant, noticed in _tried(tried, asked.workers, asked.budget) if not noticed
    ]
    found = found_survivors(asked.seed, everyone, survived, known)
    FILE.write_text(found.to_toml(), encoding="utf-8")
    print(f"{len(survived)} of {len(everyone)} mutants survive ({1 - found.killed_share:.1%})")
    for name in found.unexplained:
        print(f"without a reason: {name}")
    return int(found.killed_share < LEAST or bool(found.unexplained))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1960)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--survivors", action="store_true", help="only those that are listed")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds for one mutant")
    return parser.parse_args()


def _tried(mutants: list[Mutant], number: int, budget: float) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant, and whether a test noticed it."""
    reaches = {False: read_reach(ROOT, "compiled"), True: read_reach(ROOT, "plain")}
    with tempfile.TemporaryDirectory(prefix="cranfield-mutants-") as folder:
        free: Queue[Worker] = Queue()
        seconds = reaches[True].seconds | reaches[False].seconds
        workers = [Worker(_copied(Path(folder) / str(each)), seconds) for each in range(number)]
        for worker in workers:
            free.put(worker)

        def attempt(mutant: Mutant) -> tuple[str, str]:
            worker = free.get()
            try:
                reach = reaches["/kernels/" in mutant.path]
                return _outcome(worker, mutant, reach.of(mutant, budget))
            finally:
                free.put(worker)

        with ThreadPoolExecutor(number) as pool:
            results = zip(mutants, pool.map(attempt, mutants), strict=True)
            for place, (mutant, (outcome, test)) in enumerate(results, start=1):
                print(f"{place}/{len(mutants)} {outcome} {test} | {mutant.name}", flush=True)
                yield mutant, outcome != PASSED
        for worker in workers:
            worker.end()


def _copied(tree: Path) -> Path:
    """A copy of the project, with what is compiled: times of files are kept."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "dist", ".mypy_cache", "demo")
    return Path(shutil.copytree(ROOT, tree, ignore=ignored, symlinks=True))


def _outcome(worker: Worker, mutant: Mutant, tests: list[str]) -> tuple[str, str]:
    """How tests that reach a mutant end, without those that fail on the right source too."""
    while tests:
        outcome, failed = worker.ask(mutant, tests)
        file = failed.partition("::")[0]
        if outcome != FAILED or file not in tests or worker.is_sound(mutant, failed):
            return outcome, failed
        tests.remove(file)
    return PASSED, "no test reaches it"


if __name__ == "__main__":
    sys.exit(main())
