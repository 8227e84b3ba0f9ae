"""Ranking as a step: training and test ratings, systems and target sets in, runs out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.base import options
from cranfield.base.errors import OptionError
from cranfield.base.seeds import Seeds
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import TargetChoice, Targets, parse_targets
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.adapter import adapt
from cranfield.recommendation.ranking import rank as ranking
from cranfield.recommendation.ranking.choice import RankingChoice, Ties, Unscored
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.recommendation.recommender import Recommender
from cranfield.workbench import inventory


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


def rank(  # noqa: PLR0913  (each is a decision of its own)
    train: Ratings,
    judgments: Judgments,
    systems: Mapping[str, Any] | Iterable[Any],
    targets: str | TargetChoice | Targets = "all-items",
    *,
    users: UserChoice | None = None,
    depth: int = 100,
    ties: Ties = "item-id",
    unscored: Unscored = "drop",
    seed: int = 0,
) -> dict[str, Ranked]:
    """Runs and hits of some systems: recommenders as spelled, or any models of the user's.

    ``targets`` says which items are ranked, as in "test-items, one-relevant, sampled(n=99)",
    or holds targets that were chosen before. All systems rank the same ones.

    >>> from cranfield import judge, rank, read, split
    >>> parts = split(read("simulated(size=tiny)"), "per-user", seed=1)
    >>> mine = lambda train, users: [train.item_counts] * len(users)
    >>> systems = {"kNN": "user-kNN(k=20)", "mine": mine}
    >>> made = rank(parts.train, judge(parts.test, relevance=4), systems, depth=10)
    >>> print(made["mine"].run.lengths.max())
    10
    """
    inventory.load()
    if not isinstance(targets, Targets):
        collection = share_ids(train, judgments)
        choice = parse_targets(targets) if isinstance(targets, str) else targets
        targets = choose_targets(collection, [choice], users or UserChoice(), seed)[0]
    how = RankingChoice(ties=ties, unscored=unscored, depth=depth, seed=seed)
    return {
        name: run_system(name, system, [targets], how).ranked[0]
        for name, system in name_systems(systems).items()
    }


def name_systems(systems: Mapping[str, Any] | Iterable[Any]) -> dict[str, Recommender]:
    """Recommenders by name; those without one are called by their spelling."""
    if isinstance(systems, Mapping):
        return {name: _recommender(given, name) for name, given in systems.items()}
    found = [_recommender(given) for given in ([systems] if isinstance(systems, str) else systems)]
    named = {str(system): system for system in found}
    if len(named) < len(found):
        raise OptionError("systems: two of them have the same name.")
    return named


def _recommender(given: Any, name: str | None = None) -> Recommender:
    parsed = options.parse("recommender", given) if isinstance(given, str) else given
    return adapt(parsed, name=name)


def share_ids(train: Ratings, judgments: Judgments) -> Collection:
    """Training and judgments under the same ids, those of both."""
    user_ids = train.user_ids.union(judgments.ratings.user_ids)
    item_ids = train.item_ids.union(judgments.ratings.item_ids)
    ratings = judgments.ratings.reindex(user_ids, item_ids)
    return Collection(train.reindex(user_ids, item_ids), replace(judgments, ratings=ratings))


def collect(train: Ratings, test: Ratings, relevance: float) -> Collection:
    """Bring training and test under the same ids; the scale is that of both."""
    lowest = min(train.values.min(), test.values.min())
    highest = max(train.values.max(), test.values.max())
    return share_ids(train, judge(test, relevance, (float(lowest), float(highest))))


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
    ranked = ranking.rank(predictor, targets, choice, name)
    return SystemRun(name, ranked, fitted - start, time.perf_counter() - fitted)
