"""Gibbs sampling: counts that stay true, and draws that follow their distribution."""

from __future__ import annotations

import numpy as np

from cranfield.recommendation.kernels.gibbs import Counts, Tokens, assign, sample


def started(topics: int, weights: list[float]) -> tuple[Tokens, Counts]:
    """Tokens of two users and three items in turn, all of different weight."""
    size = len(weights)
    tokens = Tokens(
        (np.arange(size) % 2).astype(np.int32),
        (np.arange(size) % 3).astype(np.int32),
        np.array(weights),
        np.zeros(size, np.int32),
    )
    counts = Counts(np.zeros((2, topics)), np.zeros((3, topics)), np.zeros(topics))
    assign(np.uint64(5), tokens, counts)
    return tokens, counts


def test_counts_of_fractional_ratings_stay_those_of_the_topics() -> None:
    tokens, counts = started(4, [0.1, 0.7, 3.3, 0.1, 2.05, 1.1, 0.3])
    for sweep in range(200):
        sample(np.uint64(sweep), tokens, counts, 0.01, 0.01, 0.03)
    of_users, of_items = np.zeros((2, 4)), np.zeros((3, 4))
    np.add.at(of_users, (tokens.users, tokens.topics), tokens.weights)
    np.add.at(of_items, (tokens.items, tokens.topics), tokens.weights)
    np.testing.assert_allclose(counts.users, of_users, atol=1e-12)
    np.testing.assert_allclose(counts.items, of_items, atol=1e-12)
    np.testing.assert_allclose(counts.totals, of_users.sum(axis=0), atol=1e-12)


def test_one_topic_is_the_topic_of_everything() -> None:
    tokens, counts = started(1, [1.0, 2.0, 3.0])
    sample(np.uint64(1), tokens, counts, 0.5, 0.1, 0.3)
    assert tokens.topics.tolist() == [0, 0, 0]
    assert counts.totals.tolist() == [6.0]


def test_topics_are_assigned_alike_at_first() -> None:
    """3000 tokens over 3 topics: 1000 each, ± 26."""
    tokens, _ = started(3, [1.0] * 3000)
    counts = np.bincount(tokens.topics, minlength=3)
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(3000 * 1 / 3 * 2 / 3)


def test_a_token_alone_is_drawn_by_the_priors_alone() -> None:
    """Its own weight is left out, so n is 0 everywhere and all topics are alike."""
    tokens, counts = started(4, [5.0])
    drawn = np.zeros(4)
    for sweep in range(4000):
        sample(np.uint64(10 + sweep), tokens, counts, 0.3, 0.2, 0.6)
        drawn[tokens.topics[0]] += 1
    assert np.abs(drawn - 1000).max() < 5 * np.sqrt(4000 * 1 / 4 * 3 / 4)
