"""Samples that are drawn from true ranks are what sampled targets would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from cranfield.base.errors import UnsuitableTargets
from cranfield.base.options import parse
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommender import Predictions
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.sampling.sampled_ranks import SampledRanks, rank_law
from cranfield.validity.meta.sampled_systems import (
    SampledSystems,
    drawn_sample,
    one_relevant,
    with_correction,
)
from ranking_cases import Fixed, cases
from sample_cases import drawn, hits_of_samples, samples
from suites import tries


def ranked(
    text: str, train: Ratings, test: Ratings, table: Predictions, *, seed: int = 1, low: float = 4
) -> Hits:
    judgments = judge(test, low, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    targets = parse_targets(text).choose(users, TestCollection(train, judgments), seed)
    return rank(Fixed(table), [targets], RankingChoice(ties="item-id", unscored="drop"))[0].hits


@settings(max_examples=tries(120), deadline=None)
@given(case=cases())
def test_rankings_of_all_relevant_items_give_those_of_one(case: Any) -> None:
    train, test, low, table = case
    for others in ("all-items", "test-items"):
        found = one_relevant(ranked(others, train, test, table, low=low))
        wanted = ranked(f"{others}, one-relevant", train, test, table, low=low)
        assert found.topics.items is not None
        assert wanted.topics.items is not None
        assert found.topics.users.tolist() == wanted.topics.users.tolist()
        assert found.topics.items.tolist() == wanted.topics.items.tolist()
        assert found.ranks.tolist() == wanted.ranks.tolist()
        assert found.targets.tolist() == wanted.targets.tolist()
        again = one_relevant(wanted)
        assert again.ranks.tolist() == wanted.ranks.tolist()
        judged = one_relevant(
            ranked(f"{others}, one-relevant(judged=all)", train, test, table, low=low)
        )
        assert judged.ranks.tolist() == wanted.ranks.tolist()
        assert judged.targets.tolist() == wanted.targets.tolist()


def test_ranks_in_samples_follow_the_law_of_true_ranks() -> None:
    true = np.repeat([1, 4, 9, 12], 3000)
    full = replace(hits_of_samples(samples(true.tolist(), 11, 12)), population=None)
    found = drawn_sample(full, 5, np.random.default_rng(1))
    assert (found.targets == 6).all()
    assert found.population is not None
    assert (found.population == 12).all()
    for rank_ in (1, 4, 9, 12):
        counts = np.bincount(found.ranks[true == rank_], minlength=7)[1:]
        expected = 3000 * rank_law(np.array([rank_]), 12, 5)[0]
        likely = expected > 0
        assert counts[~likely].sum() == 0
        if likely.sum() > 1:
            assert stats.chisquare(counts[likely], expected[likely]).pvalue > 1e-4


def test_samples_that_hold_everything_are_the_full_rankings() -> None:
    given_ranks, _ = drawn(1, topics=40, targets=20, sampled=19)
    full = replace(hits_of_samples(given_ranks), population=None)
    assert np.array_equal(drawn_sample(full, 19, np.random.default_rng(0)).ranks, full.ranks)
    more = drawn_sample(full, 50, np.random.default_rng(0))
    assert np.array_equal(more.ranks, full.ranks)
    assert np.array_equal(more.targets, full.targets)


def test_drawn_samples_score_as_really_sampled_targets_on_average() -> None:
    rng = np.random.default_rng(8)
    users, items = np.nonzero(rng.random((12, 25)) < 0.5)
    ratings = Ratings.from_triples(users, items, rng.integers(1, 6, len(users)).astype(float))
    test = rng.random(len(ratings)) < 0.6
    parts = ratings.take(~test), ratings.take(test)
    table = rng.random((ratings.n_users, ratings.n_items))
    metric = [parse("metric", "nDCG@3"), parse("metric", "nDCG(correction=cls)@3")]
    full = ranked("one-relevant", *parts, table)
    real, drew = [], []
    for seed in range(150):
        sample = ranked("one-relevant, sampled(n=6)", *parts, table, seed=seed)
        assert sample.population is not None
        assert np.array_equal(sample.population, full.targets)
        real.append(measure(sample, metric).mean(axis=1))
        stream = np.random.default_rng(seed)
        drew.append(measure(drawn_sample(full, 6, stream), metric).mean(axis=1))
    for row in range(2):
        one, other = np.array(real)[:, row], np.array(drew)[:, row]
        assert stats.ttest_ind(one, other).pvalue > 1e-3


def test_items_that_are_not_ranked_stay_so() -> None:
    full = replace(hits_of_samples(samples([1, 0, 5], 9, 10)), population=None)
    found = drawn_sample(full, 4, np.random.default_rng(0))
    assert found.ranks[1] == 0
    assert found.lengths.tolist() == [5, 4, 5]


def systems(topics: int = 60, count: int = 3) -> SampledSystems:
    made = {}
    for place in range(count):
        _, true = drawn(place, topics=topics, targets=40, sampled=39)
        ranks = SampledRanks(true.astype(np.int64), np.full(topics, 39), np.full(topics, 40))
        made[f"s{place}"] = replace(hits_of_samples(ranks), population=None)
    metrics = (parse("metric", "nDCG@5"), parse("metric", "RR"))
    return SampledSystems.of(made, metrics, (parse("sample-correction", "cls"),), 3)


def test_verdicts_are_those_of_student() -> None:
    made = systems()
    found = made.verdicts(made.full, 0.05)
    for place, (one, other) in enumerate(made.pairs):
        for row in range(2):
            result = stats.ttest_rel(made.full[row, one], made.full[row, other])
            sign = np.sign(result.statistic) if result.pvalue < 0.05 else 0
            assert found[row, place] == sign


def test_what_a_system_scores_depends_on_no_other() -> None:
    three, two = systems(), systems(count=2)
    assert np.array_equal(three.sample(8, 1)[:, :, :2], two.sample(8, 1))
    assert not np.array_equal(two.sample(8, 1), two.sample(8, 2))
    assert np.array_equal(two.sample(8, 1), systems(count=2).sample(8, 1))


def test_samples_are_refused_as_there_is_nothing_left_to_compare_with() -> None:
    with pytest.raises(UnsuitableTargets, match="targets without sampled"):
        SampledSystems.of({"a": hits_of_samples(samples([1, 2], 4, 9))}, (), (), 0)


def test_metrics_that_cannot_be_corrected_are_known() -> None:
    chosen = parse("sample-correction", "cls")
    assert with_correction(parse("metric", "Bpref"), chosen) is None
    assert with_correction(parse("metric", "P(as=lenskit)@5"), chosen) is None
    assert str(with_correction(parse("metric", "P@5"), chosen)) == "P(correction=cls)@5"
