"""Fallout: how much of what is not relevant is in the top n."""

from __future__ import annotations

from math import nan
from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    RELEVANCE,
    chance_within,
    is_relevant,
    is_seen,
    last_rank,
)


@option("metric", "Fallout", aliases=("fall-out",))
@dataclass(frozen=True, kw_only=True)
class Fallout(Metric):
    r"""Share of the targets that are not relevant that is in the top n.

        Fallout@n = |L^n ∖ R_u| / |T_u ∖ R_u|

    All targets that are not relevant count, judged or not; an item that the collection
    does not know is passed over. Undefined without a relevant target or without another.
    Between 0 and 1, lower is better. Swets 1963; Herlocker et al. 2004 §4.2, with recall
    the two axes of the ROC curve.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Fallout(cutoff=3).of_topic(topic_hits([1, 4], [5, 4], targets=10))  # 2 of 8 others
    0.25
    """

    needs_catalogue: ClassVar[bool] = True
    ranks_targets_only: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = False
    rewards_swaps: ClassVar[bool] = False

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The others in the top n, over all others."""
        relevant = is_relevant(topic, self.relevance)
        return self._share(topic, int((relevant & is_seen(topic, self.cutoff)).sum()))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each relevant item by its chance to be in the top n."""
        chance = chance_within(topic, self.cutoff)
        return self._share(topic, float(chance[is_relevant(topic, self.relevance)].sum()))

    def _share(self, topic: TopicHits, hits: float) -> float:
        relevant = int(is_relevant(topic, self.relevance).sum())
        others = topic.targets - relevant
        if not relevant or others <= 0:
            return nan
        return (last_rank(topic, self.cutoff) - hits) / others
