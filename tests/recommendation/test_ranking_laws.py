"""What holds for the rankings of any system, whatever it predicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.rank import rank
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.systems.system_pass import RecommenderPass
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of
from learnable import grouped
from ranking_cases import TIES, UNSCORED, Fixed, cases
from suites import tries

SAME_SAMPLE = ("{}, all-relevant, sampled(n={})", "{}, one-relevant, sampled(n={})")


def choose(text: str, train: Ratings, test: Ratings, relevance: float, seed: int = 3) -> Targets:
    judgments = judge(test, relevance, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    return parse_targets(text).choose(users, TestCollection(train, judgments), seed)


def found(hits: Hits, cutoffs: np.ndarray) -> np.ndarray:
    """For each topic, the relevant items down to its own cut-off."""
    owners = hits.owners
    seen = (hits.ranks > 0) & (hits.ranks <= cutoffs[owners]) & (hits.ratings >= hits.relevance)
    return np.bincount(owners[seen], minlength=len(hits))


@pytest.mark.parametrize("candidates", ["all-items", "test-items"])
@settings(deadline=None, max_examples=tries(25))
@given(case=cases(), size=st.integers(1, 12), seed=st.integers(0, 99))
def test_both_kinds_of_targets_share_the_sample_of_a_user(candidates, case, size, seed):  # type: ignore[no-untyped-def]
    train, test, relevance, _ = case
    many, one = (
        choose(text.format(candidates, size), train, test, relevance, seed) for text in SAME_SAMPLE
    )
    assert many.pools is not None
    assert one.pools is not None
    by_user = dict(zip(many.topics.users.tolist(), many.pools.of_topic.tolist(), strict=True))
    for user, pool in zip(one.topics.users.tolist(), one.pools.of_topic.tolist(), strict=True):
        assert one.pools.items[pool].tolist() == many.pools.items[by_user[user]].tolist()


@pytest.mark.parametrize("ties", TIES)
@settings(deadline=None, max_examples=tries(25))
@given(
    case=cases(),
    size=st.integers(1, 12),
    n=st.integers(1, 8),
    unscored=st.sampled_from(UNSCORED),
    candidates=st.sampled_from(["all-items", "test-items"]),
)
def test_the_bounds_of_the_lemma_hold_for_any_system(case, size, n, ties, unscored, candidates):  # type: ignore[no-untyped-def]
    # bellogin2017 §3.4, times |PR_test|·n, and for every user by itself: with h_u(k)
    # relevant items in the top k of T_u,
    # h_u(n) ≤ Σ_r [r in the top n of T_u^r] ≤ h_u(n + |PR_test(u)| − 1).
    train, test, relevance, table = case
    targets = [choose(t.format(candidates, size), train, test, relevance) for t in SAME_SAMPLE]
    choice = RankingChoice(ties=ties, unscored=unscored, seed=7)
    many, one = (each.hits for each in rank(Fixed(table), targets, choice))
    relevant = np.array([len(targets[0].relevant_of(topic)) for topic in range(len(many))])
    assert relevant.sum() == len(one)
    of_lists = found(one, np.full(len(one), n))
    middle = np.bincount(one.topics.users, of_lists, minlength=train.n_users)[many.topics.users]
    assert (found(many, np.full(len(many), n)) <= middle).all()
    assert (middle <= found(many, n + relevant - 1)).all()


def test_both_bounds_are_met_by_a_user_with_one_relevant_item() -> None:
    # T_u = T_u^r = {1} ∪ N_u with N_u = {2, 3, 4}, all of which are predicted above item 1.
    ratings = Ratings.from_triples([1, 1, 2, 2, 2], [1, 5, 2, 3, 4], [5.0, 5.0, 5.0, 5.0, 5.0])
    test = np.array([True, False, False, False, False])
    train = ratings.take(~test)
    targets = [choose(t.format("all-items", 9), train, ratings.take(test), 4) for t in SAME_SAMPLE]
    many, one = (each.hits for each in rank(Fixed(np.tile(np.arange(5.0), (2, 1))), targets))
    assert many.ranks.tolist() == one.ranks.tolist() == [4]


@pytest.mark.parametrize("text", ["all-items", "test-items", "condensed", "one-relevant"])
@settings(deadline=None, max_examples=tries(25))
@given(case=cases(), seed=st.integers(0, 2**32))
def test_other_ids_for_users_and_items_change_no_rank(text, case, seed):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    rng = np.random.default_rng(seed)
    # Without ties, which ids would decide.
    table = np.where(np.isnan(table), np.nan, rng.permutation(table.size).reshape(table.shape))
    user, item = rng.permutation(train.n_users), rng.permutation(train.n_items)
    moved = np.empty_like(table)
    moved[np.ix_(user, item)] = table
    plain = rank(Fixed(table), [choose(text, train, test, relevance)])[0].hits
    new_train, new_test = (relabelled(part, user, item) for part in (train, test))
    again = rank(Fixed(moved), [choose(text, new_train, new_test, relevance)])[0].hits
    assert sorted(rows(plain, user, item)) == sorted(
        rows(again, np.arange(train.n_users), np.arange(train.n_items))
    )


def relabelled(ratings: Ratings, user: np.ndarray, item: np.ndarray) -> Ratings:
    """The same ratings under other codes, in the order that ratings are kept in."""
    users, items = user[ratings.users], item[ratings.items]
    order = np.lexsort((items, users))
    return replace(
        ratings,
        users=users[order].astype(np.int32),
        items=items[order].astype(np.int32),
        values=ratings.values[order],
    )


def rows(hits: Hits, user: np.ndarray, item: np.ndarray) -> list[tuple[int, int, float, int]]:
    """User, item, rating and rank of every judged target."""
    users = user[hits.topics.users[hits.owners]]
    columns = users, item[hits.items], hits.ratings, hits.ranks
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("spelled", ["Random", "BPRMF(factors=4, epochs=3)", "LDA(topics=3)"])
def test_a_system_ranks_alike_under_any_name_and_beside_any_other(spelled: str) -> None:
    train, test = grouped()
    targets = [
        choose(text, train, test, 4)
        for text in ("all-items", "one-relevant, sampled(n=5)", "condensed")
    ]
    alone = outputs_of("alone", spelled, targets)
    outputs_of("first", "WRMF(factors=2, iterations=1)", targets)
    beside = outputs_of("beside", spelled, targets[::-1])[::-1]
    for one, two in zip(alone, beside, strict=True):
        assert one.lists is not None
        assert two.lists is not None
        assert one.lists.items.tolist() == two.lists.items.tolist()
        assert one.hits.ranks.tolist() == two.hits.ranks.tolist()


def outputs_of(name: str, spelled: str, targets: list[Targets]) -> list[SystemOutput]:
    """What one system makes of several targets in one pass, its lists 100 items deep."""
    experiment = experiment_of(systems={name: spelled}, ties="random", seed=2)
    condition = RankingCondition(experiment=experiment, metrics=(), list_depth=100)
    conditions = {place: (condition, each) for place, each in enumerate(targets)}
    system, train = parse("recommender", spelled), targets[0].train
    passing = RecommenderPass(name, system, train, conditions, Store(None), Timing())
    return [output for _, output in passing.outputs(0)]
