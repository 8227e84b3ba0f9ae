"""Student's t: plain against SciPy, weighted and logarithmic against their definitions."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from scipy import stats

from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests import LogT, StudentT, WeightedT
from score_cases import scores_of
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
    rows = {"a": [0.5, 0.2, 0.9, 0.4], "b": [0.1, 0.2, 0.0, 0.1]}
    more = scores_of(rows, judged=[1, 3, 0, 2])
    few = more.take(np.array([0, 1, 3]))
    choice = ComparisonChoice(test=WeightedT(), aggregation=parse("aggregation", "weighted-mean"))
    found = [compare(each, choice).pairs[0].p_value for each in (few, more)]
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.parametrize(("counts", "users"), [([0, 0], 0), ([0, 3], 1)])
def test_fewer_than_two_users_of_weight_are_refused(counts: list[int], users: int) -> None:
    scores = scores_of({"a": [0.5, 0.2], "b": [0.1, 0.2]}, judged=counts)
    choice = ComparisonChoice(test=WeightedT(), aggregation=parse("aggregation", "weighted-mean"))
    with pytest.raises(CranfieldError, match=f"P@10: {users} of 2 users can be compared"):
        compare(scores, choice)


def test_log_t_is_t_on_logarithms() -> None:
    first, second = [0.0, 0.2, 0.9, 0.3], [0.1, 0.0, 0.4, 0.3]
    value = parse("aggregation", "geometric-mean(epsilon=0.05)")
    choice = ComparisonChoice(test=LogT(epsilon=0.05), aggregation=value)
    [found] = compare(scores_of({"a": first, "b": second}), choice).pairs
    expected = stats.ttest_rel(np.log(np.array(first) + 0.05), np.log(np.array(second) + 0.05))
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)


def test_a_constant_difference_is_certain() -> None:
    found = StudentT().compare(samples_of([0.3, 0.4, 0.5], [0.2, 0.3, 0.4]), Seeds())
    assert found.statistics[0, 0] == inf
    assert found.p_values[0, 0] == 0
