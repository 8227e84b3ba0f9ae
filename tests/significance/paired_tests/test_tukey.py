"""Tukey's test and its randomised form."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from cranfield.base.seeds import Seeds
from cranfield.significance.paired_tests import RandomisedHSD, StudentT, TukeyHSD
from significance_cases import random_samples, samples_of, shuffled_systems


def test_for_two_systems_it_is_the_paired_t_test() -> None:
    samples = random_samples(1, systems=2, users=20, lift=0.05)
    expected = StudentT().compare(samples, Seeds()).p_values
    np.testing.assert_allclose(TukeyHSD().compare(samples, Seeds()).p_values, expected, rtol=1e-6)


def test_without_blocks_it_equals_scipy() -> None:
    samples = random_samples(2, systems=4, users=15, lift=0.1)
    expected = stats.tukey_hsd(*samples.of(0)).pvalue
    found = TukeyHSD(blocks=False).compare(samples, Seeds()).p_values[0]
    np.testing.assert_allclose(found, [expected[pair] for pair in samples.pairs], atol=1e-9)


def test_blocks_take_out_the_difficulty_of_users() -> None:
    # x = user + system exactly but for one cell, so that little is left unexplained.
    samples = samples_of([0.9, 0.5, 0.11], [0.8, 0.4, 0.0], [0.7, 0.3, -0.1])
    blocked, plain = (
        TukeyHSD(blocks=blocks).compare(samples, Seeds()).p_values[0] for blocks in (True, False)
    )
    assert blocked.max() < 0.001
    assert plain.min() > 0.5


def test_systems_without_any_difference_have_p_of_one() -> None:
    samples = samples_of([0.5, 0.1], [0.5, 0.1], [0.6, 0.2])
    assert TukeyHSD().compare(samples, Seeds()).p_values[0].tolist() == [1, 0, 0]


def test_shuffles_are_those_of_the_definition() -> None:
    samples = random_samples(3, systems=4, metrics=2, users=15, lift=0.05)
    found = RandomisedHSD(draws=200).compare(samples, Seeds(4)).p_values
    key = Seeds(4).key("test", "randomised-hsd")
    counts = np.zeros_like(found)
    for draw in range(200):
        places = shuffled_systems(key, draw, 15, 4)
        for metric in range(2):
            means = np.take_along_axis(samples.of(metric), places.T, axis=0).mean(axis=0 + 1)
            observed = samples.of(metric).mean(axis=1)
            for at, (first, second) in enumerate(samples.pairs):
                counts[metric, at] += (
                    np.ptp(means) >= abs(observed[first] - observed[second]) - 1e-12
                )
    np.testing.assert_allclose(found, (counts + 1) / 201)


def test_drawn_p_values_are_near_those_of_all_shuffles() -> None:
    scores = np.array([[0.9, 0.8, 0.4, 0.7], [0.5, 0.6, 0.3, 0.1], [0.2, 0.5, 0.4, 0.3]])
    orders = list(permutations(range(3)))
    ranges = [
        np.ptp(sum(scores[list(order), user] for user, order in enumerate(chosen)) / 4)
        for chosen in product(orders, repeat=4)
    ]
    found = RandomisedHSD(draws=10_000).compare(samples_of(*scores), Seeds())
    means = scores.mean(axis=1)
    for at, (first, second) in enumerate([(0, 1), (0, 2), (1, 2)]):
        expected = np.mean(np.array(ranges) >= abs(means[first] - means[second]) - 1e-12)
        assert abs(found.p_values[0, at] - expected) < 4 * found.errors[0, at] + 1e-3


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = random_samples(5, users=30)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        found.append(RandomisedHSD(draws=3000).compare(samples, Seeds()).p_values)
    np.testing.assert_array_equal(found[0], found[1])
