"""Non-relevant targets: judged ones, and samples of what is eligible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets, items_of
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from suites import tries


def choose(text: str, train: Ratings, test: Ratings, seed: int = 1) -> Targets:
    judgments = judge(test, 4)
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    return parse_targets(text).choose(users, TestCollection(train, judgments), seed)


def pool_of(targets: Targets, topic: int) -> list[int]:
    assert targets.pools is not None
    return [int(item) for item in targets.pools.items[targets.pools.of_topic[topic]]]


@st.composite
def collections(draw: st.DrawFn) -> tuple[Ratings, Ratings]:
    """Training and test in which a pair may be in both, as two files may have it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    users, items = np.nonzero(rng.random((5, 12)) < draw(st.sampled_from([0.3, 0.8])))
    ratings = Ratings.from_triples(
        np.append(users, 0), np.append(items, 12), rng.integers(1, 6, len(users) + 1).astype(float)
    )
    part = rng.integers(0, 3, len(ratings))
    part[0] = 2
    return ratings.take(part > 0), ratings.take(part != 1)


@settings(deadline=None, max_examples=tries(20))
@given(case=collections(), m=st.integers(1, 6))
def test_judged_targets_of_a_percentile_are_of_that_percentile(case, m):  # type: ignore[no-untyped-def]
    targets = choose(f"percentiles(m={m}), condensed", *case)
    segments = targets.topics.segments
    assert segments is not None
    assert targets.eligible.segments is not None
    for topic, user in enumerate(targets.topics.users):
        found = targets.of_topic(topic)
        assert (targets.eligible.segments[found] == segments[topic]).all()
        test, train = targets.judgments.ratings, targets.train
        inside = targets.eligible.segments == segments[topic]
        rejected = set(items_of(test.take(~targets.judgments.relevant), user).tolist())
        wanted = {i for i in rejected if inside[i]} - set(items_of(train, user).tolist())
        assert set(pool_of(targets, topic)) == wanted


@settings(deadline=None, max_examples=tries(20))
@given(case=collections())
def test_one_percentile_is_one_relevant(case):  # type: ignore[no-untyped-def]
    for rest in ("condensed", "all-nonrelevant"):
        whole, plain = (choose(f"{first}, {rest}", *case) for first in ("P1R(m=1)", "1R"))
        assert whole.topics.items is not None
        assert plain.topics.items is not None
        assert whole.topics.items.tolist() == plain.topics.items.tolist()
        for topic in range(len(plain.topics)):
            assert whole.of_topic(topic).tolist() == plain.of_topic(topic).tolist()


@pytest.mark.parametrize("relevant", ["all-relevant", "one-relevant", "percentiles(m=3)"])
@pytest.mark.parametrize("rest", ["sampled(n=2)", "sampled(n=2, per=relevant)", "condensed", "AN"])
def test_without_a_candidate_nothing_is_ranked(relevant: str, rest: str) -> None:
    """Item 0, the only one with a test rating, is in the head of the four items."""
    ratings = Ratings.from_triples([0, 0, 1, 1, 2, 2, 0], [0, 1, 0, 1, 0, 2, 3], [5.0] * 7)
    test = (ratings.items == 0) & (ratings.users > 0)
    text = f"test-items(without_head=0.5), {relevant}, {rest}"
    targets = choose(text, ratings.take(~test), ratings.take(test))
    assert not targets.eligible.candidates.any()
    assert len(targets.topics) == (3 if relevant == "all-relevant" else 0)
    assert all(len(targets.of_topic(topic)) == 0 for topic in range(len(targets.topics)))


def test_a_sample_larger_than_what_is_eligible_takes_it_all_and_is_counted_as_short() -> None:
    """User 0 has rated all but items 3 and 4; user 1 has 4 items beside the relevant one."""
    ratings = Ratings.from_triples([0, 0, 0, 1, 2, 2], [0, 1, 2, 0, 3, 4], [5.0] * 6)
    test = (ratings.users == 1) | ((ratings.users == 0) & (ratings.items == 2))
    targets = choose("sampled(n=4)", ratings.take(~test), ratings.take(test))
    assert pool_of(targets, 0) == [3, 4]
    assert pool_of(targets, 1) == [1, 2, 3, 4]
    assert targets.pools is not None
    assert targets.pools.short == 2  # users 0 and 2


