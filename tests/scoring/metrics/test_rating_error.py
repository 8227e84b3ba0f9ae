"""RMSE and MAE of each list, by hand and against scikit-learn."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from cranfield.base.options import parse
from hit_cases import Ranking, rankings, topic_of
from suites import tries


def score(name: str, ranking: Ranking) -> float:
    """Predictions are 5, 4.75, 4.5, … from the top."""
    return float(parse("metric", name).of_topic(topic_of(ranking)))


def test_only_judged_items_of_the_list_have_an_error() -> None:
    ranking = Ranking((4.0, None, 5.0, 1.0), unranked=(3.0,))
    errors = [5 - 4, 4.5 - 5, 4.25 - 1]
    assert score("MAE", ranking) == pytest.approx((1 + 0.5 + 3.25) / 3)
    assert score("RMSE", ranking) == pytest.approx(math.sqrt(sum(e**2 for e in errors) / 3))
    assert score("MAE@3", ranking) == pytest.approx((1 + 0.5) / 2)
    assert math.isnan(score("RMSE", Ranking((None,), unranked=(5.0,))))


def test_items_without_a_prediction_have_no_error() -> None:
    topic = topic_of(Ranking((4.0, 1.0)))
    assert topic.list is not None
    run = replace(topic.list.run, predictions=np.array([3.0, np.nan]))
    bare = replace(topic, list=replace(topic.list, run=run))
    assert parse("metric", "MAE").of_topic(bare) == 1


@settings(deadline=None, max_examples=tries(60))
@given(ranking=rankings())
def test_they_are_those_of_scikit_learn(ranking: Ranking) -> None:
    rated = [(5 - k / 4, r) for k, r in enumerate(ranking.ratings) if r is not None]
    if rated:
        predicted, ratings = zip(*rated, strict=True)
        assert score("MAE", ranking) == pytest.approx(mean_absolute_error(ratings, predicted))
        assert score("RMSE", ranking) == pytest.approx(root_mean_squared_error(ratings, predicted))
