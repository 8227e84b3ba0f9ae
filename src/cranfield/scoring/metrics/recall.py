"""Recall: how much of what is relevant is in the top n."""

from __future__ import annotations

from math import nan
from typing import Literal

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
    chance_within,
    depth_of,
    is_relevant,
    is_seen,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.metrics.weighted import ESTIMATOR, PROPENSITY, WeighableMetric
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "Recall", aliases=("R",))
@dataclass(frozen=True, kw_only=True)
class Recall(WeighableMetric):
    r"""Share of the relevant items that is in the top n.

        Recall@n = |L^n ∩ R_u| / |R_u|

    Undefined without a relevant item. Between 0 and 1, higher is better.
    valcarce2020 eq. 2. ``as=lenskit`` divides by min(n, |R_u|), so that 1 can be reached
    at any cut-off.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Recall(cutoff=3).of_topic(topic_hits([1, 4], [5, 4], unranked=[4, 4]))
    0.25
    """

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    as_: Literal["lenskit"] | None = parameter(None, "The tool whose definition is used.")
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def plain_score(self, topic: TopicHits) -> float:
        """The share of the relevant items seen."""
        relevant = is_relevant(topic, self.relevance)
        return self._share(topic, int((relevant & is_seen(topic, self.cutoff)).sum()))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each item counts by its chance to be in the top n."""
        chance = chance_within(topic, self.cutoff)
        return self._share(topic, float(chance[is_relevant(topic, self.relevance)].sum()))

    def _share(self, topic: TopicHits, hits: float) -> float:
        over = int(is_relevant(topic, self.relevance).sum())
        if over == 0:
            return nan
        if self.as_ == "lenskit" and self.cutoff is not None:
            over = min(over, depth_of(topic, self.cutoff))
        return hits / over