@settings(deadline=None, max_examples=tries(20))
@given(case=collections(), n=st.integers(1, 8), m=st.integers(1, 14))
def test_samples_of_percentiles_are_eligible_distinct_and_full(case, n, m):  # type: ignore[no-untyped-def]
    targets = choose(f"percentiles(m={m}), sampled(n={n})", *case)
    for topic in range(len(targets.topics)):
        eligible = targets.eligible.of_topic(targets.topics, topic).tolist()
        pool = pool_of(targets, topic)
        assert set(pool) <= set(eligible)
        assert pool == sorted(set(pool))
        assert len(pool) == min(n, len(eligible))


def test_samples_of_their_own_differ_from_one_relevant_item_to_the_next() -> None:
    ratings = Ratings.from_triples([0] * 30 + [1] * 300, [*range(30), *range(300)], [5.0] * 330)
    train = ratings.take(ratings.users == 1)
    own = choose("1R, sampled(n=5, per=relevant)", train, ratings.take(ratings.users == 0))
    shared = choose("1R, sampled(n=5)", train, ratings.take(ratings.users == 0))
    assert len({tuple(pool_of(own, topic)) for topic in range(30)}) == 30
    assert len({tuple(pool_of(shared, topic)) for topic in range(30)}) == 1


@settings(deadline=None, max_examples=tries(30))
@given(case=collections(), n=st.integers(1, 8), relevant=st.sampled_from(["AR", "1R", "P1R(m=2)"]))
def test_unrated_items_are_drawn_and_nothing_that_the_user_judged(case, n, relevant):  # type: ignore[no-untyped-def]
    targets = choose(f"{relevant}, sampled(n={n}, of=unrated)", *case)
    judged = targets.judgments.ratings
    for topic, user in enumerate(targets.topics.users):
        eligible = set(targets.eligible.of_topic(targets.topics, topic).tolist())
        unrated = eligible - set(items_of(judged, user).tolist())
        found = pool_of(targets, topic)
        assert set(found) <= unrated
        assert len(found) == min(n, len(unrated))


@settings(deadline=None, max_examples=tries(30))
@given(case=collections(), n=st.integers(1, 8), relevant=st.sampled_from(["AR", "1R", "P1R(m=2)"]))
def test_judged_items_and_unrated_ones_are_ranked_together(case, n, relevant):  # type: ignore[no-untyped-def]
    both, drawn, judged = (
        choose(f"{relevant}, {text}", *case)
        for text in (f"judged-and-sampled(n={n})", f"sampled(n={n}, of=unrated)", "judged-only")
    )
    for topic in range(len(both.topics)):
        parts = pool_of(drawn, topic), pool_of(judged, topic)
        assert pool_of(both, topic) == sorted(parts[0] + parts[1])


@settings(deadline=None, max_examples=tries(60))
@given(case=collections(), n=st.integers(1, 12), relevant=st.sampled_from(["1R", "P1R(m=2)"]))
@pytest.mark.parametrize("more", ["", ", per=relevant", ", of=unrated"])
def test_the_population_is_what_a_full_ranking_would_rank(case, n, relevant, more):  # type: ignore[no-untyped-def]
    targets = choose(f"{relevant}, sampled(n={n}{more})", *case)
    population = targets.population
    assert population is not None
    for topic, user in enumerate(targets.topics.users):
        others = targets.eligible.of_topic(targets.topics, topic)
        if more == ", of=unrated":
            others = np.setdiff1d(others, items_of(targets.judgments.ratings, user))
        assert population[topic] == 1 + len(others)
        assert set(pool_of(targets, topic)) <= set(others.tolist())
        assert len(pool_of(targets, topic)) == min(n, len(others))
    part = targets.take(slice(1, 3))
    assert part.population is not None
    assert part.population.tolist() == population[1:3].tolist()


@pytest.mark.parametrize("text", ["1R", "1R, condensed", "1R, judged-plus(n=3)", "sampled(n=3)"])
def test_only_samples_of_topics_of_one_item_have_a_population(text: str) -> None:
    ratings = Ratings.from_triples([1, 1, 1, 2], [1, 2, 3, 4], [5, 4, 3, 5])
    test = np.array([True, False, True, False])
    assert choose(text, ratings.take(~test), ratings.take(test)).population is None
