"""Draws in blocks, and how often a test would reject with fewer users."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError
from cranfield.base.seeds import Seeds
from cranfield.base.threads import VARIABLE
from cranfield.scoring.scores import Floats
from cranfield.significance.comparison import compare_samples
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.corrections import Bonferroni, Holm, Uncorrected
from cranfield.significance.paired_test import PairedPValues, PairedTest
from cranfield.significance.paired_tests import StudentT
from cranfield.significance.resampling import (
    Subsets,
    rejection_shares,
    rows_of_blocks,
    sum_over_blocks,
)
from cranfield.significance.samples.samples import Samples
from significance_cases import adjusting, random_samples, samples_of
from suites import tries


class Recorder(PairedTest):
    """A test that keeps who was compared and rejects if user 0 is there."""

    def __init__(self) -> None:
        self.seen: list[list[float]] = []

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        users = samples.of(0)[0].tolist()
        self.seen.append(users)
        p_values = np.full((len(samples.metrics), len(samples.pairs)), 1.0 - (0 in users))
        return PairedPValues(p_values, p_values, np.zeros_like(p_values))


def numbered(users: int) -> Samples:
    return samples_of(list(range(users)), [0.0] * users)


@settings(deadline=None, max_examples=tries(25))
@given(st.integers(4, 30), st.sampled_from([0.5, 0.6, 0.9]), st.integers(0, 99))
def test_every_subset_has_the_size_asked_for_and_nobody_twice(
    users: int, share: float, seed: int
) -> None:
    test = Recorder()
    rejection_shares(
        numbered(users),
        test,
        adjusting(Uncorrected()),
        Subsets(count=4, share=share),
        seeds=Seeds(seed),
    )
    assert [len(subset) for subset in test.seen] == [round(share * users)] * 4
    assert all(len(set(subset)) == len(subset) for subset in test.seen)


def test_the_share_is_that_of_the_subsets_in_which_the_test_rejects() -> None:
    test = Recorder()
    found = rejection_shares(numbered(10), test, adjusting(Uncorrected()), Subsets(count=40))
    assert found[0, 0] == sum(0 in subset for subset in test.seen) / 40
    assert 0 < found[0, 0] < 1


def test_subsets_are_others_for_another_number_and_the_same_for_the_same_seed() -> None:
    one, two = Recorder(), Recorder()
    for test in (one, two):
        rejection_shares(
            numbered(12),
            test,
            adjusting(Uncorrected()),
            Subsets(count=5),
            seeds=Seeds(3),
        )
    assert one.seen == two.seen
    assert len({tuple(subset) for subset in one.seen}) > 1


def test_who_is_in_a_subset_does_not_depend_on_how_many_there_are() -> None:
    few, many = Recorder(), Recorder()
    for test, count in ((few, 2), (many, 6)):
        rejection_shares(numbered(12), test, adjusting(Uncorrected()), Subsets(count=count))
    assert many.seen[:2] == few.seen


def test_a_stricter_level_never_rejects_more_often() -> None:
    samples = random_samples(3, systems=3, users=120, lift=0.04)
    strict, loose = (
        rejection_shares(
            samples,
            StudentT(),
            adjusting(Holm()),
            Subsets(count=15, share=0.3),
            alpha=alpha,
        )
        for alpha in (0.01, 0.1)
    )
    assert (strict <= loose).all()
    assert strict.sum() < loose.sum()


def test_subsets_are_corrected_over_all_metrics_if_the_whole_is() -> None:
    samples = random_samples(4, systems=2, metrics=6, users=200, lift=0.04)
    by_metric, over_all = (
        compare_samples(
            samples,
            ComparisonChoice(
                test=StudentT(), correction=Bonferroni(), family=family, subsets=Subsets(count=15)
            ),
        )
        for family in ("metric", "all")
    )
    # a pair alone is its own family; six metrics divide the level by six
    alone, together = (
        np.array([pair.rejecting_subsets for pair in each.pairs]) for each in (by_metric, over_all)
    )
    assert (together <= alone).all()
    assert together.sum() < alone.sum()


def test_a_metric_that_few_users_have_is_named_when_a_subset_lacks_them() -> None:
    whole = random_samples(5, systems=2, metrics=2, users=20)
    enters = np.ones((2, 20), dtype=bool)
    enters[1, 2:] = False
    part = Samples(whole.systems, whole.metrics, np.where(enters, whole.values, 0.0), enters)
    with pytest.raises(CranfieldError, match=r"m1: [01] of 10 users can be compared, as the"):
        rejection_shares(part, StudentT(), adjusting(Holm()), Subsets(count=20))


@pytest.mark.parametrize("count", [0, -1, 1.5, 1_000_001, "3"])
def test_subsets_are_counted_in_whole_numbers(count: int) -> None:
    with pytest.raises(CranfieldError, match="a whole number from 1 to 1000000"):
        Subsets(count=count)


def squares(block: range) -> Floats:
    return np.array([[draw, draw * draw] for draw in block], dtype=float)


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("draws", [1, 1024, 2500])
def test_rows_come_in_the_order_of_draws(
    draws: int, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, threads)
    assert rows_of_blocks(squares, draws, 10)[:, 1].tolist() == [d * d for d in range(draws)]


def test_the_sum_is_that_of_the_rows() -> None:
    found = sum_over_blocks(lambda block: squares(block).sum(axis=0), 2500, 10, 0.001)
    assert found.tolist() == rows_of_blocks(squares, 2500, 10).sum(axis=0).tolist()


def test_blocks_are_bounded_by_the_width_of_a_draw() -> None:
    sizes = rows_of_blocks(lambda block: np.array([[len(block)]] * len(block)), 50, 2**20)
    assert sizes.max() == 4
