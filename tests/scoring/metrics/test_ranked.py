"""AP, RR, DCG, nDCG, ERR, RBP, Bpref, InfAP and rank correlations by hand."""

from __future__ import annotations

import math
from math import log2

import pytest

from cranfield.base.errors import UnmappableRating
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import TopicHits, topic_hits


def score(name: str, topic: TopicHits) -> float:
    return float(parse("metric", name).of_topic(topic))


TOPIC = topic_hits([1, 3, 4], [5, 2, 4], unranked=[4], length=6)
"""Ranks 1 and 4 relevant, rank 3 judged and bad, one relevant item not listed."""


def test_average_precision_is_divided_by_all_relevant_items_at_every_cut_off() -> None:
    assert score("MAP", TOPIC) == pytest.approx((1 / 1 + 2 / 4) / 3)
    assert score("MAP@1", TOPIC) == pytest.approx(1 / 3)


def test_average_precision_as_recbole_and_implicit_is_divided_by_at_most_n() -> None:
    assert score("MAP(as=recbole)@1", TOPIC) == 1.0
    assert score("MAP(as=implicit)@2", TOPIC) == 1 / 2


def test_average_precision_as_lenskit_is_divided_by_at_most_what_is_listed() -> None:
    short = topic_hits([1], [5], unranked=[4, 4], length=2)
    assert score("MAP(as=lenskit)@10", short) == 1 / 2


def test_average_precision_as_elliot_is_the_mean_precision_of_all_ranks() -> None:
    assert score("MAP(as=elliot)@4", TOPIC) == pytest.approx((1 / 1 + 1 / 2 + 1 / 3 + 2 / 4) / 4)


def test_the_reciprocal_rank_ends_at_the_cut_off() -> None:
    late = topic_hits([1, 3], [1, 5])
    assert (score("MRR", late), score("MRR@2", late)) == (1 / 3, 0.0)


def test_ndcg_takes_its_ideal_from_all_judged_targets_cut_at_n() -> None:
    gained = 5 / log2(2) + 2 / log2(4)
    best = 5 / log2(2) + 4 / log2(3) + 4 / log2(4)
    assert score("nDCG@3", TOPIC) == pytest.approx(gained / best)


def test_ndcg_with_exponential_gains() -> None:
    gained = 31 / log2(2) + 3 / log2(4)
    best = 31 / log2(2) + 15 / log2(3) + 15 / log2(4)
    assert score("nDCG(gain=exponential)@3", TOPIC) == pytest.approx(gained / best)


def test_ndcg_as_recbole_is_binary() -> None:
    assert score("nDCG(as=recbole)@3", TOPIC) == score("nDCG(gain=binary)@3", TOPIC)


def test_ndcg_as_rectools_divides_by_n_hits() -> None:
    one = topic_hits([1], [5])
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert score("nDCG(as=rectools)@3", one) == pytest.approx(1 / ideal)


def test_ndcg_as_lenskit_leaves_the_first_two_ranks_undiscounted() -> None:
    gained = 1 + 1 / log2(4)
    assert score("nDCG(as=lenskit)@4", TOPIC) == pytest.approx(gained / (1 + 1 + 1 / log2(3)))


def test_ndcg_as_elliot_grows_from_the_threshold() -> None:
    gained = 3 / log2(2) + 1 / log2(5)
    best = 3 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert score("nDCG(as=elliot)@4", TOPIC) == pytest.approx(gained / best)


def test_ndcg_is_defined_where_a_rating_below_the_threshold_has_a_gain() -> None:
    poor = topic_hits([1], [3])
    assert score("nDCG", poor) == 1.0
    assert math.isnan(score("nDCG(gain=binary)", poor))


def test_err_multiplies_the_chances_to_go_on() -> None:
    expected = 31 / 32 + (1 / 3) * (1 / 32) * (3 / 32) + (1 / 4) * (1 / 32) * (29 / 32) * (15 / 32)
    assert score("ERR", TOPIC) == pytest.approx(expected)


def test_err_refuses_gains_that_are_no_chances() -> None:
    with pytest.raises(UnmappableRating, match="gains of at most 1"):
        score("ERR(gain=rating)", TOPIC)


def test_rbp_and_its_residual_add_up_to_its_upper_bound() -> None:
    base = 0.5 * (1 + 0.5**3)
    judged = 0.5 * (1 + 0.5**2 + 0.5**3)
    assert score("RBP(p=0.5)", TOPIC) == pytest.approx(base)
    assert score("RBP(p=0.5, unjudged=residual)", TOPIC) == pytest.approx(1 - judged)
    assert score("RBP(p=0.5, unjudged=relevant)", TOPIC) == pytest.approx(base + 1 - judged)


