"""Models of Cornac predict through the adapter what Cornac scores by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.recommendation.adapter import adapt
from learnable import everyone, grouped, with_strangers

pytest.importorskip("cornac.models", reason="Cornac is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

SEED = Seeds(1).key("foreign") % 2**31


def model_of(name: str, **parameters: Any) -> Any:
    from cornac import models

    silent = {} if name == "MostPop" else {"verbose": False}
    return getattr(models, name)(**silent, **parameters)


@pytest.mark.parametrize("name", ["MF", "BPR", "UserKNN", "ItemKNN", "MostPop", "EASE"])
def test_predictions_are_the_scores_of_the_fitted_model(name: str) -> None:
    from cornac.data import Dataset

    train = with_strangers(grouped()[0])
    mine = adapt(model_of(name)).fit(train, Seeds(1)).predict(everyone(train))
    rows = [tuple(row) for row in train.to_polars().rows()]
    seeded = {} if name == "MostPop" else {"seed": SEED}
    theirs = model_of(name, **seeded).fit(Dataset.from_uir(rows, seed=SEED))
    for user, index in theirs.uid_map.items():
        scores = np.ravel(theirs.score(index))
        for item, place in theirs.iid_map.items():
            at = train.user_ids.encode([user])[0], train.item_ids.encode([item])[0]
            assert mine[at] == pytest.approx(scores[place], rel=1e-12), (user, item)
    assert np.isnan(mine[-1]).all()
    assert np.isnan(mine[:, -1]).all()


def test_the_first_items_are_those_that_cornac_recommends() -> None:
    train, _ = grouped()
    adapted: Any = adapt(model_of("BPR", k=4, max_iter=30))
    mine = adapted.fit(train, Seeds(1)).predict(everyone(train))
    theirs = adapted._fitted_model(train, Seeds(1))
    for code in (0, 7, 31):
        wanted = theirs.recommend(train.user_ids[code], k=5)
        assert train.item_ids.take(np.argsort(-mine[code])[:5].astype(np.int32)).to_list() == wanted


def test_a_fitted_model_is_asked_by_the_ids_that_it_knows() -> None:
    train, _ = grouped()
    whole = adapt(model_of("MostPop"))
    fitted: Any = whole._fitted_model(train, Seeds(1))  # type: ignore[attr-defined]
    other = train.take(train.users < 20)
    found = adapt(fitted, fitted=True).fit(other, Seeds(9)).predict(everyone(other))
    expected = whole.fit(train, Seeds(1)).predict(everyone(train))
    np.testing.assert_array_equal(found[3], expected[3])
