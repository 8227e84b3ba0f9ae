"""Wrong options: metrics, gains, run metrics, aggregations, estimates, each with one fault.

They carry no @option, so that no other test meets them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from math import nan
from typing import Any, ClassVar

import numpy as np

from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.aggregation import Aggregation, LinearAggregation
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.gain import Gain, RatingScale
from cranfield.scoring.metric import Metric
from cranfield.scoring.run_metric import RunFacts, RunMetric
from cranfield.scoring.sample_correction import Discount, SampleCorrection
from cranfield.scoring.sampling.sampled_ranks import SampledRanks
from cranfield.scoring.scores import Floats


def found(topic: TopicHits, n: int | None = None) -> int:
    """The relevant items in the top n."""
    seen = (topic.ranks > 0) & (topic.ranks <= (n or topic.length))
    return int((seen & (topic.ratings >= topic.relevance)).sum())


@dataclass(frozen=True)
class Right(Metric):
    """Precision at n, without a fault."""

    cutoff: int | None = 3

    def of_topic(self, topic: TopicHits) -> float:
        n = self.cutoff or max(topic.length, 1)
        return found(topic, n) / n if len(topic.ratings) else nan

    def expected_of_topic(self, topic: TopicHits) -> float:
        return self.of_topic(topic)


class IgnoresTheCutOff(Right):
    highest: ClassVar[float] = np.inf

    def of_topic(self, topic: TopicHits) -> float:
        return found(topic) / (self.cutoff or 1) if len(topic.ratings) else nan


class ExceedsItsBounds(Right):
    def of_topic(self, topic: TopicHits) -> float:
        return 2 * super().of_topic(topic)


class PrefersWorseItems(Right):
    def of_topic(self, topic: TopicHits) -> float:
        return 1 - super().of_topic(topic)


class IsZeroWithoutJudgments(Right):
    def of_topic(self, topic: TopicHits) -> float:
        return super().of_topic(topic) if len(topic.ratings) else 0.0


class CountsTheTargets(Right):
    def of_topic(self, topic: TopicHits) -> float:
        return super().of_topic(topic) / (1 + topic.targets)


class WritesIntoTheTopic(Right):
    def of_topic(self, topic: TopicHits) -> float:
        score = super().of_topic(topic)
        topic.ratings[:] = 0
        return score


@dataclass(frozen=True)
class CountsItsCalls(Right):
    calls: Any = field(default_factory=count)

    def of_topic(self, topic: TopicHits) -> float:
        return float(super().of_topic(topic) / (1 + next(self.calls)))


class ExpectsTooMuch(Right):
    def expected_of_topic(self, topic: TopicHits) -> float:
        return super().of_topic(topic) + 0.5


class FallingGain(Gain):
    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        return scale.highest - ratings


class NegativeGain(Gain):
    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        return ratings - scale.highest


class RelativeGain(Gain):
    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        return np.asarray(ratings - ratings.min(initial=scale.highest))


class ThresholdGain(Gain):
    """Reads the threshold, and does not say so."""

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        return (ratings >= scale.relevance).astype(np.float64)


class SortingGain(Gain):
    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        ratings.sort()
        return np.zeros(len(ratings))


@dataclass(frozen=True)
class LongLists(RunMetric):
    """Mean length of lists, whatever the cut-off."""

    highest: ClassVar[float] = np.inf
    cutoff: int = 1

    def of_run(self, run: Run, facts: RunFacts) -> float:
        return float(run.lengths.mean())


class FirstUser(RunMetric):
    def of_run(self, run: Run, facts: RunFacts) -> float:
        return float(run.lengths[0] > 0)


class ItemCodes(RunMetric):
    highest: ClassVar[float] = np.inf

    def of_run(self, run: Run, facts: RunFacts) -> float:
        return float(np.abs(run.items).sum())


class BelowItsBounds(RunMetric):
    def of_run(self, run: Run, facts: RunFacts) -> float:
        return -float(run.lengths.max())


class LooksAtPredictions(RunMetric):
    lowest: ClassVar[float] = -np.inf

    def of_run(self, run: Run, facts: RunFacts) -> float:
        return float(run.predictions.sum())


class NeedsButDoesNotAsk(RunMetric):
    needs_vectors: ClassVar[bool] = True

    def of_run(self, run: Run, facts: RunFacts) -> float:
        return 0.0


class FirstTopicCountsTwice(Aggregation):
    def of_scores(self, entered: EnteredScores) -> float:
        return float(entered.scores.sum() + entered.scores[0])


class FirstSystemIsTheBase(Aggregation):
    compares: ClassVar[bool] = True

    def of_scores(self, entered: EnteredScores) -> float:
        return float((entered.scores - entered.all_scores[0]).mean())


class ComparesUnasked(Aggregation):
    def of_scores(self, entered: EnteredScores) -> float:
        return float(entered.scores.mean() - entered.all_scores.mean())


class ComparesWithOthersThanItNames(Aggregation):
    compares = ("s1",)

    def of_scores(self, entered: EnteredScores) -> float:
        return float(entered.scores.mean() - entered.all_scores[-1].mean())


class SharesOfTwo(LinearAggregation):
    def shares(self, entered: EnteredScores) -> Floats:
        return 2 * entered.weights


class IsNoNumber(Aggregation):
    def of_scores(self, entered: EnteredScores) -> float:
        return None  # type: ignore[return-value]


@dataclass(frozen=True)
class Estimates(SampleCorrection):
    """The discount of the sampled rank, with a fault."""

    fault: str

    def correct(self, sampled: SampledRanks, discount: Discount) -> Floats:
        found = discount(sampled.ranks.astype(np.float64), sampled.targets)
        if self.fault == "writes":
            sampled.ranks[:] = 1
        faults = {
            "undefined": np.full(len(found), np.nan),
            "place": found + np.arange(len(found)),
            "pooled": found + len(found),
        }
        return np.asarray(faults.get(self.fault, found))
