from __future__ import annotations

from itertools import product

import pytest

from cranfield.base.decisions import Decision, parameters
from cranfield.validity.study.wording import (
    answer_words,
    decision_words,
    range_words,
    set_words,
)
from cranfield.workbench.definition.experiment import Experiment
from design_cases import CONDENSED, FULL

ONE_OF = "rankings of one relevant and 100 sampled non-relevant items"


@pytest.mark.parametrize(
    ("decision", "answer", "words"),
    [
        ("targets", FULL, "full rankings"),
        ("targets", CONDENSED, "condensed rankings"),
        ("targets", "test-items, all-relevant, all-nonrelevant", "full rankings among test items"),
        (
            "targets",
            "all-items, one-relevant, sampled(n=100, per=relevant)",
            f"{ONE_OF} drawn for each relevant item",
        ),
        (
            "targets",
            "all-items, percentiles(m=10), all-nonrelevant",
            "full rankings of one relevant item each within 10 popularity percentiles",
        ),
        (
            "targets",
            "all-items(without_head=0.1), all-relevant, all-nonrelevant",
            "full rankings without the most popular 10 % of items",
        ),
        (
            "targets",
            "all-items(without_head=0), all-relevant, all-nonrelevant",
            "full rankings",
        ),
        (
            "targets",
            "test-items, all-relevant, sampled(50)",
            "rankings with 50 sampled non-relevant items among test items",
        ),
        ("targets", "new-items", "targets = new-items"),
        ("metric", "nDCG", "nDCG"),
        ("gain", "exponential", "exponential gain"),
        ("gain", "rating", "ratings as gain"),
        ("gain", "table(gains={1: 0, 5: 1})", "table gain (gains = {1: 0, 5: 1})"),
        ("aggregation", "mean", "the arithmetic mean"),
        ("aggregation", "geometric-mean(epsilon=0.01)", "the geometric mean (epsilon = 0.01)"),
        ("aggregation", "weighted-mean(by=relevant)", "the mean weighted by relevant test ratings"),
        ("aggregation", "weighted-mean", "the mean weighted by test ratings"),
        ("aggregation", "weighted-mean(by=train)", "the mean weighted by training ratings"),
        ("aggregation", "weighted-mean(by=all)", "the mean weighted by all ratings"),
        ("aggregation", "weighted-mean(by=column(age))", "the mean weighted by age"),
        (
            "aggregation",
            "standardised(reference=[A, B])",
            "the mean of standardised scores (reference = [A, B])",
        ),
        (
            "aggregation",
            "floored-geometric-mean(as=rec_eval)",
            "the floored geometric mean (as = rec_eval)",
        ),
        ("aggregation", "GeoRisk", "GeoRisk"),
        ("coverage", "full", "uncovered users scored 0"),
        ("unscored", "drop", "items without a prediction left out"),
        ("ties", "random", "ties broken at random"),
        ("undefined", "zero", "undefined scores counted as 0"),
        ("relevance", 4.0, "a relevance threshold of 4"),
        ("split", "temporal(test_share=0.2)", "a temporal split (test_share = 0.2)"),
        ("split", "given(", "split = given("),
        ("least_train", 5, "a minimum per user of 5 training ratings"),
        ("cutoff", 10, "a cut-off of 10"),
        ("systems.kNN.k", 50, "systems.kNN.k = 50"),
        ("comparison.test", "wilcoxon", "comparison.test = wilcoxon"),
        ("flag", True, "flag = true"),
    ],
)
def test_an_answer_in_words(decision: str, answer: str | float, words: str) -> None:
    assert answer_words(decision, answer).replace('"', "") == words


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ((0.2, 0.2), "a test share of 0.2"),
        ((0.2, 0.4), "a test share of at most 0.4"),
        ((0.6, 0.8), "a test share of at least 0.6"),
        ((0.4, 0.6), "a test share of 0.4 to 0.6"),
    ],
)
def test_a_range_in_words(chosen: tuple[float, float], words: str) -> None:
    assert range_words("split.test_share", [0.2, 0.4, 0.6, 0.8], chosen) == words


def test_a_range_of_a_decision_without_words_is_shown_by_signs() -> None:
    assert range_words("k", [1, 2, 3], (2, 3)) == "k ≥ 2"
    assert range_words("k", [1, 2, 3], (1, 2)) == "k ≤ 2"
    assert range_words("k", [1, 2, 3, 4], (2, 3)) == "k = 2 to 3"
    assert range_words("k", [1, 2, 3], (2, 2)) == "k = 2"


def test_all_but_a_few_answers_are_reported_by_those_few() -> None:
    assert set_words("metric", ["P", "RR"], ["AP"]) == "P or RR"
    assert (
        set_words("metric", ["P", "RR", "AP"], ["nDCG", "F1"]) == "metrics other than nDCG and F1"
    )
    assert set_words("metric", ["P", "RR", "AP"], ["nDCG", "F1", "AUC"]) == "P, RR or AP"
    assert set_words("colour", ["a", "b", "c"], ["d"]) == "colour = a, colour = b or colour = c"


