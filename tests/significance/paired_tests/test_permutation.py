"""The permutation test: exact, drawn, the same for any threads."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from cranfield.base.errors import CranfieldError
from cranfield.base.seeds import Seeds
from cranfield.significance.paired_tests import Permutation
from cranfield.significance.samples.samples import Samples
from significance_cases import many_samples, random_samples, random_signs, samples_of
from suites import tries

DRAWN = Permutation(draws=2000, exact_up_to=0)


def exact_share(differences: list[float]) -> float:
    """The share of all sign patterns whose sum is as large, written out."""
    reached = abs(sum(differences)) - 1e-9
    patterns = list(product([1, -1], repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(p, differences, strict=True))) for p in patterns]
    return sum(total >= reached for total in sums) / len(patterns)


def test_three_users_by_hand() -> None:
    # d = 1, 2, 4: only +++ and −−− reach 7, of 8.
    found = Permutation().compare(samples_of([1, 2, 4], [0, 0, 0]), Seeds())
    assert found.p_values[0, 0] == 2 / 8
    assert found.errors[0, 0] == 0
    assert found.statistics[0, 0] == pytest.approx(7 / 3)


def test_sums_that_differ_by_rounding_are_ties() -> None:
    # .1 + .2 − .3 and the like: all patterns with |sum| = .6 − 2·0 … count, in any order.
    found = Permutation().compare(samples_of([0.1, 0.2, 0.3], [0.3, 0.1, 0.2]), Seeds())
    assert found.p_values[0, 0] == 1  # d = −.2, .1, .1 adds up to 0, by rounding alone


@given(samples=many_samples())
@settings(deadline=None, max_examples=tries(30))
def test_few_users_are_enumerated(samples: Samples) -> None:
    found = Permutation().compare(samples, Seeds())
    for at, pair in enumerate(samples.pairs):
        expected = exact_share(samples.differences(0, pair).tolist())
        assert found.p_values[0, at] == pytest.approx(expected)


def test_the_exact_test_equals_scipy() -> None:
    samples = random_samples(5, users=10, lift=0.1)
    found = Permutation().compare(samples, Seeds())
    for at, (first, second) in enumerate(samples.pairs):
        expected = stats.permutation_test(
            (samples.of(0)[first] - samples.of(0)[second],),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            n_resamples=10_000,
        )
        assert found.p_values[0, at] == pytest.approx(expected.pvalue)


def test_drawn_p_values_are_counts_of_the_definition() -> None:
    samples = random_samples(6, systems=4, metrics=3, users=70, lift=0.03)
    found = DRAWN.compare(samples, Seeds(9))
    signs = random_signs(Seeds(9).key("test", "permutation"), range(2000), 70)
    for metric in range(3):
        for at, (first, second) in enumerate(samples.pairs):
            d = samples.of(metric)[first] - samples.of(metric)[second]
            count = int((np.abs(signs @ d) >= abs(d.sum()) - 1e-9).sum())
            p = (count + 1) / 2001
            assert found.p_values[metric, at] == p
            assert found.errors[metric, at] == pytest.approx(np.sqrt(p * (1 - p) / 2001))


def test_counts_equal_those_of_integers_which_have_no_rounding() -> None:
    samples = random_samples(12, systems=6, metrics=2, users=500, lift=0.005)
    found = DRAWN.compare(samples, Seeds(2)).p_values
    signs = random_signs(Seeds(2).key("test", "permutation"), range(2000), 500)
    for metric in range(2):
        hundredths = np.rint(samples.of(metric) * 100)
        sums = signs @ hundredths.T
        for at, (first, second) in enumerate(samples.pairs):
            observed = abs(hundredths[first].sum() - hundredths[second].sum())
            count = int((np.abs(sums[:, first] - sums[:, second]) >= observed).sum())
            assert found[metric, at] == (count + 1) / 2001


def test_drawn_p_values_agree_with_exact_ones_within_their_error() -> None:
    samples = random_samples(7, users=12, lift=0.08)
    exact = Permutation().compare(samples, Seeds()).p_values
    drawn = Permutation(draws=20_000, exact_up_to=0).compare(samples, Seeds())
    assert (np.abs(drawn.p_values - exact) < 4 * drawn.errors).all()


def test_no_p_value_is_zero() -> None:
    samples = samples_of(*np.add.outer([1.0, 0.0], np.linspace(0, 1, 40)))
    assert DRAWN.compare(samples, Seeds()).p_values[0, 0] == 1 / 2001


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = random_samples(8, systems=5, metrics=2, users=300, lift=0.01)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        found.append(DRAWN.compare(samples, Seeds(3)).p_values)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_another_seed_draws_other_signs() -> None:
    samples = random_samples(8, users=100, lift=0.02)
    one, two = (DRAWN.compare(samples, Seeds(seed)).p_values for seed in (1, 2))
    assert (one != two).any()


def test_a_pair_has_the_same_p_value_whoever_else_is_compared() -> None:
    samples = random_samples(9, systems=4, users=50, lift=0.02)
    alone = samples_of(*samples.of(0)[:2])
    found = [DRAWN.compare(each, Seeds()).p_values[0, 0] for each in (samples, alone)]
    assert found[0] == found[1]


def test_users_who_do_not_enter_by_a_metric_do_not_count() -> None:
    whole = random_samples(10, users=12, lift=0.1)
    enters = np.ones((1, 12), dtype=bool)
    enters[0, 9:] = False
    part = Samples(whole.systems, whole.metrics, np.where(enters, whole.values, 0.0), enters)
    found = [Permutation().compare(each, Seeds()) for each in (part, whole.take(np.arange(9)))]
    np.testing.assert_array_equal(found[0].p_values, found[1].p_values)
    np.testing.assert_allclose(found[0].statistics, found[1].statistics)


def test_metrics_with_few_and_with_many_users_go_together() -> None:
    whole = random_samples(11, metrics=2, users=40, lift=0.05)
    enters = np.ones((2, 40), dtype=bool)
    enters[0, 10:] = False
    mixed = Samples(whole.systems, whole.metrics, np.where(enters, whole.values, 0.0), enters)
    found = Permutation(draws=2000).compare(mixed, Seeds())
    exact = Permutation().compare(whole.take(np.arange(10)), Seeds())
    drawn = DRAWN.compare(whole, Seeds())
    np.testing.assert_array_equal(found.p_values[0], exact.p_values[0])
    np.testing.assert_array_equal(found.p_values[1], drawn.p_values[1])
    assert (found.errors > 0).any(axis=1).tolist() == [False, True]


@pytest.mark.parametrize("given", [{"draws": 0}, {"draws": 10**9}, {"exact_up_to": 40}])
def test_draws_out_of_range_are_refused(given: dict[str, int]) -> None:
    with pytest.raises(CranfieldError, match=r"permutation, \w+: \d+ is not"):
        Permutation(**given)