def test_err_with_the_top_of_each_user_is_that_of_rec_eval() -> None:
    """A user whose best rating is 4: (2⁴ − 1)/2⁴ at rank 2, not (2⁴ − 1)/2⁵."""
    topic = topic_hits([1, 2], [1, 4], unranked=[3])
    stops = [(2**1 - 1) / 2**4, (2**4 - 1) / 2**4]
    by_hand = stops[0] + (1 - stops[0]) * stops[1] / 2
    assert score("ERR(top=user)", topic) == pytest.approx(by_hand)
    lower = [(2**1 - 1) / 2**5, (2**4 - 1) / 2**5]
    assert score("ERR", topic) == pytest.approx(lower[0] + (1 - lower[0]) * lower[1] / 2)


def test_err_is_undefined_where_the_top_of_a_user_leaves_nothing_to_divide_by() -> None:
    ones = topic_hits([1], [1])
    assert math.isnan(score("ERR(top=user, gain=chapelle-scaled)", ones))
    with pytest.raises(UnmappableRating, match="ratings of at least 0"):
        score("ERR(top=user)", topic_hits([1, 2], [-1, 4]))


def test_bpref_is_one_while_no_judged_nonrelevant_item_is_above() -> None:
    assert score("Bpref", topic_hits([1, 2, 9], [5, 4, 1])) == 1.0


def test_bpref_is_a_number_where_everything_judged_is_relevant() -> None:
    assert score("Bpref", topic_hits([3, 8], [5, 4])) == 1.0


def test_bpref_counts_judged_nonrelevant_items_above() -> None:
    assert score("Bpref", TOPIC) == pytest.approx((1 + (1 - 1 / 1)) / 3)


def test_bpref_of_bellogin2017_has_no_minimum_in_the_numerator() -> None:
    """One relevant item below three judged bad ones: 1 − min(3, 1)/1 and 1 − 3/1."""
    topic = topic_hits([1, 2, 4, 7], [1, 2, 3, 5])
    assert score("Bpref", topic) == pytest.approx(1 - 1 / 1)
    assert score("Bpref(as=bellogin2017)", topic) == pytest.approx(1 - 3 / 1)
    assert score("Bpref(as=bellogin2017)@6", topic) == 0
    assert score("Bpref(as=bellogin2017)", TOPIC) == score("Bpref", TOPIC)  # one above at most


def test_infap_infers_the_precision_above_from_judged_items() -> None:
    e = 1e-5
    at_four = 1 / 4 + 3 / 4 * (1 + e) / (2 + 2 * e)
    assert score("InfAP", TOPIC) == pytest.approx((1 + at_four) / 3, rel=1e-12)


def test_infap_of_trec_eval_takes_unjudged_items_as_not_relevant() -> None:
    e = 1e-5
    at_four = 1 / 4 + 3 / 4 * (2 / 3) * (1 + e) / (2 + 2 * e)
    assert score("infAP(trec_eval)", TOPIC) == pytest.approx((1 + at_four) / 3, rel=1e-12)


def test_rank_correlations_of_a_perfect_order_are_one() -> None:
    perfect = topic_hits([2, 5, 7], [5, 4, 4])
    assert [score(name, perfect) for name in ("tau", "TauAP", "RBO(p=0.9)")] == pytest.approx(
        [1, 1, 1]
    )


def test_rank_correlations_of_the_reverse_order() -> None:
    reverse = topic_hits([1, 2, 3], [1, 2, 3])
    assert score("tau", reverse) == -1.0
    assert score("TauAP", reverse) == -1.0
    assert score("RBO(p=0.5)", reverse) == pytest.approx(
        0.5 * (0 / 1 + 0.5 * 1 / 2 + 0.25 * 3 / 3) + 0.5**3
    )


def test_one_judged_item_has_no_correlation_but_overlaps_itself() -> None:
    one = topic_hits([4], [5])
    assert math.isnan(score("tau", one))
    assert math.isnan(score("TauAP", one))
    assert score("RBO(p=0.9)", one) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("ndcg@10", "nDCG@10"),
        ("map@100", "AP@100"),
        ("mrr", "RR"),
        ("hr@10", "Success@10"),
        ("HitRate@10", "Success@10"),
        ("precision@5", "P@5"),
        ("recall@5", "Recall@5"),
        ("P(rel=4)@10", "P(relevance=4)@10"),
        ("RBP(0.9)", "RBP(p=0.9)"),
        ("infAP(trec_eval)", "InfAP(as=trec_eval)"),
        ("MAP(as=elliot)@10", "AP(as=elliot)@10"),
        ("nDCG(gain=exp)@10", "nDCG(gain=exponential)@10"),
    ],
)
def test_what_users_type_has_one_canonical_spelling(typed: str, name: str) -> None:
    assert str(parse("metric", typed)) == name
