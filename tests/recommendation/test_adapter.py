"""Models made elsewhere become recommenders, or are refused in words."""

from __future__ import annotations

from time import sleep
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.tree import DecisionTreeRegressor

from cranfield.base.errors import BadParameter, BadPredictions
from cranfield.base.seeds import Seeds
from cranfield.base.threads import in_threads
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import adapt
from cranfield.recommendation.ranking import passing
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommenders.pure_svd import PureSVD
from learnable import everyone, grouped
from ranking_cases import targets_of


def predicted(model: Any, **how: Any) -> np.ndarray:
    train, _ = grouped()
    return np.asarray(adapt(model, **how).fit(train, Seeds(1)).predict(everyone(train)))


def dense() -> np.ndarray:
    return np.asarray(grouped()[0].matrix().toarray())


class Columns:
    """A model with ``fit(matrix)`` and ``predict(users)``: the mean of each item."""

    def fit(self, matrix: scipy.sparse.csr_matrix) -> None:
        self.means = np.asarray(matrix.mean(axis=0)).ravel()

    def predict(self, users: np.ndarray) -> np.ndarray:
        return np.tile(self.means, (len(users), 1))


class OneUser:
    """A model of LensKit's older kind, with ids and a table."""

    def fit(self, ratings: pd.DataFrame) -> None:
        self.counts = ratings.groupby("item").size()

    def predict_for_user(self, user: int, items: list[int]) -> pd.Series:
        return self.counts.reindex(items) + user


def test_a_function_gets_the_ratings_and_the_users() -> None:
    given = predicted(lambda train, users: users[:, None] + train.item_counts[None, :])
    counts = grouped()[0].item_counts
    np.testing.assert_array_equal(given, np.arange(60)[:, None] + counts)


def test_an_object_with_rows_for_users() -> None:
    np.testing.assert_allclose(predicted(Columns()), np.tile(dense().mean(axis=0), (60, 1)))


def test_a_decomposition_of_scikit_learn_is_reconstructed() -> None:
    train, _ = grouped()
    ours = PureSVD(factors=3).fit(train, Seeds()).predict(everyone(train))
    np.testing.assert_allclose(predicted(TruncatedSVD(3, algorithm="arpack")), ours, atol=1e-6)
    assert predicted(NMF(3, init="nndsvda", max_iter=1000)).shape == (60, 40)


def test_a_regressor_of_scikit_learn_sees_pairs() -> None:
    train, _ = grouped()
    given = predicted(DecisionTreeRegressor())
    np.testing.assert_allclose(given[train.users, train.items], train.values)


def test_an_object_with_a_table_and_ids() -> None:
    train, _ = grouped()
    given = predicted(OneUser())
    np.testing.assert_array_equal(given[2], train.item_counts + 3)


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured:RuntimeWarning")
def test_factors_of_implicit() -> None:
    als = pytest.importorskip("implicit.cpu.als")
    model = als.AlternatingLeastSquares(factors=4, iterations=3, random_state=1, num_threads=1)
    given = predicted(model)
    twin = als.AlternatingLeastSquares(factors=4, iterations=3, random_state=1, num_threads=1)
    twin.fit(scipy.sparse.csr_matrix(dense()), show_progress=False)
    np.testing.assert_allclose(given, twin.user_factors @ twin.item_factors.T, atol=1e-6)
    assert not hasattr(model, "user_factors") or model.user_factors is None


@pytest.mark.filterwarnings("ignore:Method expects CSR")
def test_neighbours_of_implicit() -> None:
    nearest = pytest.importorskip("implicit.nearest_neighbours")
    model = nearest.CosineRecommender(K=40, num_threads=1)
    norms = np.linalg.norm(dense(), axis=0)
    expected = dense() @ (dense().T @ dense() / np.outer(norms, norms))
    given = predicted(model)
    known = np.isfinite(given)
    assert known.mean() > 0.9
    np.testing.assert_allclose(given[known], expected[known], rtol=1e-6)


def test_a_fitted_model_is_used_as_it_is() -> None:
    model = Columns()
    model.means = np.arange(40.0)
    np.testing.assert_array_equal(predicted(model, fitted=True)[5], np.arange(40.0))
    np.testing.assert_array_equal(model.means, np.arange(40.0))


def test_the_ids_of_a_fitted_model_say_what_its_rows_and_columns_are() -> None:
    train, _ = grouped()

    class Factors:
        user_factors = np.array([[1.0], [10.0]])
        item_factors = np.array([[2.0], [3.0], [4.0]])

    given = predicted(Factors(), fitted=True, user_ids=[5, 2], item_ids=[40, 1, 999])
    at = train.user_ids.encode([2, 5, 7]), train.item_ids.encode([1, 40, 3])
    part = given[np.ix_(*at)]
    np.testing.assert_array_equal(part, [[30, 20, np.nan], [3, 2, np.nan], [np.nan] * 3])


