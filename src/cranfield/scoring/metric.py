"""Metric: how good one ranking is, and RunMetric: what a whole run is like."""

from __future__ import annotations

from typing import ClassVar, Protocol

from cranfield.base.options import contract
from cranfield.recommendation.hits import TopicHits


@contract("metric")
class Metric(Protocol):
    """How good the ranking of one topic is (decision C2)."""

    lowest: ClassVar[float]
    """No score is below this."""
    highest: ClassVar[float]
    """No score is above this; infinite where there is no bound."""
    needs_popularity: ClassVar[bool]
    """Whether the popularity of judged targets must be known."""

    def of_topic(self, topic: TopicHits) -> float:
        """The score of one topic; NaN where the metric is undefined."""
        ...
