"""Novelty, popularity and diversity of each list: by hand, and as the parts of run metrics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import MissingFacts
from cranfield.base.options import parse
from cranfield.recommendation.ranking.folds import join_folds
from cranfield.recommendation.ranking.hits import topic_hits
from cranfield.scoring.expectation.expectation import expect
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.run_metric import RunFacts
from cranfield.testing.rankings import FACTS
from hit_cases import Ranking, hits_of, rankings, topic_of
from suites import tries

ONE = Ranking((5.0, None, 1.0), items=(6, 3))
"""Items 6, 21 and 3 from the top, rated by 6, 0 and 3 of 10 users; the first is relevant."""
PAIRS = {"UserEPC": "EPC", "UserEFD": "EFD", "UserPopularity": "MeanPopularity", "UserILD": "ILD"}


def score(name: str, ranking: Ranking) -> float:
    return float(parse("metric", name).of_topic(topic_of(ranking)))


def test_novelty_and_popularity_of_one_list_by_hand() -> None:
    assert FACTS.popularity[[6, 21, 3]].tolist() == [6, 0, 3]
    assert score("UserPopularity", ONE) == pytest.approx((6 + 0 + 3) / 3)
    assert score("UserPopularity@1", ONE) == 6
    assert score("UserEPC", ONE) == pytest.approx((4 / 10 + 10 / 10 + 7 / 10) / 3)
    assert score("UserEPC(relevant=true)", ONE) == pytest.approx((4 / 10) / 3)
    weights = [1, 1 / math.log2(3), 1 / 2]
    novel = (4 / 10 * weights[0] + 1 * weights[1] + 7 / 10 * weights[2]) / sum(weights)
    assert score("UserEPC(discount=logarithmic)", ONE) == pytest.approx(novel)
    total = int(FACTS.popularity.sum())
    bits = [math.log2(total / 6), math.log2(total / 1), math.log2(total / 3)]
    assert score("UserEFD@2", ONE) == pytest.approx((bits[0] + bits[1]) / 2)


def test_diversity_of_one_list_by_hand() -> None:
    """Items 6, 21 and 3 are all of kind 0: alike. Item 4 has no vector, item 5 is of kind 2."""
    assert score("UserILD", ONE) == pytest.approx(0)
    assert score("UserILD", Ranking((5.0, 1.0, 3.0), items=(6, 4, 5))) == pytest.approx(1)
    assert math.isnan(score("UserILD", Ranking((5.0,))))


@settings(deadline=None, max_examples=tries(60))
@given(made=st.lists(rankings(), min_size=1, max_size=5), cut=st.sampled_from(["", "@2"]))
def test_the_mean_over_lists_is_the_run_metric(made: list[Ranking], cut: str) -> None:
    hits = hits_of(made)
    assert hits.lists is not None
    for name, of_run in PAIRS.items():
        values = measure(hits, [parse("metric", f"{name}{cut}")])[0]
        whole = parse("run-metric", f"{of_run}{cut}").of_run(hits.lists.run, RunFacts(FACTS))
        defined = values[~np.isnan(values)]
        wanted = float(defined.mean()) if len(defined) else math.nan
        assert whole == pytest.approx(wanted, nan_ok=True), name


@settings(deadline=None, max_examples=tries(30))
@given(made=st.lists(rankings(), min_size=2, max_size=5))
def test_folds_that_are_joined_keep_their_lists(made: list[Ranking]) -> None:
    metrics = [parse("metric", f"{name}@3") for name in PAIRS]
    parts = [hits_of(made[:1]), hits_of(made[1:])]
    joined = measure(join_folds(parts), metrics)
    apart = np.concatenate([measure(part, metrics) for part in parts], axis=1)
    users = np.concatenate([part.topics.users for part in parts])
    np.testing.assert_array_equal(joined, apart[:, np.argsort(users, kind="stable")])


def test_without_lists_it_is_said_what_is_missing() -> None:
    with pytest.raises(MissingFacts, match="UserEPC@3 needs the lists themselves"):
        parse("metric", "UserEPC@3").of_topic(topic_hits([1], [5]))
    lists = topic_of(ONE).list
    assert lists is not None
    bare = replace(topic_of(ONE), list=replace(lists, items=replace(FACTS, vectors=None)))
    with pytest.raises(MissingFacts, match="needs item vectors"):
        parse("metric", "UserILD@3").of_topic(bare)


def test_what_a_random_ranking_would_show_is_not_known() -> None:
    metrics = [parse("metric", name) for name in ("P@2", "UserEPC@2")]
    found = expect(hits_of([ONE]), metrics)[None]
    assert np.isnan(found.values[1]).all()
    assert np.isnan(found.best[1]).all()
    assert found.values[0, 0] == pytest.approx(1 / 3)
