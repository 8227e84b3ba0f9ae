"""Which files of tests run which lines, as `make coverage` has measured it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant

BUDGET = 60.0
"""Seconds that the tests of one mutant take at most, unless another number is asked for."""
REFERENCE = "tests/test_reference.py"
"""Holds the defaults and bounds of all options to the pages that print them."""


@dataclass(frozen=True)
class Reach:
    """Who reaches a line."""

    seconds: dict[str, float]
    """How long each file of tests takes, those of which a test failed left out."""
    tests: dict[str, dict[int, list[str]]]
    """For each file of the source, the files of tests that run each line."""

    def of(self, mutant: Mutant, budget: float = BUDGET) -> list[str]:
        """Files of tests that may notice a mutant: the one named for its file first, then the
        faster ones, as far as the budget goes.
        """
        lines = self.tests.get(mutant.path, {})
        numbers: Iterable[int] = range(mutant.lines[0], mutant.lines[1] + 1)
        if not mutant.in_function:
            numbers = lines  # on import, in whichever test came first: all that use the file
        found = {test for number in numbers for test in lines.get(number, ())}
        first = {f"test_{Path(mutant.path).stem}.py"}
        if not mutant.in_function:
            first.add(Path(REFERENCE).name)
            found.add(REFERENCE)
        ordered = sorted(
            found & self.seconds.keys(),
            key=lambda test: (Path(test).name not in first, self.seconds[test], test),
        )
        return list(self._within_budget(ordered, budget))

    def _within_budget(self, tests: list[str], budget: float) -> Iterator[str]:
        spent = 0.0
        for place, test in enumerate(tests):
            spent += self.seconds[test]
            if place and spent > budget:
                return
            yield test


def read_reach(root: Path, name: str) -> Reach:
    """What was measured in one run of the suite; its name is that of coverage.py's data."""
    import coverage

    folder = root / "build" / "coverage"
    times = (folder / f"times-{name}.jsonl").read_text(encoding="utf-8").splitlines()
    data = coverage.CoverageData(str(folder / name))
    data.read()
    tests = {
        str(Path(file).relative_to(root)): data.contexts_by_lineno(file)
        for file in data.measured_files()
        if Path(file).is_relative_to(root)
    }
    return Reach(seconds_of_files(map(json.loads, times)), tests)


def seconds_of_files(times: Iterable[tuple[str, float, bool]]) -> dict[str, float]:
    """The seconds of each file of tests all of whose tests passed."""
    sums: dict[str, float] = defaultdict(float)
    failed = set()
    for test, seconds, passed in times:
        file = test.partition("::")[0]
        sums[file] += seconds
        if not passed:
            failed.add(file)
    return {file: seconds for file, seconds in sums.items() if file not in failed}
