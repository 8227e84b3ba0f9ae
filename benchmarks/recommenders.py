"""How fast recommenders are fitted and rank to depth 100, beside other tools.

    python benchmarks/recommenders.py [--data ml-1m] [--method NAME …] [--users 1000]

In one process, on the same split (a fifth of each user's ratings for test), with as many
threads as there are processors: fit to all training ratings, then the top 100 without
training items of some users, the same for all tools and 1000 unless told: some tools take
minutes for all 6040 of MovieLens 1M. Every tool first does the same on tiny data, so that
nothing is compiled on the clock. Tools take turns, in up to five rounds within ten seconds, and
the fastest of each counts. ratio: the other tool's time by Cranfield's, fit and
ranking together; above 1 we are faster. P@10 shows how far the same thing is done.
Parameters are the same where a tool has them; implicit's threads step
in BPR side by side, so that its factors differ from run to run, and it leaves out steps whose
second item the user rated. Cranfield's lists come
with the rank of every judged item; RecTools' EASE takes ratings as they are; LensKit ranks
in one process, as starting more takes it longer. Tools that are not installed are left out.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from single_system import all_items, rank_all

import cranfield as cf
from cranfield.base.threads import thread_count
from cranfield.collection.test_collection import TestCollection, collect
from cranfield.workbench import inventory

DEPTH = 100
ROUNDS, ENOUGH = 5, 10.0
"""Rounds at most, and seconds after which no further one begins."""
OURS = {
    "ALS": "WRMF(factors=50, regularisation=60, alpha=1, iterations=15)",
    "BPR": "BPRMF(factors=100, epochs=20, rate=0.05, regularisation=0.012)",
    "item-kNN": "item-kNN(k=100)",
    "user-kNN": "user-kNN(k=100, binarised=true)",
    "EASE": "EASE(regularisation=500)",
    "PureSVD": "PureSVD(factors=30)",
    "SLIM": "SLIM(l1=10, l2=300, binarised=true)",
}
Timed = tuple[float, float, float]
"""Seconds to fit and to rank, and P@10."""
Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]
"""User codes, item codes and ranks from 1."""


def ours(spelled: str, parts: TestCollection) -> Timed:
    _, run, _, seconds = rank_all(spelled, spelled, all_items(parts), depth=DEPTH)
    users = run.topics.users[np.repeat(np.arange(len(run)), run.lengths)]
    found = precision((users, run.items, run.ranks), parts)
    return seconds["fitting"], seconds["ranking"], found


def precision(lists: Pairs, parts: TestCollection) -> float:
    """P@10 over the users with a test rating."""
    users, items, ranks = lists
    liked = parts.judgments.positives
    width = np.int64(liked.n_items)
    wanted = liked.users * width + liked.items
    found = np.isin(users[ranks <= 10] * width + items[ranks <= 10], wanted).sum()
    return float(found / 10 / np.count_nonzero(parts.judgments.ratings.user_counts))


def clocked(fit: Callable[[], Any], rank: Callable[[Any], Pairs], parts: TestCollection) -> Timed:
    start = time.perf_counter()
    model = fit()
    fitted = time.perf_counter()
    lists = rank(model)
    return fitted - start, time.perf_counter() - fitted, precision(lists, parts)


def asked(parts: TestCollection) -> np.ndarray:
    return np.flatnonzero(parts.judgments.ratings.user_counts * parts.train.user_counts)


def implicit_peers(parts: TestCollection) -> Iterator[tuple[str, Callable[[], Timed]]]:
    from implicit.als import AlternatingLeastSquares
    from implicit.bpr import BayesianPersonalizedRanking
    from implicit.nearest_neighbours import CosineRecommender
    from scipy.sparse import csr_matrix

    matrix, users = csr_matrix(parts.train.matrix()).astype(np.float32), asked(parts)
    models = {
        "ALS": lambda: AlternatingLeastSquares(50, regularization=60.0, alpha=1.0, iterations=15),
        "BPR": lambda: BayesianPersonalizedRanking(
            100, learning_rate=0.05, regularization=0.012, iterations=20
        ),
        "item-kNN": lambda: CosineRecommender(K=100),
    }

    def fit(make: Callable[[], Any]) -> Any:
        model = make()
        model.fit(matrix, show_progress=False)
        return model

    def rank(model: Any) -> Pairs:
        found, _ = model.recommend(users, matrix[users], N=DEPTH, filter_already_liked_items=True)
        ranks = np.tile(np.arange(1, DEPTH + 1), len(users))
        return np.repeat(users, DEPTH), found.ravel().astype(np.int64), ranks

    for method, make in models.items():
        yield method, lambda make=make: clocked(lambda: fit(make), rank, parts)  # type: ignore[misc]


def lenskit_peers(parts: TestCollection) -> Iterator[tuple[str, Callable[[], Timed]]]:
    from lenskit.als import ImplicitMFScorer
    from lenskit.batch import recommend
    from lenskit.data import from_interactions_df
    from lenskit.knn import EASEScorer, ItemKNNScorer, SLIMScorer, UserKNNScorer
    from lenskit.pipeline import topn_pipeline

    data, users = from_interactions_df(codes_frame(parts.train)), asked(parts)
    scorers = {
        "ALS": lambda: ImplicitMFScorer(
            embedding_size=50, epochs=15, regularization=60.0, weight=1.0, use_ratings=True
        ),
        "item-kNN": lambda: ItemKNNScorer(max_nbrs=100, save_nbrs=100, feedback="implicit"),
        "user-kNN": lambda: UserKNNScorer(max_nbrs=100, feedback="implicit"),
        "EASE": lambda: EASEScorer(regularization=500.0),
        "SLIM": lambda: SLIMScorer(l1_reg=10.0, l2_reg=300.0, max_iters=50),
    }

    def fit(make: Callable[[], Any]) -> Any:
        pipeline = topn_pipeline(make(), n=DEPTH)
        pipeline.train(data)
        return pipeline

    def rank(pipeline: Any) -> Pairs:
        table = recommend(pipeline, users.tolist(), DEPTH, n_jobs=1).to_df()
        return tuple(table[name].to_numpy() for name in ("user_id", "item_id", "rank"))

    for method, make in scorers.items():
        yield method, lambda make=make: clocked(lambda: fit(make), rank, parts)  # type: ignore[misc]


def rectools_peers(parts: TestCollection) -> Iterator[tuple[str, Callable[[], Timed]]]:
    from implicit.als import AlternatingLeastSquares
    from implicit.nearest_neighbours import CosineRecommender
    from rectools.dataset import Dataset
    from rectools.models import (
        EASEModel,
        ImplicitALSWrapperModel,
        ImplicitItemKNNWrapperModel,
        PureSVDModel,
    )

    frame = codes_frame(parts.train).rename(columns={"rating": "weight"})
    frame["datetime"] = "2020-01-01"
    data, users = Dataset.construct(frame), asked(parts)
    models = {
        "ALS": lambda: ImplicitALSWrapperModel(
            AlternatingLeastSquares(50, regularization=60.0, alpha=1.0, iterations=15)
        ),
        "item-kNN": lambda: ImplicitItemKNNWrapperModel(CosineRecommender(K=100)),
        "EASE": lambda: EASEModel(regularization=500.0),
        "PureSVD": lambda: PureSVDModel(factors=30),
    }

    def rank(model: Any) -> Pairs:
        table = model.recommend(users, dataset=data, k=DEPTH, filter_viewed=True)
        return tuple(table[name].to_numpy() for name in ("user_id", "item_id", "rank"))

    for method, make in models.items():
        yield method, lambda make=make: clocked(lambda: make().fit(data), rank, parts)  # type: ignore[misc]


def codes_frame(train: cf.Ratings) -> Any:
    import pandas as pd

    return pd.DataFrame(
        {"user_id": train.users, "item_id": train.items, "rating": train.values}
    ).astype({"user_id": "int64", "item_id": "int64"})


def cornac_peers(parts: TestCollection) -> Iterator[tuple[str, Callable[[], Timed]]]:
    from cornac.data import Dataset
    from cornac.models import BPR, EASE, ItemKNN, UserKNN

    train, users = parts.train, asked(parts)
    triples = list(zip(train.users.tolist(), train.items.tolist(), train.values, strict=True))
    data, seen = Dataset.from_uir(triples, seed=1), train.matrix()
    quiet = {"verbose": False}
    models = {
        "BPR": lambda: BPR(
            k=100, max_iter=20, learning_rate=0.05, lambda_reg=0.012, num_threads=0, **quiet
        ),
        "item-kNN": lambda: ItemKNN(k=100, similarity="cosine", **quiet),
        "user-kNN": lambda: UserKNN(k=100, similarity="cosine", **quiet),
        "EASE": lambda: EASE(lamb=500, posB=False, **quiet),
    }

    def rank(model: Any) -> Pairs:
        items = np.array([data.iid_map.get(item, -1) for item in range(train.n_items)])
        tops, depth = [], min(DEPTH, train.n_items)
        for user in users.tolist():
            scores = np.where(items < 0, -np.inf, np.ravel(model.score(data.uid_map[user]))[items])
            scores[seen[[user]].indices] = -np.inf
            best = np.argpartition(-scores, depth - 1)[:depth]
            tops.append(best[np.argsort(-scores[best], kind="stable")])
        ranks = np.tile(np.arange(1, depth + 1), len(users))
        return np.repeat(users, depth), np.concatenate(tops), ranks

    for method, make in models.items():
        yield method, lambda make=make: clocked(lambda: make().fit(data), rank, parts)  # type: ignore[misc]


PEERS = {
    "implicit": implicit_peers,
    "lenskit": lenskit_peers,
    "rectools": rectools_peers,
    "cornac": cornac_peers,
}


def collection(source: str, users: int) -> TestCollection:
    """Training ratings, and the test ratings of so many users, evenly spaced."""
    fold = cf.split(cf.read(source), "per-user(test_share=0.2)", seed=1)
    tested = np.flatnonzero(fold.test.user_counts)
    chosen = tested[np.linspace(0, len(tested), min(users, len(tested)), False).astype(int)]
    test = fold.test.take(np.isin(fold.test.users, chosen))
    return collect(fold.train, test, relevance=4)


def compare(
    method: str, parts: TestCollection, tiny: TestCollection, tools: Iterable[str] = tuple(PEERS)
) -> dict[str, Timed]:
    """Each tool's figures, ours first; every tool meets the tiny data before."""
    ours(OURS[method], tiny)
    works: dict[str, Callable[[], Timed]] = {"cranfield": lambda: ours(OURS[method], parts)}
    for name in tools:
        if find_spec(name):
            make = PEERS[name]
            small, peers = dict(make(tiny)), dict(make(parts))
            if method in peers:
                small[method]()
                works[name] = peers[method]
    return best_in_turns(works)


