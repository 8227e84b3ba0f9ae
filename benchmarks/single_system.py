"""One recommender on a test collection: its rankings of all items, and the seconds it took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cranfield.base.options import parse
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import choose_targets, parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.systems.system_pass import rank_systems


class Ranking(NamedTuple):
    """The lists and hits of one system, and the seconds of fitting and ranking."""

    system: str
    lists: Run
    hits: Hits
    seconds: Mapping[str, float]


def all_items(parts: TestCollection) -> Targets:
    """Everything but the user's training items, for the users with a test rating."""
    return choose_targets(parts, parse_targets("all-items"))


def rank_all(
    name: str, spelled: str, targets: Targets, *, seed: int = 0, depth: int = 100
) -> Ranking:
    """Fit one recommender and rank the targets."""
    experiment = Experiment(
        split=given_parts(targets.judgments.ratings, targets.train),
        systems={name: parse("recommender", spelled)},
        metrics=(),
        relevance=targets.judgments.relevance,
        seed=seed,
    )
    ((made, timing),) = rank_systems(experiment, targets, depth)
    assert made.lists is not None
    return Ranking(name, made.lists, made.hits, timing.seconds)
