"""Description: what a record says of a model that was made elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.recommendation.foreign.form import named, takes
from cranfield.recommendation.foreign.recognition import libraries_of


@dataclass(frozen=True, kw_only=True)
class ModelDescription:
    """Class, library and parameters of a model, and how it was used.

    ``kind`` is the class, or the name of a function, with its module. ``library`` is the
    installed package that it is from or builds on, empty if there is none. ``batch`` is how
    many users were asked at a time, None where each was asked alone.
    """

    kind: str
    library: str = ""
    form: str = ""
    fitted: bool = False
    batch: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


def describe_model(model: Any, *, form: str, fitted: bool, batch: int | None) -> ModelDescription:
    """What is known of a model by looking at it."""
    return ModelDescription(
        kind=_class(model),
        library=_library(model),
        form=form,
        fitted=fitted,
        batch=batch,
        parameters=_parameters(model),
    )


def library_version(library: str) -> str:
    """The version of an installed package; empty if it has none."""
    try:
        return version(library) if library else ""
    except PackageNotFoundError:
        return ""


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()


def _library(model: Any) -> str:
    """The installed package of the nearest class that is of one."""
    for package in libraries_of(model):
        if package != "cranfield" and package in _distributions():
            return _distributions()[package][0]
    return ""


def _parameters(model: Any) -> dict[str, Any]:
    """The parameters that a model was made with, as plain values."""
    if hasattr(model, "get_params"):
        asked = {"simple_types": True, "deep": False}  # of RecTools, of scikit-learn
        how = {name: each for name, each in asked.items() if takes(model.get_params, name)}
        return dict(_plain(model.get_params(**how)))
    if hasattr(model, "component_names"):  # a pipeline of LensKit
        return _of_components({name: model.component(name) for name in model.component_names()})
    if (config := getattr(model, "config", None)) is not None:  # a component of LensKit
        return dict(_plain(config.model_dump() if hasattr(config, "model_dump") else vars(config)))
    own = vars(model) if hasattr(model, "__dict__") else {}
    return {each: _plain(own[each]) for each in named(type(model).__init__) if each in own}


def _of_components(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Class and settings of each part of a pipeline."""
    return {name: {"kind": _class(part), **_parameters(part)} for name, part in parts.items()}


def _plain(value: Any) -> Any:
    """A value as JSON has it; what is no number, text or table goes by its class."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return _class(value)


def _class(value: Any) -> str:
    """The class of an object, or a class or function itself, with its module."""
    kind = value if hasattr(value, "__qualname__") else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"
