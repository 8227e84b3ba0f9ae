"""Expected reciprocal rank: how soon a user is satisfied."""

from __future__ import annotations

from math import nan
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.gain import Gain
from cranfield.scoring.gains.stopping import Stopping
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION, CorrectableMetric
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    GAIN,
    RELEVANCE,
    is_seen,
    own_shares,
    refuse_idle_relevance,
    shares_of,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "ERR")
@dataclass(frozen=True, kw_only=True)
class ERR(CorrectableMetric):
    r"""Expected inverse rank at which a user stops who reads from the top.

        ERR@n = Σ_{k≤n} 1/k · g(r_k) · Π_{j<k} (1 − g(r_j)),  g(r) = (2^r − 1)/2^rmax

    g is the chance to stop at an item; unjudged items stop nobody. rmax is the highest
    rating of the collection; with top=user, as in rec_eval, the highest that the user gave
    to a target. Undefined without a judged item of positive gain; gains must be at most 1.
    Between 0 and 1, higher is better. Chapelle et al. 2009; valcarce2020 eqs 7 and 8.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> 32 * ERR().of_topic(topic_hits([1, 2], [1, 5]))  # 1 + 31/32 · 31/2
    16.015625
    """

    gain: Gain = parameter(Stopping(), GAIN)
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    top: Literal["collection", "user"] = parameter(
        "collection", "Whose highest rating rmax is: that of the collection or of the user."
    )
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def __post_init__(self) -> None:
        refuse_idle_relevance(self)
        super().__post_init__()

    def plain_score(self, topic: TopicHits) -> float:
        """One over the rank at which the user stops, in expectation."""
        gains, seen = shares_of(topic, self.gain, self.relevance), is_seen(topic, self.cutoff)
        if self.top == "user" and len(gains):
            gains = own_shares(topic, self.gain, self.relevance)
        if not gains.any():
            return nan
        score, reaching = 0.0, 1.0
        for k, gain in zip(topic.ranks[seen].tolist(), gains[seen].tolist(), strict=True):
            score += reaching * gain / k
            reaching *= 1 - gain
        return score
