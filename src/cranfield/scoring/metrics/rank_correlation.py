"""How alike the order of judged items is to the order of their ratings."""

from __future__ import annotations

from math import nan
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.gain import Floats
from cranfield.scoring.metric import Metric


def listed_ratings(topic: TopicHits) -> Floats:
    """The ratings of the judged items in the list, from the top: the condensed list."""
    return topic.ratings[: topic.ranked]


@option("metric", "KendallTau", aliases=("tau",))
@dataclass(frozen=True, kw_only=True)
class KendallTau(Metric):
    r"""Kendall's τ between the judged items by rank and by (rating, then rank).

        τ = 1 − 4·D / (m·(m−1)),  D = |{i above j : r_i < r_j}|

    m judged items are in the list. Items of equal rating take the order of the list, so
    they are never out of order. Undefined with fewer than two judged items in the list.
    Between −1 and 1, higher is better. Meant for condensed lists. canamares2020 C2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> KendallTau().of_topic(topic_hits([1, 2, 3, 4], [5, 2, 4, 4]))  # 1 − 4·2/(4·3)
    0.333...
    """

    lowest: ClassVar[float] = -1.0

    def of_topic(self, topic: TopicHits) -> float:
        """Pairs in order less pairs out of order, over all pairs."""
        ratings = listed_ratings(topic)
        m = len(ratings)
        if m < 2:
            return nan
        discordant = sum(int((ratings[:j] < ratings[j]).sum()) for j in range(1, m))
        return 1 - 4 * discordant / (m * (m - 1))


@option("metric", "TauAP")
@dataclass(frozen=True, kw_only=True)
class TauAP(Metric):
    r"""τ_AP, Kendall's τ with more weight at the top, between list and ratings.

        τ_AP = 2/(m−1) · Σ_{j=2..m} C(j)/(j−1) − 1,  C(j) = |{i above j : r_i ≥ r_j}|

    m judged items are in the list; the other order is by (rating, then rank). Undefined
    with fewer than two judged items in the list. Between −1 and 1, higher is better; but a
    better item moved up can lower it, by what it then shows to be wrong above it.
    Meant for condensed lists. Yilmaz, Aslam & Robertson 2008; canamares2020 C2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> TauAP().of_topic(topic_hits([1, 2, 3], [5, 2, 4]))  # 2/2 · (1/1 + 1/2) − 1
    0.5
    """

    lowest: ClassVar[float] = -1.0
    rewards_swaps: ClassVar[bool] = False

    def of_topic(self, topic: TopicHits) -> float:
        """The mean share of items rightly above, from the second rank on."""
        ratings = listed_ratings(topic)
        m = len(ratings)
        if m < 2:
            return nan
        shares = sum(int((ratings[:j] >= ratings[j]).sum()) / j for j in range(1, m))
        return 2 * shares / (m - 1) - 1


@option("metric", "RBO")
@dataclass(frozen=True, kw_only=True)
class RBO(Metric):
    r"""Rank-biased overlap of the judged items by rank and by (rating, then rank).

        RBO = (1−p) · Σ_{d=1..m} p^(d−1)·A_d + p^m,  A_d = |top d of both| / d

    m judged items are in the list, the same in both orders; so all deeper agreement is
    complete, which the last term adds. Undefined without a judged item in the list.
    Between 0 and 1, higher is better. Meant for condensed lists. Webber, Moffat & Zobel
    2010; canamares2020 C2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> RBO(p=0.5).of_topic(topic_hits([1, 2], [4, 5]))  # 0.5 · (0 + 0.5·1) + 0.25
    0.5
    """

    p: float = parameter(
        text="φ, the probability of going on from one depth to the next.", above=0, below=1
    )

    def of_topic(self, topic: TopicHits) -> float:
        """The expected agreement at the depth where a reader stops."""
        ratings = listed_ratings(topic)
        m = len(ratings)
        if m == 0:
            return nan
        place = np.empty(m, dtype=np.int64)
        place[np.argsort(-ratings, kind="stable")] = np.arange(m)
        later = np.maximum(place, np.arange(m))  # an item is shared once both orders have it
        depths = np.arange(1, m + 1)
        agreement = np.cumsum(np.bincount(later, minlength=m)) / depths
        return float((1 - self.p) * (self.p ** (depths - 1.0) @ agreement) + self.p**m)
