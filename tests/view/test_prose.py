"""Prose: what a paper says of options, with every decision that changes a figure."""

from __future__ import annotations

import pytest

from cranfield.base.options import options, parse
from cranfield.view.prose import listed, metric_words, phrase, settings_of, with_parameters
from cranfield.workbench import inventory

inventory.load()


@pytest.mark.parametrize(
    ("decision", "spelled", "said"),
    [
        ("split", "per-user(test_share=0.345)", "34.5 % of the ratings of each user in test"),
        ("split", "temporal(at=2001-12-31)", "with all ratings from 2001-12-31 on in test"),
        ("split", "rolling", "with 3 windows of equal numbers of ratings, cut from the last half,"),
        ("split", "rolling", "and all ratings before each window as training"),
        ("split", "rolling(windows=1, horizon=30d)", "with the last one window of 30d as test"),
        ("split", "rolling(horizon=30d, step=7d, train=window)",
         "of 30d, each 7d after the one before, as test, and as much as trains the first window"),
        ("split", "leave-out(count=2, pick=latest)", "the latest 2 ratings of each user"),
        ("split", "k-fold(folds=3, per=user)", "at random within each user into 3 folds"),
        ("split", "uniform", "number of test ratings (20 % of all ratings in test, ε = 0.2)"),
        ("split", "uniform(folds=5)", "the same number of test ratings in each of 5 folds (20 %"),
        ("filter", "k-core(users=3, items=2)", "3 ratings of every user and 2 of every item"),
        ("filter", "rating-range(at_least=2)", "ratings from 2"),
        ("filter", "drop-head(share=0.1)", "all items, not the 10 % that are most popular"),
        ("candidates", "all-items(only_head=0.2)", "only the 20 % that are most popular"),
        ("candidates", "test-items(without_head=0.3, head_of=ratings)",
         "with a test rating, not the most popular ones that hold 30 % of the ratings"),
        ("relevant", "one-relevant", "with no other relevant item"),
        ("relevant", "one-relevant(judged=all)", "all that the user rated in test as judged"),
        ("relevant", "percentiles(m=4)", "among items of the same of 4 popularity percentiles"),
        ("nonrelevant", "sampled(n=99, per=relevant)", "of 99 other items per relevant item"),
        ("nonrelevant", "sampled(n=99, of=unrated)", "sample of 99 unrated items per user"),
        ("gain", "table(gains={1: 0, 5: 2.5})", "0 for 1, 2.5 for 5"),
        ("aggregation", "weighted-mean(by=relevant)", "the number of relevant test ratings"),
        ("aggregation", "weighted-mean(by=train)", "weighted by the number of training ratings"),
        ("aggregation", "weighted-mean(by=all)", "the number of training and test ratings"),
        ("aggregation", "weighted-mean(by=column(age))", 'weighted by the column "age" of users'),
        ("aggregation", "standardised(reference=[A, B])", "standardised over A and B"),
        ("aggregation", "standardised(reference=x/old.parquet)", "the systems of old.parquet"),
        ("aggregation", "floored-geometric-mean(as=rec_eval)", "by a fault of rec_eval 10.6"),
    ],
)  # fmt: skip
def test_parameters_are_told(decision: str, spelled: str, said: str) -> None:
    assert said in phrase(parse(decision, spelled))


@pytest.mark.parametrize(
    "decision", ["split", "filter", "candidates", "relevant", "nonrelevant", "gain", "aggregation",
                 "test", "correction"],
)  # fmt: skip
def test_options_that_can_be_made_without_parameters_have_a_phrase(decision: str) -> None:
    for name, made in options(decision).items():
        try:
            option = made()
        except Exception:
            continue
        words = phrase(option)
        assert "=" not in words.replace("ε = ", "").replace("α = ", ""), name


def test_metrics_have_the_parameters_that_are_not_as_usual() -> None:
    metric = parse("metric", "P(relevance=3, unjudged=relevant)@5")
    assert metric_words(metric) == "P@5 (relevance = 3, unjudged = relevant)"
    assert metric_words(parse("metric", "nDCG(gain=exponential)@7")) == "nDCG@7"


def test_tests_have_their_settings_in_words() -> None:
    assert settings_of(parse("test", "bootstrap(draws=20000)")) == "20,000 draws"
    assert settings_of(parse("test", "sign")) == settings_of("my own") == ""
    for by, said in {
        "test": "the number of test ratings",
        "relevant": "the number of relevant test ratings",
        "train": "the number of training ratings",
        "all": "the number of training and test ratings",
        "column(age)": 'the column "age" of users',
    }.items():
        assert settings_of(parse("test", f"weighted-t(by={by})")) == f"weighted by {said}"


def test_what_has_no_phrase_is_named_with_its_parameters() -> None:
    assert with_parameters(parse("recommender", "RM1(k=7)")).startswith("RM1 (k = 7, smoothing = ")
    assert phrase("my own") == "my own"
    assert listed(["a", "b", "c"]) == "a, b and c"
