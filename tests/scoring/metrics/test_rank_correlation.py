"""Rank correlations against SciPy and against their definitions on the two lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

import cranfield.scoring.metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits
from suites import tries

SOME = settings(deadline=None, max_examples=tries(25))
RATINGS = st.lists(st.sampled_from([1.0, 3.0, 3.5, 5.0, -2.0]), min_size=2, max_size=9)


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


def listed(ratings: list[float]) -> TopicHits:
    """Judged items on every third rank, one more left out."""
    return topic_hits([3 * k for k in range(1, len(ratings) + 1)], ratings, unranked=[5])


def wanted(ratings: list[float]) -> list[int]:
    """The places in the list by falling rating, and then by place."""
    return sorted(range(len(ratings)), key=lambda place: (-ratings[place], place))


@SOME
@given(ratings=RATINGS)
def test_tau_is_that_of_scipy_between_list_and_wanted_order(ratings: list[float]) -> None:
    place = np.argsort(wanted(ratings))
    by_scipy = kendalltau(np.arange(len(ratings)), place).statistic
    assert score("tau", listed(ratings)) == pytest.approx(by_scipy)


@SOME
@given(ratings=RATINGS)
def test_tau_ap_asks_of_each_item_which_above_it_are_rightly_there(ratings: list[float]) -> None:
    """Yilmaz, Aslam & Robertson 2008, eq. 3: 2/(N−1) · Σ_i C(i)/(i−1) − 1."""
    place = np.argsort(wanted(ratings)).tolist()
    shares = [
        sum(place[above] < place[item] for above in range(item)) / item
        for item in range(1, len(ratings))
    ]
    by_hand = 2 / (len(ratings) - 1) * sum(shares) - 1
    assert score("TauAP", listed(ratings)) == pytest.approx(by_hand)


@SOME
@given(ratings=RATINGS, p=st.sampled_from([0.1, 0.5, 0.8]))
def test_rbo_is_the_sum_over_all_depths(ratings: list[float], p: float) -> None:
    """Webber, Moffat & Zobel 2010, eq. 4, with the same items below both lists."""
    order = [*wanted(ratings), *range(len(ratings), 120)]
    agreements = [len(set(range(d)) & set(order[:d])) / d for d in range(1, 121)]
    by_hand = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    assert score(f"RBO(p={p})", listed(ratings)) == pytest.approx(by_hand)


@SOME
@given(ratings=RATINGS, shift=st.floats(-5, 5), factor=st.sampled_from([0.5, 3.0]))
def test_only_the_order_of_ratings_matters(
    ratings: list[float], shift: float, factor: float
) -> None:
    moved = [factor * rating + shift for rating in ratings]
    for name in ("tau", "TauAP", "RBO(p=0.8)"):
        assert score(name, listed(moved)) == score(name, listed(ratings))


def test_equal_ratings_are_never_out_of_order() -> None:
    level = listed([3.0] * 5)
    assert [score(name, level) for name in ("tau", "TauAP")] == [1.0, 1.0]
    assert score("RBO(p=0.8)", level) == pytest.approx(1.0)


def test_a_mistake_at_the_top_costs_more_tau_ap_and_as_much_tau() -> None:
    high, low = listed([4.0, 5.0, 3.0, 2.0]), listed([5.0, 4.0, 2.0, 3.0])
    assert score("tau", high) == score("tau", low) == pytest.approx(1 - 4 / 12)
    # second item: 0 of 1 right; fourth item: 2 of 3 right
    assert score("TauAP", high) == pytest.approx(2 / 3 * (0 / 1 + 2 / 2 + 3 / 3) - 1)
    assert score("TauAP", low) == pytest.approx(2 / 3 * (1 / 1 + 2 / 2 + 2 / 3) - 1)


def test_nothing_listed_has_no_order() -> None:
    nothing = topic_hits([], [], unranked=[5, 4])
    assert all(np.isnan(score(name, nothing)) for name in ("tau", "TauAP", "RBO(p=0.5)"))
