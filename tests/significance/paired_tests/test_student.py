"""Student's t: plain against SciPy, weighted and logarithmic against their definitions."""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np
import pytest
from scipy import stats

from cranfield.base.errors import CranfieldError
from cranfield.base.seeds import Seeds
from cranfield.significance.paired_tests import LogT, StudentT, WeightedT
from significance_cases import random_samples, row_pair, samples_of


def test_t_by_hand() -> None:
    # d = .1, .2, .3: mean .2, s = .1, t = .2/(.1/√3)
    found = StudentT().compare(samples_of([0.2, 0.4, 0.6], [0.1, 0.2, 0.3]), Seeds())
    assert found.statistics[0, 0] == pytest.approx(0.2 / (0.1 / sqrt(3)))
    assert found.errors[0, 0] == 0


def test_t_equals_scipy_for_every_pair_and_metric() -> None:
    samples = random_samples(1, systems=4, metrics=2, lift=0.05)
    found = StudentT().compare(samples, Seeds())
    for metric in range(2):
        for at, (first, second) in enumerate(samples.pairs):
            expected = stats.ttest_rel(samples.of(metric)[first], samples.of(metric)[second])
            assert found.p_values[metric, at] == pytest.approx(expected.pvalue, rel=1e-9)
            assert found.statistics[metric, at] == pytest.approx(expected.statistic, rel=1e-9)


def test_equal_weights_make_the_weighted_t_the_paired_t() -> None:
    samples = random_samples(2)
    first, second = row_pair(samples)
    alike = samples_of(first.tolist(), second.tolist(), weights=[7] * len(first))
    plain, weighted = (test.compare(alike, Seeds()) for test in (StudentT(), WeightedT()))
    np.testing.assert_allclose(weighted.p_values, plain.p_values, rtol=1e-12)


def test_weighted_t_by_hand() -> None:
    # w = ¼, ¾ and d = .4, 0: mean .1; SE² = 2/1·((¼·.3)² + (¾·.1)²) = 2·2·.075²
    found = WeightedT().compare(samples_of([0.5, 0.2], [0.1, 0.2], weights=[1, 3]), Seeds())
    assert found.statistics[0, 0] == pytest.approx(0.1 / (2 * 0.075))
    assert found.p_values[0, 0] == pytest.approx(2 * stats.t.sf(0.1 / 0.15, 1))


def test_a_user_without_weight_changes_nothing_in_the_weighted_t() -> None:
    few = samples_of([0.5, 0.2, 0.4], [0.1, 0.2, 0.1], weights=[1, 3, 2])
    more = samples_of([0.5, 0.2, 0.9, 0.4], [0.1, 0.2, 0.0, 0.1], weights=[1, 3, 0, 2])
    found = [WeightedT().compare(each, Seeds()).p_values[0, 0] for each in (few, more)]
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_weights_that_add_up_to_zero_are_refused() -> None:
    with pytest.raises(CranfieldError, match="no user, as weights add up to 0, weighs anything"):
        WeightedT().compare(samples_of([0.5, 0.2], [0.1, 0.2], weights=[0, 0]), Seeds())


def test_a_single_user_of_weight_is_refused() -> None:
    with pytest.raises(CranfieldError, match="P@10: 1 user weighs anything"):
        WeightedT().compare(samples_of([0.5, 0.2], [0.1, 0.2], weights=[0, 3]), Seeds())


def test_log_t_is_t_on_logarithms() -> None:
    first, second = [0.0, 0.2, 0.9, 0.3], [0.1, 0.0, 0.4, 0.3]
    found = LogT(epsilon=0.05).compare(samples_of(first, second), Seeds())
    expected = stats.ttest_rel(np.log(np.array(first) + 0.05), np.log(np.array(second) + 0.05))
    assert found.p_values[0, 0] == pytest.approx(expected.pvalue, rel=1e-9)


def test_log_t_shows_the_geometric_mean() -> None:
    mean = (log(0.5 + 0.01) + log(0.0 + 0.01)) / 2
    assert LogT().shown(mean) == pytest.approx(sqrt(0.51 * 0.01) - 0.01)


def test_a_score_without_logarithm_is_refused() -> None:
    with pytest.raises(CranfieldError, match=r"a score is -0\.5"):
        LogT().compare(samples_of([-0.5, 0.2], [0.1, 0.2]), Seeds())


def test_a_constant_difference_is_certain() -> None:
    found = StudentT().compare(samples_of([0.3, 0.4, 0.5], [0.2, 0.3, 0.4]), Seeds())
    assert found.statistics[0, 0] == inf
    assert found.p_values[0, 0] == 0
