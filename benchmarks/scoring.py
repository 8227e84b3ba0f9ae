"""How fast nine metrics are, against other tools, on the same lists in one run.

    python benchmarks/scoring.py [--users 6040] [--seconds 0.5]

Each tool is timed on data already in the form it takes (arrays, dictionaries, a data
frame), after a first call that compiles what it compiles. Tools that are not installed
are left out. Tools take turns of some seconds; the best of the calls counts, as a ratio.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import cranfield.scoring.gains
import cranfield.scoring.metrics  # noqa: F401
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits, in_order
from cranfield.scoring.measurement.measure import measure

DEPTH = 100
ITEMS = 3706
NINE = ["P", "Recall", "F1", "AP", "nDCG", "RR", "ERR", "Bpref", "InfAP"]
TURNS = 6
CUTOFFS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)

Judged = dict[str, dict[str, int]]
Scored = dict[str, dict[str, float]]


def make_lists(users: int) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    """For each user the items judged, their ratings, and the top of a list."""
    rng = np.random.default_rng(1)
    counts = np.clip((rng.pareto(1.5, users) * 15).astype(int) + 4, 4, 400)
    judged = [rng.choice(ITEMS, count, replace=False) for count in counts]
    ratings = [rng.integers(1, 6, count) for count in counts]
    lists = []
    for liked in judged:
        weights = np.ones(ITEMS)
        weights[liked] = 8
        lists.append(rng.choice(ITEMS, DEPTH, replace=False, p=weights / weights.sum()))
    return judged, ratings, lists


def hits_of(judged: list[np.ndarray], ratings: list[np.ndarray], lists: list[np.ndarray]) -> Hits:
    """The same as arrays in memory."""
    rank = np.zeros(ITEMS, dtype=np.int32)
    ranks = []
    for items, listed in zip(judged, lists, strict=True):
        rank[listed] = np.arange(1, DEPTH + 1)
        ranks.append(rank[items])
        rank[listed] = 0
    users = len(judged)
    flat = np.concatenate(ranks)
    offsets = np.concatenate([[0], np.cumsum([len(items) for items in judged])]).astype(np.int64)
    return in_order(
        Hits(
            Topics(np.arange(users, dtype=np.int32)),
            offsets,
            np.concatenate(judged).astype(np.int32),
            np.concatenate(ratings).astype(np.float64),
            flat,
            flat,
            flat,
            np.full(users, DEPTH, dtype=np.int64),
            np.full(users, ITEMS, dtype=np.int64),
            np.zeros(users, dtype=np.int64),
            4.0,
            1.0,
            5.0,
            DEPTH,
        )
    )


def best(works: Mapping[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """The shortest call of each, in milliseconds.

    They take turns of some seconds, and of one call at least, so that all of them meet the
    same quiet moments of the machine, and the same busy ones.
    """
    shortest = dict.fromkeys(works, math.inf)
    for name, work in [*works.items()] * TURNS:
        begin = now = time.perf_counter()
        while now - begin < seconds:
            start = now
            work()
            now = time.perf_counter()
            shortest[name] = min(shortest[name], 1000 * (now - start))
    return shortest


def pytrec_eval_work(qrels: Judged, run: Scored) -> Callable[[], object]:
    import pytrec_eval

    wanted = {f"{m}.{DEPTH}" for m in ("P", "recall", "map_cut", "ndcg_cut", "success")}
    wanted |= {"set_F", "recip_rank", "bpref", "infAP"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, wanted, relevance_level=4)
    return lambda: evaluator.evaluate(run)


def ranx_work(qrels: Judged, run: Scored) -> Callable[[], object]:
    import ranx

    liked = {u: {i: r for i, r in j.items() if r >= 4} for u, j in qrels.items()}
    known, listed = ranx.Qrels({u: j for u, j in liked.items() if j}), ranx.Run(run)
    wanted = [f"{m}@{DEPTH}" for m in ("precision", "recall", "f1", "map", "ndcg", "mrr")]
    return lambda: ranx.evaluate(known, listed, [*wanted, "rbp.80"], make_comparable=True)


def ir_measures_metrics() -> list[Any]:
    """Nine metrics of ir_measures."""
    import ir_measures as tool

    cut = [m(rel=4) @ DEPTH for m in (tool.P, tool.R, tool.AP, tool.Success)]
    whole = [m(rel=4) for m in (tool.RR, tool.Bpref, tool.infAP, tool.Rprec)]
    return [*cut, tool.nDCG @ DEPTH, *whole]


def ir_measures_work(qrels: Judged, run: Scored) -> Callable[[], object]:
    import ir_measures
    import pandas as pd

    wanted = ir_measures_metrics()
    known = [(u, i, r) for u, j in qrels.items() for i, r in j.items()]
    listed = [(u, i, s) for u, j in run.items() for i, s in j.items()]
    judged = pd.DataFrame(known, columns=["query_id", "doc_id", "relevance"])
    scored = pd.DataFrame(listed, columns=["query_id", "doc_id", "score"])
    return lambda: list(ir_measures.iter_calc(wanted, judged, scored))


def rectools_work(qrels: Judged, run: Scored) -> Callable[[], object]:
    import pandas as pd
    from rectools import metrics

    liked = [(u, i) for u, j in qrels.items() for i, r in j.items() if r >= 4]
    listed = [(u, i, k) for u, j in run.items() for k, i in enumerate(j, start=1)]
    known = pd.DataFrame(liked, columns=["user_id", "item_id"])
    ranked = pd.DataFrame(listed, columns=["user_id", "item_id", "rank"])
    return lambda: metrics.calc_metrics(rectools_metrics(), ranked, known)


def rectools_metrics() -> dict[str, Any]:
    """Those of RecTools that are among the nine, or that pytrec_eval has in their place."""
    from rectools import metrics

    names = ("Precision", "Recall", "F1Beta", "MAP", "NDCG", "MRR", "HitRate")
    return {name: getattr(metrics, name)(k=DEPTH) for name in names}


def dictionaries(
    judged: list[np.ndarray], ratings: list[np.ndarray], lists: list[np.ndarray]
) -> tuple[Judged, Scored]:
    """Judgments and run as the dictionaries that some tools take."""
    qrels = {
        f"u{u}": dict(zip(map(str, items), map(int, rated), strict=True))
        for u, (items, rated) in enumerate(zip(judged, ratings, strict=True))
    }
    run = {
        f"u{u}": {str(item): float(DEPTH - k) for k, item in enumerate(listed)}
        for u, listed in enumerate(lists)
    }
    return qrels, run


PEERS: dict[str, tuple[int, Callable[[Judged, Scored], Callable[[], object]]]] = {
    "pytrec_eval": (9, pytrec_eval_work),
    "ranx": (7, ranx_work),
    "RecTools": (7, rectools_work),
    "ir_measures": (9, ir_measures_work),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=6040)
    parser.add_argument("--seconds", type=float, default=0.5)
    given = parser.parse_args()
    judged, ratings, lists = make_lists(given.users)
    hits = hits_of(judged, ratings, lists)
    one: list[Any] = [parse("metric", f"{name}@{DEPTH}") for name in NINE]
    eleven: list[Any] = [parse("metric", f"{name}@{n}") for name in NINE for n in CUTOFFS]
    start = time.perf_counter()
    measure(hits, one)
    first = time.perf_counter() - start
    qrels, run = dictionaries(judged, ratings, lists)
    counts = {"cranfield": len(one), "11 cut-offs": len(eleven)}
    works: dict[str, Callable[[], object]] = {
        "cranfield": lambda: measure(hits, one),
        "11 cut-offs": lambda: measure(hits, eleven),
    }
    warnings.simplefilter("ignore")
    for name, (count, prepare) in PEERS.items():
        try:
            works[name], counts[name] = prepare(qrels, run), count
        except ImportError:
            print(f"{name} is not installed")
    for work in works.values():
        work()
    print(f"{given.users} users, depth {DEPTH}, {len(hits.ratings)} judged pairs")
    print(f"the first call took {first:.1f} s")
    print(f"{'':14}{'metrics':>8}{'ms':>10}{'times ours':>12}")
    taken = best(works, given.seconds)
    for name, shortest in taken.items():
        print(f"{name:14}{counts[name]:8}{shortest:10.2f}{shortest / taken['cranfield']:12.1f}")


if __name__ == "__main__":
    main()
