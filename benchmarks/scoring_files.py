"""How fast nine metrics are from files, and how long the first and later commands take.

    python benchmarks/scoring_files.py [--users 6040] [--seconds 1] [--integers] [--starting]

Every tool reads the same run and judgments, as TREC text or Parquet, by its own reader if
it has one, else by way of pandas, and scores nine metrics at depth 100, or as many as it
has. Each is called once before it is timed; then they take turns of some seconds, and the
best call counts. ``cf.score`` gives the scores of each user, whose means are taken here;
``cf.evaluate`` also counts what is odd in the run, works out what random rankings get, and
gives standard errors. The least time is that of Polars reading both files into columns.
Then the command line with two runs, each time in a new process: with nothing compiled yet, and
again; ``--starting`` does that alone, with nDCG@10. Tools that are not installed are left out.
Ids are texts such as u7 and i12, or integers: those that pandas takes for integers are made
texts again for tools that want such.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import cranfield as cf
from scoring import DEPTH, NINE, best, ir_measures_metrics, make_lists, rectools_metrics

METRICS = [f"{name}@{DEPTH}" for name in NINE]
LISTED = ["user_id", "q", "item_id", "rank", "score", "tag"]
JUDGED = ["user_id", "zero", "item_id", "rating"]


def write_files(folder: Path, users: int, marks: str = "ui") -> tuple[str, str]:
    """The run and the judgments as TREC files; marks are what ids of users and items begin with."""
    judged, ratings, lists = make_lists(users)
    of_users, of_items = marks[:1], marks[1:]
    qrels = [
        f"{of_users}{u} 0 {of_items}{item} {rating}\n"
        for u, (items, rated) in enumerate(zip(judged, ratings, strict=True))
        for item, rating in zip(items.tolist(), rated.tolist(), strict=True)
    ]
    run = [
        f"{of_users}{u} Q0 {of_items}{item} {k + 1} {1 / (k + 1):.6f} mine\n"
        for u, listed in enumerate(lists)
        for k, item in enumerate(listed.tolist())
    ]
    (folder / "run.trec").write_text("".join(run))
    (folder / "test.qrels").write_text("".join(qrels))
    items = sorted(set(np.concatenate(lists).tolist()))
    names = "".join(f"{of_items}{item}\n" for item in items)
    catalogue(str(folder / "run.trec")).write_text(f"item\n{names}")
    return str(folder / "run.trec"), str(folder / "test.qrels")


def catalogue(run: str) -> Path:
    """The file of all items, without which nobody knows what random rankings get."""
    return Path(run).with_name("items.csv")


def evaluate_work(run: str, qrels: str) -> object:
    items = str(catalogue(run))
    return cf.evaluate(qrels, {"mine": run}, METRICS, relevance=4, catalogue=items)


def scores_work(run: str, qrels: str) -> object:
    return np.nanmean(cf.score(qrels, {"mine": run}, METRICS, relevance=4).values, axis=2)


def least_work(run: str, qrels: str) -> object:
    if run.endswith(".parquet"):
        return pl.read_parquet(run), pl.read_parquet(qrels)
    return [pl.read_csv(path, separator=" ", has_header=False) for path in (run, qrels)]


def tables(run: str, qrels: str) -> tuple[Any, Any]:
    """Run and judgments as data frames of pandas."""
    import pandas as pd

    if run.endswith(".parquet"):
        return pd.read_parquet(run), pd.read_parquet(qrels)
    judged = pd.read_csv(qrels, sep=" ", names=JUDGED)
    return pd.read_csv(run, sep=" ", names=LISTED), judged


def with_texts(table: Any) -> Any:
    """The same table, ids as texts."""
    whole = {name: str for name in ("user_id", "item_id") if table[name].dtype.kind in "iu"}
    return table.astype(whole) if whole else table


def as_dictionaries(table: Any, value: str) -> dict[str, dict[str, Any]]:
    """User → item → value."""
    return {
        user: dict(zip(rows["item_id"], rows[value].tolist(), strict=True))
        for user, rows in table.groupby("user_id")
    }


def pytrec_eval_work(run: str, qrels: str) -> object:
    import pytrec_eval

    wanted = {f"{m}.{DEPTH}" for m in ("P", "recall", "map_cut", "ndcg_cut", "success")}
    wanted |= {"set_F", "recip_rank", "bpref", "infAP"}
    if run.endswith(".parquet"):
        listed, known = map(with_texts, tables(run, qrels))
        judged, scored = as_dictionaries(known, "rating"), as_dictionaries(listed, "score")
    else:
        with Path(qrels).open() as known, Path(run).open() as listed:
            judged, scored = pytrec_eval.parse_qrel(known), pytrec_eval.parse_run(listed)
    found = pytrec_eval.RelevanceEvaluator(judged, wanted, relevance_level=4).evaluate(scored)
    names = next(iter(found.values()))
    return {name: np.mean([of[name] for of in found.values()]) for name in names}


def ranx_work(run: str, qrels: str) -> object:
    import ranx

    if run.endswith(".parquet"):
        # What ranx.Run.from_parquet does, but for the ids: it wants text as Python objects.
        names, ids = {"q_id_col": "user_id", "doc_id_col": "item_id"}, ["user_id", "item_id"]
        read = map(with_texts, tables(run, qrels))
        scored, judged = (table.astype(dict.fromkeys(ids, object)) for table in read)
        known = ranx.Qrels.from_df(judged, score_col="rating", **names)
        listed = ranx.Run.from_df(scored, score_col="score", **names)
    else:
        known = ranx.Qrels.from_file(qrels, kind="trec")
        listed = ranx.Run.from_file(run, kind="trec")
    wanted = [f"{m}@{DEPTH}" for m in ("precision", "recall", "f1", "map", "ndcg", "mrr")]
    return ranx.evaluate(known, listed, [*wanted, "rbp.80"], make_comparable=True)


def ir_measures_work(run: str, qrels: str) -> object:
    import ir_measures

    wanted = ir_measures_metrics()
    tool: Any = ir_measures
    if not run.endswith(".parquet"):
        return tool.calc_aggregate(wanted, tool.read_trec_qrels(qrels), tool.read_trec_run(run))
    ids = {"user_id": "query_id", "item_id": "doc_id", "rating": "relevance"}
    listed, known = (with_texts(t).rename(columns=ids) for t in tables(run, qrels))
    return tool.calc_aggregate(wanted, known, listed)


def rectools_work(run: str, qrels: str) -> object:
    from rectools import metrics

    listed, known = tables(run, qrels)
    return metrics.calc_metrics(rectools_metrics(), listed, known[known["rating"] >= 4])


TOOLS: dict[str, tuple[int, Callable[[str, str], object]]] = {
    "cf.score": (9, scores_work),
    "cf.evaluate": (9, evaluate_work),
    "least time": (0, least_work),
    "pytrec_eval": (9, pytrec_eval_work),
    "ranx": (7, ranx_work),
    "RecTools": (7, rectools_work),
    "ir_measures": (9, ir_measures_work),
}


def compare(run: str, qrels: str, seconds: float) -> None:
    """Print how long each tool takes, and how many times as long as the scores here."""
    works: dict[str, Callable[[], object]] = {}
    for tool, (_, work) in TOOLS.items():
        try:
            work(run, qrels)
        except ImportError:
            print(f"{tool} is not installed")
        else:
            works[tool] = partial(work, run, qrels)
    taken = best(works, seconds)
    print(f"{Path(run).suffix[1:]:14}{'metrics':>8}{'ms':>10}{'times ours':>12}")
    for tool, shortest in taken.items():
        print(f"{tool:14}{TOOLS[tool][0]:8}{shortest:10.0f}{shortest / taken['cf.score']:12.1f}")


def command(run: str, qrels: str, cache: Path, metrics: Sequence[str]) -> float:
    """Seconds that the command line takes in a process of its own."""
    words = [sys.executable, "-m", "cranfield", "evaluate", "--judgments", qrels]
    words += ["--run", f"one={run}", "--run", f"two={run}", "--relevance", "4"]
    words += ["--catalogue", str(catalogue(run))]
    words += [word for metric in metrics for word in ("-m", metric)]
    environment = installed(cache.parent) | {"NUMBA_CACHE_DIR": str(cache)}
    start = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


@lru_cache
def installed(folder: Path) -> dict[str, str]:
    """An environment in which modules have their bytecode, as installed ones do."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    modules = "cranfield.workbench.cli.evaluate, numba.np.arraymath, scipy.special, rich.table"
    subprocess.run([sys.executable, "-c", f"import {modules}"], check=True, env=environment)
    return environment


def as_parquet(run: str, qrels: str) -> tuple[str, str]:
    """The same files as Parquet."""
    for path, names in ((run, LISTED), (qrels, JUDGED)):
        table = pl.read_csv(path, separator=" ", has_header=False, new_columns=names)
        table.drop("q", "tag", "zero", strict=False).write_parquet(f"{path}.parquet")
    return f"{run}.parquet", f"{qrels}.parquet"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=6040)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--integers", action="store_true", help="ids are integers")
    parser.add_argument("--starting", action="store_true", help="only the command, with nDCG@10")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        text = write_files(Path(name), given.users, "" if given.integers else "ui")
        for files in (text, as_parquet(*text)):
            if not given.starting:
                compare(*files, given.seconds)
            kind = Path(files[0]).suffix[1:]
            cache, metrics = Path(name, f"cache-{kind}"), ["nDCG@10"] if given.starting else METRICS
            seconds = [command(*files, cache, metrics) for _ in range(4)]
            print(f"command, {kind}: first {seconds[0]:.1f} s, then {min(seconds[1:]):.2f} s")


if __name__ == "__main__":
    main()
