"""What kind of model it is, told by its library or by its methods."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from sklearn.decomposition import TruncatedSVD

from cranfield.base.errors import BadParameter
from cranfield.recommendation.foreign.form import FormName
from cranfield.recommendation.foreign.recognition import FORMS, libraries_of, recognise


def made(**methods: Any) -> Any:
    """An object with these attributes."""
    return type("Model", (), methods)()


def of_library(name: str, **methods: Any) -> Any:
    """An object whose class is below one of a library."""
    above = type("Base", (), {"__module__": f"{name}.models"})
    return type("Model", (above,), methods)()


def fit_matrix(self: Any, matrix: Any) -> None: ...
def fit_two(self: Any, X: Any, y: Any) -> None: ...
def fit_perhaps(self: Any, X: Any, y: Any = None) -> None: ...
def fit_seeded(self: Any, train: Any, seeds: Any) -> None: ...
def fit_trainset(self: Any, trainset: Any) -> None: ...
def fit_train_set(self: Any, train_set: Any, val_set: Any = None) -> None: ...
def fit_dataset(self: Any, dataset: Any) -> None: ...
def train_data(self: Any, data: Any, options: Any = None) -> None: ...
def train_mode(self: Any, mode: bool = True) -> None: ...
def ask(self: Any, *given: Any) -> Any: ...
def predict_pair(self: Any, uid: Any, iid: Any, r_ui: Any = None) -> Any: ...
def score_user(self: Any, user_idx: int, item_idx: Any = None) -> Any: ...
def recommend_of(self: Any, users: Any, dataset: Any, k: int, filter_viewed: bool) -> Any: ...


FACTORS = {"user_factors": None, "item_factors": None}
MODULE = {"forward": ask, "state_dict": ask, "eval": ask, "train": train_mode, "__call__": ask}
COMPILED: Any = {}.update  # built-in, and so without a signature


@pytest.mark.parametrize(
    ("model", "form"),
    [
        (made(fit=fit_seeded, predict=ask), "recommender"),
        (made(fit=fit_seeded, **MODULE), "recommender"),
        (made(fit=fit_matrix, recommend=ask, **FACTORS), "factors"),
        (made(fit=fit_matrix, recommend=ask), "recommend"),
        (made(fit=fit_matrix, inverse_transform=ask, predict=ask), "reconstruct"),
        (made(fit=fit_matrix, predict_for_user=ask, predict=ask), "user"),
        (made(fit=fit_two, predict=ask), "pairs"),
        (made(fit=fit_perhaps, predict=ask), "users"),
        (made(predict=ask), "users"),
        (made(**FACTORS), "factors"),
        (lambda train, users: None, "function"),
        (made(train=train_data, __call__=ask), "lenskit"),
        (made(train=train_data, run=ask), "lenskit"),
        (made(fit=fit_trainset, predict=predict_pair, estimate=ask), "surprise"),
        (of_library("surprise", fit=COMPILED, predict=ask), "surprise"),
        (made(fit=fit_train_set, score=score_user, rank=ask, recommend=ask), "cornac"),
        (made(fit=fit_dataset, recommend=recommend_of), "rectools"),
        (made(fit=fit_dataset, recommend=ask), "recommend"),  # only the names are alike
        (made(fit=fit_trainset, predict=ask), "users"),
        (made(fit=fit_matrix, train=train_data, predict=ask, run=ask), "users"),
        (made(**MODULE), "torch"),
        (made(fit=fit_matrix, predict=ask, **MODULE), "torch"),
    ],
)
def test_a_form_is_told_by_methods(model: Any, form: str) -> None:
    assert recognise(model) == form


def test_every_form_that_is_fitted_here_has_a_way_to_be_asked() -> None:
    assert {*FORMS, "auto", "recommender", "function"} == set(get_args(FormName))


@pytest.mark.parametrize("model", [3, "mine.tsv", object(), {"a": 1}, made(fit=fit_matrix)])
def test_what_is_no_model_is_refused_with_the_accepted_forms_and_runs(model: Any) -> None:
    with pytest.raises(BadParameter, match="LensKit, RecTools, implicit, Cornac, Surprise") as told:
        recognise(model)
    assert f'"{type(model).__name__}" is not a model of' in str(told.value)
    assert "a function of training ratings and users" in str(told.value)
    assert 'runs = {"mine": "mine.tsv"}' in str(told.value)


def test_a_model_of_recbole_is_sent_to_runs() -> None:
    model = of_library("recbole", predict=ask, **MODULE)
    with pytest.raises(BadParameter, match=r"RecBole.*write its lists to a file.*run"):
        recognise(model)


def test_a_class_is_no_model() -> None:
    with pytest.raises(BadParameter, match=r'"TruncatedSVD" is not an object.*TruncatedSVD\(…\)'):
        recognise(TruncatedSVD)


def test_libraries_are_those_of_all_classes_above() -> None:
    assert libraries_of(of_library("surprise"))[1] == "surprise"
    assert libraries_of(TruncatedSVD())[0] == "sklearn"
