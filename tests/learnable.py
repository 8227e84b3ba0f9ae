"""Ratings that hold something to learn, small enough to compute by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings


def grouped(users: int = 60, items: int = 40, *, seed: int = 3) -> tuple[Ratings, Ratings]:
    """Training and held-out ratings of two groups of users, each with its half of the items.

    A user rates 60 % of the items of the own half, 4 or 5, and 8 % of the others, 1 to 3.
    A fifth of the own half is held out.
    """
    generator = np.random.default_rng(seed)
    own = (np.arange(users) % 2)[:, None] == (np.arange(items) % 2)[None, :]
    chosen = generator.random((users, items)) < np.where(own, 0.6, 0.08)
    chosen[np.arange(users), np.arange(users) % items] = True
    values = np.where(own, generator.integers(4, 6, own.shape), generator.integers(1, 4, own.shape))
    user, item = np.nonzero(chosen)
    whole = Ratings.from_triples(user + 1, item + 1, values[user, item])
    held = own[user, item] & (generator.random(len(user)) < 0.2)
    return whole.take(~held), whole.take(held)


def with_strangers(train: Ratings) -> Ratings:
    """The same ratings under ids that hold one more user and one more item, both last."""

    def longer(ids: Ids) -> Ids:
        stranger = pl.Series(["~stranger"] if ids.are_text else [10**6])
        return Ids(pl.concat([ids.values, stranger]))

    return replace(train, user_ids=longer(train.user_ids), item_ids=longer(train.item_ids))


def everyone(train: Ratings) -> npt.NDArray[np.int32]:
    """The codes of all users."""
    return np.arange(train.n_users, dtype=np.int32)


def mean_rank(predictions: npt.NDArray[np.float64], train: Ratings, held: Ratings) -> float:
    """Where held-out items land among all that the user did not rate: 0 is top, ½ is chance."""
    unrated = train.matrix().toarray() == 0
    places = [
        np.mean(predictions[u, unrated[u]] > predictions[u, i])
        for u, i in zip(held.users, held.items, strict=True)
    ]
    return float(np.mean(places))
