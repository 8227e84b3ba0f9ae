"""The runs of the 21 systems of valcarce2018 on the authors' split, made once and kept.

    python benchmarks/published_runs.py FOLDER

Needs $CRANFIELD_DATA (with movielens-1m/ratings.parquet) and $CRANFIELD_PUBLISHED (with
valcarce2018/). Writes train.parquet, test.parquet and, for each system with the parameters
recorded in recommendation/published.toml, a run of depth 100 over all items but the user's
training items. A run that is there is not made again unless its parameters have changed;
systems.json keeps those that it was made with.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import published_systems as published
from single_system import all_items, rank_all

import cranfield as cf
from cranfield.collection.target import Targets
from cranfield.workbench import inventory


def make_runs(folder: Path) -> dict[str, Path]:
    """The files of all runs by system; those that are missing or outdated are made first."""
    inventory.load()
    spelled, record = published.recorded(), folder / "systems.json"
    places = {name: folder / f"{name}.run.parquet" for name in spelled}
    made = json.loads(record.read_text()) if record.exists() else {}
    missing = [n for n, text in spelled.items() if made.get(n) != text or not places[n].exists()]
    if missing:
        folder.mkdir(parents=True, exist_ok=True)
        parts = published.authors_split(published.movielens())
        cf.write_ratings(parts.train, folder / "train.parquet")
        cf.write_ratings(parts.judgments.ratings, folder / "test.parquet")
        targets = all_items(parts)
        for name in missing:
            start = time.perf_counter()
            _make_run(name, places[name], targets)
            made[name] = spelled[name]
            record.write_text(json.dumps(made, indent=1))
            print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    return places


def _make_run(name: str, place: Path, targets: Targets) -> None:
    made = rank_all(name, published.recorded()[name], targets, seed=published.SEED)
    known = targets.train
    cf.write_run(made.lists, place, user_ids=known.user_ids, item_ids=known.item_ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    make_runs(parser.parse_args().folder)


if __name__ == "__main__":
    main()
