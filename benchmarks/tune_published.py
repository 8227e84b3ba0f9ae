"""Finds the parameters of the published systems on a validation part of the training data.

    python benchmarks/tune_published.py [--systems NAME,…] [--log FILE] [--write]

Needs $CRANFIELD_DATA and $CRANFIELD_PUBLISHED as published_systems.py does. The authors'
test ratings serve to leave them out, and for nothing else. A fifth of each user's training
ratings, drawn with a fixed seed, is the validation part; every setting of a declared grid is
fitted to the rest and ranks to depth 100 all items but those it was fitted to. The setting
of the largest P@100 × nDCG@100 on the validation part is chosen, the first one if several
are equal. The product is the rule for all systems: it weighs relative changes of both alike.
Systems that take long to rank are compared over every fourth user.

Prints what was tried, the chosen setting first, and says where it lies at the edge of its
grid. --log keeps what was tried in a file, and does not try it again; --write puts what was
chosen into recommendation/published.toml and its figures into docs/3-recommendation.md. The
log has figures by more metrics, for deciding_systems.py, which asks what follows if systems
are tuned by one of them.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from published_systems import SEED, authors_split, movielens, put, recorded, run_all, table

import cranfield as cf
from cranfield.base.options import parse
from cranfield.collection.test_collection import TestCollection, collect
from cranfield.workbench import inventory

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "src/cranfield/recommendation/published.toml"
PAGE = ROOT / "docs/3-recommendation.md"
VALIDATION = "per-user(test_share=0.2)"
METRICS = ["P@100", "nDCG@100"]
OTHERS = ["AP@100", "RR@100", "P@10", "nDCG@10"]
"""What else is measured, and chooses nothing here."""


def mercer(*shares: float) -> tuple[str, ...]:
    return tuple(f"jelinek-mercer(lambda={share})" for share in shares)


def dirichlet(*masses: float) -> tuple[str, ...]:
    return tuple(f"dirichlet(mu={mass})" for mass in masses)


def additive(*masses: float) -> tuple[str, ...]:
    return tuple(f"additive(gamma={mass})" for mass in masses)


NEIGHBOURS = (30, 50, 75, 100, 150)
SHRUNK = {"k": (25, 50, 100, 200, 400), "shrinkage": (1.0, 10.0, 100.0), "damping": (10.0,)}
FLATTENED = {"k": (50, 100, 150, 200), "gamma": (1000.0, 2000.0, 5000.0, 10000.0)}

Grid = Mapping[str, tuple[object, ...]]
GRIDS: Mapping[str, Grid] = {
    "SLIM": {"l1": (1.0, 10.0), "l2": (1000.0, 3000.0, 10000.0)},
    "BPRMF": {"factors": (100,), "epochs": (130, 200), "regularisation": (0.006, 0.012, 0.024)},
    "WRMF": {
        "factors": (50,), "regularisation": (30.0, 60.0, 120.0), "alpha": (1.0, 2.0, 4.0),
        "iterations": (15,),
    },
    "PureSVD": {"factors": (10, 15, 20, 25, 30, 35, 40, 50)},
    "LDA": {
        "topics": (50,), "alpha": (0.3, 1.0, 3.0), "beta": (0.3, 1.0, 3.0),
        "binarised": ("true", "false"),
    },
    "PLSA": {"topics": (80, 120, 200), "temper": (0.8, 0.9, 1.0)},
    "SVD": {"regularisation": (0.02, 0.05, 0.1)},
    "HT": {"steps": (3, 5, 10, 15)},
    "RW": {"k": NEIGHBOURS},
    "RSV": {"k": NEIGHBOURS},
    "CHI2": FLATTENED,
    "KLD": FLATTENED,
    "LM-WSR-UB": {
        "k": (50, 100, 150, 200),
        "smoothing": (*mercer(0.9, 0.95, 0.99), *dirichlet(10000)),
    },
    "LM-WSR-IB": {
        "k": (25, 50, 100),
        "smoothing": (*mercer(0.95, 0.99, 0.995, 0.999), *dirichlet(10000)),
    },
    "RM2": {"k": (50, 100, 200), "smoothing": additive(0.001, 0.01, 0.1), "prior": ("uniform",)},
    "RM1": {"k": (100, 200, 400), "smoothing": (*mercer(0.5, 0.8, 0.9, 0.95), *additive(0.01))},
    "UIR-Item": {"lambda": (0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999)},
    "NNCosNgbr-UB": SHRUNK,
    "NNCosNgbr-IB": SHRUNK,
}  # fmt: skip
"""The settings tried for each system; Random and Popularity have no parameters."""
SLOW = {"HT", "RM2", "UIR-Item"}
"""Systems that take long to rank, and are compared over every fourth user."""


class Trial(NamedTuple):
    """One setting, its figures on the validation part, and the seconds that it took."""

    setting: str
    figures: dict[str, float]
    seconds: float

    @property
    def merit(self) -> float:
        return prod(self.figures[metric] for metric in METRICS)


def settings(system: str) -> Iterator[str]:
    """Every combination of a system's grid, as spelled in the record."""
    grid = GRIDS[system]
    for values in product(*grid.values()):
        given = ", ".join(f"{name}={value}" for name, value in zip(grid, values, strict=True))
        parse("recommender", f"{system}({given})")
        yield f"{system}({given})"


