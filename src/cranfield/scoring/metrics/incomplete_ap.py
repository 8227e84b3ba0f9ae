"""Average precision of lists without their unjudged items, or with a sample of them."""

from __future__ import annotations

from math import nan

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import CUTOFF, RELEVANCE, is_relevant, is_seen


@option("metric", "IndAP", aliases=("induced-AP",))
@dataclass(frozen=True, kw_only=True)
class InducedAP(Metric):
    r"""Average precision of the list without its unjudged items.

        IndAP@n = 1/|R_u| · Σ_{k≤n} 1[L[k] ∈ R_u] · rel(k)/(rel(k) + nonrel(k))

    rel(k) and nonrel(k) count the judged items on the first k ranks, L[k] included; n
    counts ranks of the whole list. AP of condensed lists, without cutting targets down to
    what is judged. Undefined without a relevant item. Between 0 and 1, higher is better.
    Yilmaz & Aslam 2006 §2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> InducedAP().of_topic(topic_hits([1, 5, 9], [5, 1, 4]))  # (1/1 + 2/3) / 2
    0.8333...
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The precisions among judged items at the ranks of relevant ones, over |R_u|."""
        return _average(topic, self.relevance, self.cutoff, 0.0)


@option("metric", "SubAP", aliases=("subcollection-AP",))
@dataclass(frozen=True, kw_only=True)
class SubcollectionAP(Metric):
    r"""Average precision of the list with a share p of its unjudged items left in.

        SubAP@n = 1/|R_u| · Σ_{k≤n} 1[L[k] ∈ R_u] · rel(k)/(rel(k) + nonrel(k) + p·unjudged(k))

    Judged items are taken for a sample of the collection at rate p; what is unjudged is
    then in the sample at the same rate, and counts as non-relevant there. Its expected
    number stands in for a drawn one, so that scores are not random. p = 1 is AP, p → 0 is
    IndAP. Undefined without a relevant item. Between 0 and 1, higher is better.
    Yilmaz & Aslam 2006 §2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> SubcollectionAP(p=0.5).of_topic(topic_hits([1, 4], [5, 4]))  # (1/1 + 2/(2 + 0.5·2)) / 2
    0.8333...
    """

    p: float = parameter(text="The share of items that are judged.", above=0, at_most=1)
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The precisions in the sample at the ranks of relevant items, over |R_u|."""
        return _average(topic, self.relevance, self.cutoff, self.p)


def _average(topic: TopicHits, relevance: float | None, cutoff: int | None, p: float) -> float:
    relevant = is_relevant(topic, relevance)
    if not relevant.any():
        return nan
    found, judged = np.cumsum(relevant), np.arange(1, len(relevant) + 1)
    counted = relevant & is_seen(topic, cutoff)
    sizes = (judged + p * (topic.ranks - judged))[counted]
    return float((found[counted] / sizes).sum() / relevant.sum())
