"""What each recommender takes at 100,000 users and 50,000 items: seconds and memory.

    python benchmarks/recommender_scale.py [--users 100000] [--items 50000]
        [--ratings 3000000] [--sample 200] [--system NAME …]

Generated ratings, popular items and busy users as in real data. Each system is fitted to
all of them and ranks the whole catalogue to depth 100 for a sample of users, in a process
of its own, so that its peak memory is its own. A full users × items matrix would take 40
GB. Parameters are those recorded for MovieLens 1M, with fewer epochs where the time is
theirs by simple proportion.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import tomllib
from importlib.resources import files

import numpy as np
from single_system import all_items, rank_all

import cranfield as cf
from cranfield.base.errors import CranfieldError
from cranfield.base.threads import thread_count
from cranfield.collection.test_collection import collect
from cranfield.workbench import inventory

SHORTER = {"BPRMF": "BPRMF(factors=100, epochs=10, regularisation=0.012)"}
MORE = {"user-kNN": "user-kNN", "item-kNN": "item-kNN", "AverageRating": "AverageRating"}
REFUSED = {"EASE": "EASE"}


def generate(users: int, items: int, ratings: int) -> cf.Ratings:
    """Random ratings with long tails on both sides; no pair twice."""
    rng = np.random.default_rng(1)
    busy = rng.pareto(1.5, users) + 0.2
    popular = (np.arange(items) + 30.0) ** -0.8
    wanted = int(1.1 * ratings)
    user = rng.choice(users, wanted, p=busy / busy.sum())
    item = rng.choice(items, wanted, p=popular / popular.sum())
    pairs = np.unique(user.astype(np.int64) * items + item)
    pairs = np.sort(rng.permutation(pairs)[:ratings])
    values = rng.choice([1.0, 2.0, 3.0, 4.0, 5.0], len(pairs), p=[0.05, 0.1, 0.25, 0.35, 0.25])
    return cf.Ratings.from_triples(pairs // items, pairs % items, values)


def work(spelled: str, arguments: argparse.Namespace) -> dict[str, float | str]:
    """Fit and rank in this process; what it took, or why it was refused."""
    whole = generate(arguments.users, arguments.items, arguments.ratings)
    rng = np.random.default_rng(2)
    active = np.flatnonzero(whole.user_counts >= 5)
    sampled = np.zeros(whole.n_users, bool)
    sampled[rng.choice(active, arguments.sample, replace=False)] = True
    test = sampled[whole.users] & (rng.random(len(whole)) < 0.2)
    parts = collect(whole.take(~test), whole.take(test), relevance=4)
    targets = all_items(parts)
    before = peak()
    start = time.perf_counter()
    try:
        made = rank_all(spelled, spelled, targets)
    except CranfieldError as error:
        return {"refused": str(error), "fit": time.perf_counter() - start}
    return {
        "fit": made.seconds["fitting"],
        "rank": 1000 * made.seconds["ranking"] / len(made.lists),
        "before": before,
        "peak": peak(),
    }


def peak() -> float:
    """The most memory that this process held, in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def systems() -> dict[str, str]:
    text = files("cranfield.recommendation").joinpath("published.toml").read_text("utf-8")
    return {**tomllib.loads(text)["ml-1m"], **SHORTER, **MORE, **REFUSED}


def apart(spelled: str, arguments: argparse.Namespace) -> dict[str, float | str]:
    """The same in a process of its own."""
    sizes = [f"--{name}={getattr(arguments, name)}" for name in ("users", "items", "ratings")]
    command = [sys.executable, __file__, *sizes, f"--sample={arguments.sample}", "--apart", spelled]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float | str] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Recommenders at 100,000 users × 50,000 items.")
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--ratings", type=int, default=3_000_000)
    parser.add_argument("--sample", type=int, default=200, help="users who are ranked for")
    parser.add_argument("--system", action="append", dest="systems", help="only these")
    parser.add_argument("--apart", metavar="SYSTEM", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    inventory.load()
    if arguments.apart:
        print(json.dumps(work(arguments.apart, arguments)))
        return
    size = f"{arguments.users:,} users, {arguments.items:,} items, {arguments.ratings:,} ratings"
    print(f"{size}; {thread_count()} threads; {arguments.sample} users ranked for")
    print(f"{'system':75}{'fit s':>8}{'ms/user':>9}{'GiB data':>10}{'GiB peak':>10}")
    for name, spelled in systems().items():
        if arguments.systems and name not in arguments.systems:
            continue
        found = apart(spelled, arguments)
        if "refused" in found:
            print(f"{spelled:75} refused: {found['refused']}")
        else:
            numbers = [f"{found['fit']:8.1f}", f"{found['rank']:9.1f}"]
            memory = [f"{found['before']:10.2f}", f"{found['peak']:10.2f}"]
            print(f"{spelled:75}{''.join(numbers + memory)}", flush=True)


if __name__ == "__main__":
    main()
