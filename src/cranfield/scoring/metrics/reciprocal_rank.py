"""Reciprocal rank: how soon the first relevant item comes."""

from __future__ import annotations

from math import comb, nan

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.propensity import Propensity
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    RELEVANCE,
    is_relevant,
    is_seen,
    last_rank,
    tie_groups,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.metrics.weighted import ESTIMATOR, PROPENSITY, WeighableMetric
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "RR", aliases=("MRR", "reciprocal-rank"))
@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(WeighableMetric):
    r"""Inverse of the rank of the first relevant item.

        RR@n = 1 / min{k ≤ n : L[k] ∈ R_u}

    0 if no relevant item is in the top n. Undefined without a relevant item.
    Between 0 and 1, higher is better. valcarce2020 eq. 6.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> ReciprocalRank().of_topic(topic_hits([1, 4], [2, 5]))
    0.25
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def plain_score(self, topic: TopicHits) -> float:
        """One over the first relevant rank."""
        relevant = is_relevant(topic, self.relevance)
        if not relevant.any():
            return nan
        ranks = topic.ranks[relevant & is_seen(topic, self.cutoff)]
        return 1 / int(ranks[0]) if len(ranks) else 0.0

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders, which only the first tie group with a relevant item decides.

        Of s tied items, r of them relevant, the first relevant one is the j-th with chance
        C(s−j, r−1)/C(s, r).
        """
        if not is_relevant(topic, self.relevance).any():
            return nan
        group = next(tie_groups(topic, self.relevance), None)
        if group is None:
            return 0.0
        bottom = min(group.last, last_rank(topic, self.cutoff))
        orders = comb(group.size, group.relevant)
        return sum(
            comb(group.last - k, group.relevant - 1) / orders / k
            for k in range(group.first, bottom + 1)
        )
