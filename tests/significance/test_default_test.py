"""What a reader is told before trusting a p-value."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.options import options, parse
from cranfield.significance.corrections import BenjaminiHochberg, Holm, Uncorrected
from cranfield.significance.default_test import default_test, notes_of, refuse_misfit
from cranfield.significance.paired_tests import Sign, StudentT, TukeyHSD
from cranfield.significance.samples.samples import Samples
from significance_cases import random_samples

MEAN = parse("aggregation", "mean")
TWO, FOUR = random_samples(1, systems=2), random_samples(1, systems=4)


def test_a_test_that_fits_with_its_correction_needs_no_note() -> None:
    assert notes_of(StudentT(), Holm(), FOUR) == []
    assert notes_of(TukeyHSD(), Uncorrected(), FOUR) == []


def test_the_false_rejections_to_expect_are_a_twentieth_of_the_pairs() -> None:
    # 4·3/2 = 6 pairs, 6·0.05 = 0.3
    (note,) = notes_of(StudentT(), Uncorrected(), FOUR)
    assert note == (
        "6 pairs are compared without correction: if none differed, 0.3 would be expected below "
        "0.05."
    )


def test_a_single_pair_needs_no_correction_and_none_is_asked_for() -> None:
    assert notes_of(StudentT(), Uncorrected(), TWO) == []
    assert notes_of(TukeyHSD(), Holm(), TWO) == []


@pytest.mark.parametrize("correction", [Holm(), BenjaminiHochberg()], ids=str)
def test_p_values_that_allow_for_all_pairs_are_not_to_be_raised_again(
    correction: Holm | BenjaminiHochberg,
) -> None:
    (note,) = notes_of(TukeyHSD(), correction, FOUR)
    assert note == (
        f"p-values of tukey-hsd allow for all 6 pairs already; {correction} raises them again. "
        "Choose correction none."
    )


def test_excluded_users_are_counted_metric_by_metric() -> None:
    whole = random_samples(2, systems=2, metrics=3, users=10)
    enters = np.ones((3, 10), dtype=bool)
    enters[0, :4] = enters[2, 9] = False
    part = Samples(whole.systems, whole.metrics, np.where(enters, whole.values, 0.0), enters)
    (note,) = notes_of(StudentT(), Holm(), part)
    assert note == (
        "4 of 10 users by m0, 1 by m2 lack a score of at least one system and are excluded for "
        "every system."
    )


def test_the_sign_test_answers_another_question_than_any_average() -> None:
    (note,) = notes_of(Sign(), Holm(), FOUR)
    assert note == (
        "sign asks for how many users each system is better, not whether the values differ."
    )


def test_the_default_fits_every_aggregation() -> None:
    for name in options("aggregation"):
        given = "(baseline=a)" if name in ("URisk", "TRisk") else ""
        value = parse("aggregation", f"{name}{given}")
        for of_means in ("t", "permutation"):
            refuse_misfit(default_test(value, of_means=of_means), value)


def test_means_are_tested_as_asked_and_weighted_ones_by_the_same_weights() -> None:
    assert str(default_test(MEAN, of_means="t")) == "t"
    weighted = parse("aggregation", "weighted-mean(by=relevant)")
    assert str(default_test(weighted, of_means="t")) == "weighted-t(by=relevant)"
    median = parse("aggregation", "median")
    assert str(default_test(median, of_means="t")) == "permutation(draws=10000)"


def test_several_metrics_corrected_together_are_not_corrected_twice() -> None:
    several = random_samples(3, systems=4, metrics=2)
    assert notes_of(TukeyHSD(), Holm(), several, "all") == []
    assert "raises them again" in notes_of(TukeyHSD(), Holm(), several, "metric")[0]
    assert "raises them again" in notes_of(TukeyHSD(), Holm(), FOUR, "all")[0]
    assert "without correction" in notes_of(StudentT(), Uncorrected(), several, "all")[0]
