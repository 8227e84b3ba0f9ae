"""Class, library, version and parameters of a user's own model are in every record of results."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from sklearn.decomposition import TruncatedSVD

import cranfield as cf
from cranfield.base.errors import UnreadableFile
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import base_of, write_results
from cranfield.workbench.results.methods.methods import methods_of
from cranfield.workbench.results.methods.methods_systems import model_words
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.schema import results_schema
from experiment_cases import experiment_of, study_of

SVD = TruncatedSVD(2, algorithm="arpack", random_state=5)


def counts(train: Ratings, users: Any) -> Any:
    return [train.item_counts] * len(users)


def systems() -> dict[str, Any]:
    return {"mine": SVD, "counts": adapt(counts, batch=16), "Random": "Random"}


def made() -> Results:
    return execute(experiment_of(systems=systems(), comparison=None))


def test_a_record_holds_class_parameters_and_how_a_model_was_asked(tmp_path: Path) -> None:
    write_results(made(), tmp_path)
    record = json.loads((tmp_path / "results.json").read_text())
    pytest.importorskip("jsonschema").Draft202012Validator(results_schema()).validate(record)
    assert set(record["models"]) == {"mine", "counts"}
    mine = record["models"]["mine"]
    assert mine["kind"] == "sklearn.decomposition._truncated_svd.TruncatedSVD"
    assert (mine["form"], mine["fitted"], mine["batch"]) == ("reconstruct", False, 128)
    assert mine["parameters"]["n_components"] == 2
    assert record["models"]["counts"]["batch"] == 16
    assert record["versions"]["scikit-learn"] == version("scikit-learn")


def test_results_without_models_say_nothing_of_them() -> None:
    record = execute(experiment_of(systems={"Random": "Random"}, comparison=None)).to_dict()
    assert "models" not in record
    assert "scikit-learn" not in record["versions"]


def test_methods_name_the_model_its_library_and_its_parameters() -> None:
    text = methods_of(made())
    assert (
        "mine (sklearn.decomposition._truncated_svd.TruncatedSVD of scikit-learn "
        f"{version('scikit-learn')}, algorithm = arpack, n_components = 2, " in text
    )
    assert f"counts ({counts.__module__}.counts, asked for 16 users at a time)" in text


def test_results_read_back_say_the_same_of_models(tmp_path: Path) -> None:
    results = made()
    write_results(results, tmp_path)
    read = read_results(tmp_path)
    assert base_of(read).models == results.models
    assert methods_of(base_of(read)) == methods_of(results)
    assert json.loads(json.dumps(base_of(read).to_dict())) == json.loads(
        json.dumps(results.to_dict())
    )


def test_a_study_has_the_models_of_its_base(tmp_path: Path) -> None:
    study = execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": 0}, systems=systems()))
    write_results(study, tmp_path)
    assert base_of(read_results(tmp_path)).models == study.base.models


def test_results_of_models_can_be_verified_and_another_parameter_is_told(tmp_path: Path) -> None:
    write_results(made(), tmp_path)
    given = systems()
    assert cf.verify(tmp_path, systems=given)
    other = {**given, "mine": TruncatedSVD(2, algorithm="arpack", random_state=5, tol=1e-9)}
    with pytest.raises(cf.CranfieldError, match=r"models\.mine\.parameters\.tol"):
        cf.verify(tmp_path, systems=other)


def test_a_record_whose_models_are_none_is_unreadable(tmp_path: Path) -> None:
    write_results(made(), tmp_path)
    path = tmp_path / "results.json"
    record = json.loads(path.read_text())
    broken: list[Any] = [[], {"mine": 3}, {"mine": {"library": "x"}}]
    for bad in broken:
        path.write_text(json.dumps({**record, "models": bad}))
        with pytest.raises(UnreadableFile, match="not a record"):
            read_results(tmp_path)


def test_words_of_a_model_flatten_tables_and_leave_out_what_has_no_value() -> None:
    model = made().models["mine"]
    parameters = {"a": None, "b": True, "c": {"d": 0.5, "e": ["x", 2]}}
    words = model_words(
        type(model)(kind="m.Own", library="lib", fitted=True, parameters=parameters), {}
    )
    assert words == "m.Own of lib, b = true, c.d = 0.5, c.e = x / 2, fitted before"
