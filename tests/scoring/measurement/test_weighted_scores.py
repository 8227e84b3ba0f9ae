"""Metrics whose judged targets are weighed by their propensities."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from math import isnan, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadPropensity, NoExpectation, OptionError
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.expectation.expectation import expect
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.testing.law import threads
from cranfield.testing.rankings import ITEMS, Ranking, all_orders, hits_of, rankings
from suites import tries
from weighted_cases import FIRST, SHARES, WEIGHTED, one_relevant, weighed, with_propensities

CHANCES = st.lists(st.sampled_from([1.0, 0.5, 0.25, 0.125, 0.9]), min_size=ITEMS, max_size=ITEMS)
TOPICS = st.lists(rankings(), min_size=1, max_size=5).map(hits_of)
ESTIMATORS = ["ips", "ips(clip=0.3)", "snips", "snips(clip=0.3)", "snips(over=targets)"]


def every_metric(cutoffs: tuple[int | None, ...] = (None, 3)) -> list[str]:
    """All metrics with all estimators, as far as they have them."""
    linear = product(WEIGHTED, [*ESTIMATORS, "stratified", "stratified(strata=3)"])
    shares = product(SHARES, ["snips", "snips(clip=0.3)", "stratified"])
    first = product(FIRST, ["stratified"])
    return [weighed(m, e, k) for m, e in (*linear, *shares, *first) for k in cutoffs]


@cache
def parsed_metric(spelling: str) -> Any:
    return parse("metric", spelling)


def scores(hits: Hits, metrics: list[str]) -> np.ndarray:
    return measure(hits, [parsed_metric(each) for each in metrics])


@pytest.mark.parametrize("spelling", every_metric())
def test_a_spelling_reads_back(spelling: str) -> None:
    made = parse("metric", spelling)
    assert parse("metric", str(made)) == made


@pytest.mark.long
@settings(deadline=None, max_examples=tries(120))
@given(hits=TOPICS, chances=CHANCES)
def test_many_topics_score_as_the_definition_says(hits: Hits, chances: list[float]) -> None:
    metrics = every_metric()
    known = with_propensities(hits, chances, metrics, counts=True)
    parsed = [parsed_metric(each) for each in metrics]
    defined = [[m.of_topic(known.topic(t)) for t in range(len(known))] for m in parsed]
    np.testing.assert_allclose(measure(known, parsed), defined, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=tries(100))
@given(hits=TOPICS, chances=CHANCES)
def test_topics_of_one_relevant_item_score_as_the_definition_says(
    hits: Hits, chances: list[float]
) -> None:
    metrics = [weighed(m, e, 3) for m in (*WEIGHTED, *FIRST) for e in ESTIMATORS]
    known = with_propensities(one_relevant(hits), chances)
    parsed = [parsed_metric(each) for each in metrics]
    about = [t for t, size in enumerate(np.diff(known.offsets).tolist()) if size]
    defined = [[m.of_topic(known.topic(t)) for t in about] for m in parsed]
    found = measure(known, parsed)[:, about]
    np.testing.assert_allclose(found, defined, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=tries(100))
@given(hits=TOPICS)
def test_propensities_of_one_change_no_bit(hits: Hits) -> None:
    metrics = [each for each in every_metric() if "over=targets" not in each]
    metrics = [each for each in metrics if not ("Recall" in each and "=ips" in each)]
    known = with_propensities(hits, 1.0, metrics)
    plain = [_plain(each) for each in metrics]
    np.testing.assert_array_equal(scores(known, metrics), scores(hits, plain))


def _plain(spelling: str) -> str:
    from cranfield.scoring.metrics.weighted import plain_form

    return str(plain_form(parse("metric", spelling)))


@settings(deadline=None, max_examples=tries(100))
@given(hits=TOPICS, chance=st.sampled_from([0.5, 0.3, 0.01]))
def test_equal_propensities_give_the_plain_metric_by_shares(hits: Hits, chance: float) -> None:
    metrics = [weighed(m, e, 3) for m in (*WEIGHTED, *SHARES) for e in ("snips", "stratified")]
    known = with_propensities(hits, chance, metrics)
    found, plain = scores(known, metrics), scores(hits, list(map(_plain, metrics)))
    np.testing.assert_allclose(found, plain, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=tries(100))
@given(hits=TOPICS, chances=CHANCES)
def test_a_common_factor_of_propensities_changes_no_share(hits: Hits, chances: list[float]) -> None:
    metrics = [weighed(m, e) for m in (*WEIGHTED, *SHARES) for e in ("snips", "stratified")]
    found, again = (
        scores(with_propensities(hits, np.array(chances) * factor, metrics), metrics)
        for factor in (1.0, 0.5)
    )
    np.testing.assert_allclose(found, again, rtol=1e-12, atol=1e-12)


def one_topic(metric: str, chances: list[float], listed: tuple[float | None, ...]) -> float:
    """The score of one list, whose judged items have these propensities from the top."""
    by_item = np.ones(ITEMS)
    by_item[: len(chances)] = chances
    known = with_propensities(hits_of([Ranking(listed)]), by_item, [metric], counts=True)
    return float(scores(known, [metric])[0, 0])


def test_sums_by_hand() -> None:
    listed, chances = (5.0, None, 4.0, 1.0), [0.5, 0.25, 1.0]
    weights, whole = (1 / 0.5, 1 / 0.25), 1 / 0.5 + 1 / 0.25 + 1
    ips = (weights[0] + weights[1]) / 3
    assert one_topic(weighed("P", "ips", 3), chances, listed) == pytest.approx(ips)
    assert one_topic(weighed("P", "snips", 3), chances, listed) == pytest.approx(3 * ips / whole)
    of_targets = one_topic(weighed("P", "snips(over=targets)", 3), chances, listed)
    assert of_targets == pytest.approx(4 * ips / whole)
    dcg = weights[0] * 5 / log2(2) + weights[1] * 4 / log2(4) + 1 * 1 / log2(5)
    assert one_topic(weighed("DCG", "ips"), chances, listed) == pytest.approx(dcg)
    rbp = 0.5 * (weights[0] + weights[1] * 0.5**2)
    assert one_topic(weighed("RBP(p=0.5)", "ips"), chances, listed) == pytest.approx(rbp)
    clipped = (1 / 0.5 + 1 / 0.4) / 3
    assert one_topic(weighed("P", "ips(clip=0.4)", 3), chances, listed) == pytest.approx(clipped)


def test_shares_by_hand() -> None:
    listed, chances = (5.0, None, 4.0, 1.0), [0.5, 0.25, 1.0]
    assert one_topic(weighed("Recall", "snips", 1), chances, listed) == pytest.approx(2 / (2 + 4))
    assert one_topic(weighed("Recall", "ips", 1), chances, listed) == pytest.approx(2 / 7)
    gained = 10 / log2(2) + 16 / log2(4)  # the best order begins with the third item
    best = 16 / log2(2) + 10 / log2(3) + 1 / log2(4)
    assert one_topic(weighed("nDCG", "snips", 3), chances, listed) == pytest.approx(gained / best)
    precisions = 2 * 1 / 1 + 4 * (1 + 2) / 3
    assert one_topic(weighed("AP", "ips"), chances, listed) == pytest.approx(precisions / (2 + 4))
    scaled = (2 / 3) * 1 / 1 + (4 / 3) * (1 + 2 / 3) / 3
    assert one_topic(weighed("AP", "snips"), chances, listed) == pytest.approx(scaled / 2)


def test_strata_by_hand() -> None:
    # Items 0 and 1 are in the lower stratum, 2 and 3 in the upper one.
    by_item = np.ones(ITEMS)
    by_item[:4] = [0.1, 0.2, 0.9, 1.0]
    made = [
        Ranking((5.0, None, 5.0), items=(0, 2)),  # P@1: 1 in the lower, 0 in the upper
        Ranking((5.0,), items=(3,)),  # only the upper one: 1
    ]
    metric = weighed("P", "stratified", 1)
    known = with_propensities(hits_of(made), by_item, [metric])
    strata = WeightedHits(known, measure).strata(parse("metric", metric))
    assert strata.shares == pytest.approx((1 / 3 / 1, 2 / 3 / 2))
    parsed, weighing = parse("metric", metric), WeightedHits(known, measure)
    weights = weighing.topic_weights(parsed)
    assert weights is not None
    value = float(scores(known, [metric])[0] @ weights / weights.sum())
    assert value == pytest.approx(1 / 3 * 1 + 2 / 3 * (0 + 1) / 2)


def hold_to_all_orders(
    ranking: Ranking, chances: list[float], depth: int | None, metrics: list[str]
) -> None:
    """What is expected of a random ranking is the mean over all orders, and the best of them."""
    hits = with_propensities(hits_of([ranking]), chances, metrics, counts=True)
    orders = replace(hits_of(all_orders(ranking)), weighing=hits.weighing)
    for spelling in metrics:
        metric = parsed_metric(spelling)
        cut = depth is not None and metric.cutoff is None
        every = measure(orders.cut(depth) if cut else orders, [metric])[0]  # type: ignore[arg-type]
        found = expect(hits, [metric], depths=(depth,))[depth]
        assert not found.estimated[0]
        np.testing.assert_allclose(found.values[0, 0], every.mean(), rtol=1e-9, atol=1e-9)
        if not isnan(found.best[0, 0]):
            np.testing.assert_allclose(found.best[0, 0], every.max(), rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "estimator"), [*product(WEIGHTED, ["ips", "snips"]), ("nDCG", "snips")]
)
def test_a_random_ranking_of_four_scores_what_is_expected_of_it(name: str, estimator: str) -> None:
    chances = np.linspace(0.9, 0.2, ITEMS).tolist()
    metrics = [weighed(name, estimator, cutoff) for cutoff in (None, 2)]
    hold_to_all_orders(Ranking((5.0, 1.0, 4.0, None)), chances, 3, metrics)


@pytest.mark.long
@settings(deadline=None, max_examples=tries(120))
@given(ranking=rankings(longest=3), chances=CHANCES, depth=st.sampled_from([None, 1, 3]))
def test_a_random_ranking_scores_what_is_expected_of_it(
    ranking: Ranking, chances: list[float], depth: int | None
) -> None:
    few = replace(ranking, unranked=ranking.unranked[:1], others=min(ranking.others, 1))
    some = every_metric((None, 2))
    metrics = [each for each in some if "clip" not in each and "relevance" not in each]
    hold_to_all_orders(few, chances, depth, metrics)


def test_the_number_of_threads_changes_no_bit() -> None:
    made = [Ranking((5.0, None, 4.0), (5.0,), items=(t % 9, 10, 11)) for t in range(5000)]
    metrics = every_metric((2,))
    known = with_propensities(hits_of(made), np.linspace(0.1, 1, ITEMS), metrics, counts=True)
    with threads(1):
        alone = scores(known, metrics)
    with threads(3):
        np.testing.assert_array_equal(scores(known, metrics), alone)


# What is refused, and in which words.


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("P(estimator=ips)", "estimator: ips would change nothing without propensities"),
        ("P(propensity=popularity, as=lenskit)", "it does not go with as=lenskit"),
        ("P(propensity=popularity, unjudged=relevant)", "it does not go with unjudged=relevant"),
        ("nDCG(propensity=popularity, estimator=ips)", "ips is not defined"),
        ("P(propensity=popularitty)", 'no propensity is called "popularitty"'),
        ("P(propensity=popularity, estimator=sinps)", 'no estimator is called "sinps"'),
        ("P(propensity=popularity(gamma=-1))", "a number from 0 to 100, or fitted"),
        ("P(propensity=popularity, estimator=ips(clip=2))", "clip"),
        ("P(propensity=file)", "path"),
    ],
)
def test_what_makes_no_sense_is_refused(spelling: str, words: str) -> None:
    with pytest.raises(OptionError) as refused:
        parse("metric", spelling)
    assert words in str(refused.value)


@pytest.mark.parametrize("name", FIRST)
def test_the_first_relevant_item_is_refused_in_whole_lists(name: str) -> None:
    known = with_propensities(hits_of([Ranking((5.0,))]), 0.5)
    with pytest.raises(OptionError, match=f"{name} is no sum over relevant items"):
        scores(known, [weighed(name, "snips")])
    with pytest.raises(OptionError, match=f"{name} is no sum over relevant items"):
        parse("metric", weighed(name, "ips")).of_topic(known.topic(0))


def test_strata_of_one_relevant_item_are_refused() -> None:
    known = with_propensities(one_relevant(hits_of([Ranking((5.0,))])), 0.5)
    with pytest.raises(OptionError, match="give the plain mean"):
        scores(known, [weighed("P", "stratified")])


def test_recall_by_ips_is_refused_where_nobody_knows_what_is_relevant() -> None:
    known = with_propensities(hits_of([Ranking((5.0,))]), 0.5)
    for work in (
        lambda: scores(known, [weighed("Recall", "ips")]),
        lambda: parse("metric", weighed("Recall", "ips")).of_topic(known.topic(0)),
    ):
        with pytest.raises(OptionError, match="which only simulated data know"):
            work()


@pytest.mark.parametrize("value", [0.0, 1.5, np.nan, -0.5])
def test_what_is_no_propensity_is_refused(value: float) -> None:
    known = with_propensities(hits_of([Ranking((5.0,))]), value)
    for work in (
        lambda: scores(known, [weighed("P", "ips")]),
        lambda: parse("metric", weighed("P", "ips")).of_topic(known.topic(0)),
    ):
        with pytest.raises(BadPropensity, match="above 0 and at most 1"):
            work()


def test_a_mean_over_ties_has_no_exact_form() -> None:
    known = with_propensities(hits_of([Ranking((5.0, 4.0), ties=(2,))]), 0.5)
    with pytest.raises(NoExpectation):
        measure(known, [parse("metric", weighed("P", "ips"))], ties="expected")


def test_hits_without_propensities_are_refused() -> None:
    hits = hits_of([Ranking((5.0,))])
    with pytest.raises(OptionError, match="it is not known here"):
        scores(hits, [weighed("P", "ips")])
    with pytest.raises(OptionError, match="needs the propensities"):
        parse("metric", weighed("P", "ips")).of_topic(hits.topic(0))
