"""What `cranfield run --dry-run` rests on: processor seconds of every recommender.

    python benchmarks/estimates.py           # a table to paste into execution/costs.py
    python benchmarks/estimates.py MF EASE   # of some recommenders alone

Each is fitted with its defaults on 80 % of MovieLens 100K and of MovieLens 1M, and predicts for
1,000 users. Processor time is measured, not the clock: it hardly depends on what else runs.
The first fit of each, on few ratings, compiles and is not counted.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

import cranfield as cf
from cranfield.base.options import options, parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings

_DATA = ("ml-100k", "ml-1m")
_APART = {"oracle"}
"""Recommenders that are fitted on no ratings."""


def seconds_of(name: str, train: Ratings) -> tuple[float, float]:
    """Processor seconds of a fit, and of the predictions for a thousand users."""
    start = process_time()
    fitted = parse("recommender", name).fit(train, Seeds(1))
    between = process_time()
    users = np.arange(min(train.n_users, 1000))
    for part in np.array_split(users, -(-len(users) // 100)):
        fitted.predict(part)
    return between - start, (process_time() - between) / len(users) * 1000


def main(wanted: list[str]) -> None:
    """Print a row for every recommender: fit and predictions, on both data sets."""
    parts = [cf.split(cf.read(name), "random(test_share=0.2)", seed=1).train for name in _DATA]
    warm = cf.split(cf.read("simulated(size=tiny)"), "random", seed=1).train
    for name in wanted or sorted(set(options("recommender")) - _APART):
        seconds_of(name, warm)
        (first, asked), (second, asked_more) = (seconds_of(name, each) for each in parts)
        row = f"{first:.3g}, {second:.3g}, {asked:.2g}, {asked_more:.2g}"
        sys.stdout.write(f'    "{name}": ({row}),\n')
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
