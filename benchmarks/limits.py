"""How near recommenders come to what limits them: to the same reads, sums and writes alone.

    python benchmarks/limits.py [ml-1m]

Each line has the processor seconds of one thread for a recommender, and those of a bare loop that
does what no implementation of the method could leave out, on the same data: for `BPRMF`, to read
and write three rows of factors a step; for `user-kNN`, to add to one sum for each pair of ratings
of an item; for `RM2`, to add to eight sums for each rating of a neighbour and eight ratings of the
user; for `SLIM`, to look once at the slope of every candidate with the weights that were found.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from numba import njit

import cranfield as cf
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommenders.neighbours import cosine_neighbours, profiles, transposed
from cranfield.workbench import inventory

_FACTORS, _EPOCHS, _USERS = 64, 2, 100
Loop = Callable[[], object]


@njit
def step_rows(users: Any, items: Any, others: Any, x: Any, y: Any) -> None:
    """Read and write a row of x and two of y for each step."""
    for at in range(len(users)):
        a, b, c = x[users[at]], y[items[at]], y[others[at]]
        for f in range(a.shape[0]):
            a[f], b[f], c[f] = a[f] + b[f], b[f] + c[f], c[f] + a[f]


@njit
def add_pairs(offsets: Any, codes: Any, starts: Any, others: Any, sums: Any) -> None:
    """Add to a sum for each pair of ratings of a column."""
    for row in range(len(offsets) - 1):
        for place in range(offsets[row], offsets[row + 1]):
            column = codes[place]
            for entry in range(starts[column], starts[column + 1]):
                sums[others[entry]] += 1.5


@njit
def add_eights(near: Any, own: int, offsets: Any, codes: Any, sums: Any) -> None:
    """Add to eight sums for each rating of the neighbours and eight ratings of the user."""
    for _ in range(0, own, 8):
        for v in near:
            for place in range(offsets[v], offsets[v + 1]):
                row = sums[codes[place]]
                for slot in range(8):
                    row[slot] += 1.5


@njit
def slopes(gram: Any, starts: Any, codes: Any, weights: Any, least: float, out: Any) -> None:
    """The slopes of every item's candidates, with the weights of its regression."""
    for item in range(len(starts) - 1):
        candidates = np.flatnonzero(gram[item] > least)
        for at in range(starts[item], starts[item + 1]):
            row = gram[codes[at]]
            for number, k in enumerate(candidates):
                out[number] -= weights[at] * row[k]


def seconds(work: Loop) -> float:
    """The least of two, after a first time that may compile."""
    work()
    taken = []
    for _ in range(2):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


def fitted(spelled: str, train: Ratings) -> Any:
    return parse("recommender", spelled).fit(train, Seeds(1))


def steps(train: Ratings) -> tuple[str, Loop, Loop]:
    """BPRMF."""
    rng = np.random.default_rng(1)
    count = _EPOCHS * len(train)
    drawn = [rng.integers(0, n, count) for n in (train.n_users, train.n_items, train.n_items)]
    x, y = (np.zeros((n, _FACTORS), np.float32) for n in (train.n_users, train.n_items))
    spelled = f"BPRMF(factors={_FACTORS}, epochs={_EPOCHS})"
    return spelled, lambda: fitted(spelled, train), lambda: step_rows(*drawn, x, y)


def pairs(train: Ratings) -> tuple[str, Loop, Loop]:
    """user-kNN."""
    offsets, codes, _ = rows = profiles(train)
    starts, others, _ = transposed(rows, train.n_items)
    sums = np.zeros(train.n_users)
    return (
        "user-kNN",
        lambda: fitted("user-kNN", train),
        lambda: add_pairs(offsets, codes, starts, others, sums),
    )


def eights(train: Ratings) -> tuple[str, Loop, Loop]:
    """RM2, for some users."""
    offsets, codes, _ = rows = profiles(train)
    starts, near, _ = cosine_neighbours(rows, train.n_items, 100)
    users = np.linspace(0, train.n_users - 1, _USERS).astype(np.int32)
    model, sums = fitted("RM2(k=100)", train), np.zeros((train.n_items, 8))

    def bare() -> None:
        for user in users:
            own = int(offsets[user + 1] - offsets[user])
            add_eights(near[starts[user] : starts[user + 1]], own, offsets, codes, sums)

    return f"RM2(k=100), {_USERS} users", lambda: model.predict(users), bare


def certificates(train: Ratings) -> tuple[str, Loop, Loop]:
    """SLIM with all candidates."""
    spelled = f"SLIM(l1=10, l2=300, candidates={train.n_items})"
    matrix = train.matrix()
    gram = np.ascontiguousarray((matrix.T @ matrix).toarray(), dtype=np.float64)
    np.fill_diagonal(gram, 0.0)
    starts, codes, weights = transposed(tuple(fitted(spelled, train).weights), train.n_items)
    out = np.zeros(train.n_items)
    return (
        spelled,
        lambda: fitted(spelled, train),
        lambda: slopes(gram, starts, codes, weights, 10.0, out),
    )


def main(data: str = "ml-1m") -> None:
    """Print a line for each recommender."""
    os.environ["CRANFIELD_THREADS"] = "1"
    inventory.load("recommender")
    train = cf.split(cf.read(data), "per-user(test_share=0.2)", seed=1).train
    for make in (steps, pairs, eights, certificates):
        name, work, bare = make(train)
        taken, least = seconds(work), seconds(bare)
        print(f"{name}: {taken:.3g} s, {least:.3g} s alone: {taken / least:.2f}×", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
