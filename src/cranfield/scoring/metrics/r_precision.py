"""R-precision: precision at the number of relevant items."""

from __future__ import annotations

from math import nan

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.metrics.correcting import CORRECTION, CorrectableMetric
from cranfield.scoring.metrics.reading import RELEVANCE, chance_within, is_relevant, is_seen
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "Rprec", aliases=("R-precision",))
@dataclass(frozen=True, kw_only=True)
class RPrecision(CorrectableMetric):
    r"""Share of relevant items among as many as there are relevant ones.

        Rprec = |L^n ∩ R_u| / n,  n = |R_u|

    Precision and recall are the same there. Undefined without a relevant item.
    Between 0 and 1, higher is better. trec_eval's Rprec.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> RPrecision().of_topic(topic_hits([1, 3], [5, 4]))
    0.5
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    correction: SampleCorrection | None = parameter(None, CORRECTION)

    def plain_score(self, topic: TopicHits) -> float:
        """The share of the relevant items on as many ranks."""
        relevant = is_relevant(topic, self.relevance)
        n = int(relevant.sum())
        return float((relevant & is_seen(topic, n)).sum() / n) if n else nan

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each item by its chance to be in the top |R_u|."""
        relevant = is_relevant(topic, self.relevance)
        n = int(relevant.sum())
        return float(chance_within(topic, n)[relevant].sum() / n) if n else nan
