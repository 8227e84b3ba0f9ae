"""What records say of models that were made elsewhere."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.linear_model import LinearRegression

from cranfield.recommendation.adapter import adapt
from cranfield.recommendation.foreign.description import (
    ModelDescription,
    describe_model,
    library_version,
)
from stand_ins import CountScorer, Pipeline


def described(model: Any, **how: Any) -> ModelDescription:
    adapted: Any = adapt(model, **how)
    found: ModelDescription = adapted.description
    assert json.loads(json.dumps(asdict(found))) == asdict(found)
    return found


def counts(train: Any, users: Any) -> Any: ...


class Mine(TruncatedSVD):  # type: ignore[misc]
    """A class of one's own, above one of scikit-learn."""


class Plain:
    """Parameters of all kinds, and what is no parameter."""

    def __init__(self, k: Any, rate: float, name: str, options: Any, other: Any = None) -> None:
        self.k, self.rate, self.name, self.options = k, rate, name, options
        self.hidden = other
        self.weights = np.zeros(9)

    def fit(self, matrix: Any) -> None: ...
    def predict(self, users: Any) -> Any: ...


def test_a_function_goes_by_its_name() -> None:
    found = described(counts)
    assert found.kind == f"{counts.__module__}.counts"
    assert (found.form, found.library, found.batch, found.parameters) == ("function", "", 128, {})
    assert "<lambda>" in described(lambda train, users: None).kind
    assert described(partial(counts, 3)).kind == "functools.partial"


def test_a_model_of_scikit_learn_has_its_library_and_parameters() -> None:
    found = described(NMF(3, alpha_W=0.5), batch=10, fitted=True)
    assert found.kind == "sklearn.decomposition._nmf.NMF"
    assert found.library == "scikit-learn"
    assert found.parameters["n_components"] == 3
    assert found.parameters["alpha_W"] == 0.5
    assert (found.form, found.fitted, found.batch) == ("reconstruct", True, 10)


def test_a_class_of_ones_own_has_the_library_that_it_builds_on() -> None:
    found = described(Mine())
    assert found.kind.endswith(".Mine")
    assert found.library == "scikit-learn"
    assert library_version(found.library) == version("scikit-learn")


def test_what_is_not_installed_has_no_version() -> None:
    assert library_version("") == library_version("no-such-package") == ""


def test_parameters_are_those_of_the_constructor_as_plain_values() -> None:
    options = {"a": np.float64(2.5), 3: [None, True, float("inf")], "of": {"y", "x"}}
    found = described(Plain(np.int64(4), 0.1, "n", options, other=1))
    assert found.parameters == {
        "k": 4,
        "rate": 0.1,
        "name": "n",
        "options": {"a": 2.5, "3": [None, True, "inf"], "of": ["x", "y"]},
    }
    assert found.library == ""


def test_what_is_no_value_goes_by_its_class() -> None:
    found = described(Plain(1, 2.0, "n", [LinearRegression(), counts]))
    assert found.parameters["options"] == [
        "sklearn.linear_model._base.LinearRegression",
        f"{counts.__module__}.counts",
    ]


def test_a_scorer_of_lenskit_has_its_settings_and_a_pipeline_those_of_its_parts() -> None:
    settings = {"least": 4, "of": ["item", "user"]}
    assert described(CountScorer(4)).parameters == settings
    found = described(Pipeline(CountScorer(4)))
    assert found.parameters == {"scorer": {"kind": "stand_ins.CountScorer", **settings}}
    assert found.batch is None


def test_settings_may_be_those_of_a_dataclass() -> None:
    model = SimpleNamespace(config=SimpleNamespace(n=3))
    found = describe_model(model, form="lenskit", fitted=False, batch=None)
    assert found.parameters == {"n": 3}


def test_a_model_of_rectools_gives_its_parameters_as_simple_types() -> None:
    class Model:
        def get_params(self, simple_types: bool = False, sep: str = ".") -> dict[str, Any]:
            return {"k": "8" if simple_types else object(), "sep": sep}

    found = describe_model(Model(), form="rectools", fitted=False, batch=128)
    assert found.parameters == {"k": "8", "sep": "."}


@pytest.mark.parametrize("model", [Mine(), Plain(1, 2.0, "n", None), counts])
def test_a_description_is_the_same_every_time(model: Any) -> None:
    assert described(model) == described(model)
