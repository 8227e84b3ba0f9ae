"""TrialData: what all settings are tried on, and what a trial leaves in the store."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from time import perf_counter

from cranfield.base.dataclass import dataclass
from cranfield.collection.target import Targets
from cranfield.recommendation.recommender import Recommender
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.systems.system_pass import RecommenderPass
from cranfield.workbench.store.store import Entry, Store

KIND = "trial"
"""The kind of what the store has of a trial: its value and its seconds."""


@dataclass(frozen=True, eq=False)
class TrialData:
    """The targets of each validation part, and how rankings of them are judged."""

    condition: RankingCondition
    targets: tuple[Targets, ...]

    def value(self, system: Recommender) -> tuple[float, float]:
        """The mean score of a setting, fitted, ranked and scored; and the seconds it took.

        Users whom it does not cover score 0.
        """
        start, scored = perf_counter(), list[Scores]()
        (metric,) = self.condition.metrics
        for number, targets in enumerate(self.targets):
            asked = {0: (self.condition, targets)}
            passing = RecommenderPass("trial", system, targets.train, asked, Store(None), Timing())
            ((_, output),) = passing.outputs(number)
            made = Scores.from_systems(
                targets.topics,
                targets.train.user_ids,
                (str(metric),),
                {"trial": output.values},
                {"trial": output.hits.lengths},
            )
            weights = self.condition.topic_weights(targets)
            scored.append(replace(made, topic_weights=weights))
        choice = SummaryChoice(undefined=self.condition.experiment.undefined)
        found = summarise(join_folds(scored), choice).rows[0].value
        return found, perf_counter() - start


def entry_of(value: float, seconds: float) -> Entry:
    """What the store keeps of a trial."""
    return Entry({}, {"value": None if isnan(value) else value, "seconds": seconds})


def holds_trial(entry: Entry) -> bool:
    """Whether an entry has what a trial leaves."""
    value, seconds = entry.facts.get("value"), entry.facts.get("seconds")
    return (value is None or isinstance(value, float)) and isinstance(seconds, float)
