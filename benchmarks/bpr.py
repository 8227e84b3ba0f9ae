"""How well BPR ranks after some epochs, beside implicit, each at its best learning rate.

    python benchmarks/bpr.py ml-1m 4 10 40     # data, relevant from, epochs
    python benchmarks/bpr.py gowalla 1 10 20

Prints processor seconds of a fit with 64 factors, and nDCG@100 over 1500 users who have a fifth of
their ratings in a validation part, for each of six rates; then the best rate of each method.
implicit's rate stays; ours is that of the first epoch and falls to a tenth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from implicit.bpr import BayesianPersonalizedRanking
from implicit.recommender_base import ModelFitError
from scipy.sparse import csr_matrix

import cranfield as cf
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.workbench import inventory

_DEPTH, _USERS, _BATCH = 100, 1500, 100
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
Predict = Callable[[npt.NDArray[np.int32]], Any]


def ndcg(predict: Predict, train: Ratings, relevant: Ratings) -> float:
    """The mean nDCG of lists without training items, over some users with a relevant item."""
    able = np.flatnonzero(relevant.user_counts)
    users = np.sort(np.random.default_rng(0).choice(able, _USERS, replace=False)).astype(np.int32)
    seen, wanted = train.matrix(), relevant.matrix()
    discounts, found = 1 / np.log2(np.arange(2, _DEPTH + 2)), list[float]()
    for some in np.split(users, len(users) // _BATCH):
        scores = np.nan_to_num(predict(some), nan=-np.inf)
        scores[seen[some].nonzero()] = -np.inf
        top = np.argsort(-scores, axis=1, kind="stable")[:, :_DEPTH]
        hits = np.take_along_axis(wanted[some].toarray() > 0, top, axis=1)
        ideal = np.cumsum(discounts)[np.minimum(relevant.user_counts[some], _DEPTH) - 1]
        found.extend(hits @ discounts / ideal)
    return float(np.mean(found))


def ours(train: Ratings, draw: str, rate: float, epochs: int) -> Predict:
    """A fit of BPRMF."""
    option = f"BPRMF(factors=64, epochs={epochs}, rate={rate}, draw={draw})"
    return parse("recommender", option).fit(train, Seeds(1)).predict  # type: ignore[no-any-return]


def its(train: Ratings, rate: float, epochs: int) -> Predict:
    """A fit of implicit with the same λ, by one thread, so that it is the same each time."""
    model = BayesianPersonalizedRanking(
        64, learning_rate=rate, regularization=0.012, iterations=epochs, num_threads=1,
        random_state=1,
    )  # fmt: skip
    model.fit(csr_matrix(train.matrix()).astype(np.float32), show_progress=False)
    return lambda users: model.user_factors[users] @ model.item_factors.T


def main(data: str, least: str, *epochs: str) -> None:
    """Print a line for each fit, and one for the best rate of each method."""
    inventory.load("recommender")
    parts = cf.split(cf.read(data), "per-user(test_share=0.2)", seed=1)
    train, relevant = parts.train, parts.test.take(parts.test.values >= float(least))
    methods = {
        "draw=users": partial(ours, train, "users"),
        "draw=ratings": partial(ours, train, "ratings"),
        "implicit": partial(its, train),
    }
    for each in map(int, epochs):
        for name, fit in methods.items():
            found = {}
            for rate in RATES:
                start = process_time()
                try:
                    predict = fit(rate, each)
                except ModelFitError:  # implicit's factors grew without bound
                    print(f"{name}, rate {rate}: no model")
                    continue
                spent = process_time() - start
                found[rate] = ndcg(predict, train, relevant)
                print(f"{name}, rate {rate}: {spent:.1f} s, nDCG@100 {found[rate]:.4f}", flush=True)
            best = max(found, key=lambda rate: found[rate])
            print(f"{data}, {each} epochs, {name}: {found[best]:.4f} at rate {best}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
