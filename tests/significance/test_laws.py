"""Laws that every test obeys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from cranfield.base.options import options, parse, spell
from cranfield.base.seeds import Seeds
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples import Samples
from significance_cases import many_samples, random_samples, samples_of


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


@every_test
def test_spelling_round_trips(test: PairedTest) -> None:
    assert parse("test", spell(test)) == test


@every_test
@given(samples=many_samples())
@settings(deadline=None, max_examples=15)
def test_p_values_are_probabilities(test: PairedTest, samples: Samples) -> None:
    found = test.compare(samples, Seeds())
    assert found.p_values.shape == found.errors.shape == found.statistics.shape
    assert found.p_values.min() >= 0
    assert found.p_values.max() <= 1
    assert not np.isnan(found.statistics).any()


@every_test
def test_systems_that_never_differ_have_a_p_value_of_one(test: PairedTest) -> None:
    rng = np.random.default_rng(1)
    row = rng.random(20).tolist()
    found = test.compare(samples_of(row, row), Seeds())
    assert found.p_values[0, 0] == 1
    assert found.statistics[0, 0] == 0


@every_test
def test_a_clear_difference_is_found_and_its_direction_told(test: PairedTest) -> None:
    samples = random_samples(3, systems=2, users=60, lift=-0.5)
    found = test.compare(replace(samples, values=samples.values + 3), Seeds())
    assert found.p_values[0, 0] < 0.01
    assert found.statistics[0, 0] > 0


@every_test
def test_swapping_systems_turns_the_statistic_and_keeps_p(test: PairedTest) -> None:
    samples = random_samples(4, systems=2, users=15, lift=0.1)
    samples = replace(samples, values=samples.values + 3)
    turned = replace(samples, values=samples.values[::-1])
    one, two = (test.compare(each, Seeds()) for each in (samples, turned))
    slack = 4 * max(one.errors.max(), two.errors.max())
    np.testing.assert_allclose(one.p_values, two.p_values, atol=slack + 1e-9)
    np.testing.assert_allclose(one.statistics, -two.statistics, atol=1e-9)


def rejections(test: PairedTest, rounds: int, users: int) -> int:
    """How often a true null hypothesis is rejected at 0.05."""
    count = 0
    for seed in range(rounds):
        samples = random_samples(seed, systems=2, users=users)
        raised = replace(samples, values=samples.values + 3)
        count += int(test.compare(raised, Seeds(seed)).p_values[0, 0] < 0.05)
    return count


def band(rounds: int) -> tuple[float, float]:
    """Where 99.99 % of counts lie if the level is 0.05."""
    spread = stats.binom(rounds, 0.05)
    return float(spread.ppf(0.00005)), float(spread.ppf(0.99995))


CONTINUOUS = [test for test in TESTS if str(test) != "sign"]


@pytest.mark.parametrize("test", CONTINUOUS, ids=str)
def test_the_level_is_held_when_nothing_differs(test: PairedTest) -> None:
    low, high = band(300)
    assert low <= rejections(test, 300, 30) <= high


def test_the_discrete_sign_test_never_exceeds_its_level() -> None:
    assert rejections(quick("sign"), 300, 30) <= band(300)[1]


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
