"""Laws of propensities: chances, from training and seed alone; and of how they weigh."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.scoring.gain import Floats
from cranfield.testing.law import law, or_refusal, require, require_close, require_equal
from cranfield.testing.strategies import training_sets

_CHANCES = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=6)


def _propensities(model: Any, train: Ratings, seed: int = 0) -> Any:
    """Those of all pairs, rated or not, or the message by which they are refused."""
    users, items = (each.ravel() for each in np.indices((train.n_users, train.n_items)))
    ratings = (1.0 + np.arange(len(users)) % 5).astype(np.float64)
    codes = users.astype(np.int32), items.astype(np.int32)
    return or_refusal(lambda: model.estimate(train, Seeds(seed)).of_pairs(*codes, ratings))


@law("propensity", train=training_sets())
def propensities_are_chances(model: Any, train: Ratings) -> None:
    """Every pair has a propensity above 0 and at most 1, or none that is known (NaN)."""
    found = _propensities(model, train)
    if not isinstance(found, str):
        pairs = train.n_users * train.n_items
        require(np.shape(found) == (pairs,), f"{pairs} pairs, propensities {found}")
        known = found[~np.isnan(found)]
        require(bool(((known > 0) & (known <= 1)).all()), f"the propensities {found}")


@law("propensity", train=training_sets(), seed=st.integers(0, 9))
def the_same_training_gives_the_same_propensities(model: Any, train: Ratings, seed: int) -> None:
    """Training ratings and the seed decide every bit, and stay as they are."""
    before = train.values.copy()
    again, found = (_propensities(model, train, seed) for _ in range(2))
    require_equal(again, found, "propensities estimated once more")
    require_equal(train.values, before, "training ratings were changed")


@law("propensity", train=training_sets())
def a_pair_has_a_propensity_of_its_own(model: Any, train: Ratings) -> None:
    """The propensity of a pair does not depend on which others are asked for."""
    together = _propensities(model, train)
    if isinstance(together, str):
        return
    made = model.estimate(train, Seeds(0))
    alone = [
        made.of_pairs(
            np.array([at // train.n_items], np.int32),
            np.array([at % train.n_items], np.int32),
            np.array([1.0 + at % 5]),
        )[0]
        for at in range(len(together))
    ]
    require_close(together, alone, "propensities of all pairs and of each alone")


@law("estimator", chances=_CHANCES)
def weights_are_finite_and_never_rise_with_propensity(estimator: Any, chances: list[float]) -> None:
    """The likelier a rating, the less it counts, and always something."""
    weights: Floats = estimator.weights(np.sort(np.array(chances)))
    require(bool((np.isfinite(weights) & (weights > 0)).all()), f"the weights {weights}")
    require(bool((np.diff(weights) <= 0).all()), f"weights rise with propensity: {weights}")


@law("estimator", chances=_CHANCES)
def what_is_certain_counts_once(estimator: Any, chances: list[float]) -> None:
    """A rating of propensity 1 has the weight 1, so that nothing is corrected."""
    require_equal(estimator.weights(np.ones(len(chances))), np.ones(len(chances)), "weights")