def test_a_fitted_decomposition_sees_the_ratings_in_its_own_order() -> None:
    order = np.arange(40)[::-1]
    model = TruncatedSVD(3, algorithm="arpack").fit(dense()[:, order])
    given = predicted(model, fitted=True, item_ids=(order + 1).tolist())
    np.testing.assert_allclose(given, predicted(TruncatedSVD(3, algorithm="arpack")), atol=1e-6)


def test_the_model_given_is_not_changed_by_fitting() -> None:
    model = Columns()
    predicted(model)
    assert not hasattr(model, "means")


def test_an_open_random_state_follows_the_seed() -> None:
    train, _ = grouped()
    adapted = adapt(NMF(3, init="random", max_iter=2000))
    one, again, other = (
        adapted.fit(train, Seeds(seed)).predict(everyone(train)) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_not_a_number_means_not_computable_and_stays() -> None:
    given = predicted(lambda train, users: np.full((len(users), train.n_items), np.nan))
    assert np.isnan(given).all()


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_predictions_are_refused(bad: float) -> None:
    def model(train: Any, users: Any) -> np.ndarray:
        out = np.zeros((len(users), train.n_items))
        out[:, 7] = bad
        return out

    with pytest.raises(BadPredictions, match=rf"model: the prediction of item 7 is {bad}\."):
        predicted(model)


@pytest.mark.parametrize("shape", [(40,), (60, 39), (1, 40), (40, 60)])
def test_predictions_of_a_wrong_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadPredictions, match=r"The right one is \(60, 40\)"):
        predicted(lambda train, users: np.zeros(shape))


def test_predictions_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(BadPredictions, match="not an array of numbers"):
        predicted(lambda train, users: [["much"] * 40] * 60)


def test_what_cannot_predict_is_refused_with_its_type() -> None:
    with pytest.raises(BadParameter, match='"int" is not a model of LensKit'):
        adapt(3)