def best_in_turns(works: Mapping[str, Callable[[], Timed]]) -> dict[str, Timed]:
    """The fastest of each in some rounds, or in the first alone if that takes long."""
    rounds: list[dict[str, Timed]] = []
    start = time.perf_counter()
    while len(rounds) < ROUNDS and time.perf_counter() - start < ENOUGH:
        rounds.append({name: work() for name, work in works.items()})
    return {
        name: min((made[name] for made in rounds), key=lambda timed: timed[0] + timed[1])
        for name in works
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Recommenders beside those of other tools.")
    parser.add_argument("--data", default="ml-1m", help="ratings to split (ml-1m)")
    parser.add_argument("--method", action="append", dest="methods", choices=OURS)
    parser.add_argument("--users", type=int, default=1000, help="users to rank for (1000)")
    arguments = parser.parse_args()
    inventory.load()
    warnings.simplefilter("ignore")
    parts = collection(arguments.data, arguments.users)
    tiny = collection("simulated(size=tiny)", arguments.users)
    print(
        f"{arguments.data}: {len(parts.train):,} training ratings, "
        f"{len(asked(parts)):,} users, {thread_count()} threads"
    )
    print(f"{'method':10}{'tool':12}{'fit s':>9}{'rank s':>9}{'P@10':>9}{'ratio':>9}")
    for method in arguments.methods or list(OURS):
        base = 0.0
        for tool, (fit, rank, found) in compare(method, parts, tiny).items():
            base = base or fit + rank
            ratio = (fit + rank) / base
            print(f"{method:10}{tool:12}{fit:9.2f}{rank:9.2f}{found:9.4f}{ratio:9.2f}", flush=True)


if __name__ == "__main__":
    main()
