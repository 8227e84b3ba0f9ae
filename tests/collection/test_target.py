"""Targets: what is ranked, drawn once, the same for every system."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.base.errors import OptionError, UnknownOption
from cranfield.base.seeds import Seeds
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets, items_of
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.targets.nonrelevant import draw_pool
from cranfield.collection.targets.relevant import Percentiles
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from suites import tries

CHOICES = [
    "all-items",
    "test-items",
    "condensed",
    "one-relevant",
    "one-relevant, condensed",
    "sampled(n=3)",
    "one-relevant, sampled(n=3)",
    "one-relevant, sampled(n=30, per=relevant)",
    "percentiles(m=2), sampled(n=2)",
    "test-items(without_head=0.2), percentiles(m=3)",
]


@st.composite
def collections(draw: st.DrawFn) -> tuple[Ratings, Ratings]:
    """Training and test of a small collection; some users or items on one side only."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = draw(st.integers(1, 6)), draw(st.integers(2, 20))
    observed = rng.random(shape) < draw(st.sampled_from([0.2, 0.5, 0.9]))
    observed[0, :2] = True
    users, items = np.nonzero(observed)
    ratings = Ratings.from_triples(users, items, rng.integers(1, 6, len(users)).astype(float))
    test = rng.random(len(ratings)) < 0.5
    test[:2] = [True, False]
    return ratings.take(~test), ratings.take(test)


def choose(text: str, train: Ratings, test: Ratings, seed: int = 1) -> Targets:
    judgments = judge(test, 4)
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    return parse_targets(text).choose(users, TestCollection(train, judgments), seed)


@pytest.mark.parametrize("text", CHOICES)
@settings(deadline=None, max_examples=tries(20))
@given(case=collections())
def test_targets_hold_no_training_item(text, case):  # type: ignore[no-untyped-def]
    train, test = case
    targets = choose(text, train, test)
    for topic, user in enumerate(targets.topics.users):
        assert not np.isin(targets.of_topic(topic), items_of(train, user)).any()


@pytest.mark.parametrize("text", ["all-items", "test-items", "condensed", "sampled(n=3)"])
@settings(deadline=None, max_examples=tries(20))
@given(case=collections())
def test_all_relevant_targets_hold_every_relevant_test_item(text, case):  # type: ignore[no-untyped-def]
    train, test = case
    targets = choose(text, train, test)
    positives = targets.judgments.positives
    for topic, user in enumerate(targets.topics.users):
        assert set(items_of(positives, user)) <= set(targets.of_topic(topic))


@pytest.mark.parametrize("text", [text for text in CHOICES if "one" in text or "perc" in text])
@settings(deadline=None, max_examples=tries(20))
@given(case=collections())
def test_one_relevant_targets_hold_exactly_one(text, case):  # type: ignore[no-untyped-def]
    train, test = case
    targets = choose(text, train, test)
    positives = targets.judgments.positives
    for topic, user in enumerate(targets.topics.users):
        held = np.isin(targets.of_topic(topic), items_of(positives, user))
        assert held.sum() == 1


@settings(deadline=None, max_examples=tries(40))
@given(case=collections(), n=st.integers(1, 25))
def test_pools_are_drawn_as_defined(case, n):  # type: ignore[no-untyped-def]
    train, test = case
    targets = choose(f"one-relevant, sampled(n={n})", train, test, seed=9)
    assert targets.pools is not None
    key = Seeds(9).child("targets").key("sampled")
    everything = np.arange(train.n_items, dtype=np.int32)
    for topic, user in enumerate(targets.topics.users):
        eligible = targets.eligible.of_topic(targets.topics, topic)
        owner = int(user) * (train.n_items + 1)
        pool = targets.pools.items[targets.pools.of_topic[topic]]
        assert pool.tolist() == draw_pool(everything, eligible, n, key, owner).tolist()
        assert len(pool) == min(n, len(eligible))


def test_every_eligible_item_is_drawn_equally_often() -> None:
    users = np.append(np.arange(4000).repeat(2), [0] * 10)
    items = np.append(np.tile([0, 1], 4000), np.arange(2, 12))
    ratings = Ratings.from_triples(users, items, np.full(len(users), 5.0))
    test = (ratings.items == 1) & (ratings.users > 0)
    targets = choose("sampled(n=3)", ratings.take(~test), ratings.take(test))
    assert targets.pools is not None
    drawn = np.bincount(targets.pools.items.values, minlength=12)[2:]
    mean = 3999 * 3 / 10
    band = 4.5 * np.sqrt(mean * (1 - 3 / 10))
    assert np.abs(drawn - mean).max() < band


def test_a_sample_does_not_depend_on_which_other_users_take_part() -> None:
    rng = np.random.default_rng(0)
    users, items = np.nonzero(rng.random((30, 40)) < 0.3)
    ratings = Ratings.from_triples(users, items, np.full(len(users), 5.0))
    test = rng.random(len(ratings)) < 0.4
    train, part = ratings.take(~test), ratings.take(test)
    everyone = choose("sampled(n=5)", train, part)
    few = choose("sampled(n=5)", train, part.take(part.users >= 20))
    assert everyone.pools is not None
    assert few.pools is not None
    shared = everyone.topics.users >= 20
    eligible_same = [
        everyone.pools.items[everyone.pools.of_topic[topic]].tolist()
        for topic in np.flatnonzero(shared)
    ]
    again = [few.pools.items[few.pools.of_topic[t]].tolist() for t in np.flatnonzero(shared)]
    assert eligible_same == again


def test_percentiles_are_of_equal_size_and_ordered_by_popularity() -> None:
    counts = np.arange(1, 11)
    users = np.concatenate([np.arange(count) for count in counts])
    ratings = Ratings.from_triples(users, np.repeat(np.arange(10), counts))
    known = TestCollection(ratings, judge(ratings, 1))
    segments = Percentiles(m=5).segments(known, np.ones(10, dtype=bool))
    assert segments.tolist() == [4, 4, 3, 3, 2, 2, 1, 1, 0, 0]


def test_threads_do_not_change_the_targets(monkeypatch):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    users, items = np.nonzero(rng.random((50, 40)) < 0.3)
    ratings = Ratings.from_triples(users, items, rng.integers(1, 6, len(users)).astype(float))
    test = rng.random(len(ratings)) < 0.4
    prints = set()
    for threads in ("1", "2"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        targets = choose("one-relevant, sampled(n=5)", ratings.take(~test), ratings.take(test))
        prints.add(targets.fingerprint)
    assert len(prints) == 1


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("all-items, all-relevant", "all-items, all-relevant, all-nonrelevant"),
        ("TI, 1R, NN(n=99)", "test-items, one-relevant, sampled(n=99)"),
        ("condensed", "all-items, all-relevant, judged-only"),
    ],
)
def test_choices_are_spelled_one_way(text, canonical):  # type: ignore[no-untyped-def]
    assert str(parse_targets(text)) == canonical
    assert parse_targets(canonical) == parse_targets(text)


def test_an_unknown_choice_names_the_nearest() -> None:
    with pytest.raises(UnknownOption, match='Did you mean "all-items"'):
        parse_targets("all-itms")


def test_an_unknown_choice_names_the_commands_that_list_all() -> None:
    commands = "options candidates`, `cranfield options relevant` and `cranfield options nonrel"
    with pytest.raises(UnknownOption, match=commands):
        parse_targets("all-itms")


def test_two_answers_to_one_question_are_refused() -> None:
    with pytest.raises(OptionError, match="answers the same question"):
        parse_targets("all-items, test-items")
