"""Sakai's bootstrap test against its definition, written out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cranfield.base.seeds import Seeds
from cranfield.significance.paired_tests import Bootstrap
from significance_cases import random_samples, resample_counts, samples_of


def studentised(values: np.ndarray) -> float:
    return float(values.mean() / (values.std(ddof=1) / np.sqrt(len(values))))


def test_p_values_are_counts_of_the_definition() -> None:
    samples = random_samples(1, systems=3, metrics=2, users=25, lift=0.05)
    found = Bootstrap(draws=300).compare(samples, Seeds(2))
    drawn = resample_counts(Seeds(2).key("test", "bootstrap"), range(300), 25).astype(int)
    for metric in range(2):
        for at, pair in enumerate(samples.pairs):
            d = samples.differences(metric, pair)
            w = d - d.mean()
            reached = [abs(studentised(np.repeat(w, n))) >= abs(studentised(d)) for n in drawn]
            assert found.p_values[metric, at] == pytest.approx((sum(reached) + 1) / 301)
            assert found.statistics[metric, at] == pytest.approx(studentised(d))


def test_for_many_normal_differences_it_is_near_the_t_test() -> None:
    samples = random_samples(2, systems=2, users=300, lift=0.02)
    found = Bootstrap(draws=5000).compare(samples, Seeds())
    expected = stats.ttest_rel(*samples.of(0)).pvalue
    assert found.p_values[0, 0] == pytest.approx(expected, abs=0.03)


def test_a_constant_difference_is_reached_by_no_draw() -> None:
    found = Bootstrap(draws=200).compare(samples_of([0.3, 0.4, 0.5], [0.2, 0.3, 0.4]), Seeds())
    assert found.p_values[0, 0] == 1 / 201


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = random_samples(3, users=50)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        found.append(Bootstrap(draws=3000).compare(samples, Seeds()).p_values)
    np.testing.assert_array_equal(found[0], found[1])
