"""Recognition: what kind of model it is, told by its library or by the methods that it has."""

from __future__ import annotations

import inspect
from typing import Any

from cranfield.base.errors import BadParameter
from cranfield.recommendation.foreign.cornac import Cornac
from cranfield.recommendation.foreign.form import Form, FormName, named, takes
from cranfield.recommendation.foreign.lenskit import LensKit, OneUser
from cranfield.recommendation.foreign.matrices import Factors, Pairs, Recommend, Reconstruct, Users
from cranfield.recommendation.foreign.rectools import RecTools
from cranfield.recommendation.foreign.surprise import Surprise
from cranfield.recommendation.foreign.torch_module import TorchModule

FORMS: dict[str, Form] = {
    "factors": Factors(),
    "recommend": Recommend(),
    "reconstruct": Reconstruct(),
    "pairs": Pairs(),
    "users": Users(),
    "user": OneUser(),
    "lenskit": LensKit(),
    "rectools": RecTools(),
    "cornac": Cornac(),
    "surprise": Surprise(),
    "torch": TorchModule(),
}
"""Each form but two: a recommender fits itself, and a function is not fitted."""

_FITTED_TO: dict[FormName, tuple[str, str, str]] = {
    "surprise": ("trainset", "predict", "uid"),
    "cornac": ("train_set", "score", "user_idx"),
    "rectools": ("dataset", "recommend", "dataset"),
}
"""What ``fit`` of each library calls the data, and a parameter of the method that is asked."""

_TOLD_BY: dict[str, FormName] = {"inverse_transform": "reconstruct", "predict_for_user": "user"}
"""Methods that tell a form by themselves."""

_AS_RUN = (
    "write its lists to a file of user, item and score, and give that as a run, as in "
    'runs = {"mine": "mine.tsv"}'
)
_ACCEPTED = (
    "a model of LensKit, RecTools, implicit, Cornac, Surprise, scikit-learn or PyTorch, an object "
    "with fit and predict, recommend, inverse_transform or factors, or a function of training "
    f"ratings and users. Of any other model, {_AS_RUN}"
)
_OF_RECBOLE = f"asked directly: a model of RecBole is bound to its data. Instead, {_AS_RUN}"
_CLASS = "an object but a class. Make one, as in"


def recognise(model: Any) -> FormName:
    """The form of a model."""
    if isinstance(model, type):
        raise BadParameter("adapt", "model", model.__name__, f"{_CLASS} {model.__name__}(…)")
    if "recbole" in libraries_of(model):
        raise BadParameter("adapt", "model", type(model).__name__, _OF_RECBOLE)
    fit = getattr(model, "fit", None)
    if fit is not None and takes(fit, "seeds"):
        return "recommender"
    return _by_library(model) or _by_methods(model)


def libraries_of(model: Any) -> list[str]:
    """The packages that a model's class and those above it come from, the nearest first."""
    kinds = type(model).__mro__
    return list(dict.fromkeys(each.__module__.partition(".")[0] for each in kinds))


def _by_library(model: Any) -> FormName | None:
    """The form of a model of a library that has one of its own, or of one that is just like it."""
    if _is_lenskit(model):
        return "lenskit"
    fit, libraries = getattr(model, "fit", None), libraries_of(model)
    for form, (data, method, parameter) in _FITTED_TO.items():
        asked = getattr(model, method, None)
        if asked and (form in libraries or (takes(fit, data) and takes(asked, parameter))):
            return form
    is_module = all(hasattr(model, each) for each in ("forward", "state_dict", "eval"))
    return "torch" if is_module else None


def _is_lenskit(model: Any) -> bool:
    """Whether it is trained, and then run as a pipeline is, or called as a scorer."""
    trained = hasattr(model, "train") and takes(model.train, "data") and not hasattr(model, "fit")
    return trained and callable(getattr(model, "run", model))


def _by_methods(model: Any) -> FormName:
    has_factors = hasattr(model, "user_factors") and hasattr(model, "item_factors")
    if hasattr(model, "recommend"):
        return "factors" if has_factors else "recommend"
    for method, form in _TOLD_BY.items():
        if hasattr(model, method):
            return form
    if hasattr(model, "predict"):
        return "pairs" if _wants_two(getattr(model, "fit", None)) else "users"
    if has_factors:
        return "factors"
    if callable(model):
        return "function"
    raise BadParameter("adapt", "model", type(model).__name__, _ACCEPTED)


def _wants_two(fit: Any) -> bool:
    """Whether a ``fit`` needs what to predict in addition to what to predict from."""
    required = inspect.Parameter.empty
    return fit is not None and takes(fit, "y") and named(fit)["y"].default is required
