"""What tuning costs beyond its trials, and how long it takes on MovieLens 1M.

    python benchmarks/tuning.py overhead [NAME …]  # tuned, against the same trials done directly
    python benchmarks/tuning.py ml-1m [NAME …]     # 20 trials of each system, or of some

Directly means: each setting is fitted to the same ratings, ranks the same targets, and is scored
by the same metric, in a plain loop. Both are repeated in turns; the ratio of processor seconds
hardly depends on what else runs.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.recommendation.ranking.rank import rank
from cranfield.scoring.measurement.measure import measure
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.tuning.trials import Tuned

_SYSTEMS = {
    "user-kNN": "user-kNN(k=tune(10..500, log))",
    "item-kNN": "item-kNN(k=tune(10..500, log))",
    "WRMF": "WRMF(factors=tune(8..64, log), lambda=tune(1..300, log), alpha=tune(0.1..10, log))",
    "PureSVD": "PureSVD(factors=tune(5..200, log))",
    "EASE": "EASE(regularisation=tune(10..5000, log))",
}
_TURNS = 5


def _experiment(data: str, names: list[str], trials: int) -> Experiment:
    return read_table(
        {
            "data": data,
            "split": "per-user(test_share=0.2)",
            "relevance": 4,
            "systems": {name: _SYSTEMS[name] for name in names},
            "metrics": ["nDCG@10"],
            "tuning": {"budget": trials},
            "seed": 1,
        }
    )


def _tuned(experiment: Experiment, data: PreparedData, name: str) -> tuple[Tuned, float]:
    """All trials of a system by the tuner, and the processor seconds they took."""
    road, start = Pipeline(), process_time()
    return road.tuner.tuned(name, experiment, data, 0), process_time() - start


def _directly(made: Tuned, validation: Any) -> tuple[list[float], float]:
    """The same trials in a plain loop: their values, and the processor seconds they took."""
    start, values = process_time(), []
    (targets,) = validation._targets(1.0)
    condition: RankingCondition = validation._condition
    for trial in made.trials:
        system = parse("recommender", trial.system)
        fitted = system.fit(targets.train, Seeds(trial.seed).child("fit", str(system)))
        choice = condition.ranking_choice(targets.train.n_items)
        hits = rank(fitted, [targets], choice, "trial")[0].hits
        values.append(float(np.mean(measure(hits, condition.metrics)[0])))
    return values, process_time() - start


def overhead(names: list[str]) -> None:
    """Print how much longer tuning takes than its trials, system by system."""
    experiment = _experiment("ml-100k", list(_SYSTEMS), 10)
    road = Pipeline()
    data = road.prepare(experiment)
    for name in names or _SYSTEMS:
        made, _ = _tuned(experiment, data, name)  # compiles what is not compiled yet
        ratios, seconds = [], 0.0
        for _ in range(_TURNS):
            validation = Pipeline().tuner.validation(experiment, data, 0)
            values, direct = _directly(made, validation)
            made, seconds = _tuned(experiment, data, name)
            assert np.allclose(values, [trial.value for trial in made.trials])
            ratios.append(seconds / direct)
        print(
            f"{name}: 10 trials in {seconds:.2f} s, {median(ratios):.3f} of the trials alone",
            flush=True,
        )


def movielens(names: list[str]) -> None:
    """Print what 20 trials of each system take on MovieLens 1M, and what they gain."""
    experiment = _experiment("ml-1m", names or list(_SYSTEMS), 20)
    road = Pipeline()
    data = road.prepare(experiment)
    for name in experiment.systems:
        start, busy = perf_counter(), process_time()
        made = road.tuner.tuned(name, experiment, data, 0)
        spent, used = perf_counter() - start, process_time() - busy
        print(
            f"{name}: {spent:.0f} s ({used:.0f} s of a processor), {made.metric} "
            f"{made.default.value:.4f} by default, {made.chosen.value:.4f} with "
            f"{dict(made.chosen.parameters)}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["ml-1m"]:
        movielens(sys.argv[2:])
    else:
        overhead(sys.argv[2:])
