"""Laws as such: how they are stated, checked, left out and reported."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import cranfield.testing
from cranfield.base.errors import BadParameter, CranfieldError, EmptyInput, OptionError
from cranfield.base.options import parse
from cranfield.base.threads import VARIABLE, thread_count
from cranfield.testing import EVERY, BrokenLaw, check_laws, check_option, laws_of
from cranfield.testing import law as law_module
from cranfield.testing.law import Law, law, or_refusal, require, threads
from law_cases import DECISIONS

STATED = [each for decision in (EVERY, *DECISIONS, "targets") for each in laws_of(decision)]


@pytest.fixture
def below_ten() -> Iterator[Law]:
    """A law of numbers, which are no options, and no law once the test is over."""

    @law("number", when=lambda number: number >= 0, size=st.integers(0, 1000))
    def twice_a_number_stays_below_ten(number: int, size: int) -> None:
        """The larger half of ten is no number."""
        require(number * 2 + size - size < 10, f"twice {number} is {number * 2}")
        require(size < 500 or number < 4, f"{size} is too large for {number}")

    yield twice_a_number_stays_below_ten
    del law_module._laws["number"]


@pytest.mark.parametrize("stated", STATED, ids=lambda each: f"{each.decision}-{each.name}")
def test_a_law_is_a_sentence_with_a_text(stated: Law) -> None:
    assert str(stated) == stated.name.replace("_", " ")
    assert len(str(stated).split()) >= 3
    assert stated.text.endswith(".")
    assert stated.text != str(stated)


def test_laws_are_listed_in_the_order_of_their_statement(below_ten: Law) -> None:
    assert laws_of("number") == [below_ten]
    assert laws_of("no such decision") == []


def test_an_option_that_obeys_passes_in_silence(below_ten: Law) -> None:
    below_ten.check(0, 1, 3)
    below_ten.check()


def test_a_law_passes_over_what_it_does_not_apply_to(below_ten: Law) -> None:
    below_ten.check(-7)
    with pytest.raises(BrokenLaw, match=r"^7 breaks"):
        below_ten.check(-7, 7)


def test_a_broken_law_names_option_law_text_case_and_problem(below_ten: Law) -> None:
    with pytest.raises(BrokenLaw) as caught:
        below_ten.check(1, 4)
    assert str(caught.value) == (
        '4 breaks the law "twice a number stays below ten" (number).\n'
        "The larger half of ten is no number.\n"
        "Smallest case found:\n  size = 500\n"
        "Problem: 500 is too large for 4"
    )
    assert caught.value.case == {"size": 500}
    assert (caught.value.option, caught.value.law) == (4, below_ten)


def test_a_law_without_generated_cases_reports_the_problem_alone() -> None:
    made = Law("number", lambda number: require(number < 3, f"{number} is 3"), {}, bool, 1)
    with pytest.raises(BrokenLaw) as caught:
        made.check(3)
    assert "case" not in str(caught.value)
    assert str(caught.value).endswith("Problem: 3 is 3")


def test_any_other_error_breaks_the_law_too() -> None:
    made = Law("number", lambda number: 1 / number, {}, lambda _: True, 1)
    with pytest.raises(BrokenLaw, match="Problem: ZeroDivisionError: division by zero") as caught:
        made.check(0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("examples", [1, 7, 60])
def test_as_many_cases_are_tried_as_are_asked_for(examples: int) -> None:
    tried = []
    made = Law("number", lambda _, n: tried.append(n), {"n": st.integers()}, lambda _: True, 20)
    made.check(1, examples=examples)
    assert len(tried) == examples


def test_laws_are_left_out_by_name(below_ten: Law) -> None:
    with pytest.raises(BrokenLaw):
        check_laws("number", 7)
    check_laws("number", 7, without=("twice_a_number_stays_below_ten",))


def test_a_misspelled_law_is_not_left_out(below_ten: Law) -> None:
    with pytest.raises(BadParameter, match="the name of a law of number: twice_a_number_stays"):
        check_laws("number", 1, without=("twice",))


def test_what_is_no_option_is_refused() -> None:
    with pytest.raises(OptionError, match="3 is no option: mark its class with @option"):
        check_option(3)


@pytest.mark.parametrize(
    ("decision", "spelling"),
    [
        ("correction", "holm"),
        ("gain", "binary"),
        ("smoothing", "dirichlet"),
        ("nonrelevant", "sampled(n=3)"),
    ],
)
def test_an_option_is_checked_by_its_decision(decision: str, spelling: str) -> None:
    check_option(parse(decision, spelling), examples=3)


CHECKS = {
    "source": ("source", "simulated(size=tiny)"),
    "filter": ("filter", "sample"),
    "split": ("split", "random"),
    "targets": ("relevant", "one-relevant"),
    "propensity": ("propensity", "popularity"),
    "estimator": ("estimator", "snips"),
    "recommender": ("recommender", "Popularity"),
    "gain": ("gain", "rating"),
    "metric": ("metric", "P@3"),
    "run_metric": ("run-metric", "Gini@2"),
    "aggregation": ("aggregation", "mean"),
    "paired_test": ("test", "t"),
    "correction": ("correction", "holm"),
    "sample_correction": ("sample-correction", "plug-in"),
    "criterion": ("criterion", "correlation"),
}


@pytest.mark.parametrize("kind", CHECKS)
def test_each_kind_of_option_has_a_check_of_its_own(kind: str) -> None:
    check: Any = getattr(cranfield.testing, f"check_{kind}")
    check(parse(*CHECKS[kind]), examples=2)
    with pytest.raises(BrokenLaw):
        check(None, examples=2)


def test_every_check_is_tested_here() -> None:
    checks = {name for name in cranfield.testing.__all__ if name.startswith("check_")}
    assert checks == {"check_option", "check_laws", *(f"check_{kind}" for kind in CHECKS)}


@pytest.mark.parametrize("before", [None, "2"])
def test_threads_are_as_before_afterwards(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if before is not None:
        monkeypatch.setenv(VARIABLE, before)
    with threads(5):
        assert thread_count() == 5
    assert os.environ.get(VARIABLE) == before


def test_a_refusal_is_its_message_and_other_errors_pass() -> None:
    def refuse() -> int:
        raise EmptyInput("here")

    assert or_refusal(lambda: 3) == 3
    assert or_refusal(refuse) == "here: there are no ratings. At least one is needed."
    with pytest.raises(ZeroDivisionError):
        or_refusal(lambda: 1 // 0)


def test_arrays_are_equal_by_bits_or_up_to_rounding() -> None:
    third = np.array([0.1 + 0.2, np.nan])
    law_module.require_close(third, [0.3, np.nan], "rounded")
    law_module.require_equal(third, third.copy(), "bits")
    with pytest.raises(AssertionError, match="bits"):
        law_module.require_equal(third, [0.3, np.nan], "bits")
    with pytest.raises(AssertionError, match="apart"):
        law_module.require_close(third, [0.31, np.nan], "apart")


def python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_importing_cranfield_does_not_import_hypothesis() -> None:
    code = (
        "import sys, cranfield, cranfield.workbench.inventory; print('hypothesis' in sys.modules)"
    )
    assert python(code) == "False"


def test_without_hypothesis_the_message_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from cranfield.base.errors import MissingLibrary\n"
        "try:\n    import cranfield.testing\nexcept MissingLibrary as error:\n    print(error)"
    )
    assert python(code) == "cranfield.testing needs hypothesis. Install it: pip install hypothesis"


def test_laws_hold_also_where_asserts_are_stripped() -> None:
    for path in Path(cranfield.testing.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree)), path


def test_all_that_is_exported_can_be_imported() -> None:
    for name in cranfield.testing.__all__:
        assert getattr(cranfield.testing, name).__doc__ or name == "EVERY"
    assert issubclass(BrokenLaw, AssertionError)
    assert not issubclass(BrokenLaw, CranfieldError)
