"""Systems tuned on the training part of Gowalla's public split, and tested on its test part.

    python benchmarks/gowalla.py STORE [NAME …]   # tune and test all systems, or some

Parts 0 and 1 are training, part 2 is test; all items that a user has not rated are ranked.
Files list a user's items in an order that the test part continues, so settings are chosen by
Recall@20 on the last tenth of each user's training ratings. Part 1 was drawn from them at random;
where its ratings stood is not known, and they are put first. What is in the folder STORE is not
computed again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter, process_time

import polars as pl

import cranfield as cf

_SYSTEMS = {
    "RP3beta": "RP3beta(tune)",
    "item-kNN": "item-kNN(tune)",
    "user-kNN": "user-kNN(tune)",
    "WRMF": "WRMF(tune)",
    "SLIM": "SLIM(l1=tune(0.1..3, log), l2=tune(5..300, log), candidates=200)",
}
"""Declared ranges; but for SLIM, whose ranges are to hold ratings from 1 to 5 as well, a tenth."""
_VALIDATION = "temporal-per-user(test_share=0.1)"
_TRIALS = {"SLIM": 15}
"""As many as half an hour allows on a busy machine, and 40 of the others."""


def tune(name: str, ratings: pl.DataFrame, test: pl.DataFrame, store: str) -> None:
    """Print the trials of a system, what was chosen, and its Recall@20 on the test part."""
    start, busy = perf_counter(), process_time()
    results = cf.run(
        {
            "data": ratings,
            "split": {"name": "given", "test": test},
            "relevance": 1,
            "systems": {name: _SYSTEMS[name]},
            "metrics": ["Recall@20"],
            "tuning": {"budget": _TRIALS.get(name, 40), "validation": _VALIDATION},
            "seed": 1,
        },
        store=store,
    )
    spent, used = perf_counter() - start, process_time() - busy
    (made,), (row,) = results.tuned, results.summary.rows
    for trial in made.trials:
        print(f"  {trial.value:.4f} in {trial.seconds:.0f} s: {trial.system}")
    print(
        f"{name}: {made.settings} trials in {spent:.0f} s ({used:.0f} s of a processor), "
        f"{made.default.value:.4f} by default, {made.chosen.value:.4f} with {made.chosen.system} "
        f"{dict(made.edges) or ''}, {row.value:.4f} on test",
        flush=True,
    )


def main(store: str, *names: str) -> None:
    """Tune the systems one after the other."""
    table = pl.read_parquet(Path(os.environ["CRANFIELD_DATA"]) / "gowalla/ratings.parquet")
    order = pl.col("part").replace_strict({1: 0, 0: 1, 2: 2})
    ratings = table.sort(order, maintain_order=True).with_row_index("timestamp")
    test = table.filter(pl.col("part") == 2).select("user", "item")
    for name in names or _SYSTEMS:
        tune(name, ratings.select("user", "item", "timestamp"), test, store)


if __name__ == "__main__":
    main(*sys.argv[1:])
