"""HT against plain iteration on the dense graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.csr import by_item, by_user
from cranfield.recommendation.kernels.hitting_time import times_nearby
from cranfield.recommendation.recommenders.hitting_time import HittingTime
from learnable import everyone, grouped

Floats = npt.NDArray[np.float64]


def walked(train: Ratings, user: int, steps: int) -> Floats:
    """Hitting times of all items by h = 1 + P·h with h(user) = 0, on the whole graph."""
    ratings = train.matrix().toarray()
    n = len(ratings)
    graph = np.block([[np.zeros((n, n)), ratings], [ratings.T, np.zeros((ratings.shape[1],) * 2)]])
    moves = graph / graph.sum(axis=1, keepdims=True)
    times = np.zeros(len(graph))
    for _ in range(steps):
        times = 1 + moves @ times
        times[user] = 0
    return times[n:]


@pytest.mark.parametrize("steps", [1, 2, 7, 15])
def test_predictions_are_minus_the_truncated_hitting_times(steps: int) -> None:
    train = grouped(20, 12)[0].compact()
    predictions = HittingTime(steps=steps).fit(train, Seeds()).predict(everyone(train))
    for user in range(train.n_users):
        np.testing.assert_allclose(predictions[user], -walked(train, user, steps), rtol=1e-12)


def test_a_search_that_meets_everything_changes_nothing() -> None:
    train = grouped(20, 12)[0].compact()
    out = np.empty((train.n_users, train.n_items))
    times_nearby(everyone(train), by_user(train), by_item(train), 12, 15, out)
    for user in range(train.n_users):
        np.testing.assert_allclose(out[user], walked(train, user, 15), rtol=1e-12)


def test_with_many_steps_they_are_the_true_hitting_times() -> None:
    # One user, two items: from either item the first step always meets the user.
    train = Ratings.from_triples(["u", "u"], ["a", "b"], [5, 1])
    assert HittingTime(steps=99).fit(train, Seeds()).predict(everyone(train)).tolist() == [[-1, -1]]
    # u – a – v – b: from b to v (1), then to a or back to b (½ each) and so on:
    # h(a) = 1 + ½·h(v), h(v) = 1 + ½·h(a) + ½·h(b), h(b) = 1 + h(v) ⇒ h(v) = 8, h(a) = 5.
    path = Ratings.from_triples(["u", "v", "v"], ["a", "a", "b"])
    model = HittingTime(steps=1000).fit(path, Seeds())
    np.testing.assert_allclose(model.predict(everyone(path))[0], [-5, -9])


def test_items_that_no_walk_leads_from_are_not_computable() -> None:
    train = Ratings.from_triples([1, 2], ["near", "apart"])
    predictions = HittingTime().fit(train, Seeds()).predict(everyone(train))
    np.testing.assert_array_equal(np.isnan(predictions), [[True, False], [False, True]])


def test_the_search_stops_at_most_items() -> None:
    train = grouped()[0]
    predictions = HittingTime(most_items=12).fit(train, Seeds()).predict(everyone(train))
    own = train.user_counts
    met = np.isfinite(predictions).sum(axis=1)
    assert (met == 12).all()
    rated = train.matrix().toarray() > 0
    few = own <= 12
    assert few.any()
    assert np.isfinite(predictions[few][rated[few]]).all()
