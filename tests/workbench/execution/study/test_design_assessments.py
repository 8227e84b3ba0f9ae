"""Metrics assessed in every design of a study, from the rankings that it makes anyway."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import BadExperiment
from cranfield.base.options import parse
from cranfield.validity.assessment import Assessment
from cranfield.validity.criteria import DiscriminativePower, Robustness
from cranfield.validity.criterion import Evidence
from cranfield.view.page.report import render_report
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.study.study import read_study
from cranfield.workbench.execution.assessing import locate_systems
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import report_content
from cranfield.workbench.results.frames import frames_of
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of, table_of

ROBUSTNESS = "robustness(samples=2, sizes=[1, 0.5])"
CRITERIA = ["correlation", "DP", ROBUSTNESS, "stability(samples=10)"]


def studied(vary: dict[str, Any], assessed: str = "designs", **changes: Any) -> StudyResults:
    study = {"vary": vary, "assessed": assessed, "draws": 100}
    return execute_study(study_of(study, **{"assess": CRITERIA, **changes}))


@pytest.fixture(scope="module")
def sparse() -> StudyResults:
    return studied({"judged_share": [0.5, 1.0], "cutoff": [3, 5]})


def part(table: pl.DataFrame, design: int, *factors: str) -> pl.DataFrame:
    """The rows of one design, as the criterion gave them."""
    return table.filter(pl.col("design") == design).drop("design", *factors)


def as_figures(frame: pl.DataFrame) -> list[dict[str, Any]]:
    return json.loads(json.dumps(frame.to_dicts()).replace("NaN", "null"))  # type: ignore[no-any-return]


def assert_part(whole: Assessment, design: int, alone: Assessment, *factors: str) -> None:
    """What is said over all designs holds what is said of one."""
    assert whole.criterion == f"{alone.criterion} over designs"
    for kind in ("tables", "details"):
        for title, table in getattr(alone, kind).items():
            found = part(getattr(whole, kind)[title], design, *factors)
            assert as_figures(found) == as_figures(table)


@pytest.mark.parametrize(("design", "share"), [(1, 0.5), (3, 1.0)])
def test_each_design_is_assessed_as_an_experiment_of_its_own(
    sparse: StudyResults, design: int, share: float
) -> None:
    alone = execute(experiment_of(assess=CRITERIA, judged_share=share)).assessments
    for whole, one in zip(sparse.assessments, alone[: len(CRITERIA)], strict=True):
        assert_part(whole, design, one, "judged_share")


def test_designs_that_differ_in_their_metric_alone_are_assessed_once(sparse: StudyResults) -> None:
    for made in sparse.assessments:
        readings = made.tables["readings"]
        assert readings["design"].to_list() == [1, 3]  # of four: two cut-offs each
        assert readings["judged_share"].to_list() == [0.5, 1.0]
        assert made.decisions["varied"] == ["judged_share"]


def test_the_study_itself_and_its_base_stay_as_they_are(sparse: StudyResults) -> None:
    plain = studied({"judged_share": [0.5, 1.0], "cutoff": [3, 5]}, assessed="base")
    assert plain.assessments == ()
    assert plain.to_polars().equals(sparse.to_polars(), null_equal=True)
    assert plain.conclusion.to_dict() == sparse.conclusion.to_dict()
    for one, other in zip(plain.base.assessments, sparse.base.assessments, strict=True):
        assert one.to_dict() == other.to_dict()
    assert "assessments" not in plain.to_dict()
    assert len(sparse.to_dict()["assessments"]) == len(CRITERIA)


def test_other_splits_and_folds_are_assessed_too() -> None:
    splits = ["k-fold(folds=2)", "per-user(test_share=0.4)", "per-user(test_share=0.2)"]
    made = studied({"split": splits}, assess=["DP", ROBUSTNESS])
    for place, split in enumerate(splits, start=1):
        alone = execute(experiment_of(assess=["DP", ROBUSTNESS], split=split)).assessments
        for whole, one in zip(made.assessments, alone[:2], strict=True):
            assert_part(whole, place, one, "split")


@pytest.mark.long
def test_the_average_of_a_design_orders_its_systems() -> None:
    answers, test = ["mean", "geometric-mean"], {"test": "permutation(draws=100)"}
    made = studied({"aggregation": answers}, assess=["correlation"], comparison=test)
    for place, aggregation in enumerate(answers, start=1):
        asked = experiment_of(assess=["correlation"], aggregation=aggregation, comparison=test)
        assert_part(made.assessments[0], place, execute(asked).assessments[0], "aggregation")


def test_popular_items_are_those_of_the_designs_own_training() -> None:
    text = "robustness(scenarios=[popular-items], sizes=[1, 0.5], popular_by=train, of=all-items)"
    shares = [0.2, 0.4]
    made = studied({"split.test_share": shares}, assess=[text])
    for place, share in enumerate(shares, start=1):
        asked = experiment_of(split=f"per-user(test_share={share})")
        alone = parse("criterion", text).assess(locate_systems(asked))
        assert_part(made.assessments[0], place, alone, "split.test_share")


def test_what_designs_have_in_common_is_assessed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[type] = []

    def counting(kind: type, work: str) -> None:
        plain = getattr(kind, work)

        def counted(criterion: Any, evidence: Evidence) -> Any:
            seen.append(kind)
            return plain(criterion, evidence)

        monkeypatch.setattr(kind, work, counted)

    counting(Robustness, "thin")
    counting(DiscriminativePower, "assess")
    vary = {"coverage": ["full", "forgiving"], "comparison.test": ["t", "sign"]}
    made = studied(vary, assess=["DP", ROBUSTNESS])
    assert len(made.assessments[0].tables["readings"]) == 4
    # once for the base; then no decision changes the hits, and the test alone the p-values
    assert seen.count(Robustness) == 1 + 1
    assert seen.count(DiscriminativePower) == 1 + 2


def test_a_store_has_what_was_assessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = study_of(
        {"vary": {"judged_share": [0.5, 1.0]}, "assessed": "designs", "draws": 0},
        assess=[ROBUSTNESS],
    )
    first = execute_study(asked, Pipeline(Store(tmp_path)))

    def refuse(criterion: Robustness, evidence: Evidence) -> Assessment:
        raise AssertionError("it is cached")

    monkeypatch.setattr(Robustness, "assess", refuse)
    second = execute_study(asked, Pipeline(Store(tmp_path)))
    assert first.assessments[0].to_dict() == second.assessments[0].to_dict()


def test_a_design_that_cannot_be_assessed_is_named_and_stops_no_other() -> None:
    # with a threshold that no rating reaches, no metric is defined
    made = studied({"relevance": [4, 9]}, assess=["DP"])
    (power,) = made.assessments
    readings = power.tables["readings"]["reading"].to_list()
    assert readings[0] is not None
    assert readings[1] is None
    assert any(note.startswith("design 2 was not assessed: ") for note in power.notes)


def test_nothing_to_assess_by_is_refused() -> None:
    with pytest.raises(BadExperiment, match=r"study\.assessed: no criterion is given"):
        study_of({"vary": {"cutoff": [3, 5]}, "assessed": "designs"})


def test_the_definition_reads_back() -> None:
    asked = study_of({"vary": {"cutoff": [3, 5]}, "assessed": "designs"}, assess=["DP"])
    assert asked.to_table()["study"]["assessed"] == "designs"
    assert read_study(asked.to_table()) == asked
    plain = study_of({"vary": {"cutoff": [3, 5]}}, assess=["DP"])
    assert plain.assessed == "base"


def test_report_and_frames_show_designs_beside_the_base(sparse: StudyResults) -> None:
    content = report_content(sparse)
    named = [each.criterion for each in content.assessments]
    assert "robustness" in named
    assert "robustness over designs" in named
    page = render_report(content)
    assert "Assessment: discriminative-power over designs" in page
    ratings = Pipeline().prepare(sparse.base.experiment).ratings
    assert ratings is not None
    frames = frames_of(sparse, ratings)
    curves = frames["robustness_over_designs_curves"]
    assert set(curves["judged_share"]) == {0.5, 1.0}
    assert "judged_share" not in frames["robustness_curves"].columns


@pytest.mark.long
def test_the_command_line_says_writes_and_verifies_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_of(assess=["DP", "stability(samples=10)"])
    study = {"vary": {"judged_share": [0.5, 1.0]}, "assessed": "designs", "draws": 50}
    (tmp_path / "study.toml").write_text(toml_text({**table, "study": study}), encoding="utf-8")
    out = str(tmp_path / "out")
    command = ["run", str(tmp_path / "study.toml"), "--out", out, "--store", "none"]
    assert main(command) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "stability over designs: Over 2 designs (judged_share), error rate" in said
    record = json.loads((tmp_path / "out/results.json").read_text())
    made = execute_study(read_study({**table, "study": study}))
    assert record["assessments"] == json.loads(json.dumps(made.to_dict()["assessments"]))
    assert main([*command, "--evidence"]) == 0
    assert "what was found in each design" in capsys.readouterr().out
    assert main(["verify", out]) == 0
