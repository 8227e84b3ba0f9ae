"""Ranking as a step: training and test ratings, systems and target sets in, runs out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.base.seeds import Seeds
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import TargetChoice
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.choice import RankingChoice
from cranfield.recommendation.ranking import Ranked, rank
from cranfield.recommendation.recommender import Recommender


@dataclass(frozen=True, eq=False)
class Collection:
    """Training ratings and judgments under the same ids."""

    train: Ratings
    judgments: Judgments


@dataclass(frozen=True, eq=False)
class SystemRun:
    """What one system made of each target set, and the seconds that it took."""

    system: str
    ranked: list[Ranked]
    fit_seconds: float
    rank_seconds: float


def collect(train: Ratings, test: Ratings, relevance: float) -> Collection:
    """Bring training and test under the same ids; the scale is that of both."""
    user_ids = train.user_ids.union(test.user_ids)
    item_ids = train.item_ids.union(test.item_ids)
    shared_train, shared_test = train.under(user_ids, item_ids), test.under(user_ids, item_ids)
    lowest = min(train.values.min(), test.values.min())
    highest = max(train.values.max(), test.values.max())
    judgments = judge(shared_test, relevance, (float(lowest), float(highest)))
    return Collection(shared_train, judgments)


def choose_targets(
    collection: Collection, choices: Sequence[TargetChoice], users: UserChoice, seed: int
) -> list[Targets]:
    """The target sets of some choices; the same for every system."""
    topics = choose_users(collection.train, collection.judgments, users)
    return [
        choice.choose(topics, collection.train, collection.judgments, seed) for choice in choices
    ]


def run_system(
    name: str,
    recommender: Recommender,
    targets: Sequence[Targets],
    choice: RankingChoice,
) -> SystemRun:
    """Fit a system on the training ratings and rank every target set in one pass.

    Draws depend on the seed and on the recommender's own text, not on the name that the
    system is given here, nor on which other systems run.
    """
    start = time.perf_counter()
    predictor = recommender.fit(targets[0].train, Seeds(choice.seed).child("fit", str(recommender)))
    fitted = time.perf_counter()
    ranked = rank(predictor, targets, choice, name)
    return SystemRun(name, ranked, fitted - start, time.perf_counter() - fitted)
