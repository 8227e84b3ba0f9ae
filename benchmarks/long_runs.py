"""How much memory an evaluation of a long run takes.

    python benchmarks/long_runs.py FOLDER [--users 1000000] [--items 20000] [--judged 8]
        [--depth 100] [--scattered]

Writes a run of many users and their judgments to FOLDER, a chunk of users at
a time, evaluates them in a process of its own, and prints its seconds and the most memory
it held. With --scattered the run is a folder of parts, each of which has users from the
first to the last, in no order. The files stay, and are used again where they exist.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

CHUNK = 2_000_000
"""Rows that are made at a time."""
METRICS = ("P@10", "Recall@100", "F1@100", "AP@100", "nDCG@10", "RR", "ERR@100", "Bpref", "InfAP")


def lists_of(some: np.ndarray, items: int, depth: int) -> pl.DataFrame:
    """A list of distinct items for each of some users."""
    rng = np.random.default_rng([1, int(some[0])])
    # A random start and an odd step give distinct items without a draw per user.
    firsts, steps = rng.integers(items, size=(2, len(some), 1))
    listed = (firsts + (2 * steps + 1) * np.arange(depth)) % items
    scores = np.broadcast_to(1 / np.arange(1, depth + 1), listed.shape)
    columns = {"user_id": np.repeat(some, depth), "item_id": listed.ravel()}
    return pl.DataFrame({**columns, "score": scores.ravel()})


def write_run(path: Path, users: int, items: int, depth: int) -> None:
    """One file, users in order."""
    import pyarrow.parquet as pq

    schema, chunk = lists_of(np.arange(1), items, depth).to_arrow().schema, CHUNK // depth
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, users, chunk):
            some = np.arange(start, min(start + chunk, users))
            writer.write_table(lists_of(some, items, depth).to_arrow())


def write_scattered(folder: Path, users: int, items: int, depth: int) -> None:
    """A folder of parts, each with every so manyth user, in no order."""
    folder.mkdir()
    parts = -(-users * depth // CHUNK)
    for part in range(parts):
        some = np.random.default_rng([3, part]).permutation(np.arange(part, users, parts))
        lists_of(some, items, depth).write_parquet(folder / f"part-{part:05}.parquet")


def write_judgments(path: Path, users: int, items: int, judged: int) -> None:
    rng = np.random.default_rng(2)
    firsts = rng.integers(items, size=(users, 1))
    pairs = (firsts + 7 * np.arange(judged)) % items
    table = {
        "user_id": np.repeat(np.arange(users), judged),
        "item_id": pairs.ravel(),
        "rating": rng.integers(1, 6, users * judged).astype(np.int8),
    }
    pl.DataFrame(table).write_parquet(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--items", type=int, default=1 << 14)
    parser.add_argument("--judged", type=int, default=8)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--scattered", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    size = f"{given.users}-{given.items}-{given.depth}"
    run = given.folder / (f"parts-{size}" if given.scattered else f"run-{size}.parquet")
    test = given.folder / f"test-{size}-{given.judged}.parquet"
    if not run.exists():
        (write_scattered if given.scattered else write_run)(
            run, given.users, given.items, given.depth
        )
    if not test.exists():
        write_judgments(test, given.users, given.items, given.judged)
    command = [sys.executable, "-m", "cranfield", "evaluate", "--judgments", str(test)]
    catalogue = given.folder / f"items-{given.items}.csv"
    pl.DataFrame({"item": np.arange(given.items)}).write_csv(catalogue)
    command += ["--run", f"long={run}", "--relevance", "4", "--catalogue", str(catalogue)]
    command += [word for metric in METRICS for word in ("-m", metric)]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"{given.users * given.depth:,} rows in {seconds:.0f} s, at most {peak:.2f} GiB held")


if __name__ == "__main__":
    main()
