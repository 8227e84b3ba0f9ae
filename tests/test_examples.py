"""The definitions in examples/ run, on less data where they would take long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.definition import read_asked, read_definition
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.review.checklist import make_checklist
from cranfield.workbench.store.store import Store

EXAMPLES = Path(__file__).parent.parent / "examples"
DATA = pytest.mark.skipif(
    not os.environ.get("CRANFIELD_DATA"), reason="$CRANFIELD_DATA, with ml-1m, is not set"
)


def test_every_example_is_read() -> None:
    files = sorted(path for path in EXAMPLES.iterdir() if path.suffix in (".toml", ".yaml"))
    assert len(files) >= 5
    for path in files:
        text = path.read_text(encoding="utf-8")
        if "ml-1m" not in text or os.environ.get("CRANFIELD_DATA"):
            read_asked(path)


@pytest.mark.long
def test_the_experiment_in_yaml_runs_and_is_verified(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert main(["run", str(EXAMPLES / "experiment.yaml"), "--out", out, "--store", "none"]) == 0
    assert main(["verify", out]) == 0


@pytest.mark.long
def test_the_study_of_the_demo_runs_on_less_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    given = ["run", str(EXAMPLES / "demo.toml"), "--out", str(out), "--store", "none"]
    assert main([*given, "--set", "data=simulated(size=tiny)", "--set", "filters=[]"]) == 0
    printed = capsys.readouterr().out
    after = printed.partition("a random ranking")[2]
    assert len(after.splitlines()[1:]) <= 15
    assert "\ndesigns (" in after
    assert f"report: {out / 'report.html'}" in printed
    assert (out / "report.html").stat().st_size > 100_000
    states = states_of(read_results(out))
    assert {name for name, state in states.items() if state == "missing"} == {
        "data-variety", "tuning", "beyond-accuracy", "plan", "archive", "licence",
    }  # fmt: skip
    assert {name for name, state in states.items() if state == "partly"} == {"leakage", "seeds"}


def states_of(results: Results | StudyResults) -> dict[str, str]:
    """How far each item of the checklist is answered."""
    return {each.name: each.state for each in make_checklist(results).items}


@pytest.fixture(scope="module")
def canamares(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StudyResults]:
    store = Store(tmp_path_factory.mktemp("store"))
    made = {}
    for name in ("canamares2020", "canamares2020-unscored", "canamares2020-coverage"):
        study = read_definition(EXAMPLES / f"{name}.toml")
        assert isinstance(study, Study)
        made[name] = execute_study(study, Pipeline(store))
    return made


def _sign(results: StudyResults, **answers: object) -> int:
    """Who is ahead in the one design with these answers: 1 for the first system."""
    table = results.designs.decisions
    rows = [
        place
        for place, row in enumerate(table.to_dicts())
        if all(row[name.replace("__", ".")] == answer for name, answer in answers.items())
    ]
    assert len(rows) == 1, (answers, len(rows))
    return int(results.designs.signs[rows[0], 0])


FULL = "all-items, all-relevant, all-nonrelevant"
CONDENSED = "all-items, all-relevant, judged-only"
BASE = {"targets": FULL, "metric": "nDCG", "cutoff": 10, "gain": "binary", "aggregation": "mean"}


@pytest.mark.slow
@DATA
@pytest.mark.parametrize("targets", [FULL, CONDENSED])
@pytest.mark.parametrize("share", [0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1])
def test_the_split_ratio_reverses_the_winner_also_on_condensed_rankings(
    canamares: dict[str, StudyResults], targets: str, share: float
) -> None:
    answers = {**BASE, "targets": targets, "split__test_share": share}
    assert _sign(canamares["canamares2020"], **answers) == (1 if share > 0.5 else -1)


@pytest.mark.slow
@DATA
def test_a_gain_of_many_values_reverses_the_winner(canamares: dict[str, StudyResults]) -> None:
    answers = {**BASE, "split__test_share": 0.5}
    assert _sign(canamares["canamares2020"], **answers) == -1
    assert _sign(canamares["canamares2020"], **{**answers, "gain": "exponential"}) == 1


@pytest.mark.slow
@DATA
def test_the_depth_reverses_the_winner(canamares: dict[str, StudyResults]) -> None:
    made = canamares["canamares2020"]
    answers = {**BASE, "split__test_share": 0.5}
    assert _sign(made, **{**answers, "cutoff": 5}) == 1
    assert _sign(made, **{**answers, "cutoff": 100}) == -1


@pytest.mark.slow
@DATA
def test_what_reviewers_ask_of_a_reproduction(canamares: dict[str, StudyResults]) -> None:
    states = states_of(canamares["canamares2020"])
    assert {name for name, state in states.items() if state == "missing"} == {
        "tuning", "beyond-accuracy", "plan", "archive", "licence",
    }  # fmt: skip
    assert {name for name, state in states.items() if state == "partly"} == {
        "data-variety", "leakage", "seeds", "baselines",
    }  # fmt: skip


@pytest.mark.slow
@DATA
def test_weights_reverse_the_winner(canamares: dict[str, StudyResults]) -> None:
    made = canamares["canamares2020"]
    answers = {**BASE, "metric": "P", "gain": None, "split__test_share": 0.5}
    assert _sign(made, **answers) == -1
    assert _sign(made, **{**answers, "aggregation": "weighted-mean(by=test)"}) == 1
    assert _sign(made, **{**answers, "aggregation": "weighted-mean(by=relevant)"}) == 1


@pytest.mark.slow
@DATA
@pytest.mark.parametrize(
    "decision", ["split.test_share", "targets", "metric", "cutoff", "gain", "aggregation"]
)
def test_every_decision_by_itself_reverses_a_significant_winner(
    canamares: dict[str, StudyResults], decision: str
) -> None:
    found = canamares["canamares2020"].conclusion.importance.decisions
    (mine,) = [each for each in found if each.decision == decision]
    assert mine.flips is not None
    assert mine.flips.reversed > 0


@pytest.mark.slow
@DATA
def test_what_happens_to_unscored_items_reverses_the_winner(
    canamares: dict[str, StudyResults],
) -> None:
    made = canamares["canamares2020-unscored"]
    assert made.conclusion.pair.flips_sign


@pytest.mark.slow
@DATA
def test_forgiving_uncovered_users_reverses_the_winner(
    canamares: dict[str, StudyResults],
) -> None:
    made = canamares["canamares2020-coverage"]
    overlap = {"systems__kNN__min_overlap": 50}
    assert _sign(made, coverage="full", **overlap) == -1
    assert _sign(made, coverage="forgiving", **overlap) == 1
