"""RecTools: ``fit(dataset)``, ``recommend(users, dataset, k, filter_viewed)``."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import Floats, Form, Rows, descending

_COLUMNS = ["user_id", "item_id", "weight", "datetime"]


class RecTools(Form):
    """A model of RecTools; what it does not recommend is NaN.

    It knows the data set that it was fitted to, and so has to be fitted here.
    """

    by_id: ClassVar[bool] = True

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to a data set of the training ratings."""
        data = _data_set(train)
        model.fit(data)
        return model, data

    def take(self, model: Any, train: Ratings) -> Any:
        """Refused: users and items are numbered by a data set that is not here."""
        wanted = (
            "possible for a model of RecTools, whose ids are those of the data set that it was "
            "fitted to. Let it be fitted here, or give its recommendations as a run"
        )
        raise BadParameter("adapt", "fitted", True, wanted)

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask for lists of all items, of those too that the user has rated."""
        fitted, data = model
        user_ids, item_ids = train.user_ids.values, train.item_ids.values.to_list()
        code_of = {each: code for code, each in enumerate(item_ids)}

        def rows(users: Codes) -> Floats:
            asked = user_ids.gather(users).to_list()
            table = fitted.recommend(
                asked, data, k=len(item_ids), filter_viewed=False, on_unsupported_targets="ignore"
            )
            out = np.full((len(users), len(item_ids)), np.nan)
            row_of = {each: row for row, each in enumerate(asked)}
            for user, part in table.groupby("user_id", sort=False):
                listed = [code_of[each] for each in part["item_id"].tolist()]
                out[row_of[user], listed] = descending(part["score"], len(part))
            return out

        return rows


def _data_set(train: Ratings) -> Any:
    from rectools.dataset import Dataset

    table = train.to_pandas()
    if table.shape[1] < len(_COLUMNS):
        table = table.assign(time=0)  # RecTools wants one, and models that use times need real ones
    table = table.set_axis(_COLUMNS, axis=1)
    return Dataset.construct(table.assign(datetime=table["datetime"].astype("datetime64[s]")))
