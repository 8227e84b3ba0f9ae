"""Parity with scikit-learn, whose scores are those of every item, with ties averaged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score, roc_auc_score

from cranfield.scoring.gains import Rating
from cranfield.scoring.metrics import AUC, DCG, NDCG, AveragePrecision
from hit_cases import Ranking, rankings, topic_of
from suites import tries

FEW = settings(deadline=None, max_examples=tries(60))


def columns(ranking: Ranking) -> tuple[np.ndarray, np.ndarray]:
    """The gains of the listed items, unjudged ones 0, and scores that tie within groups."""
    sizes = ranking.ties or (1,) * len(ranking.ratings)
    scores = np.repeat(-np.arange(len(sizes), dtype=float), sizes)
    return np.array([[r or 0.0 for r in ranking.ratings]]), scores[None, :]


def listed(ranking: Ranking) -> Ranking:
    return Ranking((*ranking.ratings, 5.0, 1.0), ties=(*ranking.ties, 1, 1) if ranking.ties else ())


@FEW
@given(ranking=rankings(ties=True).map(listed))
def test_dcg_and_ndcg_expected_over_ties_agree(ranking: Ranking) -> None:
    gains, scores = columns(ranking)
    topic = topic_of(ranking)
    for k in (1, 3, 10, None):
        own = DCG(gain=Rating(), cutoff=k).expected_of_topic(topic)
        assert own == pytest.approx(dcg_score(gains, scores, k=k), rel=1e-9)
        share = NDCG(cutoff=k).expected_of_topic(topic)
        assert share == pytest.approx(ndcg_score(gains, scores, k=k), rel=1e-9)


@FEW
@given(ranking=rankings(ties=True).map(listed))
def test_auc_expected_over_ties_agrees(ranking: Ranking) -> None:
    gains, scores = columns(ranking)
    own = AUC().expected_of_topic(topic_of(ranking))
    assert own == pytest.approx(roc_auc_score(gains[0] >= 4, scores[0]), rel=1e-9)


@FEW
@given(ranking=rankings().map(listed))
def test_average_precision_agrees_where_everything_relevant_is_listed(ranking: Ranking) -> None:
    gains, scores = columns(ranking)
    own = AveragePrecision().of_topic(topic_of(ranking))
    assert own == pytest.approx(average_precision_score(gains[0] >= 4, scores[0]), rel=1e-9)


def test_average_precision_with_ties_is_no_mean_over_orders_there() -> None:
    ranking = Ranking((5.0, None), ties=(2,))
    assert AveragePrecision().expected_of_topic(topic_of(ranking)) == (1 + 1 / 2) / 2
    assert math.isclose(average_precision_score([1, 0], [1.0, 1.0]), 1 / 2)
