"""What propensities cost: weighted metrics against plain ones, on the same hits in one run.

    python benchmarks/propensities.py [--users 6040]

Each pair takes turns; the best call of each counts, as a ratio. Propensities are estimated
before, as a run estimates them once for all systems.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from cranfield.base.options import parse
from cranfield.collection.propensity import ItemPropensities, Weighing
from cranfield.scoring.measurement.measure import measure
from cranfield.workbench import inventory
from scoring import ITEMS, hits_of, make_lists

PLAIN = ["P@10", "Recall@10", "nDCG@10", "DCG@10", "RBP(p=0.8)@10", "AP@10"]
TURNS = 40


def weighted(spelling: str) -> str:
    """The same metric with propensities."""
    name, _, cut = spelling.partition("@")
    inside = name[name.index("(") + 1 : -1] + ", " if "(" in name else ""
    return f"{name.partition('(')[0]}({inside}propensity=popularity)@{cut}"


def best(*work: Callable[[], object]) -> list[float]:
    """The shortest time of each, in turns."""
    found = [np.inf] * len(work)
    for _ in range(TURNS):
        for place, each in enumerate(work):
            start = time.perf_counter()
            each()
            found[place] = min(found[place], time.perf_counter() - start)
    return found


def main() -> None:
    """Print a line for each metric, and one for all of them together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=6040)
    users = parser.parse_args().users
    inventory.load("metric")
    chances = np.random.default_rng(2).uniform(0.01, 1, ITEMS)
    known = Weighing({parse("propensity", "popularity"): ItemPropensities(chances)})
    hits = replace(hits_of(*make_lists(users)), weighing=known)
    rows = [[each] for each in PLAIN] + [PLAIN]
    for metrics in rows:
        plain = [parse("metric", each) for each in metrics]
        corrected = [parse("metric", weighted(each)) for each in metrics]
        one, other = best(partial(measure, hits, plain), partial(measure, hits, corrected))
        name = metrics[0] if len(metrics) == 1 else "all of them"
        print(f"{name:15} plain {1e3 * one:7.2f} ms   weighted {1e3 * other:7.2f} ms   "
              f"{other / one:5.2f} times")  # fmt: skip


if __name__ == "__main__":
    main()
