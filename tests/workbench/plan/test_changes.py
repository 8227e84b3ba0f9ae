"""A plan that was followed, and plans that were broken: each break is found and named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import FingerprintMismatch, MissingFile, Unverified
from cranfield.workbench.cli.main import main
from cranfield.workbench.plan.changes import PlanChange, PlanCheck, check_plan
from cranfield.workbench.plan.plan import Plan
from cranfield.workbench.results.schema import results_schema
from experiment_cases import file_of, table_of

STUDY: dict[str, Any] = {"vary": {"cutoff": [3, 5]}, "draws": 100}
ROWS = [f"{user},{item},{1 + (user * item) % 5}" for user in range(12) for item in range(20)]


def changes_of(planned: dict[str, Any], done: dict[str, Any]) -> tuple[PlanChange, ...]:
    made = cf.run(done, plan=cf.plan(planned))
    assert made.plan is not None
    return made.plan.changes


def test_a_plan_that_was_followed_is_said_to_be() -> None:
    plan = cf.plan(table_of())
    assert isinstance(plan, Plan)
    made = cf.run(table_of(title="Another title"), plan=plan)
    assert made.plan == PlanCheck(plan, ())
    assert made.plan.followed
    assert made.plan.sentences == (
        f"The decisions and the data are those of the plan with fingerprint {plan.fingerprint}.",
    )


def test_a_decision_that_was_changed_is_found() -> None:
    assert changes_of(table_of(), table_of(relevance=3)) == (
        PlanChange("decision", "relevance", "4", "3"),
    )


def test_a_system_that_was_added_is_found() -> None:
    more = {**table_of()["systems"], "new": "PureSVD(factors=5)"}
    (found,) = changes_of(table_of(), table_of(systems=more))
    assert (found.kind, found.path, found.planned) == ("system", "systems.new", None)
    assert str(found).startswith("systems.new: PureSVD(factors=5")
    assert str(found).endswith(" was added.")


def test_a_metric_that_was_added_or_left_out_is_found() -> None:
    found = changes_of(table_of(), table_of(metrics=["nDCG@5", "RR"]))
    assert [(each.kind, each.planned is None, each.done is None) for each in found] == [
        ("metric", False, True),
        ("metric", True, False),
    ]
    assert str(found[0]).endswith(" was left out.")


def test_data_that_were_changed_are_found(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(["user,item,rating", *ROWS]))
    asked = table_of(data=str(file))
    plan = cf.plan(asked)
    file.write_text("\n".join(["user,item,rating", *ROWS[:-1]]))
    made = cf.run(asked, plan=plan)
    assert made.plan is not None
    (found,) = made.plan.changes
    assert (found.kind, found.path) == ("data", "ratings")
    assert str(found).startswith("ratings: 240 ratings (fingerprint ")
    assert " in the plan, 239 ratings (fingerprint " in str(found)


def test_the_same_ratings_in_another_place_are_no_change(tmp_path: Path) -> None:
    for name in ("here.csv", "there.csv"):
        (tmp_path / name).write_text("\n".join(["user,item,rating", *ROWS]))
    one, two = (table_of(data=str(tmp_path / name)) for name in ("here.csv", "there.csv"))
    assert changes_of(one, two) == ()


def test_given_parts_in_another_place_are_no_change_but_others_are(tmp_path: Path) -> None:
    for name, rows in {"a": ROWS[::2], "b": ROWS[1::2], "c": ROWS[::2], "d": ROWS[3::2]}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,rating", *rows]))

    def parts(train: str, test: str) -> dict[str, Any]:
        split = {
            "name": "given",
            "train": f"{tmp_path}/{train}.csv",
            "test": f"{tmp_path}/{test}.csv",
        }
        return table_of(data=None, split=split)

    assert changes_of(parts("a", "b"), parts("c", "b")) == ()
    found = changes_of(parts("a", "b"), parts("a", "d"))
    assert [each.path for each in found] == ["split", "ratings"]


def test_other_data_on_purpose_are_one_change() -> None:
    found = changes_of(table_of(), table_of(data="simulated(size=tiny, seed=5)"))
    assert [(each.kind, each.path) for each in found] == [("data", "data")]


def test_other_filters_are_told_with_what_they_left() -> None:
    found = changes_of(table_of(), table_of(filters=["k-core(k=8)"]))
    assert [(each.kind, each.path) for each in found] == [
        ("decision", "filters"),
        ("data", "ratings"),
    ]


def test_another_split_is_one_change() -> None:
    found = changes_of(table_of(), table_of(split="per-user(test_share=0.3)"))
    assert [(each.kind, each.path) for each in found] == [("decision", "split")]


def test_a_system_that_failed_is_a_change() -> None:
    def fail(train: Any, users: Any) -> Any:
        raise ZeroDivisionError("no luck")

    asked = table_of(systems={"Popularity": "Popularity", "kNN": "user-kNN", "mine": fail})
    plan = cf.plan(asked)
    made = cf.run(asked, plan=plan)
    assert made.plan is not None
    (found,) = made.plan.changes
    assert (found.kind, found.path) == ("system", "systems.mine")
    assert "no luck" in str(found)


@pytest.mark.parametrize(
    ("study", "path"),
    [
        ({"vary": {"cutoff": [3, 5, 7]}, "draws": 100}, "study.vary.cutoff"),
        ({"vary": {"cutoff": [3, 5]}, "draws": 200}, "study.draws"),
        ({"vary": {"cutoff": [3, 5], "relevance": [3, 4]}, "draws": 100}, "study.vary.relevance"),
    ],
)
def test_designs_that_were_changed_are_found(study: dict[str, Any], path: str) -> None:
    plan = cf.plan({**table_of(), "study": STUDY})
    made = cf.study({**table_of(), "study": study}, plan=plan)
    assert made.plan is not None
    assert [each.path for each in made.plan.changes] == [path]
    assert made.base.plan is None


def test_a_study_where_one_experiment_was_planned_is_a_change() -> None:
    made = cf.study({**table_of(), "study": STUDY}, plan=cf.plan(table_of()))
    assert made.plan is not None
    assert "study.vary.cutoff" in [each.path for each in made.plan.changes]


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A plan, and results that broke it: of the command line."""
    file, plan = file_of(tmp_path, study=STUDY), tmp_path / "plan.json"
    assert main(["plan", str(file), "--out", str(plan)]) == 0
    run = ["run", str(file), "--plan", str(plan), "--store", "none", "--set", "relevance=3"]
    assert main([*run, "--out", str(tmp_path / "out")]) == 0
    (tmp_path / "said.txt").write_text(capsys.readouterr().out)
    return tmp_path


