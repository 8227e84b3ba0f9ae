"""How near systems come to the authors' published figures, whatever their parameters.

    python benchmarks/explore_published.py [SYSTEM …] [--log FILE]

Needs $CRANFIELD_DATA and $CRANFIELD_PUBLISHED as published_systems.py does. HT, RM1, both
NNCosNgbr, CHI2 and SVD rank better with the parameters of recommendation/published.toml than
the authors' did. Tries many more settings on the authors' split, every fourth user, and prints
those that are nearest to the authors' means at all cut-offs: |log(ours/theirs)|, averaged over
metrics. Unlike tune_published.py it looks at the test ratings, since the question is which
parameters the authors may have had. --log keeps what was tried, and does not try it again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import product
from math import log
from pathlib import Path

from published_systems import NAMES, authors_figures, authors_split, movielens, run_all, table

from cranfield.collection.test_collection import TestCollection, collect
from cranfield.workbench import inventory

COLUMNS = {
    "P@5": "P_5", "P@10": "P_10", "P@20": "P_20", "P@50": "P_50", "P@100": "P_100",
    "nDCG@10": "ndcg_cut_10", "nDCG@100": "ndcg_cut_100", "RR@100": "recip_rank",
}  # fmt: skip
SHOWN = 8

Grid = Mapping[str, tuple[object, ...]]
NEIGHBOURS: Grid = {
    "k": (5, 50), "shrinkage": (0.0,), "among": ("all", "rated"), "normalised": ("false", "true"),
}  # fmt: skip
GRIDS: Mapping[str, tuple[Grid, ...]] = {
    "NNCosNgbr-UB": (NEIGHBOURS,),
    "NNCosNgbr-IB": (NEIGHBOURS, {**NEIGHBOURS, "k": (10, 20), "among": ("all",)}),
    "HT": ({"steps": (5, 7, 9, 11)}, {"steps": (3,), "most_items": (500, 1000, 2000)}),
    "RM1": (
        {"k": (5, 50), "smoothing": tuple(
            f"jelinek-mercer(lambda={share})" for share in (0.1, 0.5, 0.9)
        )},
        {"k": (50,), "smoothing": ("additive(gamma=1.0)", "dirichlet(mu=100.0)")},
    ),
    "CHI2": ({"k": (100,), "gamma": (100.0, 500.0, 1000.0)},),
    "SVD": ({"factors": (10, 50), "epochs": (10,)},),
}  # fmt: skip
"""The settings tried for each system."""


def settings(system: str) -> Iterator[str]:
    """Every combination of a system's grids."""
    for grid in GRIDS[system]:
        for values in product(*grid.values()):
            given = ", ".join(f"{name}={value}" for name, value in zip(grid, values, strict=True))
            yield f"{system}({given})"


def some_users() -> TestCollection:
    """The authors' split, judged for every fourth user."""
    whole = authors_split(movielens())
    judged = whole.judgments.ratings
    return collect(whole.train, judged.take(judged.users % 4 == 0), relevance=4)


def distance(found: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    """The mean of |log(ours/theirs)| over metrics; infinite where ours is 0."""
    if min(found.values()) <= 0:
        return float("inf")
    apart = [abs(log(found[metric] / theirs[column])) for metric, column in COLUMNS.items()]
    return sum(apart) / len(apart)


def try_all(system: str, parts: TestCollection, path: Path | None) -> dict[str, dict[str, float]]:
    """What every setting reaches, from the log where it was tried before."""
    lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
    known = dict(json.loads(line) for line in lines)
    made = {}
    for setting in settings(system):
        if setting not in known:
            ((_, known[setting]),) = run_all({setting: setting}, parts, list(COLUMNS)).values()
            if path is not None:
                with path.open("a", encoding="utf-8") as opened:
                    opened.write(json.dumps([setting, known[setting]]) + "\n")
        made[setting] = known[setting]
    return made


def nearest(system: str, made: Mapping[str, dict[str, float]]) -> str:
    """The nearest settings as a table, the authors' figures first."""
    theirs = authors_figures()[NAMES.get(system, system)]
    order = sorted(made, key=lambda setting: distance(made[setting], theirs))
    rows = [(f"{system}, the authors'", *(f"{theirs[c]:.4f}" for c in COLUMNS.values()), "0")]
    rows += [
        (f"`{each}`", *(f"{made[each][m]:.4f}" for m in COLUMNS),
         f"{distance(made[each], theirs):.2f}")
        for each in order[:SHOWN]
    ]  # fmt: skip
    said = f"{len(made)} settings tried."
    return f"{table(rows, ('setting', *COLUMNS, 'apart'), left=1)}\n\n{said}"


def main() -> None:
    parser = argparse.ArgumentParser(description="How near to the authors' figures?")
    parser.add_argument("systems", nargs="*", default=list(GRIDS), metavar="SYSTEM")
    parser.add_argument("--log", type=Path, metavar="FILE", help="what was tried, kept")
    given = parser.parse_args()
    inventory.load()
    parts = some_users()
    for system in given.systems:
        print(nearest(system, try_all(system, parts, given.log)), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
