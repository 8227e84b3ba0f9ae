"""Workers on the nodes of Ray: the same bits, whatever happens to processes and nodes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import TooLarge, WorkerError
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import adapt
from cranfield.workbench.api import evaluate, run, study
from cranfield.workbench.bias.assessment import assess_bias
from cranfield.workbench.execution.resources import costs
from cranfield.workbench.reproduction.reproducing import reproduce
from cranfield.workbench.reproduction.reproduction import find_reproductions
from cranfield.workbench.results.results import versions
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, file_of, table_of
from ray_cases import SLOW, SYSTEMS, each_alone, nodes, processors
from worker_cases import Killed, Sluggish, by_count, figures_of

ray = pytest.importorskip("ray")
__all__ = ["each_alone", "nodes", "processors"]


@pytest.mark.parametrize("other", ["python", "cranfield", "numpy"])
def test_nodes_with_other_versions_are_refused_by_name(other: str) -> None:
    from cranfield.workbench.execution.workers import cluster

    same = {"host": "one", "versions": versions(), "shares": True}
    odd = {"host": "two", "versions": {**versions(), other: "3.9.1"}, "shares": True}
    assert cluster._refuse_others([same])
    assert not cluster._refuse_others([same, {**same, "shares": False}])
    with pytest.raises(WorkerError, match=rf"node two has {other} 3\.9.* and here is "):
        cluster._refuse_others([same, odd])


@pytest.mark.slow
def test_a_cluster_of_another_python_is_refused(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.workbench.execution.workers import cluster

    odd = {"host": "old", "versions": {**versions(), "python": "3.9.1"}, "shares": True}
    monkeypatch.setattr(cluster, "_reports", lambda *_: [odd])
    with pytest.raises(WorkerError, match=r"ray: node old has python 3\.9, and here is 3\."):
        run(table_of(), workers="ray")


@pytest.mark.slow
def test_an_address_where_no_cluster_is_is_refused_in_one_sentence(tmp_path: Path) -> None:
    """In a process of its own, as Ray does not forget an address that it could not reach."""
    words = ["run", str(file_of(tmp_path)), "--store", "none", "--workers", "ray://127.0.0.1:1"]
    command = [sys.executable, "-m", "cranfield", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "cranfield: ray://127.0.0.1:1: the cluster cannot be used (" in done.stderr
    assert "Nothing answers there: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("processors", [1, 2, 4], indirect=True)
def test_an_experiment_on_ray_is_the_same(processors: int, tmp_path: Path) -> None:
    asked = table_of(systems=SYSTEMS, split="k-fold(folds=2)")
    made = run(asked, workers="ray", store=tmp_path)
    assert figures_of(made) == figures_of(run(asked))
    assert os.getpid() not in {each["process"] for each in made.workers}
    assert sum(each["tasks"] for each in made.workers) == 8
    assert not list(tmp_path.glob(".shared-*"))


@pytest.mark.slow
def test_a_study_runs_and_an_assessment_on_ray_are_the_same(
    processors: int, tmp_path: Path
) -> None:
    asked = {**table_of(), "study": {"vary": {"relevance": [3, 4]}, "draws": 50}}
    assert figures_of(study(asked, workers="ray")) == figures_of(study(asked))
    test = {"user": [1, 1, 2], "item": [7, 8, 9], "rating": [5, 2, 4]}
    runs = {"A": {"user": [1, 1, 2], "item": [8, 7, 9], "score": [2, 1, 1]}}
    one, other = (
        evaluate(test, runs, ["RR"], relevance=4, workers=workers) for workers in (None, "ray")
    )
    assert one.to_dict() == other.to_dict()
    found = [
        [each.to_dict() for each in assess_bias(experiment_of(), parts=("size",), workers=workers)]
        for workers in (None, "ray")
    ]
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_reproduced_figure_on_ray_is_the_same(processors: int, tmp_path: Path) -> None:
    item = find_reproductions("canamares2020", "Figure 2")[0]
    found = []
    for workers in (None, "ray"):
        store = Store(tmp_path / str(workers))
        made = reproduce(item, store, small=True, workers=workers).to_dict()
        found.append({**made, "seconds": 0})
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_two_nodes_find_the_same_with_and_without_one_disk(
    nodes: Any, tmp_path: Path, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.workbench.execution.workers import cluster

    if not shared:
        monkeypatch.setattr(cluster, "_leave_mark", lambda _: None)
    asked = table_of(systems={**SYSTEMS, **SLOW})
    made = run(asked, workers="ray", store=tmp_path)
    assert figures_of(made) == figures_of(run(asked))
    assert len(made.workers) >= 2
    kinds = {each.kind: each.entries for each in Store(tmp_path).sizes()}
    assert (kinds["hits"], kinds["fit"]) == (2, 2)  # own models are not stored


@pytest.mark.slow
def test_a_killed_worker_costs_its_task_alone(processors: int, tmp_path: Path) -> None:
    systems = {"own": adapt(Killed(tmp_path), name="own"), "Popularity": "Popularity"}
    made = run(table_of(systems=systems), workers="ray")
    expected = run(table_of(systems={**systems, "own": adapt(by_count, name="own")}))
    assert made.scores.values.tobytes() == expected.scores.values.tobytes()
    assert made.failed == {}


@pytest.mark.slow
def test_data_larger_than_the_memory_of_ray_are_spilled(tmp_path: Path) -> None:
    size, users = 9_000_000, 30_000
    codes = np.arange(size, dtype=np.int64) * 7_919 % (users * 1_000)
    codes = np.unique(codes)
    data = Ratings.from_triples(codes // 1_000, codes % 1_000, codes % 5 + 1.0)
    asked = {
        "data": data, "split": "random(test_share=0.01)", "relevance": 4, "metrics": ["P@5"],
        "systems": {"Popularity": "Popularity", "mean": "AverageRating"},
    }  # fmt: skip
    ray.init(
        "local", num_cpus=2, include_dashboard=False, log_to_driver=False,
        object_store_memory=100 << 20,
    )  # fmt: skip
    try:
        made = run(asked, workers="ray")
    finally:
        ray.shutdown()
    assert made.scores.values.tobytes() == run(asked).scores.values.tobytes()
    assert made.workers


@pytest.mark.slow
def test_work_that_no_node_has_memory_for_is_refused_by_name(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "bytes_of_fit", lambda *_: 1 << 50)
    with pytest.raises(TooLarge, match=r"(Popularity|Random|kNN): a worker would need"):
        run(table_of(), workers="ray")


@pytest.mark.slow
def test_a_stopped_run_leaves_a_cluster_that_was_there_before(processors: int) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(6.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run(table_of(systems={"slow": Sluggish(60), "Popularity": "Popularity"}), workers="ray")
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    begun = time.monotonic()
    assert run(table_of(), workers="ray").failed == {}
    assert time.monotonic() - begun < 60
