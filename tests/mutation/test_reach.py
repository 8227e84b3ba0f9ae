"""Which tests a mutant is tried on, and in which order."""

from __future__ import annotations

import pytest

from mutation.mutants import Mutant
from mutation.reach import BUDGET, Reach, seconds_of_files

PATH = "src/cranfield/scoring/gain.py"
OWN, QUICK, SLOW = "tests/scoring/test_gain.py", "tests/test_quick.py", "tests/test_slow.py"
SECONDS = {OWN: 5.0, QUICK: 0.1, SLOW: 9.0}


def mutant(first: int, last: int, *, in_function: bool = True) -> Mutant:
    return Mutant(PATH, (first, last), in_function, "before", "after", "")


def test_those_that_run_a_line_are_asked_the_own_ones_first_then_the_quick() -> None:
    reach = Reach(SECONDS, {PATH: {3: [SLOW, QUICK, OWN]}})
    assert reach.of(mutant(3, 3)) == [OWN, QUICK, SLOW]


def test_any_line_of_a_statement_will_do() -> None:
    reach = Reach(SECONDS, {PATH: {3: [OWN], 5: [QUICK], 6: [SLOW]}})
    assert reach.of(mutant(3, 5)) == [OWN, QUICK]


def test_what_runs_on_import_is_tried_on_all_that_use_the_file() -> None:
    reach = Reach(SECONDS, {PATH: {1: [""], 5: [QUICK], 6: [OWN]}})
    assert reach.of(mutant(1, 1, in_function=False)) == [OWN, QUICK]


@pytest.mark.parametrize("tests", [{}, {PATH: {9: [OWN]}}, {PATH: {3: ["tests/failing.py"]}}])
def test_nobody_is_asked_who_does_not_reach_it_or_fails_anyway(
    tests: dict[str, dict[int, list[str]]],
) -> None:
    assert Reach(SECONDS, tests).of(mutant(3, 3)) == []


def test_tests_are_asked_as_far_as_the_budget_goes_and_one_at_least() -> None:
    seconds = {OWN: 2 * BUDGET, QUICK: 0.1}
    assert Reach(seconds, {PATH: {3: [OWN, QUICK]}}).of(mutant(3, 3)) == [OWN]
    several = {f"tests/test_{place}.py": BUDGET * 0.4 for place in range(4)}
    assert len(Reach(several, {PATH: {3: list(several)}}).of(mutant(3, 3))) == 2


def test_seconds_of_a_file_are_those_of_its_tests_unless_one_failed() -> None:
    times = [
        (f"{OWN}::test_a", 1.0, True),
        (f"{OWN}::test_b[x::y]", 0.5, True),
        (f"{SLOW}::test_a", 1.0, True),
        (f"{SLOW}::test_b", 1.0, False),
    ]
    assert seconds_of_files(times) == {OWN: 1.5}
