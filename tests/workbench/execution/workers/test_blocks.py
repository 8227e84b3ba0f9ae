"""One system that ranks by several workers, some users each, ranks as one does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base import options
from cranfield.base.options import option
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import Recommender
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.workers import blocks
from cranfield.workbench.execution.workers.blocks import user_blocks
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of
from worker_cases import Inline, by_count, figures_of, inline

__all__ = ["inline"]

Opened = Callable[..., tuple[Inline, Pipeline]]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of eight users, of 40 on 50 items."""
    monkeypatch.setattr(blocks, "_PREDICTIONS", 8 * 50)


def jobs_of(made: Inline) -> list[Any]:
    return [job for task in made.tasks for job in task.jobs]


@pytest.mark.parametrize(
    ("users", "items", "count"), [(6_040, 3_706, 1), (29_858, 40_981, 5), (3, 1 << 40, 3)]
)
def test_blocks_hold_about_as_many_predictions(
    users: int, items: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_PREDICTIONS", 1 << 28)
    found = user_blocks(users, items)
    assert len(found) == count
    assert [each.start for each in found[1:]] == [each.stop for each in found[:-1]]
    assert (found[0].start, found[-1].stop) == (0, users)


@pytest.mark.parametrize("shares_files", [True, False])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"ties": "random", "unscored": "random", "seed": 3},
        {"targets": "test-items, one-relevant, sampled(n=5)", "topics": "relevant"},
        {"depth": 3, "split": "k-fold(folds=2)", "run_metrics": ["Gini@5"]},
        {"metrics": ["nDCG@5"], "ties": "expected"},
    ],
)
def test_an_experiment_ranked_in_blocks_is_the_same(
    inline: Opened, tmp_path: Path, changes: dict[str, Any], shares_files: bool
) -> None:
    asked = experiment_of(**changes)
    made, pipeline = inline(tmp_path / "store", shares_files=shares_files)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    folds = 2 if "split" in changes else 1
    assert sum(job.only_fit for job in jobs_of(made)) == 3 * folds
    assert sum(job.users is not None for job in jobs_of(made)) == 3 * 5 * folds
    assert made.shared == {}


@pytest.mark.long
def test_a_study_ranked_in_blocks_is_the_same(inline: Opened, tmp_path: Path) -> None:
    vary = {
        "targets": ["all-items", "test-items"],
        "relevance": [3, 4],
        "ties": ["item-id", "optimistic"],
    }
    asked = study_of({"vary": vary, "draws": 50})
    _, pipeline = inline(tmp_path / "store")
    assert figures_of(execute_study(asked, pipeline)) == figures_of(execute_study(asked))


def test_the_store_has_then_what_a_serial_run_leaves(inline: Opened, tmp_path: Path) -> None:
    asked, (_, pipeline) = experiment_of(), inline(tmp_path / "workers")
    execute(asked, pipeline)
    execute(asked, Pipeline(Store(tmp_path / "serial")))
    found = [
        {path.name: path.read_bytes() for path in (tmp_path / place).rglob("*.entry")}
        for place in ("workers", "serial")
    ]
    notes = {path.name for path in (tmp_path / "serial" / "fit-time").rglob("*.entry")}
    assert found[0].keys() == found[1].keys()
    for name in found[0].keys() - notes:
        assert found[0][name] == found[1][name]


def test_without_a_store_and_for_own_models_there_are_no_blocks(
    inline: Opened, tmp_path: Path
) -> None:
    made, pipeline = inline()
    execute(experiment_of(), pipeline)
    assert all(job.users is None and not job.only_fit for job in jobs_of(made))
    made, pipeline = inline(tmp_path / "store")
    execute(experiment_of(systems={"own": by_count, "Popularity": "Popularity"}), pipeline)
    assert {job.name for job in jobs_of(made) if job.users is not None} == {"Popularity"}


@dataclass(frozen=True, kw_only=True)
class WithoutStore(Recommender):
    """Fits something that does not say how it is stored."""

    def fit(self, train: Ratings, seeds: Seeds) -> Any:
        return Counted(train.item_counts)


class Counted:
    def __init__(self, counts: Any) -> None:
        self.counts = counts

    def predict(self, users: Any) -> Any:
        return np.tile(self.counts * 1.0, (len(users), 1))


@pytest.fixture
def _known_for_the_time_being(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option is known by name, and forgotten afterwards."""
    for known in (options._options, options._names):
        monkeypatch.setitem(known, "recommender", dict(known["recommender"]))
    option("recommender", "WithoutStore")(WithoutStore)


@pytest.mark.usefixtures("_known_for_the_time_being")
def test_a_fit_that_cannot_be_stored_ranks_by_one_worker(inline: Opened, tmp_path: Path) -> None:
    asked = experiment_of(systems={"odd": WithoutStore(), "Popularity": "Popularity"})
    made, pipeline = inline(tmp_path / "store")
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    parts = [job for job in jobs_of(made) if job.name == "odd"]
    assert [(job.only_fit, job.users) for job in parts] == [(True, None), (False, None)]


@pytest.mark.parametrize("lost", [1, 4])
def test_lost_parts_are_done_again(inline: Opened, tmp_path: Path, lost: int) -> None:
    asked, (made, pipeline) = experiment_of(), inline(tmp_path / "store", lost=lost)
    assert figures_of(execute(asked, pipeline)) == figures_of(execute(asked))
    assert made.shared == {}


def test_a_part_that_fails_makes_its_system_fail(
    inline: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = Ratings.from_triples([1, 2], [7, 8], [5, 4])
    kind: Any = type(experiment_of().systems["kNN"].fit(train, Seeds(0)))
    predict = kind.predict

    def broken(self: Any, users: Any) -> Any:
        if 20 in users:
            raise ArithmeticError("user 20")
        return predict(self, users)

    monkeypatch.setattr(kind, "predict", broken)
    asked, (_, pipeline) = experiment_of(), inline(tmp_path / "store")
    found = execute(asked, pipeline)
    assert found.failed["kNN"] == "ArithmeticError: user 20."
    assert found.failed == execute(asked).failed
