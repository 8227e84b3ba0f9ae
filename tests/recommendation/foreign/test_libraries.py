"""Models of each library, held by stand-ins with the same interface."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import stand_ins
from cranfield.base.errors import BadParameter
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import Adapted, ForeignPairPredictor, adapt
from learnable import with_strangers
from stand_ins import CountScorer, Module, Pipeline, Reranked, ScoreException, Tensor

TRAIN = Ratings.from_triples(
    ["x", "x", "y", "y", "z"], ["b", "a", "b", "c", "b"], [5.0, 2.0, 4.0, 1.0, 3.0]
)
"""Item a once, b three times, c once."""
NONE = np.nan


def predicted(model: Any, train: Ratings = TRAIN, **how: Any) -> np.ndarray:
    adapted = adapt(model, **how)
    fitted = adapted.fit(train, Seeds(1))
    return np.asarray(fitted.predict(np.arange(train.n_users, dtype=np.int32)))


def seed_of() -> int:
    return Seeds(1).key("foreign") % 2**31


# LensKit


@pytest.fixture
def lenskit(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.install_lenskit(monkeypatch)


@pytest.mark.usefixtures("lenskit")
def test_a_scorer_of_lenskit_is_put_into_a_pipeline() -> None:
    scorer = CountScorer()
    np.testing.assert_array_equal(predicted(scorer), [[NONE, 3, NONE]] * 3)
    assert not scorer.options  # a copy was trained


@pytest.mark.usefixtures("lenskit")
def test_a_pipeline_of_lenskit_is_trained_by_the_seed_and_asked_for_all_items() -> None:
    adapted = adapt(Pipeline(CountScorer(least=1)))
    assert isinstance(adapted, Adapted)
    assert adapted.form == "lenskit"
    fitted: Any = adapted._fitted_model(TRAIN, Seeds(1))
    assert [each.rng for each in fitted.scorer.options] == [seed_of()]
    assert list(fitted.data.columns) == ["user", "item", "rating"]
    np.testing.assert_array_equal(predicted(Pipeline(CountScorer(least=1))), [[1, 3, 1]] * 3)


@pytest.mark.usefixtures("lenskit")
def test_a_reranked_list_of_lenskit_counts_by_its_places() -> None:
    np.testing.assert_array_equal(predicted(Reranked(CountScorer(1))), [[2, 1, 3]] * 3)


@pytest.mark.usefixtures("lenskit")
@pytest.mark.parametrize(
    ("nodes", "asked"),
    [
        (["scorer"], ("scorer", None)),
        (["scorer", "rating-predictor"], ("rating-predictor", None)),
        (["scorer", "rating-predictor", "recommender"], ("recommender", 3)),
    ],
)
def test_the_part_of_a_pipeline_that_recommends_or_predicts_is_asked(
    nodes: list[str], asked: tuple[str, int | None]
) -> None:
    model = Pipeline(CountScorer(1), nodes)
    model.train(pd.DataFrame({"item": ["b", "b", "a"]}), SimpleNamespace(retrain=True))
    found = predicted(model, fitted=True)
    np.testing.assert_array_equal(found, [[1, 2, NONE]] * 3)
    assert model.calls == [asked] * 3


@pytest.mark.usefixtures("lenskit")
def test_a_pipeline_that_does_nothing_of_the_kind_is_refused() -> None:
    with pytest.raises(BadParameter, match="one of the nodes recommender, rating-predictor"):
        predicted(Pipeline(CountScorer(), ["search"]))


@pytest.mark.usefixtures("lenskit")
def test_a_fitted_scorer_of_lenskit_is_not_trained_again() -> None:
    scorer = CountScorer(1)
    scorer.train(pd.DataFrame({"item": ["a"] * 7}), SimpleNamespace(retrain=True))
    found = predicted(scorer, fitted=True)
    np.testing.assert_array_equal(found, [[7, NONE, NONE]] * 3)


# RecTools


class ByCount:
    """A model of RecTools: items by their weights; cold users are not supported."""

    calls: list[list[str]]

    def fit(self, dataset: pd.DataFrame) -> None:
        self.dataset = dataset
        self.calls = []

    def recommend(
        self,
        users: list[str],
        dataset: pd.DataFrame,
        k: int,
        filter_viewed: bool,
        on_unsupported_targets: str = "raise",
    ) -> pd.DataFrame:
        assert dataset is self.dataset
        assert not filter_viewed
        assert on_unsupported_targets == "ignore"
        self.calls.append(list(users))
        sums = dataset.groupby("item_id")["weight"].sum().sort_values(ascending=False)[:k]
        known = [user for user in users if user in set(dataset["user_id"])]
        return pd.DataFrame(
            [(user, item, score) for user in known for item, score in sums.items()],
            columns=["user_id", "item_id", "score"],
        )


@pytest.fixture
def rectools(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.install_rectools(monkeypatch)


@pytest.mark.usefixtures("rectools")
def test_a_model_of_rectools_recommends_all_items_for_a_batch() -> None:
    found = predicted(ByCount(), with_strangers(TRAIN))
    np.testing.assert_array_equal(found[:3], [[2, 12, 1, NONE]] * 3)
    assert np.isnan(found[3]).all()


@pytest.mark.usefixtures("rectools")
def test_a_data_set_of_rectools_has_weights_and_times() -> None:
    timed = Ratings.from_triples(["x", "y"], ["a", "b"], [5.0, 2.0], [0, 86_400])
    for train, days in ((timed, [0, 1]), (TRAIN, [0] * 5)):
        _, data = adapt(ByCount())._fitted_model(train, Seeds(1))  # type: ignore[attr-defined]
        assert list(data.columns) == ["user_id", "item_id", "weight", "datetime"]
        since = data["datetime"] - pd.Timestamp(0)
        assert since.dt.days.tolist() == days


@pytest.mark.usefixtures("rectools")
def test_a_fitted_model_of_rectools_is_refused() -> None:
    with pytest.raises(BadParameter, match="fitted: true is not possible for a model of RecTools"):
        predicted(ByCount(), fitted=True)


@pytest.mark.usefixtures("rectools")
def test_rows_of_rectools_follow_the_order_of_the_list() -> None:
    class Upwards(ByCount):
        def recommend(self, *given: Any, **how: Any) -> pd.DataFrame:
            return super().recommend(*given, **how).iloc[::-1]

    np.testing.assert_array_equal(predicted(Upwards(), form="rectools"), [[2, 1, 3]] * 3)


# Cornac


class ByUser:
    """A model of Cornac: its number of the item, above what the seed and the user add."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def clone(self, new_params: dict[str, Any]) -> ByUser:
        return ByUser(**new_params)

    def fit(self, train_set: Any, val_set: Any = None) -> ByUser:
        self.uid_map, self.iid_map = train_set.uid_map, train_set.iid_map
        return self

    def score(self, user_idx: int, item_idx: int | None = None) -> np.ndarray:
        if user_idx == self.uid_map["z"]:
            raise ScoreException
        return np.arange(2.0) + 10 * user_idx  # the last item is not known

    def rank(self) -> None: ...


