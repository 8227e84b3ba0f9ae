"""How fast nine metrics are from files, and how long the first and later commands take.

    python benchmarks/scoring_files.py [--users 6040] [--rounds 3]

Every tool reads the same TREC run and judgments (RecTools, which reads no such files, by
way of pandas) and scores nine metrics at depth 100, or as many as it has. Each is called
once before it is timed. Cranfield does more: it counts what is odd in the run, and works
out what a random ranking would get. Then the command line, each time in a new process:
with nothing compiled yet, and again. Tools that are not installed are left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

import cranfield as cf
from scoring import DEPTH, NINE, best, make_lists

METRICS = [f"{name}@{DEPTH}" for name in NINE]


def write_files(folder: Path, users: int) -> tuple[str, str]:
    """The run and the judgments as TREC files."""
    judged, ratings, lists = make_lists(users)
    qrels = [
        f"u{u} 0 i{item} {rating}\n"
        for u, (items, rated) in enumerate(zip(judged, ratings, strict=True))
        for item, rating in zip(items.tolist(), rated.tolist(), strict=True)
    ]
    run = [
        f"u{u} Q0 i{item} {k + 1} {1 / (k + 1):.6f} mine\n"
        for u, listed in enumerate(lists)
        for k, item in enumerate(listed.tolist())
    ]
    (folder / "run.trec").write_text("".join(run))
    (folder / "test.qrels").write_text("".join(qrels))
    return str(folder / "run.trec"), str(folder / "test.qrels")


def cranfield_work(run: str, qrels: str) -> object:
    return cf.evaluate(qrels, {"mine": run}, METRICS, relevance=4)


def pytrec_eval_work(run: str, qrels: str) -> object:
    import pytrec_eval

    wanted = {f"{m}.{DEPTH}" for m in ("P", "recall", "map_cut", "ndcg_cut", "success")}
    wanted |= {"set_F", "recip_rank", "bpref", "infAP"}
    with Path(qrels).open() as known, Path(run).open() as listed:
        judged, scored = pytrec_eval.parse_qrel(known), pytrec_eval.parse_run(listed)
    return pytrec_eval.RelevanceEvaluator(judged, wanted, relevance_level=4).evaluate(scored)


def ranx_work(run: str, qrels: str) -> object:
    import ranx

    known = ranx.Qrels.from_file(qrels, kind="trec")
    listed = ranx.Run.from_file(run, kind="trec")
    wanted = [f"{m}@{DEPTH}" for m in ("precision", "recall", "f1", "map", "ndcg", "mrr")]
    return ranx.evaluate(known, listed, [*wanted, "rbp.80"], make_comparable=True)


def ir_measures_work(run: str, qrels: str) -> object:
    import ir_measures

    names = ["P(rel=4)@100", "R(rel=4)@100", "AP(rel=4)@100", "nDCG@100", "RR(rel=4)"]
    names += ["Success(rel=4)@100", "Bpref(rel=4)", "infAP(rel=4)", "Rprec(rel=4)"]
    wanted = [ir_measures.parse_measure(name) for name in names]
    tool: Any = ir_measures
    return tool.calc_aggregate(wanted, tool.read_trec_qrels(qrels), tool.read_trec_run(run))


def rectools_work(run: str, qrels: str) -> object:
    import pandas as pd
    from rectools import metrics

    known = pd.read_csv(qrels, sep=" ", names=["user_id", "zero", "item_id", "rating"])
    listed = pd.read_csv(run, sep=" ", names=["user_id", "q", "item_id", "rank", "score", "tag"])
    five = (metrics.Precision, metrics.Recall, metrics.MAP, metrics.NDCG, metrics.MRR)
    wanted = {kind.__name__: kind(k=DEPTH) for kind in five}
    return metrics.calc_metrics(wanted, listed, known[known["rating"] >= 4])


PEERS: dict[str, tuple[int, Callable[[str, str], object]]] = {
    "pytrec_eval": (9, pytrec_eval_work),
    "ranx": (7, ranx_work),
    "RecTools": (5, rectools_work),
    "ir_measures": (9, ir_measures_work),
}


def command(run: str, qrels: str, cache: Path) -> float:
    """Seconds that the command line takes in a process of its own."""
    words = [sys.executable, "-m", "cranfield", "evaluate", "--judgments", qrels]
    words += ["--run", f"mine={run}", "--relevance", "4"]
    words += [word for metric in METRICS for word in ("-m", metric)]
    start = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def as_parquet(run: str, qrels: str) -> tuple[str, str]:
    """The same files as Parquet."""
    listed = ["user_id", "q", "item_id", "rank", "score", "tag"]
    judged = ["user_id", "zero", "item_id", "rating"]
    for path, names in ((run, listed), (qrels, judged)):
        table = pl.read_csv(path, separator=" ", has_header=False, new_columns=names)
        table.drop("q", "tag", "zero", strict=False).write_parquet(f"{path}.parquet")
    return f"{run}.parquet", f"{qrels}.parquet"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=6040)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        run, qrels = write_files(Path(name), given.users)
        cranfield_work(run, qrels)
        own = best(lambda: cranfield_work(run, qrels), 2 * given.rounds)
        print(f"{'':14}{'metrics':>8}{'ms':>10}{'times ours':>12}")
        print(f"{'cranfield':14}{len(METRICS):8}{own:10.0f}{1:12.1f}")
        for peer, (count, work) in PEERS.items():
            try:
                work(run, qrels)
            except ImportError:
                print(f"{peer:14}{'not installed':>18}")
                continue
            taken = best(partial(work, run, qrels), given.rounds)
            print(f"{peer:14}{count:8}{taken:10.0f}{taken / own:12.1f}")
        for files in ((run, qrels), as_parquet(run, qrels)):
            cache = Path(name, f"cache-{Path(files[0]).suffix[1:]}")
            seconds = [command(*files, cache) for _ in range(1 + given.rounds)]
            kind = Path(files[0]).suffix[1:]
            print(f"command, {kind}: first {seconds[0]:.1f} s, then {min(seconds[1:]):.2f} s")


if __name__ == "__main__":
    main()
