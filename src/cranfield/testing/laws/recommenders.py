"""Laws of recommenders: predictions follow from training, option and seed, row by row."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from cranfield.base.errors import CranfieldError
from cranfield.base.ids import Codes
from cranfield.base.seeds import Seeds
from cranfield.base.storable import NotStorable, State, decode, encode
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import Predictions, Predictor
from cranfield.testing.law import law, or_refusal, require, require_equal, threads
from cranfield.testing.strategies import random_ratings, renamed, training, training_sets

_BATCHES = ([7], [299, 7, 7, 0], range(100, 133), range(299, -1, -2))
"""Users who are asked for together: one, one twice, neighbours, every other from the last."""


@cache
def _crowd(users: int = 300, items: int = 40) -> Ratings:
    """Ratings of more users than are usually predicted at a time, with times."""
    return random_ratings(users, items, 0.3, seed=4)


def _everyone(train: Ratings) -> Codes:
    return np.arange(train.n_users, dtype=np.int32)


def _fitted(recommender: Any, train: Ratings, seed: int = 1) -> Predictor:
    fitted: Predictor = recommender.fit(train, Seeds(seed))
    return fitted


def _predicted(recommender: Any, train: Ratings, seed: int = 1) -> Predictions:
    return np.asarray(_fitted(recommender, train, seed).predict(_everyone(train)))


def _require_predictions(found: Any, train: Ratings) -> None:
    shape = (train.n_users, train.n_items)
    require(np.shape(found) == shape, f"predictions are of shape {np.shape(found)}, not {shape}")
    require(np.asarray(found).dtype.kind == "f", f"predictions are of type {found.dtype}")
    require(not np.isinf(found).any(), "a prediction is infinite; NaN says not computable")


@law("recommender")
def a_row_depends_on_its_own_user_alone(recommender: Any) -> None:
    """The predictions for a user are the same, bit for bit, regardless of which other users
    are in the same call, and in which order.
    """
    train = _crowd()
    fitted = _fitted(recommender, train, 3)
    whole = fitted.predict(_everyone(train))
    for users in _BATCHES:
        batch = np.array(users, dtype=np.int32)
        require_equal(fitted.predict(batch), whole[batch], f"users {list(users)[:9]} … together")


@law("recommender")
def a_batch_of_no_users_gives_no_rows(recommender: Any) -> None:
    """Nobody asked for is no error: no rows, one column per item."""
    train = _crowd()
    found = _fitted(recommender, train, 3).predict(np.array([], dtype=np.int32))
    require(found.shape == (0, train.n_items), f"predictions are of shape {found.shape}")


@law("recommender")
def the_number_of_threads_changes_no_bit(recommender: Any) -> None:
    """Predictions are the same, bit for bit, however many threads fit and predict."""
    train = _crowd(400, 90)
    with threads(1):
        alone = _predicted(recommender, train)
    for count in (2, 3, 5):
        with threads(count):
            found = _predicted(recommender, train)
        require_equal(found, alone, f"predictions with {count} threads")


@law("recommender")
def the_order_of_rows_changes_no_bit(recommender: Any) -> None:
    """Predictions are the same, bit for bit, in whatever order training was read."""
    train = _crowd()
    rows = np.random.default_rng(0).permutation(len(train))
    again = Ratings.from_frame(train.to_polars()[rows]).reindex(train.user_ids, train.item_ids)
    found = _predicted(recommender, again)
    require_equal(found, _predicted(recommender, train), "predictions for rows in another order")


@law("recommender")
def the_same_seed_gives_the_same_predictions(recommender: Any) -> None:
    """Predictions follow from training, option and seed alone: what was fitted or predicted
    before does not matter.
    """
    train = _crowd()
    first = _fitted(recommender, train)
    wanted = first.predict(_everyone(train))
    other = or_refusal(lambda: _fitted(recommender, _crowd(30, 12), 9))
    if not isinstance(other, str):
        other.predict(np.array([0, 5], dtype=np.int32))
    require_equal(first.predict(_everyone(train)), wanted, "predicted once more")
    require_equal(_predicted(recommender, train), wanted, "fitted once more")


@law("recommender")
def what_was_stored_predicts_the_same(recommender: Any) -> None:
    """A fitted recommender that says how it is stored predicts the same, bit for bit, once
    its arrays and JSON were read again, and fits the users and items that it learned from.
    """
    train = _crowd()
    fitted = _fitted(recommender, train)
    try:
        arrays, facts = encode(fitted)
    except NotStorable:  # then the store does without it
        return
    copies = {name: np.array(array, order="C") for name, array in arrays.items()}
    again = decode(State(copies, json.loads(json.dumps(facts))), type(fitted))
    wanted = fitted.predict(_everyone(train))
    require_equal(again.predict(_everyone(train)), wanted, "predictions of what was stored")
    fits = getattr(again, "fits", lambda *_: True)
    require(fits(train.n_users, train.n_items), "it does not fit the training it learned from")


@law("recommender")
def other_ids_in_the_same_order_change_no_bit(recommender: Any) -> None:
    """Ids have no meaning: under other names users and items have the same predictions."""
    train = _crowd(30, 12)
    found = _predicted(recommender, renamed(train))
    require_equal(found, _predicted(recommender, train), "predictions under other ids")


@law("recommender")
def training_is_left_as_it_is(recommender: Any) -> None:
    """Neither fitting nor predicting changes the training ratings."""
    train = random_ratings(30, 12, 0.4)
    before = train.fingerprint
    _predicted(recommender, train)
    after = Ratings(
        train.user_ids, train.item_ids, train.users, train.items, train.values, train.timestamps
    )
    require(after.fingerprint == before, "training ratings were changed")


@law("recommender", train=training_sets(), examples=25)
def every_user_has_a_prediction_for_every_item(recommender: Any, train: Ratings) -> None:
    """There is one row per user and one column per item, cold ones included; what is not
    computable is NaN, and nothing is infinite. Training that cannot be learnt from is refused
    in words.
    """
    found = or_refusal(lambda: _predicted(recommender, train))
    if not isinstance(found, str):
        _require_predictions(found, train)


@law("recommender")
def a_single_rating_is_no_error(recommender: Any) -> None:
    """One user with one rating, and one more item, are training like any other."""
    train = training([[4, float("nan")]])
    _require_predictions(_predicted(recommender, train), train)


@law("recommender")
def training_without_ratings_is_refused_in_words(recommender: Any) -> None:
    """There is nothing to learn from no ratings: a `CranfieldError`, not a crash."""
    empty = training([[4.0]]).take(np.array([], dtype=np.int64))
    try:
        _fitted(recommender, empty)
    except CranfieldError:
        return
    raise AssertionError("no ratings at all were fitted")
