"""What a ranking of all relevant items bounds the precision of rankings of one each by."""

from __future__ import annotations

from math import inf, nan
from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import UNRANKED, TopicHits
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import RELEVANCE, is_relevant


@option("metric", "BoundOf1R")
@dataclass(frozen=True, kw_only=True)
class OneRelevantBound(Metric):
    r"""Relevant items among the top n + |R_u| − 1 of a ranking of all of them, divided by n.

        m_u·P@m_u / n,  m_u = n + |R_u| − 1

    Summed over users and divided by |PR_test|, no 1R precision at n with the same
    non-relevant items is above it; with P@n in its place, none is below (bellogin2017 §3.4,
    eq. 2). Undefined without a relevant item. At least 0, higher is better.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> OneRelevantBound(cutoff=2).of_topic(topic_hits([1, 3, 4], [5, 5, 5]))
    1.5
    """

    highest: ClassVar[float] = inf
    needs_whole_lists: ClassVar[bool] = True

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    cutoff: int = cutoff_parameter("n, how many ranks of the 1R rankings count.", 10)

    def of_topic(self, topic: TopicHits) -> float:
        """The relevant items that could be in the top n by themselves, over n."""
        relevant = is_relevant(topic, self.relevance)
        count = int(relevant.sum())
        if not count:
            return nan
        ranks = topic.ranks[relevant]
        reached = (ranks != UNRANKED) & (ranks <= self.cutoff + count - 1)
        return float(reached.sum()) / self.cutoff
