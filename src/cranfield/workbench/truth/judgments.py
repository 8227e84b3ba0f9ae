"""Judgments by the truth: what every user would think of every item left to recommend."""

from __future__ import annotations

import numpy as np

from cranfield.base.threads import chunks
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import truth_of

_PAIRS_AT_ONCE = 4_000_000


def true_ratings(source: object, train: Ratings) -> Ratings:
    """The true ratings of all pairs of known users and items that are not in training."""
    truth = truth_of(source)
    items = truth.item_ids.encode(train.item_ids.values)
    users = truth.user_ids.encode(train.user_ids.values)
    parts = []
    for some in chunks(train.n_users, max(1, _PAIRS_AT_ONCE // max(train.n_items, 1))):
        ratings = truth.rating(users[some], items)
        rows = slice(train.user_offsets[some.start], train.user_offsets[some.stop])
        ratings[train.users[rows] - some.start, train.items[rows]] = np.nan
        owners, codes = np.nonzero(~np.isnan(ratings))
        parts.append((owners + some.start, codes, ratings[owners, codes]))
    owners, codes, values = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return Ratings(
        train.user_ids, train.item_ids, owners.astype(np.int32), codes.astype(np.int32), values
    )
