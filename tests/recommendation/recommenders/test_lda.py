"""LDA: its counts, its conditional distribution, and what it finds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.kernels.gibbs import Counts, Tokens, assign, sample
from cranfield.recommendation.recommenders.lda import LDA
from learnable import everyone, grouped


def started(
    topics: int, users: np.ndarray, items: np.ndarray, weights: np.ndarray
) -> tuple[Tokens, Counts]:
    topics_of = np.zeros(len(users), np.int32)
    tokens = Tokens(users.astype(np.int32), items.astype(np.int32), weights, topics_of)
    counts = Counts(
        np.zeros((users.max() + 1, topics)), np.zeros((items.max() + 1, topics)), np.zeros(topics)
    )
    assign(np.uint64(9), tokens, counts)
    return tokens, counts


def test_counts_follow_the_topics_of_the_tokens() -> None:
    train, _ = grouped()
    tokens, counts = started(5, train.users, train.items, train.values)
    for sweep in range(3):
        sample(np.uint64(sweep), tokens, counts, 0.5, 0.1, 4.0)
        of_users, of_items = np.zeros_like(counts.users), np.zeros_like(counts.items)
        np.add.at(of_users, (tokens.users, tokens.topics), train.values)
        np.add.at(of_items, (tokens.items, tokens.topics), train.values)
        np.testing.assert_array_equal(counts.users, of_users)
        np.testing.assert_array_equal(counts.items, of_items)
        np.testing.assert_array_equal(counts.totals, of_users.sum(axis=0))


def test_a_topic_is_drawn_from_its_conditional_distribution() -> None:
    # Tokens of one user: two of item 0 under topics 0 and 1, and one of item 1, redrawn last.
    users, items = np.array([0, 0, 0]), np.array([0, 0, 1])
    alpha, beta, mass = 0.7, 0.2, 0.4
    drawn = np.zeros((2, 2, 2))
    tokens, counts = started(2, users, items, np.ones(3))
    for sweep in range(40_000):
        sample(np.uint64(1000 + sweep), tokens, counts, alpha, beta, mass)
        drawn[tuple(tokens.topics)] += 1
    for a, b in np.ndindex(2, 2):
        own = np.bincount([a, b], minlength=2)
        expected = (own + alpha) * beta / (own + mass)
        share = drawn[a, b, 1] / drawn[a, b].sum()
        assert abs(share - (expected / expected.sum())[1]) < 0.02


def test_the_items_of_a_user_have_probabilities_that_sum_to_one() -> None:
    train, _ = grouped()
    predictions = LDA(topics=4, burn_in=5, sweeps=5).fit(train, Seeds(1)).predict(everyone(train))
    assert (predictions > 0).all()
    np.testing.assert_allclose(predictions.sum(axis=1), 1.0)


@pytest.mark.long
def test_predictions_are_those_of_the_exact_posterior() -> None:
    """All 2⁶ assignments of six ratings to two topics, by their joint probability.

    Topics change their numbers along the chain: θ and φ averaged by themselves would mix
    them, and be off by more than 0.01.
    """
    users, items = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 2, 3])
    alpha, beta = 0.3, 0.2
    total, exact = 0.0, np.zeros((3, 4))
    for topics in map(np.array, product(range(2), repeat=len(users))):
        of_users, of_items = np.zeros((3, 2)), np.zeros((4, 2))
        np.add.at(of_users, (users, topics), 1)
        np.add.at(of_items, (items, topics), 1)
        sizes = of_items.sum(axis=0)
        chance = np.exp(
            gammaln(of_users + alpha).sum()
            + gammaln(of_items + beta).sum()
            - gammaln(sizes + 4 * beta).sum()
        )
        theta = (of_users + alpha) / (of_users.sum(axis=1, keepdims=True) + 2 * alpha)
        total += chance
        exact += chance * theta @ ((of_items + beta) / (sizes + 4 * beta)).T
    train = Ratings.from_triples(users, items)
    option = LDA(topics=2, alpha=alpha, beta=beta, burn_in=100, sweeps=40_000, every=2)
    found = option.fit(train, Seeds(1)).predict(everyone(train))
    np.testing.assert_allclose(found, exact / total, atol=0.005)


@pytest.mark.parametrize(("sweeps", "every", "samples"), [(50, 10, 5), (3, 10, 1), (5, 2, 3)])
def test_the_last_sweep_is_averaged_and_every_so_many_before_it(
    sweeps: int, every: int, samples: int
) -> None:
    train, _ = grouped()
    model = LDA(topics=4, burn_in=1, sweeps=sweeps, every=every).fit(train, Seeds(1))
    assert model.users.shape[1] == 4 * samples


def test_the_likelihood_rises_from_the_first_sweep() -> None:
    train, _ = grouped()

    def likelihood(burn_in: int) -> float:
        option = LDA(topics=2, burn_in=burn_in, sweeps=1)
        predictions = option.fit(train, Seeds(1)).predict(everyone(train))
        return float(np.log(predictions[train.users, train.items]).sum())

    assert likelihood(50) > likelihood(0) + 50


def test_two_topics_find_the_two_groups() -> None:
    train, _ = grouped()
    model = LDA(topics=2, burn_in=50, sweeps=50, every=50).fit(train, Seeds(1))
    topic_of_item = model.items.argmax(axis=0)
    even, odd = topic_of_item[::2], topic_of_item[1::2]
    assert len(set(even)) == len(set(odd)) == 1
    assert even[0] != odd[0]
