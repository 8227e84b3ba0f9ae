"""Expected counts of a mixture, by its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_user
from cranfield.recommendation.kernels.mixture import expected_counts
from neighbourhood_cases import table_of, training, training_sets
from suites import tries


@settings(deadline=None, max_examples=tries(20))
@given(train=training_sets())
def test_ratings_are_shared_among_topics_by_their_posterior(train: Ratings) -> None:
    rng = np.random.default_rng(len(train))
    own, others = rng.random((train.n_users, 3)), rng.random((train.n_items, 3))
    out = np.full((train.n_users, 3), 77.0)
    likelihood = expected_counts(0, train.n_users, by_user(train), own, others, out)
    table = table_of(train)
    joint = own[:, None, :] * others[None]
    posterior = joint / joint.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(out, (table[:, :, None] * posterior).sum(axis=1), atol=1e-12)
    assert likelihood == pytest.approx((table * np.log(joint.sum(axis=2))).sum())
    np.testing.assert_allclose(out.sum(axis=1), table.sum(axis=1))


def test_a_rating_that_no_topic_explains_is_left_out() -> None:
    own, others = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0], [0.5, 0.5]])
    out = np.full((1, 2), 77.0)
    likelihood = expected_counts(0, 1, by_user(training([[5.0, 2.0]])), own, others, out)
    assert out.tolist() == [[2.0, 0.0]]
    assert likelihood == pytest.approx(2 * np.log(0.5))


def test_only_the_rows_asked_for_are_written() -> None:
    out = np.full((3, 1), 77.0)
    side = by_user(training([[1.0], [2.0], [3.0]]))
    expected_counts(1, 2, side, np.ones((3, 1)), np.ones((1, 1)), out)
    assert out.tolist() == [[77.0], [2.0], [77.0]]
