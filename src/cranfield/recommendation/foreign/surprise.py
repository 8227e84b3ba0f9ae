"""Surprise: ``fit(trainset)``, ``predict(user, item)``, pair by pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import Floats, Form, Rows, places

PairRows = Callable[[Codes, npt.NDArray[np.bool_]], Floats]
"""Predictions for some users where a mask is true (users × items), NaN elsewhere."""


class Surprise(Form):
    """A model of Surprise, asked for targets only; what is impossible to predict is NaN.

    Predictions are ratings, and clipped to the scale, as Surprise does: the lowest and the
    highest of the training ratings.
    """

    together: ClassVar[bool] = False
    by_id: ClassVar[bool] = True
    predicts_ratings: ClassVar[bool] = True

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to a training set of the training ratings."""
        from surprise import Dataset, Reader

        scale = float(train.values.min()), float(train.values.max())
        users, items, values = (each.to_list() for each in train.to_polars().get_columns()[:3])
        rows = zip(users, items, values, [None] * len(users), strict=True)
        model.fit(Dataset(Reader(rating_scale=scale)).construct_trainset(list(rows)))
        return model

    def pair_rows(self, model: Any, train: Ratings) -> PairRows:
        """Ask for pairs of ids."""
        known = [model.trainset.to_raw_uid(each) for each in model.trainset.all_users()]
        places(train.user_ids.values, known, "user_ids")  # refuses ids of another kind
        user_ids, item_ids = train.user_ids.values, train.item_ids.values.to_list()

        def rows(users: Codes, wanted: npt.NDArray[np.bool_]) -> Floats:
            out = np.full(wanted.shape, np.nan)
            for row, user in enumerate(users):
                for item in np.flatnonzero(wanted[row]):
                    found = model.predict(user_ids[int(user)], item_ids[item])
                    if not found.details.get("was_impossible", False):
                        out[row, item] = found.est
            return out

        return rows

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """All items of some users."""
        pairs = self.pair_rows(model, train)
        return lambda users: pairs(users, np.ones((len(users), train.n_items), dtype=bool))
