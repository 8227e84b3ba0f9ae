"""Laws of paired tests: probabilities, in both directions, by the seed alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.seeds import Seeds
from cranfield.significance.paired_test import PairedPValues, PairedTest
from cranfield.significance.samples.samples import Samples
from cranfield.testing.law import law, require, require_close, require_equal, threads
from cranfield.testing.strategies import random_samples, samples, samples_of

LEVEL = 0.05
_SLACK = 1e-9


def rejections(test: PairedTest, rounds: int, users: int) -> int:
    """How often a true null hypothesis is rejected at the level of 0.05."""
    count = 0
    for seed in range(rounds):
        drawn = random_samples(seed, systems=2, users=users)
        raised = replace(drawn, values=drawn.values + 3)
        count += int(test.compare(raised, Seeds(seed)).p_values[0, 0] < LEVEL)
    return count


def band(rounds: int) -> tuple[float, float]:
    """Where 99.99 % of counts of rejections lie if the level is 0.05."""
    spread = stats.binom(rounds, LEVEL)
    return float(spread.ppf(0.00005)), float(spread.ppf(0.99995))


def _lifted(seed: int, *, systems: int, users: int, lift: float) -> Samples:
    """Samples far above 0, where logarithms exist too."""
    drawn = random_samples(seed, systems=systems, users=users, lift=lift)
    return replace(drawn, values=drawn.values + 3)


@law("test", sampled=samples(), examples=15)
def p_values_are_probabilities(test: Any, sampled: Samples) -> None:
    """Each pair has, by each metric, a p-value from 0 to 1, an error and a statistic."""
    found: PairedPValues = test.compare(sampled, Seeds())
    shape = len(sampled.metrics), len(sampled.pairs)
    for name in ("p_values", "errors", "statistics"):
        require(getattr(found, name).shape == shape, f"{name} are not metrics × pairs")
    within = (found.p_values >= 0) & (found.p_values <= 1)
    require(within.all(), f"p-values are {found.p_values}")
    require((found.errors >= 0).all(), f"errors are {found.errors}")
    require(not np.isnan(found.statistics).any(), f"statistics are {found.statistics}")


@law("test")
def systems_that_never_differ_have_a_p_value_of_one(test: Any) -> None:
    """Where all differences are 0, p is 1 and the statistic 0."""
    row = np.random.default_rng(1).random(20).tolist()
    found = test.compare(samples_of(row, row), Seeds())
    require_equal(found.p_values, [[1.0]], "the p-value")
    require_equal(found.statistics, [[0.0]], "the statistic")


@law("test")
def a_clear_difference_is_found_with_its_direction(test: Any) -> None:
    """A first system far ahead on 60 users has p < 0.01 and a positive statistic."""
    found = test.compare(_lifted(3, systems=2, users=60, lift=-0.5), Seeds())
    require(found.p_values[0, 0] < 0.01, f"p is {found.p_values[0, 0]}")
    require(found.statistics[0, 0] > 0, f"the statistic is {found.statistics[0, 0]}")


@law("test")
def swapped_systems_have_the_same_p_value(test: Any) -> None:
    """Swapping two systems turns the sign of the statistic; p is the same, up to the error
    of what is drawn.
    """
    sampled = _lifted(4, systems=2, users=15, lift=0.1)
    turned = replace(sampled, values=sampled.values[::-1])
    one, two = (test.compare(each, Seeds()) for each in (sampled, turned))
    slack = 4 * max(one.errors.max(), two.errors.max())
    require_close(one.p_values, two.p_values, "p-values of swapped systems", slack + _SLACK)
    require_close(one.statistics, -two.statistics, "statistics of swapped systems", _SLACK)


@law("test", sampled=samples(), seed=st.integers(0, 99), examples=10)
def the_order_of_users_and_of_systems_does_not_matter(
    test: Any, sampled: Samples, seed: int
) -> None:
    """A pair has the same p-value in any order of users and systems, where nothing is drawn."""
    rng = np.random.default_rng(seed)
    users = rng.permutation(sampled.values.shape[2])
    order = rng.permutation(len(sampled.systems)).tolist()
    mixed = replace(sampled.take(users), values=sampled.values[:, :, users][order])
    one, two = (test.compare(each, Seeds()) for each in (sampled, mixed))
    if one.errors.any() or two.errors.any():
        return
    for at, pair in enumerate(mixed.pairs):
        first, second = order[pair[0]], order[pair[1]]
        place = sampled.pairs.index((min(first, second), max(first, second)))
        sign = 1 if first < second else -1
        found, wanted = two.p_values[0, at], one.p_values[0, place]
        require_close(found, wanted, f"the p-value of pair {pair}", _SLACK)
        statistic = sign * one.statistics[0, place]
        require_close(two.statistics[0, at], statistic, f"the statistic of {pair}", _SLACK)


@law("test")
def the_same_seed_gives_the_same_bits(test: Any) -> None:
    """P-values follow from samples, option and seed alone, bit for bit with any number of
    threads.
    """
    sampled = _lifted(5, systems=4, users=40, lift=0.05)
    with threads(1):
        first = test.compare(sampled, Seeds(2))
    for count in (1, 2, 3):
        with threads(count):
            again = test.compare(sampled, Seeds(2))
        for name in ("p_values", "errors", "statistics"):
            require_equal(getattr(again, name), getattr(first, name), f"{name}, {count} threads")


@law("test")
def the_level_is_not_exceeded(test: Any) -> None:
    """Where nothing differs, no more than 5 % of samples have p < 0.05, up to chance: of 200
    samples of 30 users not more than in 99.995 % of all such series.
    """
    count, most = rejections(test, 200, users=30), band(200)[1]
    require(count <= most, f"{count} of 200 true null hypotheses were rejected")


@law("test")
def two_users_are_enough_for_a_p_value(test: Any) -> None:
    """Two users have p-values; p is 1 where one wins by as much as the other loses."""
    found = test.compare(samples_of([0.5, 0.25], [0.25, 0.5], [0.5, 0.75]), Seeds())
    require(((found.p_values >= 0) & (found.p_values <= 1)).all(), f"p is {found.p_values}")
    require_equal(found.p_values[0, 0], 1.0, "one wins by as much as the other")
