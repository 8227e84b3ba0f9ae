"""Cornac: ``fit(train_set)``, ``score(user)``."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import Floats, Form, Rows, places, takes


class Cornac(Form):
    """A model of Cornac, asked user by user; what it cannot score is NaN."""

    together: ClassVar[bool] = False
    by_id: ClassVar[bool] = True

    def copied(self, model: Any, seed: int) -> Any:
        """A new model with a seed: only a constructor gives up threads for it."""
        if getattr(model, "seed", 0) is None and takes(type(model).__init__, "seed"):
            return model.clone({"seed": seed})
        return super().copied(model, seed)

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to a data set of the training ratings."""
        from cornac.data import Dataset

        columns = train.to_polars().get_columns()[:3]
        rows = list(zip(*(each.to_list() for each in columns), strict=True))
        model.fit(Dataset.from_uir(rows, seed=seed))
        return model

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask by the model's own numbers of users and items."""
        from cornac.exception import ScoreException

        of_user = places(train.user_ids.values, model.uid_map, "user_ids")
        of_item = places(train.item_ids.values, model.iid_map, "item_ids")

        def row(user: int) -> Floats:
            out = np.full(len(of_item), np.nan)
            try:
                scores = np.asarray(model.score(user), dtype=np.float64).ravel()
            except ScoreException:
                return out
            known = (of_item >= 0) & (of_item < len(scores))
            out[known] = scores[of_item[known]]
            return out

        def rows(users: Codes) -> Floats:
            nothing = np.full(len(of_item), np.nan)
            found = [row(user) if user >= 0 else nothing for user in of_user[users].tolist()]
            return np.array(found).reshape(len(users), len(of_item))

        return rows
