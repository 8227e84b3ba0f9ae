"""What a list is like, good or not: how much of it is judged, and how deep."""

from __future__ import annotations

from math import inf, nan
from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import CUTOFF, chance_within, depth_of, is_seen


@option("metric", "Unrated", aliases=("unjudged",))
@dataclass(frozen=True, kw_only=True)
class Unrated(Metric):
    r"""Share of the top n that is unjudged.

        Unrated@n = |{k ≤ n : L[k] unjudged}| / min(n, |L|)

    One less Judged@n. Undefined for an empty list. Between 0 and 1, neither end is
    better. canamares2020 Fig. 3.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Unrated(cutoff=4).of_topic(topic_hits([1], [5], length=10))
    0.75
    """

    higher_is_better: ClassVar[bool] = False
    rewards_swaps: ClassVar[bool] = False

    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The unjudged share of what is in the top n."""
        return self._share(topic, float(is_seen(topic, self.cutoff).sum()))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each judged item by its chance to be in the top n."""
        return self._share(topic, float(chance_within(topic, self.cutoff).sum()))

    def _share(self, topic: TopicHits, judged: float) -> float:
        n = min(depth_of(topic, self.cutoff), topic.length)
        return 1 - judged / n if n else nan


@option("metric", "CondensedDepth", aliases=("condensed-position",))
@dataclass(frozen=True, kw_only=True)
class CondensedDepth(Metric):
    r"""Rank in the full list of the n-th judged item: how deep a condensed list reaches.

    Undefined if fewer than n judged items are in the list. From 1 up; neither end is
    better. canamares2020 Fig. 5.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> CondensedDepth(cutoff=2).of_topic(topic_hits([3, 40], [1, 5]))
    40.0
    """

    lowest: ClassVar[float] = 1.0
    highest: ClassVar[float] = inf
    higher_is_better: ClassVar[bool] = False
    rewards_swaps: ClassVar[bool] = False
    needs_whole_lists: ClassVar[bool] = True

    cutoff: int = cutoff_parameter("Which judged item, counted from the top.", 10)

    def of_topic(self, topic: TopicHits) -> float:
        """The rank of the n-th judged item."""
        return float(topic.ranks[self.cutoff - 1]) if topic.ranked >= self.cutoff else nan
