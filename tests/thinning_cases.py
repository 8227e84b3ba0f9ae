"""Hits of several systems on the same targets, for tests of thinning."""

from __future__ import annotations

import numpy as np

import cranfield.collection.targets
import cranfield.scoring.gains
import cranfield.scoring.metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics, UserChoice, choose_users
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.locate import locate
from cranfield.recommendation.runs.run import NO_IDS, Run
from cranfield.scoring.metric import Metric

METRICS: tuple[Metric, ...] = tuple(
    parse("metric", text)
    for text in (
        "P@5",
        "Recall@5",
        "nDCG@5",
        "AP@5",
        "RR",
        "Bpref",
        "InfAP",
        "StratifiedRecall(gamma=1)@5",
    )
)
POPULARITY = np.arange(1.0, 31.0)


def ratings_of(users: int = 12, items: int = 30, seed: int = 0) -> Ratings:
    """Test ratings from 1 to 5, about half of all pairs."""
    rng = np.random.default_rng(seed)
    rows, columns = np.nonzero(rng.random((users, items)) < 0.5)
    whole = Ratings.from_triples(
        np.repeat(np.arange(users), items),
        np.tile(np.arange(items), users),
        rng.integers(1, 6, users * items).astype(float),
    )
    chosen = np.zeros((users, items), dtype=bool)
    chosen[rows, columns] = True
    return whole.take(chosen.ravel())


def runs_of(count: int, users: int = 12, items: int = 30, seed: int = 0) -> dict[str, Run]:
    """Systems that list 20 items at random; one user has no list by the first."""
    rng = np.random.default_rng(seed + 1)
    runs = {}
    for number in range(count):
        lists = [
            rng.permutation(items)[: 0 if number == user == 0 else 20] for user in range(users)
        ]
        lengths = np.array([len(each) for each in lists])
        runs[f"s{number}"] = Run(
            f"s{number}",
            Topics(np.arange(users, dtype=np.int32)),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.concatenate(lists).astype(np.int32),
            np.concatenate([-np.arange(n, dtype=float) for n in lengths]),
            np.zeros(users, dtype=np.int64),
            NO_IDS,
        )
    return runs


def locate_all(runs: dict[str, Run], test: Ratings, targets: str = "all-items") -> dict[str, Hits]:
    judgments = judge(test, 4, (1, 5))
    train = test.take(np.zeros(0, dtype=np.int64))
    users = choose_users(train, judgments, UserChoice(least_train=0))
    chosen = parse_targets(targets).choose(users, TestCollection(train, judgments), seed=3)
    return {name: locate(run, chosen) for name, run in runs.items()}


def hits_of_systems(count: int = 4, seed: int = 0, targets: str = "all-items") -> dict[str, Hits]:
    return locate_all(runs_of(count, seed=seed), ratings_of(seed=seed), targets)