def test_decisions_have_names() -> None:
    assert decision_words("targets") == "the target items"
    assert decision_words("anything else") == "anything else"


@pytest.mark.parametrize(
    ("decision", "answer", "words"),
    [
        ("split.count", 1, "1 rating held out"),
        ("split.count", 2, "2 ratings held out"),
        ("least_train", 1, "a minimum per user of 1 training rating"),
        ("least_train", 0, "a minimum per user of 0 training ratings"),
        ("split.folds", 5, "5 folds"),
        ("judged_share", 1.0, "a share of known test ratings of 1"),
        (
            "targets",
            "all-items, all-relevant, sampled(n=1)",
            "rankings with 1 sampled non-relevant item",
        ),
        (
            "targets",
            "all-items, percentiles(m=1), all-nonrelevant",
            "full rankings of one relevant item each within 1 popularity percentile",
        ),
    ],
)
def test_one_of_a_thing_is_said_in_the_singular(
    decision: str, answer: str | float, words: str
) -> None:
    assert answer_words(decision, answer) == words


def test_a_range_ends_with_the_number_of_what_it_counts() -> None:
    assert range_words("split.count", [1, 2, 5], (1, 2)) == "at most 2 ratings held out"
    assert range_words("split.count", [0, 1, 5], (0, 1)) == "at most 1 rating held out"
    assert range_words("split.count", [0, 1, 5, 9], (1, 5)) == "1 to 5 ratings held out"


def test_answers_without_words_are_reported_by_themselves_after_other_than() -> None:
    tests = ["t", "sign", "permutation"]
    assert set_words("comparison.test", tests, ["wilcoxon"]) == "tests other than wilcoxon"


CANDIDATES = ["all-items", "test-items", "all-items(without_head=0.1)"]
RELEVANT = ["all-relevant", "one-relevant", "percentiles(m=5)", "percentiles"]
NONRELEVANT = ["all-nonrelevant", "judged-only", "sampled", "sampled(n=7)", "sampled(per=relevant)"]


def test_no_two_targets_are_said_in_the_same_words() -> None:
    every = [", ".join(parts) for parts in product(CANDIDATES, RELEVANT, NONRELEVANT)]
    said = [answer_words("targets", targets) for targets in every]
    assert len(set(said)) == len(every) == 3 * 4 * 5
    assert not any("=" in words for words in said)


@pytest.mark.parametrize(
    ("decision", "answer", "words"),
    [
        ("gain", "binary", "binary gain"),
        ("gain", "exponential", "exponential gain"),
        ("gain", "exponential(base=3)", "exponential gain (base = 3)"),
        ("aggregation", "mean", "the arithmetic mean"),
        ("aggregation", "trimmed(share=0.1)", "trimmed (share = 0.1)"),
        ("aggregation", "weighted-mean(by=relevant)", "the mean weighted by relevant test ratings"),
        ("aggregation", "weighted-mean", "the mean weighted by test ratings"),
        ("split", "temporal(test_share=0.2)", "a temporal split (test_share = 0.2)"),
        ("split", "weighted-mean", "split = weighted-mean"),
        ("split", "mine", "split = mine"),
        ("metric", "nDCG(gain=binary)@10", "nDCG(gain=binary)@10"),
    ],
)
def test_options_are_worded_with_their_parameters(decision: str, answer: str, words: str) -> None:
    assert answer_words(decision, answer) == words


@pytest.mark.parametrize("decision", ["gain", "aggregation", "split", "targets"])
def test_what_is_no_spelling_is_quoted(decision: str) -> None:
    assert answer_words(decision, "a(b") == f'{decision} = "a(b"'


@pytest.mark.parametrize("decision", ["gain", "aggregation", "split"])
def test_two_options_where_one_belongs_are_shown_as_they_are(decision: str) -> None:
    assert answer_words(decision, "a, b").startswith(f"{decision} = ")


def test_targets_of_an_extension_are_shown_as_they_are() -> None:
    assert answer_words("targets", "all-items, mine").startswith("targets = ")


CLOSED = [each for each in parameters(Experiment) if each.answers]


@pytest.mark.parametrize("decision", CLOSED, ids=lambda each: each.name)
def test_every_closed_list_of_an_experiment_has_words(decision: Decision) -> None:
    assert decision_words(decision.name) != decision.name
    words = [answer_words(decision.name, answer) for answer in decision.answers]
    assert len(set(words)) == len(decision.answers)
    assert not [each for each in words if " = " in each]


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ("depth", "lists cut at 3 items"),
        ("least_train", "a minimum per user of 3 training ratings"),
    ],
)
def test_numbers_of_lists_and_users_have_words(decision: str, words: str) -> None:
    assert answer_words(decision, 3.0) == words