def validation_parts() -> tuple[TestCollection, TestCollection]:
    """The authors' training ratings, divided once more, for all users and for every fourth.

    Their test ratings are dropped here.
    """
    fold = cf.split(authors_split(movielens()).train, VALIDATION, seed=SEED)
    some = fold.test.take(fold.test.users % 4 == 0)
    return collect(fold.train, fold.test, relevance=4), collect(fold.train, some, relevance=4)


def attempt(setting: str, parts: TestCollection) -> Trial:
    start = time.perf_counter()
    ((_, found),) = run_all({setting: setting}, parts, [*METRICS, *OTHERS]).values()
    return Trial(setting, found, time.perf_counter() - start)


def read_log(path: Path | None) -> dict[str, Trial]:
    if path is None or not path.exists():
        return {}
    trials = [Trial(*json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    return {trial.setting: trial for trial in trials}


def try_all(systems: list[str], log: Path | None) -> dict[str, list[Trial]]:
    """The trials of each system, best first."""
    known, (full, some) = read_log(log), validation_parts()
    made = {}
    for system in systems:
        trials = []
        for setting in settings(system):
            trial = known.get(setting) or attempt(setting, some if system in SLOW else full)
            trials.append(trial)
            if log is not None and setting not in known:
                with log.open("a", encoding="utf-8") as opened:
                    opened.write(json.dumps(trial) + "\n")
        made[system] = sorted(trials, key=lambda each: -each.merit)
    return made


def edges(system: str, best: str) -> str:
    """The parameters whose chosen value is the first or last number of its grid."""
    found = []
    for name, values in GRIDS[system].items():
        numbers = values if isinstance(values[0], float | int) and len(values) > 1 else ()
        ends = {f"{name}={end}" for end in (*numbers[:1], *numbers[-1:])}
        found += [name] if ends & set(re.split(r"[(), ]+", best)) else []
    return ", ".join(found)


def summary_table(made: Mapping[str, list[Trial]]) -> str:
    """The chosen setting of each system beside the worst one tried."""
    rows = []
    for system, trials in made.items():
        best, worst = trials[0], trials[-1]
        figures = [f"{trial.figures[metric]:.4f}" for trial in (best, worst) for metric in METRICS]
        rows.append((f"`{best.setting}`", len(trials), *figures, edges(system, best.setting)))
    head = ("chosen", "tried", "P@100", "nDCG@100", "worst P@100", "worst nDCG@100", "at an edge")
    took = sum(trial.seconds for trials in made.values() for trial in trials)
    tried = sum(map(len, made.values()))
    return f"{table(rows, head, left=1)}\n\n{tried} settings in {took:.0f} s."


def record(made: Mapping[str, list[Trial]]) -> None:
    """Put the chosen settings into the record, each on its system's line."""
    text = RECORD.read_text("utf-8")
    for system, trials in made.items():
        line = f'{system} = "{trials[0].setting}"'
        text, found = re.subn(rf"^{re.escape(system)} = .*$", line, text, flags=re.MULTILINE)
        assert found == 1, system
    RECORD.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Parameters from a validation part.")
    parser.add_argument("--systems", default=",".join(GRIDS), metavar="NAME,…")
    parser.add_argument("--log", type=Path, metavar="FILE", help="what was tried, kept")
    parser.add_argument("--write", action="store_true", help="into the record and the page")
    arguments = parser.parse_args()
    inventory.load()
    assert set(recorded()) == {*GRIDS, "Random", "Popularity"}
    made = try_all(arguments.systems.split(","), arguments.log)
    for trials in made.values():
        cells = [(f"`{x.setting}`", *(f"{y:.4f}" for y in x.figures.values())) for x in trials]
        print(table(cells, ("setting", *METRICS, *OTHERS), left=1), end="\n\n")
    print(summary_table(made))
    if arguments.write:
        record(made)
        if set(made) == set(GRIDS):
            put(PAGE, "validation", summary_table(made))


if __name__ == "__main__":
    main()
