"""What a paper says of options: their parameters in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cranfield.base import options
from cranfield.base.options import parse
from cranfield.view.phrases import PHRASES, SETTINGS, Phrase
from cranfield.workbench import inventory

inventory.load()


def said(decision: str, spelling: str, phrases: dict[str, Phrase] | None = None) -> str:
    option: Any = parse(decision, spelling)
    names = getattr(option, "__dataclass_fields__", {})
    given = {name.rstrip("_"): getattr(option, name) for name in names}
    phrase = (PHRASES[decision] if phrases is None else phrases)[option.option_name]
    if isinstance(phrase, str):
        return phrase.format(**given)
    made: Callable[[Any], str] = phrase
    return made(given)


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("random(test_share=0.2)", "at random, each rating going to test with probability 0.2"),
        ("random-exact(test_share=0.125)", "at random, with 12.5 % of all ratings in test"),
        ("per-user(test_share=0.2)", "at random, with 20 % of the ratings of each user in test"),
        ("temporal(test_share=0.1)", "by time, with the latest 10 % of all ratings in test"),
        (
            "temporal-per-user(test_share=0.1)",
            "by time, with the latest 10 % of the ratings of each user in test",
        ),
        ("leave-out", "by putting one rating of each user, drawn at random, into test"),
        ("leave-out(count=3)", "by putting 3 ratings of each user, drawn at random, into test"),
        ("leave-out(pick=latest)", "by putting the latest rating of each user into test"),
        (
            "leave-out(pick=latest, count=2)",
            "by putting the latest 2 ratings of each user into test",
        ),
        (
            "k-fold(folds=4, per=rating)",
            "at random into 4 folds, each of which was test once",
        ),
        (
            "k-fold(folds=4, per=user)",
            "at random within each user into 4 folds, each of which was test once",
        ),
        ("per-item-train(count=5)", "with 5 random ratings of each item in training"),
    ],
)
def test_a_split_says_what_goes_to_test(spelling: str, words: str) -> None:
    assert said("split", spelling) == words


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("k-core(k=5)", "the 5-core (at least 5 ratings of every user and item)"),
        (
            "k-core(users=5, items=3)",
            "the core with at least 5 ratings of every user and 3 of every item",
        ),
        ("min-ratings(per=user, at_least=4)", "users with at least 4 ratings"),
        ("rating-range(at_least=3)", "ratings from 3"),
        ("rating-range(at_most=3.5)", "ratings up to 3.5"),
        ("rating-range(at_least=2, at_most=4)", "ratings from 2 up to 4"),
        ("sample(share=0.5)", "a random 50 % of the ratings"),
    ],
)
def test_a_filter_says_what_is_left(spelling: str, words: str) -> None:
    assert said("filter", spelling) == words


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("mean", "arithmetic mean"),
        ("weighted-mean(by=test)", "mean weighted by the number of test ratings"),
        ("weighted-mean(by=train)", "mean weighted by the number of training ratings"),
        ("weighted-mean(by=all)", "mean weighted by the number of training and test ratings"),
        ("weighted-mean(by=column(spend))", 'mean weighted by the column "spend" of users'),
        ("URisk(baseline=Pop, alpha=2)", "URisk against Pop (α = 2)"),
        ("GeoRisk(alpha=0.5)", "GeoRisk (α = 0.5)"),
        ("standardised", "mean of scores standardised over systems"),
        ("standardised(reference=[A, B])", "mean of scores standardised over A and B"),
        (
            "standardised(reference=folder/old.parquet)",
            "mean of scores standardised over the systems of old.parquet",
        ),
    ],
)
def test_an_average_says_what_counts_and_how_much(spelling: str, words: str) -> None:
    assert said("aggregation", spelling) == words


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("rating", "the rating itself"),
        ("binary", "1 for relevant ratings and 0 for others"),
        ("above-neutral", "how far the rating is above the middle of the scale"),
        ("above-neutral(neutral=2.5)", "how far the rating is above 2.5"),
        ("table(gains={1: 0, 5: 2.5})", "0 for 1, 2.5 for 5"),
    ],
)
def test_a_gain_says_what_a_rating_is_worth(spelling: str, words: str) -> None:
    assert said("gain", spelling) == words


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("bootstrap(draws=5000)", "5,000 draws"),
        ("log-t(epsilon=0.01)", "of scores plus 0.01"),
        ("tukey-hsd", "users as blocks"),
        ("tukey-hsd(blocks=false)", "users not as blocks"),
        ("weighted-t(by=relevant)", "weighted by the number of relevant test ratings"),
    ],
)
def test_a_test_says_its_settings(spelling: str, words: str) -> None:
    assert said("test", spelling, SETTINGS) == words


@pytest.mark.parametrize("decision", sorted(PHRASES))
def test_every_option_that_ships_has_a_phrase(decision: str) -> None:
    shipped = {
        name
        for name, option in options.options(decision).items()
        if option.__module__.startswith("cranfield.")
    }
    assert shipped
    assert shipped <= set(PHRASES[decision])