class Batched:
    """A function whose rows depend on who else is asked for: the worst case."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []

    def __call__(self, train: Ratings, users: np.ndarray) -> np.ndarray:
        self.calls.append(users.tolist())
        return np.tile(users.sum() + np.arange(train.n_items), (len(users), 1))


def test_a_row_does_not_depend_on_the_users_asked_for() -> None:
    train, _ = grouped()
    model = Batched()
    fitted = adapt(model, batch=7).fit(train, Seeds(1))
    whole = fitted.predict(everyone(train))
    assert model.calls == [list(range(start, min(start + 7, 60))) for start in range(0, 60, 7)]
    for users in ([9, 4], [59], [3, 3, 10], []):
        codes = np.array(users, np.int32)
        np.testing.assert_array_equal(fitted.predict(codes), whole[codes])


def test_a_batch_is_of_128_users_unless_said_otherwise() -> None:
    train, _ = grouped(users=150)
    model = Batched()
    adapt(model).fit(train, Seeds(1)).predict(np.array([140, 2], np.int32))
    assert [len(each) for each in model.calls] == [128, 22]


def test_users_that_a_model_does_not_know_are_not_asked_for() -> None:
    train, _ = grouped()
    model = Batched()
    fitted = adapt(model, user_ids=[3, 2, 61], batch=4).fit(train, Seeds(1))
    found = fitted.predict(np.arange(6, dtype=np.int32))
    assert model.calls == [[1, 0]]  # users 2 and 3, by their places
    np.testing.assert_array_equal(np.isnan(found).all(axis=1), [True, False, False] + [True] * 3)


@pytest.mark.parametrize("threads", ["1", "2", "4"])
def test_rankings_are_the_same_for_any_threads_and_targets(
    threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    monkeypatch.setattr(passing, "_BYTES_AT_ONCE", 8 * 40 * 5)
    train, test = grouped()
    adapted = adapt(Batched(), batch=8)
    every = targets_of(train, test, 4)
    alone = rank(adapted.fit(train, Seeds(1)), every[:1])[0]
    some = test.take(test.users % 3 == 1)
    fewer = rank(adapted.fit(train, Seeds(1)), targets_of(train, some, 4)[:1])[0]
    together = rank(adapted.fit(train, Seeds(1)), every[:3])[0]
    np.testing.assert_array_equal(alone.run.predictions, together.run.predictions)
    first = np.flatnonzero(alone.run.topics.users == fewer.run.topics.users[0])[0]
    np.testing.assert_array_equal(
        fewer.run.predictions[:5],
        alone.run.predictions[alone.run.offsets[first] :][:5],
    )


def test_a_model_is_asked_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", "4")
    inside: list[int] = []

    def model(train: Ratings, users: np.ndarray) -> np.ndarray:
        inside.append(1)
        most.append(len(inside))
        sleep(0.001)
        inside.pop()
        return np.zeros((len(users), train.n_items))

    most: list[int] = []
    train, _ = grouped()
    fitted = adapt(model, batch=4).fit(train, Seeds(1))
    parts = [np.arange(start, start + 4, dtype=np.int32) for start in range(0, 60, 4)]
    assert len(list(in_threads(fitted.predict, parts))) == 15
    assert most == [1] * 15


@pytest.mark.parametrize("batch", [0, -1, 1.5, True, "8"])
def test_a_batch_is_a_whole_number(batch: Any) -> None:
    with pytest.raises(BadParameter, match=r"batch: .* is not a whole number of at least 1"):
        adapt(Batched(), batch=batch)


def test_a_form_that_does_not_exist_is_refused_with_a_near_name() -> None:
    with pytest.raises(BadParameter, match=r'form: "factor" is not one of auto, .*"factors"'):
        adapt(Columns(), form="factor")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "how", "why"),
    [
        (OneUser(), {"batch": 8}, "asked for each user alone"),
        (OneUser(), {"item_ids": [1]}, "knows users and items by their ids"),
        (OneUser(), {"user_ids": [1]}, "knows users and items by their ids"),
    ],
)
def test_what_a_model_has_no_use_for_is_refused(model: Any, how: Any, why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        adapt(model, **how)


def test_the_text_of_an_adapted_model_is_its_name() -> None:
    assert str(adapt(Columns())) == "Columns"
    assert str(adapt(Columns(), name="item means")) == "item means"


def test_a_recommender_of_ones_own_needs_no_registration() -> None:
    class Drawn:
        """Fits to ratings and seeds, and gives what predicts."""

        def fit(self, train: Ratings, seeds: Seeds) -> Drawn:
            self.row = seeds.stream("row").random(train.n_items)
            return self

        def predict(self, users: np.ndarray) -> np.ndarray:
            return np.tile(self.row, (len(users), 1))

    np.testing.assert_array_equal(predicted(Drawn())[3], Seeds(1).stream("row").random(40))
    assert str(adapt(Drawn())) == "Drawn"


def test_an_option_needs_no_adapter() -> None:
    option = PureSVD(factors=3)
    assert adapt(option) is option


def test_a_model_with_a_table_may_be_given_times_as_well() -> None:
    class Latest(OneUser):
        def fit(self, ratings: pd.DataFrame) -> None:
            self.counts = ratings.groupby("item")["timestamp"].max()

    timed = Ratings.from_triples([1, 1, 2], [7, 8, 8], [1.0, 2.0, 3.0], [50, 60, 70])
    users = np.array([0, 1], dtype=np.int32)
    plain = adapt(OneUser()).fit(timed, Seeds()).predict(users)
    np.testing.assert_array_equal(plain, [[1 + 1, 2 + 1], [1 + 2, 2 + 2]])
    latest = adapt(Latest()).fit(timed, Seeds()).predict(users)
    np.testing.assert_array_equal(latest, [[50 + 1, 70 + 1], [50 + 2, 70 + 2]])


def test_a_compiled_fit_that_tells_no_parameters_is_accepted() -> None:
    class Compiled:
        fit: Any = {}.update  # built-in, and so without a signature

        def predict(self, users: np.ndarray) -> np.ndarray:
            return np.zeros((len(users), 40))

    assert (predicted(Compiled(), fitted=True) == 0).all()


@pytest.mark.parametrize(("which", "ids"), [("user_ids", ["1", "2"]), ("item_ids", ["7"])])
def test_ids_of_another_kind_are_refused_rather_than_unknown(which: str, ids: list[str]) -> None:
    with pytest.raises(BadParameter, match=rf'{which}: "{ids[0]}" is not an id of the training'):
        predicted(Columns(), fitted=True, **{which: ids})


def test_text_ids_of_a_fitted_model_are_followed() -> None:
    train = Ratings.from_triples(["x", "x", "y"], ["b", "a", "b"])

    class Factors:
        user_factors = np.array([[1.0], [2.0]])
        item_factors = np.array([[3.0], [5.0]])

    model = adapt(Factors(), fitted=True, user_ids=["y", "x"], item_ids=["b", "a"])
    users = train.user_ids.encode(["x", "y"])
    items = train.item_ids.encode(["a", "b"])
    found = model.fit(train, Seeds()).predict(users)[:, items]
    np.testing.assert_array_equal(found, [[2 * 5, 2 * 3], [1 * 5, 1 * 3]])
