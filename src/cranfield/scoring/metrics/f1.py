"""F1: precision and recall in one number."""

from __future__ import annotations

from math import nan

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION, CorrectableMetric
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    RELEVANCE,
    chance_within,
    depth_of,
    is_relevant,
    is_seen,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "F1", aliases=("F", "F-measure"))
@dataclass(frozen=True, kw_only=True)
class F1(CorrectableMetric):
    r"""Harmonic mean of precision and recall.

        F1@n = 2·P·Recall / (P + Recall) = 2·|L^n ∩ R_u| / (n + |R_u|)

    Both forms are the same because P is always divided by n; 0 without a hit. Without a
    cut-off, n is the length of the list. Undefined without a relevant item.
    Between 0 and 1, higher is better. valcarce2020 eq. 3.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> F1(cutoff=4).of_topic(topic_hits([1, 4], [5, 4], unranked=[4, 4]))
    0.5
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def plain_score(self, topic: TopicHits) -> float:
        """Twice the hits, as a share of n and |R_u| together."""
        relevant = is_relevant(topic, self.relevance)
        return self._mean(topic, int((relevant & is_seen(topic, self.cutoff)).sum()))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: F1 is linear in the number of hits."""
        chance = chance_within(topic, self.cutoff)
        return self._mean(topic, float(chance[is_relevant(topic, self.relevance)].sum()))

    def _mean(self, topic: TopicHits, hits: float) -> float:
        relevant = int(is_relevant(topic, self.relevance).sum())
        return 2 * hits / (depth_of(topic, self.cutoff) + relevant) if relevant else nan
