"""Plans: sealed by a fingerprint, written and read, refused when they were changed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import BadParameter, FingerprintMismatch, MissingFile, UnreadableFile
from cranfield.significance.planned_power import detectable_effect, power_of
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.planning import make_plan
from cranfield.workbench.plan.data_sets import any_plan_schema
from cranfield.workbench.plan.plan import Plan, plan_schema, read_plan
from experiment_cases import experiment_of, file_of, study_of, table_of
from page_reader import read_page

STUDY = {"vary": {"cutoff": [3, 5]}, "draws": 100}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(study_of(STUDY, title="Mine"), (0.1, 0.5))


def test_the_power_is_that_of_the_users_and_of_all_comparisons(plan: Plan) -> None:
    assert (plan.users, plan.comparisons, plan.alpha) == (40, 3, 0.05)
    assert [each.effect for each in plan.power] == [0.1, 0.5]
    assert plan.power[1].power == pytest.approx(power_of(0.5, 40, 0.05), abs=1e-6)
    assert plan.power[1].corrected_power == pytest.approx(power_of(0.5, 40, 0.05 / 3), abs=1e-6)
    assert plan.detectable == pytest.approx(detectable_effect(40, 0.05 / 3, 0.8), abs=1e-6)


@pytest.mark.parametrize(
    ("comparison", "together", "level"),
    [
        ({"test": "t", "family": "all"}, 6, 0.05 / 6),
        ({"test": "t", "baseline": "kNN"}, 2, 0.05 / 2),
        ({"test": "t", "correction": "none"}, 3, 0.05),
        ({"test": "t", "alpha": 0.01}, 3, 0.01 / 3),
    ],
)
def test_what_is_corrected_together_follows_the_decisions(
    comparison: dict[str, Any], together: int, level: float
) -> None:
    made = make_plan(experiment_of(comparison=comparison), (0.5,))
    assert made.comparisons == together
    assert made.power[0].corrected_power == pytest.approx(power_of(0.5, 40, level), abs=1e-6)


def test_with_one_system_there_is_no_power() -> None:
    made = make_plan(experiment_of(systems={"only": "Popularity"}))
    assert (made.comparisons, made.power) == (0, ())


def test_nothing_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("fitted")

    monkeypatch.setattr("cranfield.recommendation.recommenders.popularity.Popularity.fit", refuse)
    make_plan(experiment_of())


def test_what_would_go_wrong_is_refused() -> None:
    with pytest.raises(cf.CranfieldError, match="ILD"):
        make_plan(experiment_of(metrics=["ILD@5"]))


@pytest.mark.parametrize("effect", [0, -0.1, float("nan"), float("inf"), "much", True])
def test_an_effect_that_is_none_is_refused(effect: Any) -> None:
    with pytest.raises(BadParameter, match=r"plan, effect: .* is not a number above 0"):
        make_plan(experiment_of(), (effect,))


def test_a_plan_is_read_as_it_was_written(plan: Plan, tmp_path: Path) -> None:
    plan.write(tmp_path / "plan.json")
    read = read_plan(tmp_path / "plan.json")
    assert read.to_dict() == plan.to_dict()
    assert read.fingerprint == plan.fingerprint


def test_the_fingerprint_names_decisions_data_and_effects_but_no_versions(plan: Plan) -> None:
    cases: list[tuple[dict[str, Any], tuple[float, ...]]] = [
        ({}, (0.1, 0.5)),
        ({}, (0.1,)),
        ({"seed": 2}, (0.1, 0.5)),
        ({"metrics": ["P@5"]}, (0.1, 0.5)),
    ]
    made = {
        make_plan(study_of(STUDY, title="Mine", **changes), effects).fingerprint
        for changes, effects in cases
    }
    assert len(made) == 4
    assert plan.fingerprint in made
    other = replace(plan, versions={"python": "4"})
    assert other.fingerprint == plan.fingerprint


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("decisions", "seed"), 5), (("users",), 4000), (("data", "ratings"), "0" * 32),
        (("study", "draws"), 7), (("power", 0, "power"), 0.99), (("title",), "Another"),
    ],
)  # fmt: skip
def test_a_plan_that_was_changed_is_refused(
    plan: Plan, tmp_path: Path, path: tuple[Any, ...], value: Any
) -> None:
    record = inner = json.loads(json.dumps(plan.to_dict()))
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    (tmp_path / "plan.json").write_text(json.dumps(record))
    with pytest.raises(FingerprintMismatch, match=r"plan\.json: the fingerprint is"):
        read_plan(tmp_path / "plan.json")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": 1}', '{"format": 2}', "[" * 9999]
)
def test_what_is_no_plan_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(UnreadableFile, match="it is not a plan that `cranfield plan` wrote"):
        read_plan(tmp_path / "plan.json")


def test_a_plan_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read_plan(tmp_path / "plan.json")


def test_command_and_python_make_the_same_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, study=STUDY)
    out = tmp_path / "plan.json"
    assert main(["plan", str(file), "--effect", "0.1", "--effect", "0.5", "--out", str(out)]) == 0
    made = cf.plan(file, effects=(0.1, 0.5))
    assert json.loads(out.read_text()) == json.loads(json.dumps(made.to_dict()))
    said = capsys.readouterr().out
    assert "40 users enter. With a power of 80 % they show a mean difference of 0.531" in said
    assert f"fingerprint: {made.fingerprint}" in said
    whole = {**table_of(), "title": "experiment", "study": STUDY}
    assert cf.plan(whole, effects=(0.1, 0.5)).fingerprint == made.fingerprint


def test_of_one_comparison_there_is_one_power(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, systems={"A": "Popularity", "B": "Random"})
    assert main(["plan", str(file)]) == 0
    said = capsys.readouterr().out
    assert "power, alone" not in said
    assert "allowing for 1 comparison at level 0.05" in said


def test_without_a_file_the_plan_is_printed_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, systems={"only": "Popularity"})
    assert main(["plan", str(file)]) == 0
    assert "40 users enter; there is nothing to compare." in capsys.readouterr().out
    assert [each.name for each in tmp_path.iterdir()] == ["experiment.toml"]


def test_the_command_changes_answers_as_run_does(tmp_path: Path) -> None:
    file, out = file_of(tmp_path), tmp_path / "plan.json"
    assert main(["plan", str(file), "--set", "seed=3", "--out", str(out)]) == 0
    assert read_plan(out).decisions["seed"] == 3


def test_a_plan_shows_itself(plan: Plan) -> None:
    assert repr(plan).startswith("Plan(Mine, 40 users, ")
    assert "Power for stated effects" in plan._repr_html_()
    assert r"0.5 & 87 \% & 74 \%" in plan.to_latex()


def test_the_page_of_a_plan_has_every_decision(plan: Plan, tmp_path: Path) -> None:
    plan.report(tmp_path / "plan.html")
    text = (tmp_path / "plan.html").read_text()
    assert "study.vary.cutoff" in text
    assert "comparison.alpha" in text
    assert plan.fingerprint in text
    read_page(text)


def test_plans_are_as_their_schema_says(plan: Plan) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(plan_schema())
    record = json.loads(json.dumps(plan.to_dict()))
    validator.validate(record)
    for name in record:
        assert not validator.is_valid({key: each for key, each in record.items() if key != name})
    assert not validator.is_valid({**record, "users": "many"})


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "plan"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(any_plan_schema()))
