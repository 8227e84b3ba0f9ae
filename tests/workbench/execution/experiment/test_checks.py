"""Checks: what would go wrong is found before anything is fitted, all of it at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cranfield.view.charts.files as chart_files
from cranfield.base.errors import (
    BadExperiment,
    MissingFacts,
    MissingLibrary,
    TooFew,
    TooLarge,
    UnsuitableRatings,
)
from cranfield.base.options import options, parse
from cranfield.base.seeds import Seeds
from cranfield.collection.source import read_ratings
from cranfield.workbench import inventory
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.experiment.checks import Foreseen, foresee
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from experiment_cases import experiment_of, file_of, study_of

inventory.load()

LARGE = "EASE(most_items=2)"


class Counted:
    """A model that tells whether it was fitted."""

    fits = 0

    def fit(self, train: Any, seeds: Any) -> Any:
        self.fits += 1
        raise ValueError("not to be fitted")


def foreseen(*charts: str, **changes: Any) -> Foreseen:
    return foresee(experiment_of(**changes), Pipeline(), charts)


def test_nothing_is_foreseen_of_an_experiment_that_works() -> None:
    assert foreseen("svg", metrics=["nDCG@5", "AP", "Gini@5", "UserEPC@5"]) == Foreseen()


@pytest.mark.parametrize(
    ("changes", "path", "said"),
    [
        ({"metrics": ["P@5", "ILD@5"]}, "metrics", "ILD@5 needs item vectors"),
        ({"metrics": ["P@5", "UserILD@5"]}, "metrics", "UserILD@5 needs item vectors"),
        ({"assess": ["correlation"], "metrics": ["P@5"]}, "assess", "needs at least 2 metrics"),
        ({"systems": {"E": LARGE}}, "systems", "50 items would take"),
        ({"systems": {"P": "Popularity"}, "aggregation": "standardised"}, "systems", "2 systems"),
        (
            {"comparison": {"random": "users-and-items"}, "aggregation": "median"},
            "comparison.random",
            "median is no mean",
        ),
    ],
    ids=lambda each: "",
)
def test_what_would_go_wrong_is_found_with_its_path(
    changes: dict[str, Any], path: str, said: str
) -> None:
    found = foreseen(**changes).problems
    assert [each[0] for each in found] == [path]
    assert said in str(found[0][1])


@pytest.mark.parametrize("metric", ["ILD@5", "UserILD@5"])
def test_a_run_refuses_it_before_anything_is_fitted(metric: str) -> None:
    model = Counted()
    systems = {"mine": model, "Popularity": "Popularity"}
    with pytest.raises(MissingFacts):
        execute(experiment_of(systems=systems, metrics=["P@5", metric]))
    varied = {"vary": {"cutoff": [3, 5]}}
    study = study_of(varied, systems=systems, metrics=["P@5", metric])
    with pytest.raises(MissingFacts):
        execute_study(study)
    assert model.fits == 0


def test_all_problems_are_told_at_once() -> None:
    metrics, systems = ["P@5", "ILD@5", "UserILD@5"], {"E": LARGE}
    found = foreseen(metrics=metrics, systems=systems, assess=["correlation"])
    with pytest.raises(BadExperiment) as error:
        found.refuse("mine.toml")
    lines = str(error.value).splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        "mine.toml, assess", "mine.toml, metrics", "mine.toml, metrics", "mine.toml, systems",
    ]  # fmt: skip


def test_a_single_problem_is_raised_as_what_it_is() -> None:
    with pytest.raises(TooLarge):
        foreseen(systems={"E": LARGE}).refuse("mine.toml")


def test_systems_that_would_fail_stop_nothing_else() -> None:
    found = foreseen(systems={"E": LARGE, "Popularity": "Popularity"})
    assert not found.problems
    assert list(found.failing) == ["E"]
    assert (
        found.failing
        == execute(experiment_of(systems={"E": LARGE, "Popularity": "Popularity"})).failed
    )


def test_a_study_of_one_system_is_refused() -> None:
    study = study_of({"vary": {"cutoff": [3, 5]}}, systems={"P": "Popularity"})
    with pytest.raises(TooFew, match="a study needs at least 2 systems"):
        foresee(study, Pipeline()).refuse("study.toml")


def test_charts_without_their_library_are_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chart_files, "find_spec", lambda _: None)
    assert isinstance(foreseen("pdf").problems[0][1], MissingLibrary)
    assert foreseen() == Foreseen()
    arguments = ["run", str(file_of(tmp_path)), "--store", "none", "--charts", "pdf"]
    for more in (["--dry-run"], ["--out", str(tmp_path / "out")]):
        assert main([*arguments, *more]) == 1
        assert "--charts needs matplotlib" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_dry_run_tells_what_a_run_would_refuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, metrics=["P@5", "ILD@5"])
    said = []
    for more in (["--dry-run"], ["--out", str(tmp_path / "out")]):
        assert main(["run", str(file), "--store", "none", *more]) == 1
        said.append(capsys.readouterr().err)
    remedy = "Give item_vectors (--item-vectors FILE)"
    assert said == [f"cranfield: ILD@5 needs item vectors. {remedy}.\n"] * 2


def test_a_dry_run_tells_which_systems_will_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, systems={"E": LARGE, "Popularity": "Popularity"})
    assert main(["run", str(file), "--store", "none", "--dry-run"]) == 3
    assert "Warning: E will fail: EASE(most_items=2): 50 items" in capsys.readouterr().err


@pytest.mark.parametrize("lowest", [-1.0, 0.0, 0.5])
def test_recommenders_foresee_ratings_that_they_cannot_learn_from(lowest: float) -> None:
    whole = read_ratings("simulated(size=tiny)")
    values = whole.values.copy()
    values[3] = lowest
    train = replace(whole, values=values)
    told = 0
    for name in sorted(set(options("recommender")) - {"oracle"}):  # which knows the truth
        recommender = parse("recommender", name)
        said: list[str | None] = []
        for do in (recommender.refuse, lambda each, of=recommender: of.fit(each, Seeds())):
            try:
                do(train)
                said.append(None)
            except UnsuitableRatings as error:
                said.append(str(error))
        assert said[0] == said[1], name
        told += said[0] is not None
    assert told >= 10 if lowest <= 0 else told == 0
