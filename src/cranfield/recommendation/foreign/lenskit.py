"""LensKit: pipelines and scorers since 2025, and the older models that predict for one user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import Floats, Form, Id, Rows, descending

_COLUMNS = ["user", "item", "rating", "timestamp"]
"""What LensKit calls the columns of a table of ratings; the last only where times are known."""

_NODES = ("recommender", "rating-predictor", "scorer")
"""Which part of a pipeline is asked: the first that it has."""


class LensKit(Form):
    """A pipeline, or a scorer, which is put into LensKit's own pipeline for top-n lists.

    A pipeline is asked for a list of all items. What it leaves out is NaN; where a list is not
    in the order of its scores, as after reranking, its places are the predictions.
    """

    together: ClassVar[bool] = False
    by_id: ClassVar[bool] = True

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Train it on a data set of the training ratings, by the seed."""
        return _trained(_pipeline(model), train, rng=seed)

    def take(self, model: Any, train: Ratings) -> Any:
        """A pipeline as it is; a scorer needs one that looks up the users' training ratings."""
        whole = _pipeline(model)
        return whole if whole is model else _trained(whole, train, retrain=False)

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask for one user after another, by id."""
        from lenskit.data import ItemList

        node = _node(model)
        ids = train.item_ids.values.to_list()
        code_of = {each: code for code, each in enumerate(ids)}
        items, length = ItemList(item_ids=ids), {"n": len(ids)} if node == "recommender" else {}

        def row(user: Id) -> Floats:
            out = np.full(len(ids), np.nan)
            found = model.run(node, query=user, items=items, **length)
            listed = [code_of[each] for each in np.asarray(found.ids()).tolist()]
            scores = found.scores()
            ordered = node == "recommender"
            out[listed] = descending(scores, len(listed)) if ordered else np.asarray(scores)
            return out

        return one_by_one(row, train)


class OneUser(Form):
    """A model of LensKit before 2025: ``fit(table)``, ``predict_for_user(user, items)``."""

    together: ClassVar[bool] = False
    by_id: ClassVar[bool] = True

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to a pandas table."""
        table = train.to_pandas()
        model.fit(table.set_axis(_COLUMNS[: table.shape[1]], axis=1))
        return model

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask for one user after another, by id."""
        ids = train.item_ids.values.to_list()

        def row(user: Id) -> Floats:
            return np.asarray(model.predict_for_user(user, ids).reindex(ids), dtype=np.float64)

        return one_by_one(row, train)


def one_by_one(row: Callable[[Any], Floats], train: Ratings) -> Rows:
    """Ask for some users, each alone and by id."""
    ids = train.user_ids.values

    def rows(users: Codes) -> Floats:
        return np.array([row(ids[int(user)]) for user in users]).reshape(len(users), train.n_items)

    return rows


def _pipeline(model: Any) -> Any:
    if hasattr(model, "run"):
        return model
    from lenskit.pipeline import topn_pipeline

    return topn_pipeline(model)


def _trained(pipeline: Any, train: Ratings, **how: Any) -> Any:
    from lenskit.data import from_interactions_df
    from lenskit.training import TrainingOptions

    table = train.to_pandas()
    table = table.set_axis(_COLUMNS[: table.shape[1]], axis=1)
    pipeline.train(from_interactions_df(table), TrainingOptions(**how))
    return pipeline


def _node(pipeline: Any) -> str:
    for name in _NODES:
        if pipeline.node(name, missing="none") is not None:
            return name
    wanted = f"a pipeline with one of the nodes {', '.join(_NODES)}"
    raise BadParameter("adapt", "model", type(pipeline).__name__, wanted)
