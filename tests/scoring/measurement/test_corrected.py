"""Corrected metrics on hits: scores, refusals, and what random rankings are expected to score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError, NoExpectation, OptionError, UnsuitableTargets
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.folds import join_folds
from cranfield.recommendation.ranking.hits import topic_hits
from cranfield.scoring.breakdown import only
from cranfield.scoring.expectation.expectation import expect
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.rank_discounts import rank_discount
from cranfield.scoring.metric import cutoff_of
from cranfield.testing.law import threads
from sample_cases import CORRECTIONS, correction, discount, drawn, hits_of_samples, samples


def metric(spelling: str) -> Any:
    return parse("metric", spelling)


@pytest.mark.parametrize("chosen", CORRECTIONS)
@pytest.mark.parametrize("name", ["nDCG", "P", "Recall", "F1", "Success", "RR", "AP"])
def test_a_corrected_score_is_that_of_rank_one_times_the_estimate(name: str, chosen: str) -> None:
    given, _ = drawn(1, topics=50, targets=60, sampled=12)
    found = measure(hits_of_samples(given), [metric(f"{name}(correction={chosen})@5")])[0]
    plain = metric(f"{name}@5")
    first = measure(hits_of_samples(samples([1], 59, 60)), [plain])[0, 0]
    assert found == pytest.approx(first * correction(chosen).correct(given, discount(f"{name}@5")))


@pytest.mark.parametrize("chosen", CORRECTIONS)
@pytest.mark.parametrize("name", ["DCG(gain=rating", "ERR(gain=stopping", "RBP(p=0.7, gain=binary"])
def test_gains_are_those_of_each_item(name: str, chosen: str) -> None:
    given = samples([1, 2, 3, 1, 5, 2], 8, 30)
    ratings = np.array([5.0, 4.0, 4.0, 5.0, 4.0, 5.0])
    hits = hits_of_samples(given, ratings)
    found = measure(hits, [metric(f"{name}, correction={chosen})")])[0]
    worth = measure(replace(hits, ranks=np.ones(6, np.int32)), [metric(f"{name})")])[0]
    assert found == pytest.approx(worth * correction(chosen).correct(given, discount(f"{name})")))


def test_precision_without_a_cutoff_is_over_all_targets() -> None:
    hits = hits_of_samples(samples([1, 4], 5, 20))
    assert measure(hits, [metric("P(correction=plug-in)")])[0] == pytest.approx([1 / 20] * 2)


def test_corrected_and_plain_metrics_are_measured_together() -> None:
    given, _ = drawn(2, topics=40, targets=30, sampled=9)
    hits = hits_of_samples(given)
    asked = ["nDCG@5", "nDCG(correction=cls)@5", "AUC", "RR(correction=mle)", "P@3"]
    together = measure(hits, [metric(each) for each in asked])
    for row, each in zip(together, asked, strict=True):
        assert np.array_equal(row, measure(hits, [metric(each)])[0])


def test_an_item_that_is_not_ranked_scores_as_without_correction() -> None:
    given = samples([1, 0, 3], 6, 20)
    for name in ("nDCG", "AUC"):
        for chosen in CORRECTIONS:
            found = measure(hits_of_samples(given), [metric(f"{name}(correction={chosen})")])[0]
            plain = measure(hits_of_samples(given), [metric(name)])[0]
            assert found[1] == plain[1]
            others = measure(
                hits_of_samples(samples([1, 3], 6, 20)), [metric(f"{name}(correction={chosen})")]
            )[0]
            assert np.array_equal(found[[0, 2]], others)


def test_topics_without_the_item_of_a_group_are_undefined() -> None:
    hits = hits_of_samples(samples([1, 2, 3], 6, 20))
    hits = replace(hits, items=np.array([0, 1, 0], np.int32))
    found = measure(only(hits, np.array([True, False])), [metric("nDCG(correction=mle)@5")])[0]
    alone = measure(hits_of_samples(samples([1, 3], 6, 20)), [metric("nDCG(correction=mle)@5")])[0]
    assert np.isnan(found[1])
    assert np.array_equal(found[[0, 2]], alone)


def test_an_item_below_another_threshold_is_undefined_and_changes_no_other() -> None:
    ratings = np.array([5.0, 4.0, 5.0])
    asked = [metric("Recall(relevance=5, correction=mle)@5")]
    found = measure(hits_of_samples(samples([1, 2, 3], 6, 20), ratings), asked)[0]
    assert np.isnan(found[1])
    others = measure(hits_of_samples(samples([1, 3], 6, 20)), asked)[0]
    assert np.array_equal(found[[0, 2]], others)


def test_folds_keep_the_sizes_of_their_catalogues() -> None:
    parts = [hits_of_samples(samples([1, 3], 6, 20)), hits_of_samples(samples([2, 5], 6, 40))]
    joined = join_folds(parts)
    assert joined.population is not None
    assert joined.population.tolist() == [20, 40, 20, 40]


def test_threads_change_no_bit() -> None:
    given, _ = drawn(4, topics=3000, targets=200, sampled=30)
    asked = [metric(f"nDCG(correction={each})@10") for each in CORRECTIONS]
    with threads(1):
        one = measure(hits_of_samples(given), asked)
    with threads(3):
        assert np.array_equal(measure(hits_of_samples(given), asked), one)


def test_a_corrected_metric_looks_at_whole_samples() -> None:
    assert cutoff_of(metric("nDCG@10")) == 10
    assert cutoff_of(metric("nDCG(correction=cls)@10")) is None


REFUSED = [
    (lambda hits: replace(hits, topics=Topics(hits.topics.users)), "one relevant item each"),
    (lambda hits: replace(hits, population=None), "a full ranking needs no correction"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED)
@pytest.mark.parametrize("chosen", ["cls", "mle"])
def test_other_targets_are_refused_by_name(change: Any, words: str, chosen: str) -> None:
    hits = change(hits_of_samples(samples([1, 2], 6, 20)))
    with pytest.raises(UnsuitableTargets, match=words) as caught:
        measure(hits, [metric(f"nDCG(correction={chosen})@10")])
    assert f"nDCG(correction={chosen})@10" in str(caught.value)
    assert "sampled(n=100)" in str(caught.value)


def test_topics_with_more_judged_targets_are_refused() -> None:
    hits = hits_of_samples(samples([1, 2], 6, 20))
    topics = Topics(hits.topics.users[:1], np.zeros(1, np.int32))
    one = replace(
        hits, topics=topics, offsets=np.array([0, 2]), lengths=hits.lengths[:1],
        targets=hits.targets[:1], unscored=hits.unscored[:1], population=np.array([20]),
    )  # fmt: skip
    with pytest.raises(UnsuitableTargets, match="judged = only-relevant"):
        measure(one, [metric("nDCG(correction=cls)@10")])


@pytest.mark.parametrize(
    "spelling",
    [
        "P(unjudged=relevant, correction=cls)@5",
        "Recall(as=lenskit, correction=mle)@5",
        "nDCG(as=rectools, correction=plug-in)@5",
        "HalfLife(popularity=inverse, correction=cls)",
        "RBP(p=0.5, unjudged=residual, correction=cls)",
        "nDCG(propensity=popularity(gamma=0.5), correction=cls)@5",
    ],
)
def test_forms_that_no_rank_decides_are_refused_by_name(spelling: str) -> None:
    with pytest.raises(OptionError, match=r"correction: .* does not go with (unjudged|as|p)"):
        metric(spelling)


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("nDCG(correction=clss)@5", "cls"),
        ("nDCG(correction=bias-variance(gamma=0))@5", "gamma"),
        ("nDCG(correction=bias-variance(gamma=1.5))@5", "gamma"),
        ("nDCG(correction=mle(iterations=0))@5", "iterations"),
        ("nDCG(correction=max-entropy(eta=-1))@5", "eta"),
        ("Bpref(correction=cls)", "correction"),
    ],
)
def test_wrong_corrections_are_refused(spelling: str, words: str) -> None:
    with pytest.raises(CranfieldError, match=words):
        metric(spelling)


def test_one_topic_cannot_be_corrected_by_itself() -> None:
    with pytest.raises(OptionError, match="scored together"):
        metric("nDCG(correction=cls)@5").of_topic(topic_hits([1], [5]))


def test_ties_have_no_exact_expectation() -> None:
    hits = hits_of_samples(samples([1, 2], 6, 20))
    with pytest.raises(NoExpectation):
        measure(hits, [metric("nDCG(correction=cls)@5")], ties="expected")


@pytest.mark.parametrize("chosen", ["plug-in", "bias-variance", "cls"])
def test_a_random_order_is_expected_to_have_the_mean_of_all_ranks(chosen: str) -> None:
    hits = hits_of_samples(samples([1, 5, 2], 6, 20))
    asked = metric(f"nDCG(correction={chosen})@5")
    found = expect(hits, [asked])[None]
    every = measure(hits_of_samples(samples(list(range(1, 8)), 6, 20)), [asked])[0]
    assert found.values[0] == pytest.approx([every.mean()] * 3)
    assert found.best[0] == pytest.approx([every[0]] * 3)
    assert found.estimated == (False,)


@pytest.mark.parametrize("chosen", ["bias-variance", "mle", "max-entropy"])
def test_a_random_order_is_expected_to_score_as_among_all_targets(chosen: str) -> None:
    hits = hits_of_samples(samples([1, 5, 2], 6, 20))
    found = expect(hits, [metric(f"Recall(correction={chosen})@5")])[None]
    assert found.values[0] == pytest.approx([5 / 20] * 3, rel=1e-6)


def test_random_orders_of_shorter_lists_are_not_known() -> None:
    hits = hits_of_samples(samples([1, 5, 2], 6, 20))
    found = expect(hits, [metric("nDCG(correction=cls)@5")], depths=(3,))[3]
    assert np.isnan(found.values).all()


def test_discounts_of_equal_metrics_are_found_again() -> None:
    assert discount("nDCG@5") == discount("nDCG@5")
    assert hash(discount("nDCG@5")) == hash(discount("nDCG@5"))
    assert discount("nDCG@5") != discount("nDCG@6")
    ranks = np.array([1.0, 3.0])
    assert np.array_equal(discount("RR")(ranks, 9), rank_discount(metric("RR"), ranks, 9))
