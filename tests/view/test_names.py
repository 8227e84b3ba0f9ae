"""Names carry the decisions that change a value, as their user typed them."""

from __future__ import annotations

import pytest

from cranfield.base.options import parse
from cranfield.collection.target_choice import parse_targets
from cranfield.view.names import labels_of, metric_label, metric_name, targets_name
from cranfield.workbench import inventory

inventory.load()


@pytest.mark.parametrize(
    ("spelled", "shown"),
    [
        ("nDCG@10", "nDCG@10, gain = rating"),
        ("nDCG(gain=exponential)@10", "nDCG@10, gain = exponential"),
        ("nDCG(gain=binary, relevance=3)", "nDCG(relevance=3), gain = binary"),
        ("nDCG(as=recbole)@5", "nDCG(as=recbole)@5"),
        ("RBP(p=0.9)", "RBP(p=0.9), gain = binary"),
        ("ERR@10", "ERR@10, gain = stopping"),
        ("P@10", "P@10"),
        ("AP", "AP"),
        ("MAP@20", "MAP@20"),
        ("hr@5", "HR@5"),
        ("ndcg@5", "nDCG@5, gain = rating"),
        ("average-precision", "average-precision"),
    ],
)
def test_a_metric_is_shown_as_typed_with_its_gain(spelled: str, shown: str) -> None:
    assert metric_name(parse("metric", spelled)) == shown


def test_names_that_were_typed_are_kept_for_the_spelling_in_scores() -> None:
    label = labels_of([parse("metric", "MAP"), parse("metric", "nDCG@5")])
    assert [label(name) for name in ("AP", "nDCG@5", "DCG", "of mine", "nDCG(")] == [
        "MAP", "nDCG@5, gain = rating", "DCG, gain = rating", "of mine", "nDCG(",
    ]  # fmt: skip
    assert metric_label("AP") == "AP"


def test_a_name_that_was_typed_changes_nothing_else() -> None:
    one, other = parse("metric", "MAP@5"), parse("metric", "AP@5")
    assert (one, hash(one), str(one)) == (other, hash(other), str(other))


@pytest.mark.parametrize(
    ("spelled", "shown"),
    [
        ("all-items", "AI, AR"),
        ("TI, 1R", "TI, 1R"),
        ("test-items, percentiles(m=5)", "TI, P1R(m=5)"),
        ("judged-only", "AI, AR, condensed"),
        ("1R, sampled(n=99)", "AI, 1R, sampled(n=99)"),
    ],
)
def test_targets_have_short_names_that_mean_the_same(spelled: str, shown: str) -> None:
    choice = parse_targets(spelled)
    assert targets_name(choice) == shown
    assert parse_targets(shown) == choice