@pytest.fixture
def cornac(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.install_cornac(monkeypatch)


@pytest.mark.usefixtures("cornac")
def test_a_model_of_cornac_is_asked_by_its_own_numbers() -> None:
    train = with_strangers(TRAIN)
    model = adapt(ByUser())._fitted_model(train, Seeds(1))  # type: ignore[attr-defined]
    assert model.seed == seed_of()
    found = predicted(ByUser(), train)
    for user, idx in (("x", model.uid_map["x"]), ("y", model.uid_map["y"])):
        row = found[train.user_ids.encode([user])[0]]
        for item, place in model.iid_map.items():
            value = row[train.item_ids.encode([item])[0]]
            assert np.isnan(value) if place == 2 else value == 10 * idx + place
    assert np.isnan(found[train.user_ids.encode(["z"])[0]]).all()
    assert np.isnan(found[-1]).all()
    assert np.isnan(found[:, -1]).all()


@pytest.mark.usefixtures("cornac")
def test_a_seed_of_cornac_is_left_as_it_was_given() -> None:
    model = adapt(ByUser(seed=5))._fitted_model(TRAIN, Seeds(1))  # type: ignore[attr-defined]
    assert model.seed == 5


@pytest.mark.usefixtures("cornac")
def test_a_fitted_model_of_cornac_with_ids_of_another_kind_is_refused() -> None:
    model = ByUser().fit(SimpleNamespace(uid_map={1: 0, "z": 1}, iid_map={1: 0}))
    with pytest.raises(BadParameter, match="item_ids: 1 is not an id of the training ratings"):
        predicted(model, fitted=True)


# Surprise


class ByPair:
    """A model of Surprise: the user's rating of the item, if there is one."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state
        self.asked: list[tuple[str, str]] = []

    def fit(self, trainset: Any) -> ByPair:
        self.trainset = trainset
        return self

    def predict(self, uid: str, iid: str) -> Any:
        self.asked.append((uid, iid))
        known = {(user, item): value for user, item, value, _ in self.trainset.rows}
        impossible = (uid, iid) not in known
        return SimpleNamespace(
            est=known.get((uid, iid), 3.0), details={"was_impossible": impossible}
        )


@pytest.fixture
def surprise(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.install_surprise(monkeypatch)


@pytest.mark.usefixtures("surprise")
def test_a_model_of_surprise_predicts_pairs_and_what_is_impossible_is_nothing() -> None:
    np.testing.assert_array_equal(
        predicted(ByPair()), [[2, 5, NONE], [NONE, 4, 1], [NONE, 3, NONE]]
    )
    model = adapt(ByPair())._fitted_model(TRAIN, Seeds(1))  # type: ignore[attr-defined]
    assert model.trainset.rating_scale == (1, 5)
    assert model.random_state == seed_of()


@pytest.mark.usefixtures("surprise")
def test_a_model_of_surprise_is_asked_for_the_pairs_that_are_wanted() -> None:
    model = ByPair().fit(stand_ins.TrainSet([("x", "a", 2.0, None)], (1, 5)))
    fitted = adapt(model, fitted=True).fit(TRAIN, Seeds(1))
    assert isinstance(fitted, ForeignPairPredictor)
    wanted = np.array([[False, True, False], [True, False, False]])
    found = fitted.predict_pairs(np.array([2, 0], np.int32), wanted)
    assert model.asked == [("z", "b"), ("x", "a")]
    np.testing.assert_array_equal(found, [[NONE, NONE, NONE], [2, NONE, NONE]])


@pytest.mark.usefixtures("surprise")
def test_a_fitted_model_of_surprise_with_ids_of_another_kind_is_refused() -> None:
    model = ByPair().fit(stand_ins.TrainSet([(1, 2, 2.0, None)], (1, 5)))
    with pytest.raises(BadParameter, match="user_ids: 1 is not an id of the training ratings"):
        predicted(model, fitted=True)


# PyTorch


class OfUsers(Module):
    """Ten times the user plus the item."""

    items = np.arange(3)

    def forward(self, users: Tensor) -> Any:  # type: ignore[override]
        return 10 * users.values[:, None] + self.items


class OfPairs(Module):
    """The same, pair by pair, with something that need not be given."""

    def forward(self, users: Tensor, items: Tensor, scale: float = 1.0) -> Any:  # type: ignore[override]
        return scale * (10 * users.values + items.values)


@pytest.mark.parametrize("model", [OfUsers(), OfPairs()])
def test_a_module_is_asked_in_evaluation_mode_and_left_as_it_was(
    model: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.install_torch(monkeypatch)
    np.testing.assert_array_equal(predicted(model), [[0, 1, 2], [10, 11, 12], [20, 21, 22]])
    assert model.training


def test_a_module_with_fit_is_fitted_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = stand_ins.install_torch(monkeypatch)

    class Fitted(OfUsers):
        def fit(self, matrix: Any) -> None:
            self.items = matrix.toarray().max(axis=0) + seeds.seed

    given = Fitted()
    found = predicted(given)
    np.testing.assert_array_equal(found[0], np.array([2, 5, 1]) + seed_of())
    assert seeds.seed == 99
    assert given.items is OfUsers.items


def test_a_module_without_fit_counts_as_fitted() -> None:
    assert adapt(OfUsers()).description.fitted  # type: ignore[attr-defined]
