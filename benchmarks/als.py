"""How fast alternating least squares are beside implicit, one fit of each after the other.

    python benchmarks/als.py gowalla 1 128 5 10       # data, relevant from, factors, λ, α
    python benchmarks/als.py ml-1m 4 50 60 1
    python benchmarks/als.py gowalla 1 128 5 10 --iterations 15 --pairs 7

Both have two threads and the same number of iterations. Prints the seconds of each pair of fits, by
the clock and of the processor, the medians of the ratios (its seconds by ours: above 1 we are
faster), and nDCG@100 over 1500 users who have a fifth of their ratings in test. implicit solves for
users once less: our last step makes users fit the last items.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
from bpr import Predict, ndcg

import cranfield as cf
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.workbench import inventory

_THREADS = 2
Timed = tuple[float, float, Predict]
"""Seconds by the clock and of the processor, and what predicts."""


def timed(fit: Callable[[], Predict]) -> Timed:
    """One fit."""
    start, busy = perf_counter(), process_time()
    predict = fit()
    return perf_counter() - start, process_time() - busy, predict


def ours(train: Ratings, asked: argparse.Namespace) -> Predict:
    """A fit of WRMF."""
    option = (
        f"WRMF(factors={asked.factors}, regularisation={asked.regularisation}, "
        f"alpha={asked.alpha}, iterations={asked.iterations})"
    )
    return parse("recommender", option).fit(train, Seeds(1)).predict  # type: ignore[no-any-return]


def its(matrix: Any, asked: argparse.Namespace) -> Predict:
    """A fit of implicit."""
    from implicit.als import AlternatingLeastSquares

    model = AlternatingLeastSquares(
        asked.factors, regularization=asked.regularisation, alpha=asked.alpha,
        iterations=asked.iterations, num_threads=_THREADS, random_state=1,
    )  # fmt: skip
    with one_blas_thread():  # as implicit recommends beside its own threads
        model.fit(matrix, show_progress=False)
    return lambda users: model.user_factors[users] @ model.item_factors.T


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Alternating least squares beside implicit.")
    parser.add_argument("data")
    parser.add_argument("relevant", type=float)
    parser.add_argument("factors", type=int)
    parser.add_argument("regularisation", type=float)
    parser.add_argument("alpha", type=float)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=5)
    return parser.parse_args()


def main() -> None:
    """Fit both once to warm up, then in turn."""
    from scipy.sparse import csr_matrix

    asked = arguments()
    os.environ["CRANFIELD_THREADS"] = str(_THREADS)
    inventory.load("recommender")
    parts = cf.split(cf.read(asked.data), "per-user(test_share=0.2)", seed=1)
    train, relevant = parts.train, parts.test.take(parts.test.values >= asked.relevant)
    matrix = csr_matrix(train.matrix()).astype(np.float32)
    fits = partial(ours, train, asked), partial(its, matrix, asked)
    values = [ndcg(fit(), train, relevant) for fit in fits]
    ratios = list[tuple[float, float]]()
    for _ in range(asked.pairs):
        (clock, busy, _), (its_clock, its_busy, _) = (timed(fit) for fit in fits)
        ratios.append((its_clock / clock, its_busy / busy))
        print(f"clock {its_clock:.2f} by {clock:.2f}, processor {its_busy:.2f} by {busy:.2f}")
    by_clock, by_processor = (median(each) for each in zip(*ratios, strict=True))
    print(f"{asked.data}, {asked.factors} factors, {asked.iterations} iterations: ", end="")
    print(f"{by_clock:.2f}× by the clock, {by_processor:.2f}× of the processor, ", end="")
    print(f"nDCG@100 {values[0]:.4f}, implicit's {values[1]:.4f}")


if __name__ == "__main__":
    main()
