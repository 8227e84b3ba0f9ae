"""The choice of targets: its spelling, its parts, and topics that there must be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.base.errors import BadParameter, CranfieldError, EmptyInput
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets, require_topics
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users

CANDIDATES = ("all-items", "test-items(without_head=0.25)")
RELEVANT = ("all-relevant", "one-relevant", "percentiles(m=3)")
NONRELEVANT = ("all-nonrelevant", "judged-only", "sampled(n=2, per=relevant)")


def chosen(text: str, relevance: float) -> Targets:
    rng = np.random.default_rng(0)
    users, items = np.nonzero(rng.random((5, 8)) < 0.7)
    ratings = Ratings.from_triples(users, items, rng.integers(1, 6, len(users)).astype(float))
    test = rng.random(len(ratings)) < 0.5
    judgments = judge(ratings.take(test), relevance)
    entering = choose_users(ratings.take(~test), judgments, UserChoice(least_train=0))
    return parse_targets(text).choose(entering, TestCollection(ratings.take(~test), judgments))


@pytest.mark.parametrize("parts", list(product(CANDIDATES, RELEVANT, NONRELEVANT)))
def test_every_combination_is_spelled_in_one_order_and_read_back(parts: tuple[str, ...]) -> None:
    choice = parse_targets(", ".join(reversed(parts)))
    assert str(choice) == ", ".join(parts)
    assert parse_targets(str(choice)) == choice
    assert chosen(str(choice), 3).name == str(choice)


@pytest.mark.parametrize(("relevant", "rest"), list(product(RELEVANT[1:], NONRELEVANT)))
def test_where_nothing_is_relevant_there_is_no_topic_which_is_refused(
    relevant: str, rest: str
) -> None:
    targets = chosen(f"{relevant}, {rest}", 99)
    with pytest.raises(EmptyInput, match=f"targets all-items, {relevant[:5]}.*no relevant test"):
        require_topics(targets)


def test_targets_with_a_topic_are_themselves() -> None:
    for text, relevance in (("all-relevant", 99), ("one-relevant", 3)):
        targets = chosen(text, relevance)
        assert require_topics(targets) is targets


@pytest.mark.parametrize("text", ["", "all-items,", ", condensed"])
def test_an_empty_part_is_refused_in_words(text: str) -> None:
    with pytest.raises(CranfieldError):
        parse_targets(text)


def test_a_parameter_of_the_wrong_part_is_refused() -> None:
    with pytest.raises(CranfieldError, match="n"):
        parse_targets("one-relevant(n=3)")
    with pytest.raises(BadParameter, match="m: 0 is not a whole number of at least 1"):
        parse_targets("percentiles(m=0)")


def test_percentiles_alone_divide_items_into_segments() -> None:
    assert chosen("percentiles(m=3)", 3).eligible.segments is not None
    assert chosen("one-relevant", 3).eligible.segments is None
