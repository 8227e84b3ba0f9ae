"""What the store lacks is sent out, what comes back is stored, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import OptionError, TooLarge, Unsendable
from cranfield.base.options import parse
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.resources import memory
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.systems import system_pass
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.workers import planning
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of
from small_disks import files_of_at_most
from worker_cases import Inline, by_count, failing, figures_of, inline

__all__ = ["inline"]

Opened = Callable[..., tuple[Inline, Pipeline]]

SYSTEMS = {"Popularity": "Popularity", "Random": "Random", "kNN": "user-kNN(k=5)"}
VARIED = {
    "vary": {"relevance": [3, 4], "targets": ["all-items", "test-items"], "split": [
        "per-user(test_share=0.4)", "k-fold(folds=2)",
    ]},
    "draws": 50,
}  # fmt: skip


def test_an_experiment_is_the_same_by_workers(inline: Opened) -> None:
    asked = experiment_of(split="k-fold(folds=3)", by="activity:2", run_metrics=["Gini@5"])
    made, pipeline = inline()
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert {job.name for task in made.tasks for job in task.jobs} == set(SYSTEMS)


def test_a_study_is_the_same_by_workers(inline: Opened) -> None:
    asked = study_of(VARIED)
    _, pipeline = inline()
    assert figures_of(execute_study(asked, pipeline)) == figures_of(execute_study(asked))


def test_a_repeated_study_is_the_same_by_workers(inline: Opened) -> None:
    repeat = {"split_seeds": 2, "fit_seeds": 2}
    asked = study_of({"vary": {"cutoff": [3, 5]}, "draws": 50, "repeat": repeat})
    _, pipeline = inline()
    assert figures_of(execute_study(asked, pipeline)) == figures_of(execute_study(asked))


def test_nothing_is_computed_by_the_driver(inline: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, (made, pipeline) = experiment_of(), inline()
    fits = list[bool]()
    rank = system_pass.RecommenderPass._rank
    at_work = list[bool]()
    done = made.finished

    def finished(seconds: float) -> Any:
        at_work.append(True)
        try:
            return done(seconds)
        finally:
            at_work.pop()

    def noted(self: Any, places: Any) -> None:
        fits.append(bool(at_work))
        rank(self, places)

    monkeypatch.setattr(made, "finished", finished)
    monkeypatch.setattr(system_pass.RecommenderPass, "_rank", noted)
    execute(asked, pipeline)
    assert fits == [True] * len(SYSTEMS)


def test_what_the_store_has_is_not_sent(inline: Opened, tmp_path: Path) -> None:
    asked = experiment_of()
    execute(asked, Pipeline(Store(tmp_path / "store")))
    made, pipeline = inline(tmp_path / "store")
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert made.tasks == []


def test_a_run_without_workers_finds_all_that_workers_stored(
    inline: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, (_, pipeline) = experiment_of(), inline(tmp_path / "store")
    expected = figures_of(execute(asked, pipeline))

    def refuse(*_: Any) -> None:
        raise AssertionError("it is stored")

    monkeypatch.setattr(system_pass.RecommenderPass, "_rank", refuse)
    assert figures_of(execute(asked, Pipeline(Store(tmp_path / "store")))) == expected
    kinds = {each.kind for each in Store(tmp_path / "store").sizes()}
    assert {"fit", "hits", "lists", "scores"} <= kinds


def test_short_jobs_are_sent_together_and_long_ones_alone(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = {"Random": 5.0, "user-kNN": 3.0}
    monkeypatch.setattr(
        planning,
        "fit_seconds",
        lambda _store, system, *_: seconds.get(system.option_name, 0.01),
    )
    systems = {**SYSTEMS, "mean": "AverageRating", "median": "MedianRating"}
    made, pipeline = inline()
    execute(experiment_of(systems=systems), pipeline)
    sent = [[job.name for job in task.jobs] for task in made.tasks]
    assert sent[:2] == [["Random"], ["kNN"]]
    assert [sorted(each) for each in sent[2:]] == [["Popularity", "mean", "median"]]


def test_own_models_are_sent_and_are_not_in_the_store_of_the_user(
    inline: Opened, tmp_path: Path
) -> None:
    systems = {"own": by_count, "other": adapt(by_count, name="own"), "Popularity": "Popularity"}
    asked = experiment_of(systems=systems)
    made, pipeline = inline(tmp_path / "store")
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert {job.name for task in made.tasks for job in task.jobs} == set(systems)
    stored = Store(tmp_path / "store").sizes()
    assert {each.kind: each.entries for each in stored}["hits"] == 1


def test_a_system_that_fails_at_a_worker_fails_as_it_does_here(inline: Opened) -> None:
    systems = {"bad": failing, "Popularity": "Popularity", "kNN": "user-kNN(k=5)"}
    asked, (made, pipeline) = experiment_of(systems=systems), inline()
    found = execute(asked, pipeline)
    assert found.failed == {"bad": "ZeroDivisionError: no model without data."}
    assert figures_of(found) == figures_of(execute(asked))
    assert sum(job.name == "bad" for task in made.tasks for job in task.jobs) == 1


def test_a_study_goes_on_without_a_system_that_fails(inline: Opened) -> None:
    systems = {"bad": failing, "Popularity": "Popularity", "kNN": "user-kNN(k=5)"}
    asked, (_, pipeline) = study_of(VARIED, systems=systems), inline()
    assert figures_of(execute_study(asked, pipeline)) == figures_of(execute_study(asked))


class Wordless(Exception):
    """An error that cannot be sent: it does not come back from its own text."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def wordless(train: Any, users: Any) -> Any:
    raise Wordless(1, 2)


