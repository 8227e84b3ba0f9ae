"""Records of all kinds of results are as their schema says."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from cranfield.workbench.cli.main import main
from cranfield.workbench.cli.schema import SCHEMAS
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import write_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.schema import results_schema
from cranfield.workbench.results.study_results import StudyResults
from experiment_cases import experiment_of, study_of

jsonschema = pytest.importorskip("jsonschema")

VALIDATOR = jsonschema.Draft202012Validator(results_schema())
RUNS: list[dict[str, Any]] = [
    {"metrics": ["nDCG@5", "P@5", "Gini@5"], "by": ["activity:2"], "assess": ["correlation"]},
    {"systems": {"only": "Popularity"}, "comparison": None},
    {"relevance": 6},
    {"split": "k-fold(folds=2)", "targets": "test-items, one-relevant"},
]
STUDIES: list[dict[str, Any]] = [
    {"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 100},
    {"vary": {"cutoff": [3, 5]}, "draws": 0, "weights": {"cutoff": [1, 2]}},
    {"vary": {"cutoff": [3, 5]}, "draws": 100, "repeat": {"split_seeds": 2}},
]


def record_of(made: Results | StudyResults, folder: Path) -> Any:
    write_results(made, folder)
    return json.loads((folder / "results.json").read_text())


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(results_schema())


@pytest.mark.parametrize("changes", RUNS)
def test_records_of_runs_are_valid(changes: dict[str, Any], tmp_path: Path) -> None:
    record = record_of(execute(experiment_of(**changes)), tmp_path)
    jsonschema.Draft202012Validator(
        {"$ref": "#/$defs/results", "$defs": results_schema()["$defs"]}
    ).validate(record)
    VALIDATOR.validate(record)


@pytest.mark.parametrize("study", STUDIES)
def test_records_of_studies_are_valid(study: dict[str, Any], tmp_path: Path) -> None:
    record = record_of(execute_study(study_of(study)), tmp_path)
    jsonschema.Draft202012Validator(
        {"$ref": "#/$defs/study", "$defs": results_schema()["$defs"]}
    ).validate(record)
    VALIDATOR.validate(record)


def test_records_of_something_else_are_not(tmp_path: Path) -> None:
    record = record_of(execute(experiment_of()), tmp_path)
    spoiled: list[tuple[tuple[Any, ...], Any]] = [
        (("format",), 0), (("scores",), "none"), (("systems", "kNN", "P@5", "value"), "1"),
        (("comparison", "pairs", 0, "p_value"), "small"), (("users", "users"), 1.5),
        (("comparison", "pairs", 0, "unheard"), 1), (("versions", "numpy"), 2), (("title",), 1),
    ]  # fmt: skip
    for path, value in spoiled:
        changed = copy.deepcopy(record)
        inner = changed
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
        assert not VALIDATOR.is_valid(changed), path
    for name in ("systems", "decisions", "seed", "comparison", "scores", "assessments"):
        assert not VALIDATOR.is_valid({key: v for key, v in record.items() if key != name}), name


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "results"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(results_schema()))


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name != "definition"])
def test_every_key_of_a_record_has_a_meaning(name: str) -> None:
    schema = SCHEMAS[name]()
    records = [each for each in (schema, *schema.get("$defs", {}).values()) if "properties" in each]
    assert records
    for record in records:
        for key, member in record["properties"].items():
            assert member["description"].endswith("."), key
