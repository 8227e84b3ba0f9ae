"""Logging: what trackers are told, by stand-ins that write it down."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import BadParameter, MissingLibrary, OptionError
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.results.tracking import _named, logged_results
from experiment_cases import experiment_of, study_of

FILES = {
    "experiment.toml", "results.json", "scores.parquet", "methods.txt", "tables.tex",
    "references.bib", "report.html",
}  # fmt: skip


@pytest.fixture(scope="module")
def results() -> Results:
    return execute(experiment_of(title="A title", metrics=["nDCG@5", "RBP(p=0.8)", "Gini@5"]))


@pytest.fixture(scope="module")
def study() -> StudyResults:
    return execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": 0}))


class Refused(Exception):
    """What the stand-in raises, as MLflow does."""


class FakeMlflow(ModuleType):
    """What of MLflow is used: one run at a time, whose parameters never change."""

    MlflowException = Refused

    def __init__(self) -> None:
        super().__init__("mlflow")
        self.active: Any = None
        self.seen: dict[str, Any] = {"params": {}, "runs": [], "ended": 0}

    def active_run(self) -> Any:
        return self.active

    @contextmanager
    def start_run(self, **settings: Any) -> Iterator[Any]:
        self.seen["runs"].append(settings)
        self.active = SimpleNamespace(info=SimpleNamespace(run_id="run-1"))
        yield self.active
        self.active = None
        self.seen["ended"] += 1

    def log_params(self, params: dict[str, str]) -> None:
        for name, text in params.items():
            if self.seen["params"].setdefault(name, text) != text:
                raise Refused(f"{name} has changed")

    def log_metrics(self, metrics: dict[str, float]) -> None:
        self.seen["metrics"] = metrics

    def set_tags(self, tags: dict[str, str]) -> None:
        self.seen["tags"] = tags

    def log_artifacts(self, folder: str, artifact_path: str) -> None:
        self.seen["files"] = (artifact_path, {each.name for each in Path(folder).iterdir()})


@pytest.fixture
def mlflow(monkeypatch: pytest.MonkeyPatch) -> FakeMlflow:
    made = FakeMlflow()
    monkeypatch.setitem(sys.modules, "mlflow", made)
    return made


class FakeWandb(ModuleType):
    """What of Weights & Biases is used."""

    def __init__(self) -> None:
        super().__init__("wandb")
        self.run: Any = None
        self.seen: dict[str, Any] = {"config": {}, "summary": {}, "logged": {}, "ended": 0}

    @contextmanager
    def init(self, **settings: Any) -> Iterator[Any]:
        self.seen["settings"] = settings
        yield self.made()
        self.seen["ended"] += 1

    def made(self) -> Any:
        seen = self.seen
        config = SimpleNamespace(update=lambda given, **_: seen["config"].update(given))
        return SimpleNamespace(
            id="w1", config=config, summary=seen["summary"], log=seen["logged"].update,
            log_artifact=lambda each: seen.update(artefact=each),
        )  # fmt: skip

    class Artifact:
        def __init__(self, name: str, type: str) -> None:  # noqa: A002
            self.name, self.type, self.files = name, type, set[str]()

        def add_dir(self, folder: str) -> None:
            self.files = {each.name for each in Path(folder).iterdir()}

    def Html(self, data: str, *, inject: bool) -> str:
        assert not inject
        return data


@pytest.fixture
def wandb(monkeypatch: pytest.MonkeyPatch) -> FakeWandb:
    made = FakeWandb()
    monkeypatch.setitem(sys.modules, "wandb", made)
    return made


def test_decisions_values_and_files_reach_mlflow(results: Results, mlflow: FakeMlflow) -> None:
    assert cf.log(results, "mlflow", experiment_id="7") == "run-1"
    seen = mlflow.seen
    assert seen["runs"] == [{"run_name": "A title", "experiment_id": "7"}]
    assert seen["ended"] == 1
    assert seen["params"]["split"] == "per-user(test_share=0.4, repeats=1)"
    assert seen["params"]["systems.kNN"].startswith("user-kNN(k=5")
    assert seen["params"]["seed"] == "0"
    assert seen["params"]["comparison.alpha"] == "0.05"
    value = results.summary.row("kNN", "nDCG@5").value
    assert seen["metrics"]["kNN/nDCG_at_5"] == value
    assert seen["metrics"]["kNN/Gini_at_5"] == results.lists["kNN"]["Gini@5"]
    assert len(seen["metrics"]) == 3 * 3
    assert seen["files"] == ("cranfield", FILES)
    assert seen["tags"]["verdict"]
    assert seen["tags"]["cranfield"] == cf.__version__


def test_a_run_that_is_active_is_logged_into_and_stays_open(
    results: Results, mlflow: FakeMlflow
) -> None:
    with mlflow.start_run() as mine:
        assert cf.log(results, "mlflow") == mine.info.run_id
        assert mlflow.seen["ended"] == 0
        cf.log(results, "mlflow")  # the same decisions once more
        with pytest.raises(OptionError, match="a run is active, so run_name cannot be set"):
            cf.log(results, "mlflow", run_name="x")
        with pytest.raises(OptionError, match="MLflow refuses the decisions"):
            cf.log(execute(experiment_of(title="A title", seed=3)), "mlflow")
    assert len(mlflow.seen["runs"]) == 1


def test_decisions_values_and_files_reach_wandb(results: Results, wandb: FakeWandb) -> None:
    assert cf.log(results, "wandb", project="mine") == "w1"
    seen = wandb.seen
    assert seen["settings"] == {"name": "A title", "project": "mine"}
    assert seen["ended"] == 1
    assert seen["config"]["relevance"] == "4"
    assert seen["summary"] == logged_results(results).values
    assert (seen["artefact"].name, seen["artefact"].files) == ("cranfield-w1", FILES)
    assert seen["logged"]["report"].startswith("<!")
    wandb.run = wandb.made()
    cf.log(results, "wandb")
    assert seen["ended"] == 1, "a run that was active stays open"
    with pytest.raises(OptionError, match="project cannot be set"):
        cf.log(results, "wandb", project="mine")


def test_a_study_has_its_answers_and_files_too(study: StudyResults, mlflow: FakeMlflow) -> None:
    cf.log(study, "mlflow")
    assert mlflow.seen["params"]["study.vary.cutoff"] == "3; 5"
    assert mlflow.seen["params"]["study.way"] == "crossed"
    assert mlflow.seen["tags"]["verdict"] == study.conclusion.verdict.sentence
    assert "designs.parquet" in mlflow.seen["files"][1]


def test_what_failed_is_a_tag_and_has_no_value(mlflow: FakeMlflow) -> None:
    def broken(train: object, users: object) -> None:
        raise ValueError("no luck")

    made = execute(experiment_of(systems={"mine": broken, "Popularity": "Popularity"}))
    cf.log(made, "mlflow")
    assert "no luck" in mlflow.seen["tags"]["failed.mine"]
    assert set(mlflow.seen["metrics"]) == {"Popularity/nDCG_at_5", "Popularity/P_at_5"}


def test_long_decisions_are_cut(mlflow: FakeMlflow) -> None:
    systems = {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"}
    cf.log(execute(experiment_of(systems=systems, title="x" * 999)), "mlflow")
    assert len(mlflow.seen["params"]["title"]) == 500


@given(st.dictionaries(st.text(min_size=1), st.integers()))
def test_names_are_those_that_every_tracker_takes(things: dict[str, int]) -> None:
    made = _named(things)
    assert list(made.values()) == list(things.values())
    assert all(re.fullmatch(r"[\w\-. /]{1,250}", name, re.ASCII) for name in made)


@pytest.mark.parametrize("library", ["mlflow", "wandb"])
def test_a_library_that_is_absent_is_named(
    results: Results, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibrary, match=f"pip install {library}"):
        cf.log(results, library)  # type: ignore[arg-type]


def test_what_cannot_be_logged_is_refused(results: Results) -> None:
    with pytest.raises(BadParameter, match="mlflow or wandb"):
        cf.log(results, "neptune")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="Scores is not what"):
        cf.log(results.scores, "mlflow")  # type: ignore[arg-type]
