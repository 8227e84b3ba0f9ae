"""P, Recall, F1, Success, Rprec, AUC and stratified recall by hand."""

from __future__ import annotations

import math

import pytest

from cranfield.base.errors import MissingPopularity
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


SHORT = topic_hits([1, 2, 4], [5, 1, 4], unranked=[4, 4], length=5)
"""Five items, ranks 1 and 4 relevant, of four relevant ones; rank 2 judged and bad."""


def test_precision_is_divided_by_n_also_for_a_shorter_list() -> None:
    assert score("P@10", SHORT) == 2 / 10


def test_precision_without_a_cut_off_is_divided_by_the_length_of_the_list() -> None:
    assert score("P", SHORT) == 2 / 5


def test_precision_as_lenskit_is_divided_by_what_is_listed() -> None:
    assert score("P(as=lenskit)@10", SHORT) == 2 / 5
    assert math.isnan(score("P(as=lenskit)@10", topic_hits([], [], unranked=[5])))


def test_precision_as_implicit_is_a_capped_recall() -> None:
    assert score("P(as=implicit)@10", SHORT) == 2 / min(10, 4)


def test_unjudged_items_can_count_as_relevant_or_as_residual() -> None:
    assert score("P(unjudged=relevant)@5", SHORT) == (2 + 2) / 5
    assert score("P(unjudged=residual)@5", SHORT) == 2 / 5


def test_recall_is_divided_by_all_relevant_items() -> None:
    assert score("Recall@1", SHORT) == 1 / 4


def test_recall_as_lenskit_is_capped_by_the_cut_off() -> None:
    assert score("Recall(as=lenskit)@1", SHORT) == 1.0


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    p, r = score("P@5", SHORT), score("Recall@5", SHORT)
    assert score("F1@5", SHORT) == pytest.approx(2 * p * r / (p + r))


def test_a_higher_threshold_leaves_fewer_relevant_items() -> None:
    assert score("P(relevance=5)@5", SHORT) == 1 / 5
    assert score("Recall(rel=5)@5", SHORT) == 1.0


def test_success_asks_for_one_relevant_item() -> None:
    late = topic_hits([1, 2], [1, 5])
    assert (score("HR@1", late), score("HR@2", late)) == (0.0, 1.0)


def test_r_precision_looks_at_as_many_ranks_as_there_are_relevant_items() -> None:
    assert score("Rprec", SHORT) == 2 / 4


def test_auc_counts_pairs_and_puts_unlisted_targets_side_by_side_below() -> None:
    topic = topic_hits([2], [5], unranked=[5], length=2, targets=5)
    # the first is below 1 of 3 others; the second below 1, beside 2
    assert score("AUC", topic) == pytest.approx(1 - (1 + (1 + 2 / 2)) / (2 * 3))


def test_auc_is_undefined_where_all_targets_are_relevant() -> None:
    assert math.isnan(score("AUC", topic_hits([1, 2], [5, 5])))


def test_stratified_recall_without_gamma_is_recall() -> None:
    topic = topic_hits([1], [5], unranked=[5], popularity=[9, 4])
    assert score("StratifiedRecall(gamma=0)", topic) == 1 / 2


def test_stratified_recall_weighs_by_popularity() -> None:
    topic = topic_hits([1], [5], unranked=[5], popularity=[9, 4])
    assert score("StratifiedRecall(gamma=1)", topic) == pytest.approx((1 / 3) / (1 / 3 + 1 / 2))


def test_stratified_recall_without_popularity_says_what_is_missing() -> None:
    with pytest.raises(MissingPopularity, match="needs the popularity"):
        score("StratifiedRecall(gamma=1)", topic_hits([1], [5]))


@pytest.mark.parametrize(
    "name", ["P@5", "Recall@5", "F1", "P", "AP", "RR", "Bpref", "InfAP", "Rprec"]
)
def test_an_empty_list_scores_zero_where_something_is_relevant(name: str) -> None:
    assert score(name, topic_hits([], [], unranked=[5])) == 0.0


@pytest.mark.parametrize("name", ["P@5", "Recall@5", "F1", "AP", "RR", "Bpref", "InfAP", "AUC"])
def test_nothing_relevant_is_undefined(name: str) -> None:
    assert math.isnan(score(name, topic_hits([1, 2], [3, 1])))


def test_unrated_is_the_unjudged_share_of_what_is_listed() -> None:
    assert score("Unrated@10", SHORT) == 1 - 3 / 5
    assert math.isnan(score("Unrated@10", topic_hits([], [], unranked=[5])))


def test_condensed_depth_is_undefined_below_the_last_judged_item() -> None:
    assert score("CondensedDepth@3", SHORT) == 4.0
    assert math.isnan(score("CondensedDepth@4", SHORT))
