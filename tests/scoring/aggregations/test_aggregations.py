"""Aggregations by hand."""

from __future__ import annotations

from math import exp, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.scoring.aggregation import LinearAggregation, standard_error
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from law_cases import CASES
from score_cases import scores_of

phi = NormalDist().cdf


def value(spelling: str, scores: Scores, system: int = 0) -> float:
    chosen: Any = parse("aggregation", spelling)
    return float(chosen.of_scores(enter(scores, system, 0, compared=chosen.compares)))


def test_the_mean_of_segments_is_that_of_their_means() -> None:
    scores = scores_of({"A": [0.2, 0.4, 0.9]}, segments=[0, 0, 1])
    assert value("mean", scores) == pytest.approx(((0.2 + 0.4) / 2 + 0.9) / 2)


def test_the_mean_of_one_relevant_topics_is_over_topics_not_users() -> None:
    scores = scores_of({"A": [0.2, 0.4, 0.9]}, users=[0, 0, 1])
    assert value("mean", scores) == pytest.approx((0.2 + 0.4 + 0.9) / 3)


def test_the_weighted_mean_counts_users_by_their_ratings() -> None:
    scores = scores_of({"A": [0.2, 0.8]}, judged=[1, 3], relevant=[2, 2])
    assert value("weighted-mean", scores) == pytest.approx((1 * 0.2 + 3 * 0.8) / 4)
    assert value("weighted-mean(by=relevant)", scores) == pytest.approx((2 * 0.2 + 2 * 0.8) / 4)


def test_the_weighted_mean_says_what_it_lacks() -> None:
    with pytest.raises(CranfieldError, match="needs the number of test ratings"):
        value("weighted-mean", scores_of({"A": [0.2]}))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_the_median_of_topics_that_weigh_alike_is_the_usual_one(found: list[float]) -> None:
    assert value("median", scores_of({"A": found})) == pytest.approx(float(np.median(found)))


def test_the_median_of_segments_goes_by_weight() -> None:
    scores = scores_of({"A": [0.1, 0.2, 0.3, 0.9]}, segments=[0, 0, 0, 1])
    assert value("median", scores) == pytest.approx((0.3 + 0.9) / 2)


def test_geometric_means_by_hand() -> None:
    scores = scores_of({"A": [0.0, 0.5]})
    raised = exp((log(0.01) + log(0.51)) / 2) - 0.01
    assert value("geometric-mean", scores) == pytest.approx(raised)
    assert value("floored-geometric-mean", scores) == pytest.approx(sqrt(1e-5 * 0.5))
    assert value("geometric-mean(epsilon=1)", scores) == pytest.approx(sqrt(1 * 1.5) - 1)


def test_the_geometric_mean_of_negative_scores_is_undefined() -> None:
    assert np.isnan(value("geometric-mean", scores_of({"A": [-0.5, 0.5]})))


def test_standardised_scores_by_hand() -> None:
    """On topic 1 all score the same; on topic 2 the deviations are ±0.2, s = 0.2·√2."""
    scores = scores_of({"A": [0.3, 0.8], "B": [0.3, 0.4]})
    assert value("standardised", scores) == pytest.approx((0.5 + phi(1 / sqrt(2))) / 2)
    assert value("standardised", scores, 1) == pytest.approx((0.5 + phi(-1 / sqrt(2))) / 2)


def test_urisk_enlarges_losses() -> None:
    scores = scores_of({"A": [0.5, 0.1], "base": [0.2, 0.3]})
    assert value("URisk(baseline=base)", scores) == pytest.approx((0.3 - 2 * 0.2) / 2)
    assert value("URisk(baseline=base, alpha=0)", scores) == pytest.approx((0.3 - 0.2) / 2)
    assert value("URisk(baseline=base)", scores, 1) == 0


def test_trisk_is_urisk_over_its_standard_error() -> None:
    scores = scores_of({"A": [0.5, 0.1, 0.4], "base": [0.2, 0.3, 0.4]})
    gains = np.array([0.3, -2 * 0.2, 0.0])
    expected = gains.mean() / (gains.std(ddof=1) / sqrt(3))
    assert value("TRisk(baseline=base)", scores) == pytest.approx(expected)
    assert np.isnan(value("TRisk(baseline=base)", scores, 1))


def test_georisk_by_hand() -> None:
    """S = 0.6, N = 1.4, T = (1.0, 0.4): e = (0.6/1.4, 0.24/1.4)."""
    scores = scores_of({"A": [0.4, 0.2], "B": [0.6, 0.2]})
    e1, e2 = 0.6 * 1.0 / 1.4, 0.6 * 0.4 / 1.4
    risk = (1 + 2) * (0.4 - e1) / sqrt(e1) + (0.2 - e2) / sqrt(e2)
    assert value("GeoRisk(alpha=2)", scores) == pytest.approx(sqrt(0.3 * phi(risk / 2)))


def test_georisk_of_systems_that_find_nothing_is_zero() -> None:
    assert value("GeoRisk", scores_of({"A": [0.0, 0.0], "B": [0.0, 0.0]})) == 0


@pytest.mark.parametrize("name", ["standardised", "GeoRisk"])
def test_one_system_alone_cannot_be_compared(name: str) -> None:
    with pytest.raises(CranfieldError, match="at least two systems"):
        value(name, scores_of({"A": [0.5]}))


def test_an_unknown_baseline_is_refused_with_the_known_ones() -> None:
    with pytest.raises(CranfieldError, match="one of the systems A, B"):
        value("URisk(baseline=C)", scores_of({"A": [0.5], "B": [0.4]}))


def test_weighted_means_are_linear_and_others_are_not() -> None:
    linear = {
        type(one).__name__ for one in CASES["aggregation"] if isinstance(one, LinearAggregation)
    }
    assert linear == {"Mean", "WeightedMean"}


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_the_standard_error_with_one_topic_per_user_is_the_usual_one(found: list[float]) -> None:
    scores, size = np.array(found), len(found)
    error = standard_error(scores, np.full(size, 1 / size), np.arange(size))
    assert error == pytest.approx(scores.std(ddof=1) / sqrt(size), abs=1e-12)


def test_copies_of_a_users_topics_do_not_shrink_the_standard_error() -> None:
    few, users = np.array([0.1, 0.5, 0.6]), np.arange(3)
    once = standard_error(few, np.full(3, 1 / 3), users)
    often = standard_error(np.repeat(few, 5), np.full(15, 1 / 15), np.repeat(users, 5))
    assert often == pytest.approx(once)
