"""How long rankings by factors take, beside the products of all users and items by BLAS alone.

    python benchmarks/product_rankings.py [--data gowalla] [--rounds 5] [SYSTEM …]

Each line has the medians of the processor seconds of one thread, in turn, for the first 100 and the
first 20 items of every user, and for the products in single precision; their ratio; the share of
the products that were made; and the beginning of a fingerprint of the rankings.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from single_system import all_items

import cranfield as cf
from cranfield.base.files import fingerprint
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.target import Targets
from cranfield.collection.test_collection import collect
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.products import BoundedProducts
from cranfield.recommendation.ranking.rank import Ranked, rank
from cranfield.recommendation.recommender import Factors
from cranfield.workbench import inventory

_SYSTEMS = (
    "WRMF(factors=64, regularisation=5, alpha=10)",
    "WRMF(factors=128, regularisation=5, alpha=10)",
    "PureSVD(factors=64)",
    "BPRMF(factors=64, epochs=20)",
)
_USERS = 256
_made = [0]


def count_products() -> None:
    """Have the products counted that rankings make."""
    blocks = BoundedProducts._blocks

    def counted(*given: Any) -> Iterator[Any]:
        for each in blocks(*given):
            _made[0] += each[-1].size
            yield each

    BoundedProducts._blocks = counted  # type: ignore[assignment, method-assign]


def multiply(factors: Factors) -> None:
    """All products in single precision, those of some users at a time."""
    users, items = factors.users.astype(np.float32), factors.items.astype(np.float32)
    space = np.empty((_USERS, items.shape[1]), np.float32)
    with one_blas_thread():
        for start in range(0, len(users), _USERS):
            rows = users[start : start + _USERS]
            np.dot(rows, items, out=space[: len(rows)])


def compare(spelled: str, model: Any, targets: Targets, depth: int, rounds: int) -> None:
    """Print one line."""
    factors, ours, alone = model.factors(), [], []
    pairs = len(targets.topics.users) * factors.items.shape[1]
    for number in range(rounds + 1):  # the first may compile
        _made[0], start = 0, process_time()
        (ranked,) = rank(model, [targets], RankingChoice(depth=depth), reach=depth)
        middle = process_time()
        multiply(factors)
        if number:
            ours.append(middle - start)
            alone.append(process_time() - middle)
    taken, least = median(ours), median(alone)
    print(
        f"{spelled:48} {depth:3}: {taken:5.2f} s, {least:5.2f} s by BLAS: {taken / least:.2f}×, "
        f"{_made[0] / pairs:4.0%} of the products, {mark(ranked)}",
        flush=True,
    )


def mark(ranked: Ranked) -> str:
    """The beginning of a fingerprint of a run and its hits."""
    run, hits = ranked.run, ranked.hits
    arrays = run.items, run.predictions, run.tied, hits.ranks, hits.first, hits.last
    return fingerprint(*arrays)[:12]


def main() -> None:
    parser = argparse.ArgumentParser(description="Rankings by factors beside BLAS.")
    parser.add_argument("--data", default="gowalla")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("systems", nargs="*", default=_SYSTEMS)
    arguments = parser.parse_args()
    os.environ["CRANFIELD_THREADS"] = "1"
    inventory.load()
    count_products()
    parts = cf.split(cf.read(arguments.data), "per-user(test_share=0.2)", seed=1)
    targets = all_items(collect(parts.train, parts.test, relevance=1))
    for spelled in arguments.systems:
        model = parse("recommender", spelled).fit(parts.train, Seeds(1))
        for depth in (100, 20):
            compare(spelled, model, targets, depth, arguments.rounds)


if __name__ == "__main__":
    main()
