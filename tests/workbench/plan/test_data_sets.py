"""Plans of several data sets: sealed as one, followed, and broken where each break is found."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import (
    FingerprintMismatch,
    OptionError,
    UnknownParameter,
    UnreadableFile,
    Unverified,
)
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.plan.changes import PlanChange, PlanCheck
from cranfield.workbench.plan.data_set_changes import check_plans
from cranfield.workbench.plan.data_sets import PlanOfDataSets, any_plan_schema, read_any_plan
from cranfield.workbench.plan.plan import Plan
from cranfield.workbench.results.schema import results_schema
from experiment_cases import table_of
from page_reader import read_page

Captured = pytest.CaptureFixture[str]

DATA: dict[str, dict[str, Any]] = {
    "dense": {"source": "simulated(size=tiny, mnar=0)"},
    "sparse": {"source": "simulated(size=tiny)", "relevance": 3},
}


def asked(**changes: Any) -> dict[str, Any]:
    return table_of(**{"title": "Both", "data": DATA, **changes})


def planned(**changes: Any) -> PlanOfDataSets:
    made = cf.plan(asked(**changes))
    assert isinstance(made, PlanOfDataSets)
    return made


@pytest.fixture(scope="module")
def plan() -> PlanOfDataSets:
    return planned()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan, results that followed it, and results that did not: of the command line."""
    folder = tmp_path_factory.mktemp("plans")
    (folder / "both.toml").write_text(toml_text(asked()))
    assert main(["plan", str(folder / "both.toml"), "--out", str(folder / "plan.json")]) == 0
    run = ["run", str(folder / "both.toml"), "--plan", str(folder / "plan.json"), "--store", "none"]
    assert main([*run, "--out", str(folder / "followed")]) == 0
    changes = ["--set", "data.sparse.relevance=5", "--out", str(folder / "broken")]
    assert main([*run, *changes]) == 0
    return folder


def test_every_data_set_has_the_plan_that_it_has_by_itself(plan: PlanOfDataSets) -> None:
    assert list(plan.data_sets) == list(DATA)
    alone = cf.plan(table_of(title="Both: sparse", data=DATA["sparse"]["source"], relevance=3))
    assert plan["sparse"].fingerprint == alone.fingerprint
    assert plan["dense"].decisions["relevance"] == 4
    with pytest.raises(UnknownParameter, match="sparse"):
        _ = plan["sparce"]


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 2},
        {"data": {**DATA, "sparse": {"source": "simulated(size=tiny)", "relevance": 4}}},
        {"data": {"dense": DATA["dense"], "other": DATA["sparse"]}},
        {"data": {"dense": DATA["dense"]}},
        {"title": "Another"},
    ],
)
def test_one_fingerprint_seals_all_data_sets(plan: PlanOfDataSets, changes: dict[str, Any]) -> None:
    assert planned(**changes).fingerprint != plan.fingerprint


def test_the_fingerprint_does_not_depend_on_order_and_versions(plan: PlanOfDataSets) -> None:
    plans = {name: replace(each, versions={}) for name, each in plan.data_sets.items()}
    turned = dict(reversed(plans.items()))
    assert replace(plan, data_sets=turned).fingerprint == plan.fingerprint


def test_a_plan_is_read_as_it_was_written(plan: PlanOfDataSets, tmp_path: Path) -> None:
    plan.write(tmp_path / "plan.json")
    read = read_any_plan(tmp_path / "plan.json")
    assert read.to_dict() == plan.to_dict()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("title",), "Another"),
        (("data_sets", "sparse", "decisions", "seed"), 9),
        (("data_sets", "sparse", "fingerprint"), "0" * 32),
        (("data_sets", "sparse"), None),
    ],
)
def test_a_plan_that_was_changed_is_refused(
    plan: PlanOfDataSets, tmp_path: Path, path: tuple[str, ...], value: Any
) -> None:
    record = inner = json.loads(json.dumps(plan.to_dict()))
    for step in path[:-1]:
        inner = inner[step]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    (tmp_path / "plan.json").write_text(json.dumps(record))
    with pytest.raises(FingerprintMismatch, match=r"plan\.json: the fingerprint is"):
        read_any_plan(tmp_path / "plan.json")


@pytest.mark.parametrize(
    "text",
    [
        '{"data_sets": {}}',
        '{"data_sets": [], "title": "", "format": 1, "fingerprint": ""}',
        '{"data_sets": {}, "title": 3, "format": 1, "fingerprint": ""}',
        '{"data_sets": {}, "title": "", "format": 2, "fingerprint": ""}',
        '{"data_sets": {"a": 1}, "title": "", "format": 1, "fingerprint": ""}',
    ],
)
def test_what_is_no_plan_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(UnreadableFile, match="it is not a plan that `cranfield plan` wrote"):
        read_any_plan(tmp_path / "plan.json")


