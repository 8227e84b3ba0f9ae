"""Item terms: with weights of 1 the metric itself, else by hand and by brute force."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import UnsuitableScores
from cranfield.base.options import parse
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measurement.item_terms import item_terms, join_terms, refuse_without_terms
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats
from hit_cases import METRICS, Ranking, hits_of, rankings
from suites import tries

ITEMS = 60
PLAIN = [
    "P", "P@3", "P(relevance=3.0)@2", "Recall", "Recall@3", "DCG", "DCG@2",
    "DCG(gain=exponential)@4", "nDCG", "nDCG@1", "nDCG@3", "nDCG(gain=binary)@3",
    "nDCG(gain=exponential)@2", "RBP(p=0.8)",
    "RBP(p=0.5, gain=chapelle)@3", "AP", "AP@2", "AP(relevance=2.0)@4",
]  # fmt: skip


def metric(spelling: str) -> Metric:
    found: Metric = parse("metric", spelling)
    return found


@pytest.mark.parametrize("spelling", PLAIN)
@settings(deadline=None, max_examples=tries(25))
@given(st.lists(rankings(), min_size=1, max_size=4))
def test_with_weights_of_one_the_score_is_the_metrics(spelling: str, lists: list[Ranking]) -> None:
    hits = hits_of(lists)
    found = item_terms(hits, metric(spelling)).scores(np.ones(ITEMS))
    expected = measure(hits, [metric(spelling)])[0]
    assert found == pytest.approx(expected, nan_ok=True, rel=1e-12)


@pytest.mark.parametrize("spelling", PLAIN)
@settings(deadline=None, max_examples=tries(15))
@given(st.lists(rankings(), min_size=1, max_size=3))
def test_equal_weights_change_ratios_not_at_all_and_sums_in_proportion(
    spelling: str, lists: list[Ranking]
) -> None:
    terms = item_terms(hits_of(lists), metric(spelling))
    times = 1 if terms.ratio else 3
    found, once = terms.scores(np.full(ITEMS, 3.0)), terms.scores(np.ones(ITEMS))
    assert found == pytest.approx(times * once, nan_ok=True)


HITS = hits_of([Ranking((5.0, None, 4.0, 2.0), unranked=(4.0,), items=(7, 3, 9, 1))])
"""Item 7 (rated 5) at rank 1, 3 (4) at rank 3, 9 (2) at rank 4, and 1 (4) not in the list."""


def weights(**counts: float) -> Floats:
    found = np.ones(ITEMS)
    for item, count in counts.items():
        found[int(item[1:])] = count
    return found


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        # item 7 twice, item 3 not at all, item 1 three times
        ("P@3", 2 / 3),
        ("Recall@3", 2 / (2 + 0 + 3)),
        ("DCG@4", 2 * 5 + 2 / log2(5)),
        # best order: 7, then 3 and 1 share ranks 2 and 3, then 9
        (
            "nDCG@4",
            (2 * 5 + 2 / log2(5)) / (2 * 5 + (0 + 3) * 4 * (1 / log2(3) + 1 / 2) / 2 + 2 / log2(5)),
        ),
        ("RBP(p=0.5)", 2 * 0.5),
        ("AP", (2 * 1 + 0 * 2 / 3) / (2 + 0 + 3)),
    ],
)
def test_weights_act_on_the_terms_of_items_by_hand(spelling: str, expected: float) -> None:
    found = item_terms(HITS, metric(spelling)).scores(weights(i7=2, i3=0, i1=3))
    assert found.tolist() == pytest.approx([expected])


def test_a_topic_is_undefined_where_no_relevant_item_counts() -> None:
    none = weights(i7=0, i3=0, i1=0)
    for spelling in ("P@3", "Recall@3", "RBP(p=0.5)", "AP", "nDCG(gain=binary)@3"):
        assert np.isnan(item_terms(HITS, metric(spelling)).scores(none)).all()


def test_terms_are_joined_one_after_the_other() -> None:
    other = hits_of([Ranking((None, 5.0)), Ranking((4.0,), unranked=(5.0,))])
    for spelling in PLAIN:
        parts = [item_terms(each, metric(spelling)) for each in (HITS, other)]
        expected = np.concatenate([each.scores(np.ones(ITEMS)) for each in parts])
        assert join_terms(parts).scores(np.ones(ITEMS)).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "spelling",
    ["RR", "ERR", "Bpref", "F1@5", "P(unjudged=relevant)@5", "nDCG(as=lenskit)", "AP(as=elliot)"],
)
def test_other_metrics_and_other_forms_are_refused_by_name(spelling: str) -> None:
    with pytest.raises(UnsuitableScores) as caught:
        item_terms(HITS, metric(spelling))
    assert str(caught.value).startswith(f"{metric(spelling)}: it is no sum over judged items")


def test_every_metric_that_ships_has_terms_or_is_refused() -> None:
    accepted = []
    for each in METRICS:
        try:
            refuse_without_terms(each)
        except UnsuitableScores:
            continue
        accepted.append(each)
        assert_equal_to_the_metric(HITS, each)
    assert {type(each).__name__ for each in accepted} == {
        "Precision", "Recall", "DCG", "NDCG", "RBP", "AveragePrecision",
    }  # fmt: skip


def assert_equal_to_the_metric(hits: Hits, each: Metric) -> None:
    found = item_terms(hits, each).scores(np.ones(ITEMS))
    assert found == pytest.approx(measure(hits, [each])[0], nan_ok=True)
