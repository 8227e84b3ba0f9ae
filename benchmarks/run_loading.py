"""How fast a run of 6040 users at depth 100 is loaded, beside other tools.

    python benchmarks/run_loading.py [--users 6040] [--depth 100] [--repeats 3]

In one process, on the same generated run. first: the first call, which compiles what a
tool compiles; then the best of the repetitions, on the clock and of all processors. ratio:
the clock's best by Cranfield's from the same source. Tools that are not installed are left
out.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.ids import Ids
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.writing import write_run

ITEMS = 3706
Seconds = tuple[float, float, float]
"""The first call; then the best on the clock, and of all processors together."""
Line = tuple[str, str, Seconds]


def generate(users: int, depth: int) -> pl.DataFrame:
    """Random lists, users in no order, each list from its best item to its worst."""
    rng = np.random.default_rng(7)
    scores = -np.sort(-rng.random((users, depth)), axis=1)
    items = np.argpartition(rng.random((users, ITEMS)), depth, axis=1)[:, :depth] + 1
    table = {"user_id": np.repeat(rng.permutation(users) + 1, depth), "item_id": items.ravel()}
    return pl.DataFrame({**table, "score": scores.ravel()})


def best_of(work: Callable[[], Any], repeats: int) -> Seconds:
    """How long the first call takes, and the best of several after it."""
    start = time.perf_counter()
    work()
    first = time.perf_counter() - start
    times = []
    for _ in range(repeats):
        start, worked = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start, time.process_time() - worked))
    clock, processors = zip(*times, strict=True)
    return first, min(clock), min(processors)


def as_dicts(rows: list[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    """What pytrec_eval and ir_measures take: a dictionary of dictionaries."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for user, item, score in rows:
        found[user][item] = score
    return found


def read_trec_dicts(path: Path) -> dict[str, dict[str, float]]:
    with path.open() as file:
        lines = (line.split() for line in file)
        return as_dicts([(fields[0], fields[2], float(fields[4])) for fields in lines])


def ours(table: pl.DataFrame, folder: Path, repeats: int) -> list[Line]:
    users = Ids(table["user_id"].unique().sort())
    items = Ids(pl.Series(range(1, ITEMS + 1)))
    known: dict[str, Any] = {"user_ids": users, "item_ids": items}
    run = read_run(table, system="generated", **known).run
    sources: dict[str, Any] = {"DataFrame": table}
    if find_spec("pandas"):
        sources["pandas"] = table.to_pandas() if find_spec("pyarrow") else _pandas(table)
    for suffix in (".tsv", ".run", ".csv", ".parquet", ".tsv.gz", ".tsv.zst"):
        sources[suffix] = folder / f"generated{suffix}"
        write_run(run, sources[suffix], **known)
    shuffled = table.sample(fraction=1, shuffle=True, seed=1)
    sources["DataFrame, shuffled"] = shuffled
    return [
        ("cranfield", name, best_of(lambda s=source: read_run(s, **known), repeats))  # type: ignore[misc]
        for name, source in sources.items()
    ]


def _pandas(table: pl.DataFrame) -> Any:
    import pandas as pd

    return pd.DataFrame({column.name: column.to_numpy() for column in table})


def peers(table: pl.DataFrame, folder: Path, repeats: int) -> list[Line]:
    tsv, trec = folder / "generated.tsv", folder / "generated.run"
    lines = [
        (
            "polars.read_csv alone",
            ".tsv",
            best_of(lambda: pl.read_csv(tsv, separator="\t", has_header=False), repeats),
        ),
        ("dictionaries, as for pytrec_eval", ".run", best_of(lambda: read_trec_dicts(trec), 1)),
    ]
    text = table.with_columns(pl.col("user_id", "item_id").cast(pl.String))
    if find_spec("pytrec_eval"):
        import pytrec_eval

        def evaluate() -> Any:
            qrels = {user: {"1": 1} for user in text["user_id"].unique()}
            evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"P_10"})
            return evaluator.evaluate(as_dicts(text.rows()))

        lines.append(("pytrec_eval, with P@10", "DataFrame", best_of(evaluate, 1)))
    if find_spec("ranx") and find_spec("pandas"):
        from ranx import Run

        frame = _pandas(text).astype({"user_id": object, "item_id": object})
        columns = {"q_id_col": "user_id", "doc_id_col": "item_id", "score_col": "score"}
        lines += [
            ("ranx", "pandas", best_of(lambda: Run.from_df(frame, **columns), 1)),
            ("ranx", ".run", best_of(lambda: Run.from_file(str(trec), kind="trec"), 1)),
        ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast a run is loaded, beside other tools.")
    parser.add_argument("--users", type=int, default=6040)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    table = generate(arguments.users, arguments.depth)
    print(f"{arguments.users:,} users, depth {arguments.depth}: {len(table):,} rows")
    print(f"{'tool':34}{'from':22}{'first s':>9}{'clock s':>9}{'cpu s':>9}{'ratio':>9}")
    with tempfile.TemporaryDirectory() as name:
        mine = ours(table, Path(name), arguments.repeats)
        by_source = {source: seconds for _, source, seconds in mine}
        for tool, source, (first, clock, cpu) in [
            *mine,
            *peers(table, Path(name), arguments.repeats),
        ]:
            ratio = clock / by_source[source][1]
            print(f"{tool:34}{source:22}{first:9.3f}{clock:9.3f}{cpu:9.3f}{ratio:9.1f}")


if __name__ == "__main__":
    main()
