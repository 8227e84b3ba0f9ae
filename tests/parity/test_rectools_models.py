"""Models of RecTools predict through the adapter what RecTools recommends by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.recommendation.adapter import adapt
from learnable import everyone, grouped, with_strangers

pytest.importorskip("rectools.models", reason="RecTools is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")


def models() -> dict[str, Any]:
    from implicit.als import AlternatingLeastSquares
    from implicit.nearest_neighbours import CosineRecommender
    from rectools.models import (
        EASEModel,
        ImplicitALSWrapperModel,
        ImplicitItemKNNWrapperModel,
        PopularModel,
    )

    return {
        "Popular": PopularModel(),
        "EASE": EASEModel(regularization=10, recommend_use_gpu_ranking=False),
        "ItemKNN": ImplicitItemKNNWrapperModel(CosineRecommender(K=3)),
        "ALS": ImplicitALSWrapperModel(AlternatingLeastSquares(factors=4, random_state=1)),
    }


@pytest.mark.parametrize("name", ["Popular", "EASE", "ItemKNN", "ALS"])
def test_predictions_are_the_scores_of_recommended_items(name: str) -> None:
    from rectools.dataset import Dataset

    train = with_strangers(grouped()[0])
    model = models()[name]
    mine = adapt(model, batch=16).fit(train, Seeds(1)).predict(everyone(train))
    assert not model.is_fitted  # a copy was
    table = train.to_pandas().set_axis(["user_id", "item_id", "weight"], axis=1)
    data = Dataset.construct(table.assign(datetime="2026-11-01"))
    theirs = models()[name].fit(data)
    users = train.user_ids.values.to_list()[:-1]
    found = theirs.recommend(users, data, k=train.n_items, filter_viewed=False)
    expected = np.full(mine.shape, np.nan)
    rows = train.user_ids.encode(found["user_id"].to_list())
    expected[rows, train.item_ids.encode(found["item_id"].to_list())] = found["score"]
    np.testing.assert_allclose(mine[:-1], expected[:-1], rtol=1e-4, atol=1e-6)
    assert np.isnan(mine[:, -1]).all()
    if name == "ItemKNN":
        assert np.isnan(mine[:-1, :-1]).any()  # without a neighbour


def test_the_first_items_are_those_that_rectools_recommends() -> None:
    train, _ = grouped()
    adapted: Any = adapt(models()["EASE"])
    mine = adapted.fit(train, Seeds(1)).predict(everyone(train))
    fitted, data = adapted._fitted_model(train, Seeds(1))
    user = train.user_ids[9]
    theirs = fitted.recommend([user], data, k=5, filter_viewed=True)["item_id"].tolist()
    unseen = mine[9].copy()
    unseen[train.items[train.users == 9]] = -np.inf
    assert train.item_ids.take(np.argsort(-unseen)[:5].astype(np.int32)).to_list() == theirs
