"""Models of Surprise predict through the adapter what Surprise predicts by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from cranfield.base.seeds import Seeds
from cranfield.collection.judgments import judge
from cranfield.recommendation.adapter import adapt
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommender import PairPredictor
from learnable import everyone, grouped, with_strangers
from ranking_cases import targets_of

pytest.importorskip("surprise", reason="Surprise is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")

SEED = Seeds(1).key("foreign") % 2**31


def model_of(name: str, **parameters: Any) -> Any:
    import surprise

    silent = {} if name in ("SVD", "SlopeOne", "NMF") else {"verbose": False}
    return getattr(surprise, name)(**silent, **parameters)


@pytest.mark.parametrize("name", ["SVD", "NMF", "KNNBasic", "SlopeOne", "BaselineOnly"])
def test_predictions_are_those_of_the_fitted_model(name: str) -> None:
    import surprise

    train = with_strangers(grouped()[0])
    mine = adapt(model_of(name)).fit(train, Seeds(1)).predict(everyone(train))
    table = train.to_pandas().iloc[:, :3]
    data = surprise.Dataset.load_from_df(table, surprise.Reader(rating_scale=(1, 5)))
    seeded = {"random_state": SEED} if name in ("SVD", "NMF") else {}
    theirs = model_of(name, **seeded).fit(data.build_full_trainset())
    for code in (0, 5, 59, 60):
        for item in (0, 11, 39, 40):
            found = theirs.predict(train.user_ids[code], train.item_ids[item])
            expected = np.nan if found.details["was_impossible"] else found.est
            np.testing.assert_allclose(mine[code, item], expected, rtol=1e-12)
    assert np.isnan(mine).any() == (name in ("NMF", "KNNBasic", "SlopeOne"))


def test_a_ranking_asks_for_targets_only() -> None:
    import surprise

    class Counted(surprise.SVD):  # type: ignore[misc]
        asked: list[tuple[Any, Any]]

        def predict(self, uid: Any, iid: Any, *rest: Any, **more: Any) -> Any:
            self.asked.append((uid, iid))
            return super().predict(uid, iid, *rest, **more)

    train, test = grouped()
    model: Any = adapt(Counted(n_epochs=2))._fitted_model(train, Seeds(1))  # type: ignore[attr-defined]
    model.asked = []
    predictor = adapt(model, fitted=True).fit(train, Seeds(1))
    assert isinstance(predictor, PairPredictor)
    condensed = next(each for each in targets_of(train, test, 4) if "judged-only" in each.name)
    rank(predictor, [condensed])
    judged = judge(test, 4, (1, 5)).ratings
    pairs = zip(
        train.user_ids.take(judged.users).to_list(),
        train.item_ids.take(judged.items).to_list(),
        strict=True,
    )
    assert sorted(model.asked) == sorted(pairs)


def test_a_model_fitted_to_ids_as_text_is_refused_for_numbers() -> None:
    import surprise

    from cranfield.base.errors import BadParameter

    table = pd.DataFrame({"u": ["1", "2"], "i": ["1", "2"], "r": [1.0, 5.0]})
    data = surprise.Dataset.load_from_df(table, surprise.Reader())
    fitted = model_of("SVD").fit(data.build_full_trainset())
    with pytest.raises(BadParameter, match='"1" is not an id of the training ratings, such as 1'):
        adapt(fitted, fitted=True).fit(grouped()[0], Seeds())
