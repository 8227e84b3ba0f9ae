"""Parity with SciPy's Kendall τ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import kendalltau

from cranfield.scoring.metrics import KendallTau
from hit_cases import Ranking, rankings, topic_of
from suites import tries


@settings(deadline=None, max_examples=tries(100))
@given(ranking=rankings())
def test_tau_of_the_list_and_the_order_by_rating_then_rank_agrees(ranking: Ranking) -> None:
    ratings = np.array([5.0, 1.0, *(r for r in ranking.ratings if r is not None)])
    order = np.argsort(-ratings, kind="stable")
    place = np.empty(len(ratings))
    place[order] = np.arange(len(ratings))
    topic = topic_of(Ranking((5.0, 1.0, *ranking.ratings)))
    own = KendallTau().of_topic(topic)
    assert own == pytest.approx(kendalltau(np.arange(len(ratings)), place).statistic, abs=1e-9)


def test_tied_ratings_are_left_out_there_and_in_order_here() -> None:
    topic = topic_of(Ranking((4.0, 4.0, 5.0)))
    assert KendallTau().of_topic(topic) == pytest.approx(1 - 4 * 2 / 6)
    assert kendalltau([3, 2, 1], [4, 4, 5]).statistic == pytest.approx(-2 / np.sqrt(3 * 2))
