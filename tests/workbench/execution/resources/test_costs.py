"""Costs: estimates pass through what was measured, and are near what runs use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.options import options, parse
from cranfield.scoring.aggregation import Aggregation
from cranfield.workbench import inventory
from cranfield.workbench.execution.resources import costs
from experiment_cases import file_of

inventory.load()


@pytest.mark.parametrize("name", ["EASE", "user-kNN", "WRMF", "LDA"])
def test_costs_pass_through_both_measurements(name: str) -> None:
    system = parse("recommender", name)
    few, many, asked, asked_more = costs._MEASURED[name]
    assert costs.fit_seconds(system, 80_000) == pytest.approx(few)
    assert costs.fit_seconds(system, 800_000) == pytest.approx(many)
    assert costs.predict_seconds(system, 80_000, 1000) == pytest.approx(asked)
    assert costs.predict_seconds(system, 800_000, 500) == pytest.approx(asked_more / 2)


def test_every_recommender_that_ships_is_measured() -> None:
    known = options("recommender").items()
    ours = {name for name, cls in known if cls.__module__.startswith("cranfield.recommendation")}
    assert set(costs._MEASURED) == ours - {"oracle"}  # other tests add their own


@pytest.mark.parametrize("ratings", [0, 1, 10_000, 10**9])
def test_costs_are_positive_and_finite_for_any_size(ratings: int) -> None:
    for name in costs._MEASURED:
        seconds = costs.fit_seconds(parse("recommender", name), ratings)
        assert 0 < seconds < float("inf")
    assert costs.fit_seconds(object(), ratings) > 0


def test_a_test_takes_as_long_as_it_has_draws_users_and_pairs() -> None:
    def seconds(aggregation: str, *sizes: int) -> float:
        average: Aggregation = parse("aggregation", aggregation)
        return costs.swap_seconds(average, *sizes)

    assert seconds("mean", 200, 30, 4) == pytest.approx(2 * seconds("mean", 100, 30, 4))
    assert seconds("mean", 100, 30, 4) == pytest.approx(4 * seconds("mean", 100, 30, 1))
    assert seconds("median", 100, 30, 4) > seconds("mean", 100, 30, 4)
    assert seconds("mean", 0, 30, 4) == 0


def test_all_designs_of_the_demo_are_foreseen_to_take_seconds() -> None:
    assert 1 < costs.START + 480 * costs.PER_DESIGN < 20


_MEASURE = """
import resource, sys
from time import process_time
from cranfield.workbench.cli import run
from cranfield.workbench.cli.main import main

made, estimate = [], run.estimate
run.estimate = lambda *given: made.append(estimate(*given)) or made[0]
assert main(sys.argv[1:]) == 0
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(made[0].seconds, made[0].bytes, process_time(), used)
"""

_EXPERIMENTS: dict[str, dict[str, Any]] = {
    "an experiment": {
        "data": "simulated(size=medium)",
        "systems": {"P": "Popularity", "kNN": "user-kNN(k=50)", "W": "WRMF", "E": "EASE"},
        "metrics": ["nDCG@10", "P@10", "AP"],
        "comparison": None,
    },
    "an experiment with slow systems": {
        "data": "simulated(size=medium)",
        "systems": {"B": "BPRMF", "L": "LDA", "S": "SLIM"},
        "split": "k-fold(folds=3)",
    },
    "a study": {
        "data": "simulated(size=medium)",
        "systems": {"P": "Popularity", "kNN": "user-kNN(k=50)", "S": "PureSVD"},
        "comparison": None,
        "study": {
            "vary": {
                "split.test_share": [0.2, 0.5],
                "metric": ["nDCG", "P", "AP"],
                "cutoff": [5, 10],
                "aggregation": ["mean", "geometric-mean"],
                "targets": ["all-items", "test-items, one-relevant, sampled(n=99)"],
            }
        },
    },
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is told in kilobytes on Linux")
@pytest.mark.parametrize("name", list(_EXPERIMENTS))
def test_time_is_within_a_factor_of_two_and_memory_a_quarter(name: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, **_EXPERIMENTS[name])
    command = ["run", str(file), "--out", str(tmp_path / "out"), "--store", "none"]
    for _ in range(2):  # the first compiles what was not compiled yet
        done = subprocess.run(
            [sys.executable, "-c", _MEASURE, *command], capture_output=True, text=True, check=True
        )
    seconds, size, spent, used = map(float, done.stdout.splitlines()[-1].split())
    assert spent / 2 < seconds < spent * 2
    assert used / 1.25 < size < used * 1.25


@pytest.mark.parametrize("name", sorted(costs._MEASURED))
def test_ten_times_the_ratings_take_longer_within_reason(name: str) -> None:
    few, many, asked, asked_more = costs._MEASURED[name]
    assert 2 < many / few < 100
    assert 1 < asked_more / asked < 20
