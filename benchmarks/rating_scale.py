"""What an experiment takes by the number of ratings: seconds of each stage, and memory.

    python benchmarks/rating_scale.py FOLDER [--millions 1 10 100]

Writes generated ratings to FOLDER as Parquet, about 100 million of 700,000 users and 60,000
items, and fewer of fewer, as dense; then, in a process of its own for each size, reads them,
takes their 5-core, splits them, fits Popularity and WRMF with 16 factors, and scores both for
all users by nDCG@10. Prints the seconds of each stage, the processor seconds per million ratings
of the core, the most memory held, and the exponent by which processor seconds grow from each
size to the next. The files stay, and are used again where they exist.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from math import log
from pathlib import Path

import numpy as np
import polars as pl

USERS, ITEMS = 70_000, 6_000
"""Users and items of a million ratings; of n million, √n times as many."""
CHUNK = 5_000
"""Users whose ratings are made at a time."""
SYSTEMS = {"Popularity": "Popularity", "WRMF": "WRMF(factors=16, iterations=2)"}


def write_ratings(folder: Path, millions: int) -> None:
    """Ratings with long tails on both sides, no pair twice, users in order."""
    users, items = (int(each * millions**0.5) for each in (USERS, ITEMS))
    folder.mkdir(parents=True)
    busy = np.random.default_rng(1).pareto(1.5, users) + 0.2
    wanted = np.maximum(6, busy * millions * 1.2e6 / busy.sum()).astype(np.int64)
    wanted = np.minimum(wanted, items // 2)
    popular = np.cumsum((np.arange(items) + 30.0) ** -0.8)
    for start in range(0, users, CHUNK):
        rng = np.random.default_rng([2, start])
        some = np.arange(start, min(start + CHUNK, users))
        user = np.repeat(some, wanted[some])
        item = np.searchsorted(popular, rng.random(len(user)) * popular[-1])
        pairs = np.unique(user * items + item)
        ratings = rng.choice(5, len(pairs), p=[0.05, 0.1, 0.25, 0.35, 0.25]) + 1
        table = {"user": pairs // items, "item": pairs % items, "rating": ratings.astype(np.int8)}
        pl.DataFrame(table).write_parquet(folder / f"part-{start // CHUNK:05}.parquet")


def work(folder: Path) -> dict[str, float]:
    """One experiment in this process: the seconds of each stage, and the most memory."""
    from cranfield.workbench import inventory
    from cranfield.workbench.definition.reading import read_table
    from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
    from cranfield.workbench.execution.pipeline import Pipeline

    inventory.load()
    experiment = read_table(
        {
            "data": str(folder),
            "filters": ["k-core(k=5)"],
            "split": "random(test_share=0.2)",
            "relevance": 4,
            "metrics": ["nDCG@10"],
            "systems": SYSTEMS,
        }
    )
    pipeline, start = Pipeline(), time.perf_counter()
    data = pipeline.prepare(experiment)
    made = evaluate_prepared(experiment, data, pipeline)
    whole = time.perf_counter() - start
    assert made.scores.values.shape[0] == len(SYSTEMS)
    used = resource.getrusage(resource.RUSAGE_SELF)
    ratings = sum(len(part) for fold in data.folds for part in (fold.train, fold.test))
    stages = {**pipeline.seconds, "all": whole, "processor": used.ru_utime + used.ru_stime}
    return {"ratings": ratings, "GiB": used.ru_maxrss / 2**20, **stages}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        print(json.dumps(work(given.folder)))
        return
    last: dict[str, float] = {}
    for millions in given.millions:
        folder = given.folder / f"ratings-{millions}m"
        if not folder.exists():
            write_ratings(folder, millions)
        command = [sys.executable, __file__, str(folder), "--work"]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = json.loads(told.splitlines()[-1])
        ratings, each = found["ratings"], found["processor"] / found["ratings"] * 1e6
        shown = ", ".join(f"{name} {value:.1f}" for name, value in found.items())
        grown = ""
        if last:
            power = log(found["processor"] / last["processor"]) / log(ratings / last["ratings"])
            grown = f"; exponent {power:.2f}"
        print(f"{shown}: {each:.2f} processor seconds per million ratings{grown}", flush=True)
        last = found


if __name__ == "__main__":
    main()
