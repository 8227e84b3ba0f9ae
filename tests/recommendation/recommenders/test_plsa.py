"""PLSA against expectation maximisation on the dense matrix."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders.factors import FactorPredictor
from cranfield.recommendation.recommenders.plsa import PLSA
from learnable import everyone, grouped

Floats = npt.NDArray[np.float64]


def stepped(ratings: Floats, users: Floats, items: Floats, temper: float) -> tuple[Floats, Floats]:
    """One step, with the posterior of every user, item and topic written out."""
    joint = (users[:, None, :] * items[None, :, :]) ** temper
    counts = ratings[:, :, None] * joint / joint.sum(axis=2, keepdims=True)
    of_users, of_items = counts.sum(axis=1), counts.sum(axis=0)
    return of_users / of_users.sum(axis=1, keepdims=True), of_items / of_items.sum(axis=0)


@pytest.mark.parametrize("temper", [1.0, 0.8])
def test_one_more_iteration_is_one_more_step(temper: float) -> None:
    train = grouped()[0].compact()
    before, after = (
        PLSA(topics=4, iterations=n, temper=temper).fit(train, Seeds(1)) for n in (5, 6)
    )
    users, items = stepped(train.matrix().toarray(), before.users, before.items.T, temper)
    np.testing.assert_allclose(after.users, users, rtol=1e-9)
    np.testing.assert_allclose(after.items.T, items, rtol=1e-9)


def likelihood(train: Ratings, model: FactorPredictor) -> float:
    predictions = model.predict(everyone(train))[train.users, train.items]
    return float(train.values @ np.log(predictions))


def test_the_likelihood_rises_with_iterations() -> None:
    train, _ = grouped()
    models = [PLSA(topics=4, iterations=n).fit(train, Seeds(1)) for n in (1, 2, 5, 20, 60)]
    values = [likelihood(train, model) for model in models]
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_the_items_of_a_user_have_probabilities_that_sum_to_one() -> None:
    train, _ = grouped()
    predictions = PLSA(topics=4).fit(train, Seeds(1)).predict(everyone(train))
    assert (predictions >= 0).all()
    np.testing.assert_allclose(predictions.sum(axis=1), 1.0)
