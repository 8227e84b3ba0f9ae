"""What rankings without any taste are to score, by hand, by brute force and by simulation."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Codes
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.validity.bias.expected_precision import (
    CollectionExpectation,
    count_targets,
    mean_size,
    random_error,
    random_precision,
    ranked_precision,
    relevance_ratio,
)
from ranking_cases import cases
from suites import tries

CONFIGURATIONS = (
    "all-items",
    "test-items",
    "sampled(n=3)",
    "one-relevant",
    "test-items, one-relevant, sampled(n=3)",
    "one-relevant, sampled(n=2, per=relevant)",
    "percentiles(m=2), sampled(n=2)",
    "all-items(without_head=0.3)",
)


def targets_of(train: Ratings, test: Ratings, relevance: float, choice: str) -> Targets:
    judgments = judge(test, relevance, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    return parse_targets(choice).choose(users, TestCollection(train, judgments), seed=3)


def by_hand(choice: str) -> Targets:
    """User 0 trained on item 0 and likes 2 and 4 of the items 0 to 5."""
    ratings = Ratings.from_triples([0, 0, 0, 1, 1, 1], [0, 2, 4, 1, 3, 5], [3, 5, 5, 3, 1, 1])
    test = np.array([False, True, True, False, True, True])
    return targets_of(ratings.take(~test), ratings.take(test), 4, choice)


ORDER: Codes = np.arange(6, dtype=np.int32)


def test_all_targets_are_counted_where_all_are_ranked() -> None:
    counts = count_targets(by_hand("all-items"), ORDER)
    assert counts.relevant.tolist() == [2, 0]
    assert counts.sizes.tolist() == [5, 5]
    assert counts.above.tolist() == [1, 2]  # of 1, 3 and 5: 1 above 2; 1 and 3 above 4
    assert counts.relevant_above.tolist() == [0, 1]


def test_a_random_ranking_is_to_score_the_share_of_relevant_targets() -> None:
    counts = count_targets(by_hand("all-items"), ORDER)
    assert relevance_ratio(counts).tolist() == [2 / 5, 0]
    assert random_precision(counts, 2)[0] == pytest.approx(2 / 5)
    assert np.isnan(random_precision(counts, 2)[1])


def test_lists_shorter_than_the_cutoff_find_at_most_what_there_is() -> None:
    counts = count_targets(by_hand("all-items"), ORDER)
    assert random_precision(counts, 10)[0] == pytest.approx(2 / 10)
    assert ranked_precision(counts, 10)[0] == pytest.approx(2 / 10)


def test_one_relevant_item_among_t_is_found_by_one_in_t() -> None:
    counts = count_targets(by_hand("one-relevant, sampled(n=2)"), ORDER)
    assert random_precision(counts, 1).tolist() == [1 / 3, 1 / 3]


def test_one_order_is_to_find_what_all_draws_find_on_average() -> None:
    """Two of the three items 1, 3 and 5 are drawn, all three ways alike."""
    counts = count_targets(by_hand("sampled(n=2)"), ORDER)
    found = [
        len({2, 4} & set(sorted({2, 4, *drawn})[:2])) / 2 for drawn in combinations([1, 3, 5], 2)
    ]
    assert ranked_precision(counts, 2)[0] == pytest.approx(sum(found) / 3)


@given(cases(), st.sampled_from(CONFIGURATIONS), st.integers(1, 4), st.integers(0, 99))
@settings(deadline=None, max_examples=tries(150))
def test_without_draws_the_expected_precision_is_the_measured_one(
    case: tuple[Ratings, Ratings, float, object], choice: str, cutoff: int, seed: int
) -> None:
    train, test, relevance, _ = case
    targets = targets_of(train, test, relevance, choice)
    order = np.random.default_rng(seed).permutation(train.n_items).astype(np.int32)
    place = np.argsort(order)
    counts = count_targets(targets, order)
    expected, ratios = ranked_precision(counts, cutoff), relevance_ratio(counts)
    for topic in range(len(targets.topics)):
        items, relevant = targets.of_topic(topic), set(targets.relevant_of(topic).tolist())
        assert counts.sizes[topic] == len(items)
        if not relevant:
            assert np.isnan(expected[topic])
            continue
        assert ratios[topic] == len(relevant) / len(items)
        top = items[np.argsort(place[items])][:cutoff]
        if counts.drawn[topic] == counts.eligible[topic]:
            assert expected[topic] == pytest.approx(len(relevant & set(top.tolist())) / cutoff)
        else:
            most = min(len(relevant), cutoff) / cutoff
            assert 0 <= expected[topic] <= most + 1e-12


def spread(choice: str, cutoff: int) -> tuple[float, float]:
    """The error that is expected for user 0, and that over all orders of the user's items.

    Items 1, 3 and 5 are in N_u, and 2 and 4 are relevant.
    """
    targets = by_hand(choice)
    counts = count_targets(targets, ORDER)
    topics = targets.topics.users == 0
    weights = topics / topics.sum()
    means = []
    for order in permutations([1, 2, 3, 4, 5]):
        if targets.topics.items is None:
            means.append(len({2, 4} & set(order[:cutoff])) / cutoff)
        else:
            ranks = [[i for i in order if i in (1, 3, 5, r)].index(r) + 1 for r in (2, 4)]
            means.append(sum(rank <= cutoff for rank in ranks) / cutoff / 2)
    return random_error(counts, weights, targets.groups, cutoff), float(np.std(means))


@pytest.mark.parametrize("choice", ["all-items", "one-relevant"])
@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_the_error_of_chance_is_the_spread_over_all_orders(choice: str, cutoff: int) -> None:
    expected, seen = spread(choice, cutoff)
    assert expected == pytest.approx(seen)


def test_the_average_target_set_size_is_a_harmonic_mean() -> None:
    assert mean_size(np.array([4, 4])) == 4
    assert mean_size(np.array([0, 2, 6])) == pytest.approx(1 / ((1 / 2 + 1 / 6) / 2))
    assert np.isnan(mean_size(np.array([0])))


def expectation(
    *positives: float, users: int, size: float, trained: float = 0.0
) -> CollectionExpectation:
    return CollectionExpectation(np.array(positives), np.full(len(positives), trained), users, size)


def test_the_expectation_of_chance_is_the_density_of_relevance() -> None:
    known = expectation(8, 4, 2, 2, users=16, size=4)
    assert known.random == pytest.approx(16 / (4 * 16))  # σ|PR| = 16
    assert known.random_one_relevant == 1 / 4


def test_the_expectation_of_a_ranking_of_all_candidates_counts_its_top() -> None:
    known = expectation(8, 4, 2, 2, users=16, size=4)
    assert known.ranked(2, of_paper=True) == pytest.approx((8 + 4) / (2 * 16))
    assert known.ranked_one_relevant(2, of_paper=True) == pytest.approx((8 + 4) / (2 * 16))


def test_the_expectation_of_a_sample_averages_over_all_samples() -> None:
    """One item and one other of three: it is first if the other is below."""
    known = expectation(8, 4, 2, 2, users=16, size=2)
    first = 8 * 3 / 3 + 4 * 2 / 3 + 2 * 1 / 3 + 2 * 0
    assert known.ranked(1, of_paper=True) == pytest.approx(first / (1 * 16))
    assert known.ranked_one_relevant(1, of_paper=True) == pytest.approx(first / (1 * 16))


def test_the_expectation_allows_for_items_that_are_in_training() -> None:
    """Each of two items is in training for half of the users: 1 target each on average."""
    known = expectation(8, 4, users=16, size=2, trained=0.5)
    assert known.ranked(1) == pytest.approx((8 * 1 + 4 * (1 - 0.5)) / 16)


def test_items_that_everybody_has_trained_on_leave_their_place_to_others() -> None:
    known = CollectionExpectation(np.array([0.0, 6.0]), np.array([1.0, 0.0]), users=12, size=2)
    assert known.ranked(1) == pytest.approx(6 / 12)


def test_equal_popularity_leaves_a_ranking_no_better_than_chance() -> None:
    known = expectation(*[3.0] * 50, users=40, size=10)
    assert known.ranked(5, of_paper=True) == pytest.approx(known.random)
    one = known.ranked_one_relevant(5, of_paper=True)
    assert one == pytest.approx(known.random_one_relevant)


def test_nothing_relevant_leaves_one_relevant_undefined() -> None:
    assert np.isnan(expectation(0, 0, 0, users=4, size=2).ranked_one_relevant(1))


def test_an_item_is_a_target_of_every_user_at_most() -> None:
    """More targets than candidates: each is a target for certain, and the first stands first."""
    assert expectation(8, 4, users=16, size=4).ranked(1) == pytest.approx(8 / 16)


def test_a_single_candidate_stands_first() -> None:
    assert expectation(8, users=16, size=1).ranked(1, of_paper=True) == 8 / 16
    assert expectation(8, users=16, size=1).ranked(1) == 8 / 16


POSITIVES = st.lists(st.integers(0, 9).map(float), min_size=1, max_size=8)


@settings(deadline=None, max_examples=tries(60))
@given(POSITIVES, st.integers(1, 8), st.floats(0, 0.9), st.booleans())
def test_the_most_liked_first_is_never_worse_than_last(
    positives: list[float], cutoff: int, trained: float, of_paper: bool
) -> None:
    size = max(1.0, len(positives) / 2)
    best, worst = (
        expectation(*sorted(positives, reverse=order), users=20, size=size, trained=trained)
        for order in (True, False)
    )
    assert best.random == pytest.approx(worst.random)
    high, low = (each.ranked(cutoff, of_paper=of_paper) for each in (best, worst))
    assert high >= low - 1e-12


@settings(deadline=None, max_examples=tries(60))
@given(POSITIVES, st.integers(1, 6), st.booleans())
def test_a_deeper_list_holds_no_fewer_relevant_items(
    positives: list[float], cutoff: int, of_paper: bool
) -> None:
    known = expectation(*positives, users=20, size=3, trained=0.25)
    found = [n * known.ranked(n, of_paper=of_paper) for n in (cutoff, cutoff + 1)]
    assert found[0] <= found[1] + 1e-12
    assert found[1] <= sum(positives) / 20 + 1e-12


@settings(deadline=None, max_examples=tries(60))
@given(cases(), st.sampled_from(CONFIGURATIONS), st.integers(1, 6))
def test_a_list_of_all_targets_holds_all_that_are_relevant(
    case: tuple[Ratings, Ratings, float, object], choice: str, cutoff: int
) -> None:
    train, test, relevance, _ = case
    targets = targets_of(train, test, relevance, choice)
    counts = count_targets(targets, np.arange(train.n_items, dtype=np.int32))
    for found in (random_precision(counts, cutoff), ranked_precision(counts, cutoff)):
        known = counts.relevant > 0
        assert np.isnan(found[~known]).all()
        assert (found[known] <= counts.relevant[known] / cutoff + 1e-9).all()
        full = known & (counts.sizes <= cutoff)
        assert found[full] == pytest.approx(counts.relevant[full] / cutoff)


@settings(deadline=None, max_examples=tries(40))
@given(cases(), st.sampled_from(CONFIGURATIONS))
def test_the_relevance_ratio_is_the_random_precision_of_one_place(
    case: tuple[Ratings, Ratings, float, object], choice: str
) -> None:
    train, test, relevance, _ = case
    counts = count_targets(
        targets_of(train, test, relevance, choice), np.arange(train.n_items, dtype=np.int32)
    )
    known = counts.relevant > 0
    assert random_precision(counts, 1)[known] == pytest.approx(relevance_ratio(counts)[known])
    ratios = relevance_ratio(counts)
    assert np.isnan(ratios[counts.sizes == 0]).all()
    assert ((ratios[counts.sizes > 0] >= 0) & (ratios[counts.sizes > 0] <= 1)).all()
