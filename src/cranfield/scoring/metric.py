"""Metric: how good one ranking is."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, TypeGuard, cast, runtime_checkable

from cranfield.base.decisions import parameter
from cranfield.base.options import contract
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.gain import Floats, RatingScale
from cranfield.scoring.run_metric import RunMetric

DEEPEST = 2**31 - 1
"""No list is longer, as items are numbered in 32 bits."""


@contract("metric")
class Metric(Protocol):
    """How good the ranking of one topic is (decision C2)."""

    lowest: ClassVar[float] = 0.0
    """No score is below this."""
    highest: ClassVar[float] = 1.0
    """No score is above this; infinite where there is no bound."""
    needs_popularity: ClassVar[bool] = False
    """Whether the popularity of judged targets must be known."""
    needs_lists: ClassVar[bool] = False
    """Whether all items of a list must be known, and not only where judged ones stand."""
    needs_catalogue: ClassVar[bool] = False
    """Whether all items must be known, those that nobody judged included."""
    ranks_targets_only: ClassVar[bool] = False
    """Whether items of a list that are no targets are passed over, as if they were not in it."""
    higher_is_better: ClassVar[bool] = True
    """Whether a higher score means a better ranking; not so for what only describes lists."""
    rewards_swaps: ClassVar[bool] = True
    """Whether a better item moved above a worse one never lowers the score."""
    weighs_unjudged: ClassVar[bool] = False
    """Whether its own formula has a term for unjudged items, so that none need be labelled."""
    needs_whole_lists: ClassVar[bool] = False
    """Whether ranks below the cut-off count too."""

    def of_topic(self, topic: TopicHits) -> float:
        """The score of one topic; NaN where the metric is undefined."""
        ...


@runtime_checkable
class ExpectedMetric(Protocol):
    """A metric whose mean over all orders of tied items has an exact form."""

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The expected score of one topic, every order of tied items as likely."""
        ...


@runtime_checkable
class WeighingMetric(Protocol):
    """A metric to which it is not the rating alone that makes a target worth more."""

    def worth(self, ratings: Floats, popularity: Floats, scale: RatingScale) -> Floats:
        """What each judged target is worth, so that the best order is by falling worth."""
        ...


def cutoff_of(metric: Metric | RunMetric) -> int | None:
    """The last rank that a metric looks at; None if it looks at the whole list.

    A corrected metric does: any rank of a sample may stand for one above the cut-off.
    """
    cutoff: int | None = getattr(metric, "cutoff", None)
    return None if metric.needs_whole_lists or is_corrected(metric) else cutoff


def is_corrected(metric: object) -> bool:
    """Whether a metric estimates, from sampled targets, its score of a ranking of all."""
    return getattr(metric, "correction", None) is not None


def cutoff_parameter(text: str, default: int | None = None) -> Any:
    """The field of an option that holds its cut-off."""
    return parameter(default, text, at_least=1, at_most=DEEPEST)


def labels_unjudged(metric: Metric) -> bool:
    """Whether a metric scores lists in which unjudged items have got a rating."""
    chosen = getattr(metric, "unjudged", "non-relevant")
    return chosen != "non-relevant" and not metric.weighs_unjudged


def is_weighted(metric: object) -> bool:
    """Whether a metric weighs judged targets by their propensities."""
    return getattr(metric, "propensity", None) is not None


def expects_ties(metric: object) -> TypeGuard[ExpectedMetric]:
    """Whether the mean over all orders of tied items has an exact form for a metric."""
    weighs = is_weighted(metric) or is_corrected(metric)
    plain = not weighs and not labels_unjudged(cast(Metric, metric))
    return isinstance(metric, ExpectedMetric) and plain


def is_better_higher(metric: Metric) -> bool:
    """Whether a higher score means a better ranking; it does not for what only describes."""
    return metric.higher_is_better and getattr(metric, "unjudged", "") != "residual"
