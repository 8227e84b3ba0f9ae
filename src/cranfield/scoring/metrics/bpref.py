"""Bpref: preferences among judged items only."""

from __future__ import annotations

from math import inf, nan
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
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

    ``as=bellogin2017`` has no minimum above the fraction line, 1 − |L^k ∩ N_u| /
    min(|N_u|, |R_u|), so that a relevant item below more than |R_u| judged non-relevant
    ones counts against the list: at most 1, without a lower bound (bellogin2017 §7).

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Bpref().of_topic(topic_hits([1, 5, 9], [5, 1, 4], unranked=[1]))  # (1 + 1/2) / 2
    0.75
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    as_: Literal["bellogin2017"] | None = parameter(None, "The paper whose definition is used.")
    cutoff: int | None = cutoff_parameter(CUTOFF)

    @property
    def lowest(self) -> float:  # type: ignore[override]
        """0, but for the form without the minimum."""
        return 0.0 if self.as_ is None else -inf

    @property
    def rewards_swaps(self) -> bool:  # type: ignore[override]
        """Always, but where a relevant item can count against the list."""
        return self.as_ is None

    def of_topic(self, topic: TopicHits) -> float:
        """The brackets of the relevant items seen, over |R_u|."""
        relevant, seen = is_relevant(topic, self.relevance), is_seen(topic, self.cutoff)
        total = int(relevant.sum())
        if total == 0:
            return nan
        most = max(1, min(total, len(relevant) - total))
        above = np.cumsum(~relevant)[relevant & seen]
        capped = np.minimum(above, total) if self.as_ is None else above
        return float(sum(1 - worse / most for worse in capped.tolist()) / total)
