"""Precision: the relevant share of the top n."""

from __future__ import annotations

from math import nan
from typing import ClassVar, Literal

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
    scale_of,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.metrics.weighted import ESTIMATOR, PROPENSITY, WeighableMetric
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "P", aliases=("precision", "prec"))
@dataclass(frozen=True, kw_only=True)
class Precision(WeighableMetric):
    r"""Share of the top n that is relevant.

        P@n = |L^n ∩ R_u| / n

    Always divided by n, also for a shorter list; without a cut-off, by the length of the
    list. ``unjudged=relevant`` counts unjudged items of the list as relevant,
    ``unjudged=residual`` gives what that adds; ``unjudged=minimal`` counts them as rated
    lowest, which is relevant only where everything is. Undefined without a relevant item.
    Between 0 and 1, higher is better. valcarce2020 eq. 1.

    ``as=lenskit`` divides by the number of items in the top n, and is undefined for an
    empty list. ``as=implicit`` divides by min(n, |R_u|), a capped recall (implicit then
    adds up both parts over all users instead of averaging).

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> Precision(cutoff=4).of_topic(topic_hits([1, 2, 3], [5, 1, 4]))
    0.5
    """

    weighs_unjudged: ClassVar[bool] = True

    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    as_: Literal["lenskit", "implicit"] | None = parameter(
        None, "The tool whose definition is used."
    )
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def plain_score(self, topic: TopicHits) -> float:
        """The relevant share of the top n."""
        relevant, seen = is_relevant(topic, self.relevance), is_seen(topic, self.cutoff)
        return self._share(topic, int((relevant & seen).sum()), int(seen.sum()))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each item counts by its chance to be in the top n."""
        chance = chance_within(topic, self.cutoff)
        hits = float(chance[is_relevant(topic, self.relevance)].sum())
        return self._share(topic, hits, float(chance.sum()))

    def _share(self, topic: TopicHits, hits: float, judged: float) -> float:
        """The share of hits, given how many are relevant and how many are judged."""
        n, relevant = depth_of(topic, self.cutoff), is_relevant(topic, self.relevance).sum()
        if relevant == 0 or (self.as_ == "lenskit" and topic.length == 0):
            return nan
        unjudged = min(n, topic.length) - judged
        counted = {"non-relevant": hits, "relevant": hits + unjudged, "residual": unjudged}
        scale = scale_of(topic, self.relevance)
        counted["minimal"] = hits + unjudged * (scale.lowest >= scale.relevance)
        over = {None: n, "lenskit": min(n, topic.length), "implicit": min(n, relevant)}[self.as_]
        return float(counted[self.unjudged] / over) if over else 0.0
