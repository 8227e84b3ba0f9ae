"""Logging in the trackers themselves, without a network, where they are installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import base_of
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.results.tracking import logged_results
from experiment_cases import experiment_of, study_of

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
"""The libraries warn of much that is their own."""


@pytest.fixture(params=["experiment", "study"])
def results(request: pytest.FixtureRequest) -> Results | StudyResults:
    if request.param == "study":
        return execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": 0}, title="A study"))
    metrics = ["nDCG@5", "RBP(p=0.8)", "Gini@5"]
    return execute(experiment_of(title="A title: 50 % <b>", metrics=metrics))


def test_mlflow_holds_decisions_values_and_files(
    results: Results | StudyResults, tmp_path: Path
) -> None:
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'mlflow.db'}")
    mlflow.create_experiment("mine", artifact_location=(tmp_path / "files").as_uri())
    mlflow.set_experiment("mine")
    run = mlflow.get_run(cf.log(results, "mlflow"))
    logged = logged_results(results)
    assert run.info.status == "FINISHED"
    assert run.info.run_name == logged.title
    assert run.data.params == logged.decisions
    assert run.data.metrics == logged.values
    assert run.data.tags["verdict"] == logged.facts["verdict"]
    folder = Path(mlflow.artifacts.download_artifacts(run_id=run.info.run_id)) / "cranfield"
    again = cf.read_results(folder)
    assert isinstance(again, cf.Results | cf.StudyResults)
    assert base_of(again).summary.to_dict() == base_of(results).summary.to_dict()
    with mlflow.start_run() as mine:
        assert cf.log(results, "mlflow") == mine.info.run_id
        with pytest.raises(cf.CranfieldError, match="MLflow refuses the decisions"):
            cf.log(execute(experiment_of(seed=9)), "mlflow")


def test_wandb_holds_decisions_values_and_files(
    results: Results | StudyResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wandb = pytest.importorskip("wandb")
    monkeypatch.chdir(tmp_path)
    for name in ("WANDB_CACHE_DIR", "WANDB_DATA_DIR", "WANDB_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    logged = logged_results(results)
    with wandb.init(mode="offline", dir=str(tmp_path), project="mine") as run:
        assert cf.log(results, "wandb") == run.id
        assert {**logged.decisions, **logged.facts} == dict(run.config)
        summary = {name: run.summary[name] for name in logged.values}
        assert summary == logged.values
    assert cf.log(results, "wandb", mode="offline", dir=str(tmp_path)) != run.id
    written = sorted((tmp_path / "wandb").glob("offline-run-*"))
    assert len(written) == 2
    pages = [page for each in written for page in each.rglob("*.html")]
    assert pages
    assert json.dumps(logged.title)[1:-1].split(":")[0] in pages[0].read_text(encoding="utf-8")
