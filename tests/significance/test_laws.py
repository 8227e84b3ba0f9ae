"""Laws that every test obeys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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


EXACT = [test for test in TESTS if not hasattr(test, "draws")] + [parse("test", "permutation")]


@pytest.mark.parametrize("test", EXACT, ids=str)
@given(samples=many_samples(), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=10)
def test_the_order_of_users_and_of_systems_does_not_matter(
    test: PairedTest, samples: Samples, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    users = rng.permutation(samples.values.shape[2])
    order = rng.permutation(len(samples.systems)).tolist()
    mixed = replace(samples.take(users), values=samples.values[:, :, users][order])
    one, two = (test.compare(each, Seeds()) for each in (samples, mixed))
    for at, pair in enumerate(mixed.pairs):
        first, second = order[pair[0]], order[pair[1]]
        place = samples.pairs.index((min(first, second), max(first, second)))
        assert two.p_values[0, at] == pytest.approx(one.p_values[0, place], abs=1e-9)
        turned = 1 if first < second else -1
        assert two.statistics[0, at] == pytest.approx(turned * one.statistics[0, place], abs=1e-9)


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


@every_test
def test_two_users_are_enough_for_a_p_value(test: PairedTest) -> None:
    found = test.compare(samples_of([0.5, 0.25], [0.25, 0.5], [0.5, 0.75]), Seeds())
    assert ((found.p_values >= 0) & (found.p_values <= 1)).all()
    assert found.p_values[0, 0] == 1  # one wins by as much as the other


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