def test_plans_are_as_their_schema_says(plan: PlanOfDataSets) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(any_plan_schema())
    record = json.loads(json.dumps(plan.to_dict()))
    validator.validate(record)
    validator.validate(record["data_sets"]["sparse"])
    for name in record:
        assert not validator.is_valid({key: each for key, each in record.items() if key != name})


def test_a_plan_shows_itself(plan: PlanOfDataSets, tmp_path: Path) -> None:
    assert repr(plan).startswith("PlanOfDataSets(Both, 2 data sets, ")
    assert "2 data sets are planned: dense, sparse." in plan._repr_html_()
    plan.report(tmp_path / "plan.html")
    text = (tmp_path / "plan.html").read_text()
    read_page(text)
    assert plan.fingerprint in text
    common, _, differing = text.partition("Decisions that differ between data sets")
    assert "comparison.alpha" in common
    assert "comparison.alpha" not in differing
    assert "relevance" in differing
    assert "power at 0.1" in plan.to_latex()


def test_the_command_and_python_make_the_same_plan(place: Path, capsys: Captured) -> None:
    made = cf.plan(place / "both.toml")
    assert json.loads((place / "plan.json").read_text()) == json.loads(json.dumps(made.to_dict()))
    capsys.readouterr()
    assert main(["plan", str(place / "both.toml"), "--effect", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "2 data sets are planned: dense, sparse." in said
    rows = [line.split() for line in said.splitlines() if line.startswith(("dense", "sparse"))]
    assert [row[0] for row in rows] == ["dense", "sparse"]
    assert {tuple(row[1:4]) for row in rows} == {("40", "3", "0.531")}


def test_with_one_system_there_is_no_power(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "one.toml").write_text(toml_text(asked(systems={"only": "Popularity"})))
    assert main(["plan", str(tmp_path / "one.toml")]) == 0
    said = capsys.readouterr().out
    assert "note:" not in said
    assert "power at" not in said


def test_a_plan_that_was_followed_is_said_to_be(place: Path, plan: PlanOfDataSets) -> None:
    made = cf.study_data_sets(asked(title="Another"), plan=plan)
    assert made.plan is not None
    assert made.plan.followed
    named = f"the plan with fingerprint {plan.fingerprint}"
    said = f"The decisions and the data of both data sets are those of {named}."
    assert made.plan.sentences == (said,)
    for each in made.by_data_set.values():
        assert each.plan is not None
        assert each.plan.followed


def test_command_and_python_find_the_same(place: Path) -> None:
    records = {
        name: json.loads((place / name / "results.json").read_text())["plan"]
        for name in ("followed", "broken")
    }
    assert records["followed"]["followed"] is True
    changed = {**DATA, "sparse": {**DATA["sparse"], "relevance": 5}}
    made = cf.study_data_sets(asked(data=changed), plan=place / "plan.json")
    assert made.plan is not None
    assert records["broken"] == json.loads(json.dumps(made.plan.to_dict()))
    assert records["broken"]["by_data_set"]["sparse"]["changes"] == [
        {"kind": "decision", "path": "relevance", "planned": "3", "done": "5"}
    ]
    assert records["broken"]["by_data_set"]["dense"]["followed"] is True


MORE = {**table_of()["systems"], "new": "PureSVD(factors=5)"}
BREAKS: list[tuple[dict[str, Any], list[str]]] = [
    ({"seed": 7}, ["seed: 0 in the plan, 7 here (both data sets)."]),
    (
        {"data": {**DATA, "sparse": {**DATA["sparse"], "systems": MORE}}},
        ["systems.new: PureSVD(factors=5) was added (sparse)."],
    ),
    (
        {"data": {"dense": DATA["dense"]}, "metrics": ["nDCG@5"]},
        ["data.sparse: simulated(", "metrics: P("],
    ),
    (
        {"data": {**DATA, "third": {"source": "simulated(size=tiny, seed=4)"}}},
        ["data.third: simulated("],
    ),
    (
        {"data": {**DATA, "dense": {"source": "simulated(size=tiny, seed=9)"}}},
        ["data: simulated("],
    ),
]


@pytest.mark.parametrize(("changes", "said"), BREAKS)
def test_every_break_is_found_with_its_data_sets(
    plan: PlanOfDataSets, changes: dict[str, Any], said: list[str]
) -> None:
    check = cf.study_data_sets(asked(**changes), plan=plan).plan
    assert check is not None
    assert not check.followed
    many = "1 change was" if len(said) == 1 else f"{len(said)} changes were"
    assert check.sentences[0] == f"{many} made to the plan with fingerprint {plan.fingerprint}."
    for sentence, start in zip(check.sentences[1:], said, strict=True):
        assert sentence.startswith(start)
    ends = {"data.sparse": "was left out.", "data.third": "was added.", "data:": "here (dense)."}
    for start, end in ends.items():
        assert all(each.endswith(end) for each in check.sentences if each.startswith(start))


def test_ratings_that_were_changed_are_found_on_their_data_set(tmp_path: Path) -> None:
    rows = [f"{user},{item},{1 + (user * item) % 5}" for user in range(12) for item in range(20)]
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(["user,item,rating", *rows]))
    data = {"file": {"source": str(file)}, "dense": DATA["dense"]}
    plan = cf.plan(asked(data=data))
    file.write_text("\n".join(["user,item,rating", *rows[:-1]]))
    check = cf.study_data_sets(asked(data=data), plan=plan).plan
    assert check is not None
    assert [(each.kind, on) for each, on in check.where_changed.items()] == [("data", ("file",))]
    assert check.sentences[1].startswith("ratings: 240 ratings (fingerprint ")


@pytest.mark.long
def test_a_dry_run_says_ahead_what_will_be_said(place: Path, capsys: Captured) -> None:
    run = ["run", str(place / "both.toml"), "--plan", str(place / "plan.json"), "--store", "none"]
    for changes in ([], ["--set", "data.sparse.relevance=5"], ["--set", "seed=3"]):
        said = []
        for more in (["--dry-run"], []):
            assert main([*run, *changes, *more]) == 0
            said.append(capsys.readouterr().out.strip().rpartition("\n\n")[2])
        assert said[0] == said[1]
        assert "the plan with fingerprint" in said[0]


@pytest.mark.long
def test_results_are_read_and_verified_with_their_plan(place: Path) -> None:
    for name in ("followed", "broken"):
        for read in (cf.read_results(place / name), cf.verify(place / name)):
            assert isinstance(read, cf.ResultsByDataSet)
            assert read.plan is not None
            assert read.plan.followed is (name == "followed")
            page = (place / name / "report.html").read_text()
            assert read.plan.sentences[-1] in re.sub("<[^>]+>", "", page)  # terms are links
        record = json.loads((place / name / "results.json").read_text())
        pytest.importorskip("jsonschema").validate(record, results_schema())
    part = cf.verify(place / "broken" / "sparse")
    assert not isinstance(part, cf.ResultsByDataSet)
    assert part.plan is not None
    assert [each.path for each in part.plan.changes] == ["relevance"]


def test_another_plan_in_the_folder_is_found(place: Path, tmp_path: Path) -> None:
    cf.write_results(cf.read_results(place / "followed"), tmp_path / "out")
    planned(seed=5).write(tmp_path / "out" / "plan.json")
    with pytest.raises(Unverified, match=r"results\.json"):
        cf.verify(tmp_path / "out")


def test_a_plan_of_another_kind_is_refused_before_anything_is_done(
    place: Path, plan: PlanOfDataSets, tmp_path: Path, capsys: Captured
) -> None:
    single = cf.plan(table_of())
    with pytest.raises(OptionError, match="plans one data set, and the definition names dense, s"):
        cf.study_data_sets(asked(), plan=single)
    with pytest.raises(OptionError, match="plans the data sets dense, sparse, and the definition"):
        cf.run(table_of(), plan=plan)
    (tmp_path / "one.toml").write_text(toml_text(table_of()))
    run = ["run", str(tmp_path / "one.toml"), "--plan", str(place / "plan.json")]
    assert main([*run, "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "plan.json: it plans the data sets dense, sparse, and the definition names one." in said
    assert not (tmp_path / "out").exists()


def sealed(name: str) -> Plan:
    return Plan(
        title=name, decisions={"data": name}, study=None, data={}, users=9, comparisons=1,
        alpha=0.05, wanted_power=0.8, power=(), detectable=0.5, versions={},
    )  # fmt: skip


NAMES = st.sets(st.sampled_from("abcdef"), min_size=1)


@given(NAMES, NAMES, st.data())
def test_every_change_is_told_once_with_all_data_sets_that_it_is_on(
    planned: set[str], used: set[str], data: st.DataObject
) -> None:
    both = sorted(planned & used)
    plan = PlanOfDataSets(title="", data_sets={name: sealed(name) for name in sorted(planned)})
    on = {path: data.draw(st.sets(st.sampled_from(both))) if both else set() for path in "xyz"}
    checks = {
        name: PlanCheck(plan[name], tuple(PlanChange("decision", p, "1", "2") for p in on
                                          if name in on[p]))
        for name in both
    }  # fmt: skip
    found = check_plans(plan, checks, {name: {"data": name} for name in sorted(used)})
    assert {each.path for each in found.changes} == {f"data.{name}" for name in planned ^ used}
    assert {c.path: set(names) for c, names in found.where_changed.items()} == {
        path: names for path, names in on.items() if names
    }
    assert found.followed == (planned == used and not any(on.values()))
    many = len(planned ^ used) + sum(map(bool, on.values()))
    assert len(found.sentences) == 1 + many
