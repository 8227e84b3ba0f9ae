"""What a reader is told before trusting a p-value."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.significance.corrections import BenjaminiHochberg, Holm, Uncorrected
from cranfield.significance.default_test import misfit, notes_of
from cranfield.significance.paired_tests import LogT, Sign, StudentT, TukeyHSD, WeightedT
from cranfield.significance.samples import Samples
from significance_cases import random_samples

MEAN = parse("aggregation", "mean")
TWO, FOUR = random_samples(1, systems=2), random_samples(1, systems=4)


def test_a_test_that_fits_with_its_correction_needs_no_note() -> None:
    assert notes_of(StudentT(), Holm(), MEAN, FOUR) == []
    assert notes_of(TukeyHSD(), Uncorrected(), MEAN, FOUR) == []


def test_the_false_rejections_to_expect_are_a_twentieth_of_the_pairs() -> None:
    # 4·3/2 = 6 pairs, 6·0.05 = 0.3
    (note,) = notes_of(StudentT(), Uncorrected(), MEAN, FOUR)
    assert note == (
        "6 pairs are compared without correction: if none differed, 0.3 would be expected below "
        "0.05."
    )


def test_a_single_pair_needs_no_correction_and_none_is_asked_for() -> None:
    assert notes_of(StudentT(), Uncorrected(), MEAN, TWO) == []
    assert notes_of(TukeyHSD(), Holm(), MEAN, TWO) == []


@pytest.mark.parametrize("correction", [Holm(), BenjaminiHochberg()], ids=str)
def test_p_values_that_allow_for_all_pairs_are_not_to_be_raised_again(
    correction: Holm | BenjaminiHochberg,
) -> None:
    (note,) = notes_of(TukeyHSD(), correction, MEAN, FOUR)
    assert note == (
        f"p-values of tukey-hsd allow for all 6 pairs already; {correction} raises them again. "
        "Choose correction none."
    )


def test_excluded_users_are_counted_metric_by_metric() -> None:
    whole = random_samples(2, systems=2, metrics=3, users=10)
    enters = np.ones((3, 10), dtype=bool)
    enters[0, :4] = enters[2, 9] = False
    part = Samples(whole.systems, whole.metrics, np.where(enters, whole.values, 0.0), enters)
    (note,) = notes_of(StudentT(), Holm(), MEAN, part)
    assert note == (
        "4 of 10 users by m0, 1 by m2 lack a score of at least one system and are excluded for "
        "every system."
    )


def test_the_sign_test_answers_another_question_than_any_average() -> None:
    for name in ("mean", "median", "weighted-mean", "geometric-mean"):
        assert "for how many users each system is better" in misfit(
            Sign(), parse("aggregation", name)
        )


def test_an_aggregation_that_no_test_is_about_is_said_to_have_none() -> None:
    assert misfit(StudentT(), parse("aggregation", "median")).endswith("No test fits median.")


@pytest.mark.parametrize("name", ["mean", "weighted-mean", "geometric-mean"])
def test_every_test_that_is_offered_instead_fits(name: str) -> None:
    wanted = parse("aggregation", name)
    offered = misfit(Sign(), wanted).partition(" choose ")[2].rstrip(".").split(" or ")
    assert {misfit(parse("test", each), wanted) for each in offered} == {""}


def test_the_same_parameter_fits_and_another_does_not() -> None:
    near, far = (parse("aggregation", f"geometric-mean(epsilon={e})") for e in (0.01, 0.5))
    assert misfit(LogT(), near) == ""
    assert misfit(LogT(), far) == (
        "log-t has epsilon = 0.01, and geometric-mean(epsilon=0.5) has epsilon = 0.5."
    )
    assert misfit(WeightedT(by="relevant"), parse("aggregation", "weighted-mean(by=relevant)")) == (
        ""
    )


def test_several_metrics_corrected_together_are_not_corrected_twice() -> None:
    several = random_samples(3, systems=4, metrics=2)
    assert notes_of(TukeyHSD(), Holm(), MEAN, several, "all") == []
    assert "raises them again" in notes_of(TukeyHSD(), Holm(), MEAN, several, "metric")[0]
    assert "raises them again" in notes_of(TukeyHSD(), Holm(), MEAN, FOUR, "all")[0]
    assert "without correction" in notes_of(StudentT(), Uncorrected(), MEAN, several, "all")[0]