def test_an_error_that_cannot_be_sent_is_seen_by_the_driver(inline: Opened) -> None:
    systems = {"bad": wordless, "Popularity": "Popularity"}
    asked, (_, pipeline) = experiment_of(systems=systems), inline()
    assert execute(asked, pipeline).failed == {"bad": "Wordless: 1 and 2."}


def test_a_model_that_cannot_be_sent_is_refused_with_its_name_and_why(inline: Opened) -> None:
    systems = {
        "mine": lambda train, users: [train.item_counts] * len(users),
        "Popularity": "Popularity",
    }
    _, pipeline = inline()
    with pytest.raises(Unsendable, match=r"mine: it cannot be sent to workers \(.*lambda"):
        execute(experiment_of(systems=systems), pipeline)


def test_work_that_no_worker_has_memory_for_is_refused_by_name_before_it_starts(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, pipeline = inline(memory=400 << 20)
    systems = {"Popularity": "Popularity", "huge": "EASE"}
    monkeypatch.setattr(
        memory,
        "bytes_of_fit",
        lambda system, sizes: (1 << 30) * (system.option_name == "EASE"),
    )
    with pytest.raises(TooLarge, match=r"huge: a worker would need about .* GiB, and the largest"):
        execute(experiment_of(systems=systems), pipeline)
    assert made.tasks == []


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_lost_tasks_are_done_again_one_by_one(inline: Opened, lost: int) -> None:
    asked, (made, pipeline) = experiment_of(), inline(lost=lost)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert len(made.tasks[0].jobs) == 3
    assert all(len(task.jobs) == 1 for task in made.tasks[1:])
    assert made.shared == {}


def test_a_system_whose_workers_end_again_and_again_fails_by_name(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, pipeline = inline()
    done = made.finished

    def lose_popularity(seconds: float) -> Any:
        names = {job.name for job in made.waiting[0].jobs}
        made.lost = len(made.tasks) + 1 if "Popularity" in names else 0
        return done(seconds)

    monkeypatch.setattr(made, "finished", lose_popularity)
    found = execute(experiment_of(), pipeline)
    assert set(found.failed) == {"Popularity"}
    assert "its worker ended 3 times (SIGKILL)" in found.failed["Popularity"]
    assert found.summary.row("kNN", "nDCG@5").users == 40


def test_workers_with_another_disk_send_back_what_they_made(inline: Opened, tmp_path: Path) -> None:
    asked, (_, pipeline) = experiment_of(), inline(tmp_path / "store", shares_files=False)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    kinds = {each.kind: each.entries for each in Store(tmp_path / "store").sizes()}
    assert (kinds["hits"], kinds["scores"], kinds["fit"]) == (3, 3, 3)


def test_workers_with_another_disk_are_sent_the_fits_that_there_are(
    inline: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(experiment_of(metrics=["P@5"]), Pipeline(Store(tmp_path / "store")))
    asked = experiment_of(targets="test-items")
    expected = figures_of(execute(asked))
    made, pipeline = inline(tmp_path / "store", shares_files=False)

    def refuse(*_: Any) -> None:
        raise AssertionError("it is fitted")

    for name in ("Popularity", "user-kNN"):
        monkeypatch.setattr(type(parse("recommender", name)), "fit", refuse)
    assert figures_of(execute(asked, pipeline)) == expected
    sent = [each.kind for task in made.tasks for job in task.jobs for each in job.known]
    assert sent.count("fit") == 3


def test_a_store_that_is_full_changes_nothing(inline: Opened, tmp_path: Path) -> None:
    asked, expected = experiment_of(), figures_of(execute(experiment_of()))
    made, pipeline = inline(tmp_path / "store")
    with files_of_at_most(100):
        assert figures_of(execute(asked, pipeline)) == expected
    assert len([job for task in made.tasks for job in task.jobs]) == 3


def run_table(shift: int) -> pl.DataFrame:
    """Five items for each user, and one that nobody knows."""
    rows = [
        (f"u{user:04}", f"i{(user * 7 + place * shift) % 60 + 1:04}", 5.0 - place)
        for user in range(1, 41)
        for place in range(5)
    ]
    return pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")


def runs_experiment(tmp_path: Path, **changes: Any) -> Experiment:
    path = tmp_path / "one.csv"
    run_table(3).write_csv(path)
    (tmp_path / "broken.csv").write_text("user,item\n1,x,3\n")
    runs = {"file": str(path), "table": run_table(11), "bad": str(tmp_path / "broken.csv")}
    return experiment_of(systems=None, runs=runs, run_metrics=["Gini@5"], **changes)


@pytest.mark.parametrize("topics", ["judged", "run"])
def test_runs_are_the_same_by_workers(inline: Opened, tmp_path: Path, topics: str) -> None:
    asked = runs_experiment(tmp_path, topics=topics, metrics=["nDCG@5", "EPC@5"])
    made, road = inline()
    here = Pipeline()
    one = evaluate_prepared(asked, here.prepare(asked), here)
    other = evaluate_prepared(asked, road.prepare(asked), road)
    assert other.to_dict() == one.to_dict()
    assert other.scores.values.tobytes() == one.scores.values.tobytes()
    assert other.reports.keys() == one.reports.keys()
    assert {name: str(each) for name, each in other.reports.items()} == {
        name: str(each) for name, each in one.reports.items()
    }
    assert set(one.failed) == {"bad"}
    assert {job.name for task in made.tasks for job in task.jobs} >= {"file", "table"}


def test_systems_and_runs_together_are_the_same_by_workers(inline: Opened, tmp_path: Path) -> None:
    asked = replace(runs_experiment(tmp_path), systems=experiment_of().systems)
    _, pipeline = inline()
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))


def test_what_items_are_like_is_read_by_the_driver(inline: Opened, tmp_path: Path) -> None:
    genres = ["War|Drama", "Drama", "", "War", "Comedy"] * 10
    vectors = tmp_path / "items.csv"
    pl.DataFrame({"item": [f"i{n:04}" for n in range(1, 51)], "genres": genres}).write_csv(vectors)
    metrics = ["nDCG@5", "ILD@5", "UserILD@5", "AWRF(by=label(genres))@5", "RSP(by=label(genres))"]
    asked = experiment_of(metrics=metrics, item_vectors=str(vectors), item_labels=str(vectors))
    made, pipeline = inline(shares_files=False)
    finished = made.finished

    def without_file(seconds: float) -> Any:
        vectors.rename(tmp_path / "gone.csv")
        try:
            return finished(seconds)
        finally:
            (tmp_path / "gone.csv").rename(vectors)

    expected = figures_of(execute(asked))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(made, "finished", without_file)
        assert figures_of(execute(asked, pipeline)) == expected


def test_who_did_the_work_is_recorded_and_the_rest_is_the_same(inline: Opened) -> None:
    _, pipeline = inline()
    found = execute(experiment_of(), pipeline)
    (worked,) = found.workers
    assert set(worked) == {"host", "process", "tasks", "seconds"}
    assert worked["tasks"] == 1
    assert found.to_dict()["workers"] == [dict(worked)]
    assert "workers" not in execute(experiment_of()).to_dict()


def test_what_stops_everything_is_raised_by_the_driver_as_it_is_without_workers(
    inline: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A metric that cannot be computed is no system's fault."""
    asked, (made, pipeline) = experiment_of(), inline()

    def refuse(*_: Any) -> None:
        raise OptionError("P@5: it cannot be computed.")

    monkeypatch.setattr(RankingCondition, "measure", refuse)
    with pytest.raises(OptionError, match="P@5: it cannot be computed"):
        execute(asked, pipeline, foreseen=True)
    assert made.tasks
