"""EASE on Gowalla's 40,981 items: time, memory, and accuracy on the public test part.

    python benchmarks/large_ease.py [λ]     # 80 unless told, as in BARS

The ratings are in the folder CRANFIELD_DATA. Parts 0 and 1 are training, part 2 is test. The matrix
takes 6.9 GB in single precision, and its inverse n³ operations; all users are ranked for.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter, process_time

import polars as pl

import cranfield as cf
from cranfield.base.machine.memory import most_bytes


def main(regularisation: str = "80") -> None:
    """Print what a fit and the ranking took, and how well it ranks."""
    table = pl.read_parquet(Path(os.environ["CRANFIELD_DATA"]) / "gowalla/ratings.parquet")
    test = table.filter(pl.col("part") == 2).select("user", "item")
    before, start, busy = most_bytes(), perf_counter(), process_time()
    results = cf.run(
        {
            "data": table.select("user", "item"),
            "split": {"name": "given", "test": test},
            "relevance": 1,
            "systems": {"EASE": f"EASE(regularisation={regularisation})"},
            "metrics": ["Recall@20", "nDCG@20"],
        }
    )
    spent, used = perf_counter() - start, process_time() - busy
    values = ", ".join(f"{row.metric} {row.value:.4f}" for row in results.summary.rows)
    print(f"{spent:.0f} s, {used:.0f} s of a processor, λ = {regularisation}: {values}")
    print(f"{before / 1e9:.1f} GB before, {most_bytes() / 1e9:.1f} GB at most")
    print(", ".join(f"{stage} {taken:.0f} s" for stage, taken in results.seconds.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
