"""AUC against scikit-learn, with ties and with targets that are not in the list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from sklearn.metrics import roc_auc_score

from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import topic_hits
from hit_cases import Ranking, hits_of, rankings, topic_of
from suites import tries

AUC: Any = parse("metric", "AUC")
SOME = settings(deadline=None, max_examples=tries(20))


def labelled(ranking: Ranking) -> tuple[np.ndarray, np.ndarray]:
    """For each target, whether it is relevant, and a score; unlisted ones share the lowest."""
    sizes = ranking.ties or (1,) * len(ranking.ratings)
    scores = np.repeat(-np.arange(len(sizes), dtype=float), sizes)
    below = len(ranking.unranked) + ranking.others
    ratings = [*ranking.ratings, *ranking.unranked, *[None] * ranking.others]
    good = np.array([rating is not None and rating >= 4 for rating in ratings])
    return good, np.concatenate([scores, np.full(below, -1e9)])


@SOME
@given(ranking=rankings(ties=True))
def test_it_is_that_of_scikit_learn(ranking: Ranking) -> None:
    good, scores = labelled(ranking)
    assume(good.any() and not good.all())
    assert AUC.expected_of_topic(topic_of(ranking)) == pytest.approx(roc_auc_score(good, scores))
    plain = Ranking(ranking.ratings, ranking.unranked, ranking.others)
    assert AUC.of_topic(topic_of(plain)) == pytest.approx(roc_auc_score(*labelled(plain)))


@SOME
@given(ranking=rankings())
def test_the_reverse_of_a_list_of_all_targets_has_the_rest(ranking: Ranking) -> None:
    ratings = (*ranking.ratings, 5.0, None)
    value, other = (AUC.of_topic(topic_of(Ranking(each))) for each in (ratings, ratings[::-1]))
    assert value + other == pytest.approx(1)


def test_a_user_without_a_list_is_left_to_chance() -> None:
    assert AUC.of_topic(topic_hits([], [], unranked=[5, 1], targets=10)) == 0.5


def test_one_target_that_is_relevant_has_nothing_to_be_above() -> None:
    assert np.isnan(AUC.of_topic(topic_hits([1], [5])))


def test_every_cut_of_a_tied_list_is_averaged_over_its_orders() -> None:
    """All six targets tied, the list cut at any depth: no order is favoured, so a half."""
    hits = hits_of([Ranking((5.0, None, 4.0, 1.0, None, None), ties=(6,))])
    for depth in range(1, 7):
        assert AUC.expected_of_topic(hits.cut(depth).topic(0)) == pytest.approx(0.5)
