"""Inverse propensities find the truth: exactly on small worlds, in the limit on larger ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import Hits, topic_hits
from cranfield.recommendation.ranking.weighing import TopicWeighing
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.testing.rankings import ITEMS, Ranking, hits_of
from experiment_cases import experiment_of
from weighted_cases import weighed, with_propensities

TRUTH = (5.0, 1.0, 4.0, 5.0, 2.0)
"""What a user thinks of five items, in the order in which they are ranked."""
CHANCES = (0.9, 0.5, 0.2, 0.6, 0.35)
"""How likely each is to be observed."""


def observed(pattern: tuple[int, ...], ratings: tuple[float, ...] = TRUTH) -> Ranking:
    """The list as it is judged where only some of the items are."""
    seen = [k for k, shown in enumerate(pattern) if shown]
    listed = tuple(r if shown else None for r, shown in zip(ratings, pattern, strict=True))
    return Ranking(listed, items=(*seen, *range(20, 40)))


def by_item(chances: tuple[float, ...]) -> np.ndarray:
    made = np.ones(ITEMS)
    made[: len(chances)] = chances
    return made


PATTERNS = list(product((0, 1), repeat=len(TRUTH)))
PROBABILITIES = np.array(
    [np.prod([p if o else 1 - p for p, o in zip(CHANCES, pattern, strict=True)])
     for pattern in PATTERNS]
)  # fmt: skip


def all_patterns(metric: str) -> npt.NDArray[np.float64]:
    """The score of what is observed, in every way that it can be; 0 where it is undefined."""
    hits = with_propensities(hits_of([observed(each) for each in PATTERNS]), by_item(CHANCES))
    scores = measure(hits, [parse("metric", metric)])
    found: npt.NDArray[np.float64] = np.nan_to_num(scores[0])
    return found


def of_truth(metric: str) -> float:
    whole = hits_of([observed((1,) * len(TRUTH))])
    return float(measure(whole, [parse("metric", metric)])[0, 0])


@pytest.mark.parametrize("metric", ["P@3", "P", "DCG@4", "DCG(gain=binary)", "RBP(p=0.6)"])
def test_sums_by_ips_are_unbiased(metric: str) -> None:
    name, _, cut = metric.partition("@")
    weighted = weighed(name, "ips", int(cut) if cut else None)
    assert PROBABILITIES @ all_patterns(weighted) == pytest.approx(of_truth(metric), rel=1e-12)
    plain = np.nan_to_num(
        measure(hits_of([observed(each) for each in PATTERNS]), [parse("metric", metric)])[0]
    )
    assert PROBABILITIES @ plain < 0.8 * of_truth(metric)  # what is not corrected is far below


def test_the_numerator_of_ap_by_ips_is_unbiased() -> None:
    """Σ_i w_i(1 + Σ_{j above} w_j)/k_i, which is AP times Σ w over relevant items."""
    scores = all_patterns(weighed("AP", "ips"))
    relevant = np.array([r >= 4 for r in TRUTH])
    weights = np.array([(np.array(each) * relevant / CHANCES).sum() for each in PATTERNS])
    truth = of_truth("AP") * relevant.sum()
    assert PROBABILITIES @ (scores * weights) == pytest.approx(truth, rel=1e-12)
    assert PROBABILITIES @ weights == pytest.approx(relevant.sum(), rel=1e-12)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_the_mean_over_users_is_unbiased_where_undefined_users_score_zero(share: float) -> None:
    """Two users of two items each, all sixteen ways of what is observed of them."""
    ratings, chances = ((5.0, 4.0), (1.0, 5.0)), (0.3, 0.8)
    total = 0.0
    for pattern in product((0, 1), repeat=4):
        parts = pattern[:2], pattern[2:]
        lists = [observed(o, r) for o, r in zip(parts, ratings, strict=True)]
        chance = np.prod([
            p * share if o else 1 - p * share
            for p, o in zip(chances * 2, pattern, strict=True)
        ])  # fmt: skip
        known = with_propensities(hits_of(lists), by_item(chances) * share)
        scores = np.nan_to_num(measure(known, [parse("metric", weighed("P", "ips", 2))])[0])
        total += float(chance * scores.mean())
    assert total == pytest.approx((2 / 2 + 1 / 2) / 2, rel=1e-12)


def many_users(users: int, seed: int) -> tuple[Hits, Hits]:
    """Lists as they are judged, and in full: what is good is seen the more often."""
    rng = np.random.default_rng(seed)
    chances = np.linspace(0.15, 0.9, 8)
    whole, some = [], []
    for _ in range(users):
        order = rng.permutation(8)
        ratings = np.where(rng.random(8) < 0.2 + 0.6 * chances, 5.0, 1.0)[order]
        shown = rng.random(8) < chances[order]
        listed = tuple(float(r) if o else None for r, o in zip(ratings, shown, strict=True))
        whole.append(Ranking(tuple(map(float, ratings)), items=(*order.tolist(), *range(20, 40))))
        seen = [int(i) for i, o in zip(order, shown, strict=True) if o]
        some.append(Ranking(listed, items=(*seen, *range(20, 40))))
    known = with_propensities(hits_of(some), by_item(tuple(chances.tolist())))
    return known, hits_of(whole)


def value(hits: Hits, metric: str) -> float:
    """The mean over users, weighted where the metric asks for it; undefined users score 0."""
    parsed: Any = parse("metric", metric)
    scores = np.nan_to_num(measure(hits, [parsed])[0])
    weights = WeightedHits(hits, measure).topic_weights(parsed) if parsed.propensity else None
    weights = None if weights is None else np.where(np.isnan(weights), np.nanmean(weights), weights)
    return float(np.average(scores, weights=weights))


@pytest.mark.parametrize("metric", ["P@3", "DCG(gain=binary)@4", "RBP(p=0.7)"])
def test_snips_of_sums_comes_near_the_truth_with_many_users(metric: str) -> None:
    name, _, cut = metric.partition("@")
    known, whole = many_users(6000, 3)
    truth, plain = value(whole, metric), value(known, metric)
    found = value(known, weighed(name, "snips(over=targets)", int(cut) if cut else None))
    assert found == pytest.approx(truth, rel=0.03)
    assert abs(plain - truth) > 0.2 * truth


def test_recall_by_snips_comes_near_the_truth_where_lists_are_long() -> None:
    """One user of many items: what is shown of them hardly matters any more."""
    rng = np.random.default_rng(1)
    size = 4000
    chances = rng.uniform(0.1, 0.9, size)
    relevant = rng.random(size) < 0.5 * chances + 0.2
    order = np.argsort(-(chances + rng.normal(0, 0.3, size)))
    seen = (rng.random(size) < chances)[order]
    ratings, n = np.where(relevant, 5.0, 1.0)[order], size // 4

    def recall(judged: np.ndarray, spelling: str) -> float:
        ranks = np.flatnonzero(judged) + 1
        metric = parse("metric", spelling)
        known = {metric.propensity: chances[order][judged]}
        topic = replace(
            topic_hits(ranks.tolist(), ratings[judged].tolist()),
            weighing=TopicWeighing(known, {}, None, lambda *_: None),
        )
        return float(metric.of_topic(topic))

    truth, plain = (recall(each, f"Recall@{n}") for each in (np.ones(size, dtype=bool), seen))
    found = recall(seen, weighed("Recall", "snips", n))
    assert abs(found - truth) < 0.03
    assert abs(plain - truth) > 3 * abs(found - truth)


# Propensities by popularity as stratified recall counts it.


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0, 3.0])
def test_the_propensities_of_stratified_recall_give_stratified_recall(
    gamma: float, tmp_path: Path
) -> None:
    whole = parse("source", "simulated(size=small)").read()
    liked = np.bincount(whole.items, whole.values >= 4, whole.n_items)
    chances = np.maximum(liked, 1.0) ** (gamma / (gamma + 1))
    table = pl.DataFrame({"item": whole.item_ids.values, "propensity": chances / chances.max()})
    table.write_csv(tmp_path / "propensities.csv")
    path = str(tmp_path / "propensities.csv")
    experiment = experiment_of(
        data="simulated(size=small)",
        systems={"popular": "Popularity", "random": "Random"},
        metrics=[f"StratifiedRecall(gamma={gamma})@9", f'Recall(propensity=file("{path}"))@9'],
    )
    found = cf.run(experiment)
    stratified, weighted = found.scores.values[:, 0], found.scores.values[:, 1]
    np.testing.assert_allclose(weighted, stratified, rtol=1e-12)
