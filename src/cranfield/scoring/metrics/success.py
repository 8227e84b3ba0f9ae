"""Success: whether anything relevant is in the top n."""

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


@option("metric", "Success", aliases=("HitRate", "HR", "Hit"))
@dataclass(frozen=True, kw_only=True)
class Success(WeighableMetric):
    r"""Whether a relevant item is in the top n; its mean is the hit rate.

        Success@n = 1[L^n ∩ R_u ≠ ∅]

    Undefined without a relevant item. 0 or 1, higher is better. Spec of trec_eval's
    success; canamares2020 C2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Success(cutoff=3).of_topic(topic_hits([1, 4], [2, 5]))
    0.0
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def plain_score(self, topic: TopicHits) -> float:
        """1 if a relevant item is seen, else 0."""
        relevant = is_relevant(topic, self.relevance)
        if not relevant.any():
            return nan
        return float((relevant & is_seen(topic, self.cutoff)).any())

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders, which only the first tie group with a relevant item decides.

        Of s tied items, r relevant, m of whose ranks are in the top n, none of the m is
        relevant with chance C(s−r, m)/C(s, m).
        """
        if not is_relevant(topic, self.relevance).any():
            return nan
        group = next(tie_groups(topic, self.relevance), None)
        if group is None:
            return 0.0
        bottom = min(group.last, last_rank(topic, self.cutoff))
        within = max(0, bottom - group.first + 1)
        return 1 - comb(group.size - group.relevant, within) / comb(group.size, within)
