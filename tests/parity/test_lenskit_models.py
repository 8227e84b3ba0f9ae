"""Models of LensKit predict through the adapter what LensKit recommends by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import adapt
from learnable import everyone, grouped, with_strangers

pytest.importorskip("lenskit.pipeline", reason="LensKit is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

SEED = Seeds(1).key("foreign") % 2**31


def scorers() -> dict[str, Any]:
    from lenskit.als import BiasedMFScorer, ImplicitMFScorer
    from lenskit.basic import BiasScorer, PopScorer
    from lenskit.knn import ItemKNNScorer, UserKNNScorer

    return {
        "ImplicitMF": ImplicitMFScorer(embedding_size=4, epochs=3),
        "BiasedMF": BiasedMFScorer(embedding_size=4, epochs=3),
        "ItemKNN": ItemKNNScorer(max_nbrs=5, feedback="implicit"),
        "UserKNN": UserKNNScorer(max_nbrs=3),
        "Bias": BiasScorer(),
        "Pop": PopScorer(),
    }


def trained(scorer: Any, train: Ratings) -> Any:
    """LensKit's own pipeline, trained as its users do."""
    from lenskit.data import from_interactions_df
    from lenskit.pipeline import topn_pipeline
    from lenskit.training import TrainingOptions

    pipeline = topn_pipeline(scorer)
    table = train.to_pandas().set_axis(["user_id", "item_id", "rating"], axis=1)
    pipeline.train(from_interactions_df(table), TrainingOptions(rng=SEED))
    return pipeline


def recommended(pipeline: Any, user: Any, items: list[Any]) -> dict[Any, float]:
    from lenskit.data import ItemList
    from lenskit.operations import recommend

    found = recommend(pipeline, user, items=ItemList(item_ids=items))
    return dict(zip(found.ids().tolist(), found.scores().tolist(), strict=True))


@pytest.mark.parametrize("name", ["ImplicitMF", "BiasedMF", "ItemKNN", "UserKNN", "Bias", "Pop"])
def test_a_scorer_predicts_what_its_pipeline_recommends(name: str) -> None:
    train = with_strangers(grouped()[0])
    mine = adapt(scorers()[name]).fit(train, Seeds(1)).predict(everyone(train))
    pipeline, items = trained(scorers()[name], train), train.item_ids.values.to_list()
    for code, user in enumerate(train.user_ids.values.to_list()):
        theirs = recommended(pipeline, user, items)
        expected = [theirs.get(item, np.nan) for item in items]
        np.testing.assert_allclose(mine[code], expected, rtol=1e-5, err_msg=str(user))
    assert np.isnan(mine[:, -1]).all() == (name not in ("Bias",))  # an item without a rating


def test_the_first_items_are_those_that_lenskit_recommends() -> None:
    train, _ = grouped()
    pipeline = trained(scorers()["ImplicitMF"], train)
    mine = adapt(pipeline, fitted=True).fit(train, Seeds()).predict(everyone(train))
    from lenskit.operations import recommend

    for code in (0, 7, 31):
        theirs = recommend(pipeline, train.user_ids[code], n=5).ids().tolist()
        unseen = mine[code].copy()
        unseen[train.items[train.users == code]] = -np.inf
        assert train.item_ids.take(np.argsort(-unseen)[:5].astype(np.int32)).to_list() == theirs


def test_a_fitted_scorer_is_used_as_it_is() -> None:
    train, _ = grouped()
    pipeline = trained(scorers()["BiasedMF"], train)
    scorer = pipeline.component("scorer")
    mine = adapt(scorer, fitted=True).fit(train, Seeds(99)).predict(everyone(train))
    whole = adapt(pipeline, fitted=True).fit(train, Seeds()).predict(everyone(train))
    np.testing.assert_array_equal(mine, whole)


def test_a_pipeline_that_predicts_ratings_falls_back_as_it_does_by_itself() -> None:
    from lenskit.operations import predict
    from lenskit.pipeline import predict_pipeline

    train = with_strangers(grouped()[0])
    pipeline = predict_pipeline(scorers()["BiasedMF"])
    adapted: Any = adapt(pipeline)
    mine = adapted.fit(train, Seeds(1)).predict(everyone(train))
    theirs = adapted._fitted_model(train, Seeds(1))
    items = train.item_ids.values.to_list()
    found = predict(theirs, train.user_ids[4], items)
    np.testing.assert_allclose(mine[4], found.scores(), rtol=1e-6)
    assert np.isfinite(mine).all()
    assert not hasattr(pipeline.component("scorer"), "item_embeddings")  # a copy was trained