def test_command_and_python_find_the_same_and_verify_confirms_it(folder: Path) -> None:
    out = folder / "out"
    record = json.loads((out / "results.json").read_text())
    asked = {**table_of(relevance=3), "title": "experiment", "study": STUDY}
    made = cf.study(asked, plan=folder / "plan.json")
    assert made.plan is not None
    assert record["plan"] == made.plan.to_dict()
    assert record["plan"]["changes"] == [
        {"kind": "decision", "path": "relevance", "planned": "4", "done": "3"}
    ]
    assert (out / "plan.json").read_bytes() == (folder / "plan.json").read_bytes()
    sentence = "relevance: 4 in the plan, 3 here."
    assert sentence in (folder / "said.txt").read_text()
    assert sentence in (out / "methods.txt").read_text()
    assert "Was the plan followed?" in (out / "report.html").read_text()
    cf.verify(out)
    read = cf.read_results(out)
    assert isinstance(read, cf.StudyResults)
    assert read.plan is not None
    assert read.plan.changes == made.plan.changes
    cf.write_results(read, folder / "again")
    for each in out.iterdir():
        if each.suffix != ".parquet":
            assert (folder / "again" / each.name).read_bytes() == each.read_bytes(), each.name


def test_records_with_plans_are_as_their_schema_says(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    record = json.loads((folder / "out" / "results.json").read_text())
    jsonschema.Draft202012Validator(results_schema()).validate(record)


def test_whoever_hides_a_change_is_found(folder: Path) -> None:
    place = folder / "out" / "results.json"
    record = json.loads(place.read_text())
    record["plan"] = {**record["plan"], "followed": True, "changes": []}
    place.write_text(json.dumps(record))
    with pytest.raises(Unverified, match=r"plan\.followed, plan\.changes"):
        cf.verify(folder / "out")


def test_whoever_changes_the_plan_is_found(folder: Path) -> None:
    place = folder / "out" / "plan.json"
    place.write_text(place.read_text().replace('"relevance": 4.0', '"relevance": 3.0'))
    for read in (cf.verify, cf.read_results):
        with pytest.raises(FingerprintMismatch):
            read(folder / "out")
    place.unlink()
    with pytest.raises(MissingFile):
        cf.verify(folder / "out")


def test_a_plan_stays_where_results_without_one_are_written(folder: Path) -> None:
    """It may be the only copy."""
    cf.write_results(cf.run(table_of()), folder / "out")
    assert (folder / "out" / "plan.json").read_bytes() == (folder / "plan.json").read_bytes()
    for read in (cf.read_results(folder / "out"), cf.verify(folder / "out")):
        assert isinstance(read, cf.Results)
        assert read.plan is None


def test_a_plan_may_lie_in_the_folder_of_the_results(tmp_path: Path) -> None:
    file, out = file_of(tmp_path), tmp_path / "out"
    assert main(["plan", str(file), "--out", str(out / "plan.json")]) == 0
    before = (out / "plan.json").read_bytes()
    run = ["run", str(file), "--store", "none", "--out", str(out)]
    assert main(run) == 0
    assert main([*run, "--plan", str(out / "plan.json")]) == 0
    assert (out / "plan.json").read_bytes() == before
    made = cf.read_results(out)
    assert isinstance(made, cf.Results | cf.StudyResults)
    assert made.plan is not None
    assert made.plan.followed


def test_a_dry_run_says_ahead_what_will_be_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = str(folder / "experiment.toml"), str(folder / "plan.json")
    run = ["run", file, "--plan", plan, "--dry-run", "--store", "none"]
    assert main(run) == 0
    assert "The decisions and the data are those of the plan" in capsys.readouterr().out
    assert main([*run, "--set", "relevance=3"]) == 0
    said = capsys.readouterr().out
    after = (folder / "said.txt").read_text()
    assert "  · relevance: 4 in the plan, 3 here." in said
    assert said.strip().splitlines()[-2:] == [
        line for line in after.splitlines() if "made to the plan" in line or line[:4] == "  · "
    ]


def test_a_plan_that_is_none_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plan = file_of(tmp_path), tmp_path / "plan.json"
    plan.write_text("{}")
    run = ["run", str(file), "--plan", str(plan), "--store", "none"]
    assert main([*run, "--out", str(tmp_path / "out")]) == 1
    assert "it is not a plan that `cranfield plan` wrote" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


ANSWERS = st.dictionaries(
    st.sampled_from(["seed", "relevance", "ties", "title", "metrics", "systems"]),
    st.integers(0, 3) | st.lists(st.sampled_from("abc"), max_size=3, unique=True),
    max_size=6,
)


def sealed(decisions: dict[str, Any], ratings: str = "0") -> Plan:
    return Plan(
        title="", decisions=decisions, study=None, data=facts(ratings), users=9, comparisons=1,
        alpha=0.05, wanted_power=0.8, power=(), detectable=0.5, versions={},
    )  # fmt: skip


def facts(ratings: str) -> dict[str, Any]:
    return {"ratings": ratings, "size": 5, "folds": [{"train": "a" * 32, "test": "b" * 32}]}


@given(ANSWERS)
def test_the_same_answers_follow_every_plan(answers: dict[str, Any]) -> None:
    done = {**answers, "title": "Another"}
    assert check_plan(sealed(answers), done, None, facts("0"), {}).followed


@given(ANSWERS, ANSWERS)
def test_every_decision_that_differs_is_found_and_no_other(
    planned: dict[str, Any], done: dict[str, Any]
) -> None:
    found = check_plan(sealed(planned), done, None, facts("0"), {}).changes
    names = {*planned, *done} - {"title"}
    assert {each.path for each in found} == {
        name for name in names if planned.get(name) != done.get(name)
    }


@given(ANSWERS)
def test_other_ratings_are_found_whatever_else_is_decided(answers: dict[str, Any]) -> None:
    found = check_plan(sealed(answers), answers, None, facts("1"), {}).changes
    assert [(each.kind, each.path) for each in found] == [("data", "ratings")]


def test_other_parts_of_the_same_ratings_are_found() -> None:
    other = {**facts("0"), "folds": [{"train": "c" * 32, "test": "b" * 32}] * 2}
    (found,) = check_plan(sealed({"seed": 1}), {"seed": 1}, None, other, {}).changes
    assert str(found) == (
        "split of the ratings: parts aaaaaaaa/bbbbbbbb in the plan, "
        "parts cccccccc/bbbbbbbb and 1 more fold here."
    )
    moved = check_plan(sealed({"seed": 1}), {"seed": 2}, None, other, {}).changes
    assert [each.path for each in moved] == ["seed"]  # which explains them
