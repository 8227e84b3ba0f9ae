"""Bpref: preferences among judged items only."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import CUTOFF, RELEVANCE, is_relevant, is_seen


@option("metric", "Bpref")
@dataclass(frozen=True, kw_only=True)
class Bpref(Metric):
    r"""Relevant items found, each less by the judged non-relevant items above it.

        Bpref@n = 1/|R_u| · Σ_{k≤n} 1[L[k] ∈ R_u]
                  · (1 − min(|L^k ∩ N_u|, |R_u|) / min(|N_u|, |R_u|))

    The bracket is 1 while no judged non-relevant item is above, so nothing is divided by
    0 where N_u is empty. Unjudged items play no part. Undefined without a relevant item.
    Between 0 and 1, higher is better. Buckley & Voorhees 2004; valcarce2020 eq. 9.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Bpref().of_topic(topic_hits([1, 5, 9], [5, 1, 4], unranked=[1]))  # (1 + 1/2) / 2
    0.75
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The brackets of the relevant items seen, over |R_u|."""
        relevant, seen = is_relevant(topic, self.relevance), is_seen(topic, self.cutoff)
        total = int(relevant.sum())
        if total == 0:
            return nan
        most = max(1, min(total, len(relevant) - total))
        above = np.cumsum(~relevant)[relevant & seen]
        return float(sum(1 - min(worse, total) / most for worse in above.tolist()) / total)
