"""What holds for the tests that ship, beyond the laws of every paired test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import options
from cranfield.base.seeds import Seeds
from cranfield.significance.paired_test import PairedTest
from cranfield.testing.laws.paired_tests import band, rejections
from significance_cases import random_samples, samples_of
from suites import spread


def quick(name: str) -> PairedTest:
    """A test with few draws, if it draws."""
    kind: Any = options("test")[name]
    made: PairedTest = kind(draws=500) if hasattr(kind(), "draws") else kind()
    return made


TESTS = [quick(name) for name in options("test")]
every_test = pytest.mark.parametrize("test", TESTS, ids=str)


def test_all_nine_tests_are_here() -> None:
    assert set(options("test")) == {
        *("t", "weighted-t", "log-t", "wilcoxon", "sign", "permutation", "bootstrap"),
        *("tukey-hsd", "randomised-hsd"),
    }


LINEAR = [test for test in TESTS if str(test) != "log-t"]


@pytest.mark.parametrize("test", LINEAR, ids=str)
def test_what_all_systems_get_on_a_user_does_not_matter(test: PairedTest) -> None:
    samples = random_samples(8, systems=3, users=12, lift=0.1)
    eighths = replace(samples, values=np.round(samples.values * 8) / 8)
    raised = replace(eighths, values=eighths.values + np.arange(12.0) / 4)
    one, two = (test.compare(each, Seeds(1)) for each in (eighths, raised))
    np.testing.assert_allclose(one.p_values, two.p_values, atol=1e-9)
    np.testing.assert_allclose(one.statistics, two.statistics, atol=1e-9)


@pytest.mark.parametrize("test", LINEAR, ids=str)
def test_the_unit_of_scores_does_not_matter(test: PairedTest) -> None:
    samples = random_samples(9, systems=3, users=12, lift=0.1)
    doubled = replace(samples, values=samples.values * 4)
    one, two = (test.compare(each, Seeds(1)).p_values for each in (samples, doubled))
    np.testing.assert_allclose(one, two, atol=1e-9)


OF_MEANS = [test for test in LINEAR if str(test) not in ("sign", "wilcoxon")]


@pytest.mark.parametrize("test", OF_MEANS, ids=str)
def test_means_that_differ_by_rounding_alone_do_not_differ(test: PairedTest) -> None:
    first, second = [0.7, 0.1, 0.3], [0.3, 0.7, 0.1]
    assert sum(a - b for a, b in zip(first, second, strict=True)) != 0
    found = test.compare(samples_of(first, second), Seeds())
    assert found.statistics[0, 0] == 0
    assert found.p_values[0, 0] == 1


@pytest.mark.parametrize("test", LINEAR, ids=str)
def test_the_same_difference_on_every_user_has_the_least_p_value_there_is(
    test: PairedTest,
) -> None:
    row = np.arange(20.0)
    rows = (row + 0.5, row, row * 1.25, row[::-1], row + row % 2, row + 0.5 - row % 2)
    same, *others = (
        test.compare(samples_of(each.tolist(), row.tolist()), Seeds()).p_values[0, 0]
        for each in rows
    )
    assert same < 0.01
    assert same <= min(others) + 1e-12


CONTINUOUS = [test for test in TESTS if str(test) != "sign"]


@pytest.mark.long
@pytest.mark.parametrize("test", spread(CONTINUOUS, every=2), ids=str)
def test_the_level_is_held_when_nothing_differs(test: PairedTest) -> None:
    low, high = band(300)
    assert low <= rejections(test, 300, 30) <= high


def test_the_discrete_sign_test_never_exceeds_its_level() -> None:
    assert rejections(quick("sign"), 300, 30) <= band(300)[1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rounds"), [("tukey-hsd", 60), ("randomised-hsd", 400)])
def test_any_of_many_pairs_is_rejected_as_rarely_as_the_level_says(name: str, rounds: int) -> None:
    test = quick(name)
    count = sum(
        test.compare(random_samples(seed, systems=5, users=20), Seeds(seed)).p_values.min() < 0.05
        for seed in range(rounds)
    )
    low, high = band(rounds)
    assert low <= count <= high


@pytest.mark.slow
@pytest.mark.parametrize("test", CONTINUOUS, ids=str)
def test_the_level_is_held_over_many_rounds(test: PairedTest) -> None:
    low, high = band(5000)
    assert low <= rejections(test, 5000, 60) <= high
