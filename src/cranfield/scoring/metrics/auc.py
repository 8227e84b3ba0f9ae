"""AUC: how many pairs of a relevant and another item are in order."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.recommendation.hits import TopicHits
from cranfield.scoring.metric import Metric
from cranfield.scoring.metrics.reading import RELEVANCE, is_relevant, tie_groups


@option("metric", "AUC")
@dataclass(frozen=True, kw_only=True)
class AUC(Metric):
    r"""Share of the pairs of a relevant and another target that are in the right order.

        AUC = Σ_{i ∈ R_u} (others below i + ½·others beside i) ÷ (|R_u|·(|T_u| − |R_u|))

    The others are all targets that are not relevant, judged or not. Targets that are not
    in the list stand beside one another, below those in it. Undefined without a relevant
    target or without another. Between 0 and 1, higher is better, 0.5 by chance.

    >>> from cranfield.recommendation.hits import topic_hits
    >>> AUC().of_topic(topic_hits([1, 4], [5, 4]))  # 2 and 0 of the two others are below
    0.5
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))

    def of_topic(self, topic: TopicHits) -> float:
        """The pairs in order, over all pairs."""
        relevant = is_relevant(topic, self.relevance)
        ranks = topic.ranks[relevant & (topic.ranks > 0)]
        above = ranks - np.arange(1, len(ranks) + 1)
        return self._share(topic, float(above.sum()), len(ranks))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: half of the others in a tie group are above."""
        above, before = 0.0, 0
        for group in tie_groups(topic, self.relevance):
            others = group.size - group.relevant
            above += group.relevant * (group.first - 1 - before + others / 2)
            before += group.relevant
        return self._share(topic, above, before)

    def _share(self, topic: TopicHits, above: float, ranked: int) -> float:
        """The share of pairs, given how many others are above relevant items in the list."""
        relevant = int(is_relevant(topic, self.relevance).sum())
        others = topic.targets - relevant
        if relevant == 0 or others <= 0:
            return nan
        listed = topic.length - ranked
        above += (relevant - ranked) * (listed + (others - listed) / 2)
        return 1 - above / (relevant * others)
