"""Rank-biased precision, and what unjudged items leave open."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.propensity import Propensity
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.gain import Floats, Gain
from cranfield.scoring.gains.binary import Binary
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    GAIN,
    RELEVANCE,
    is_seen,
    mean_weight,
    refuse_idle_relevance,
    shares_of,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.metrics.weighted import ESTIMATOR, PROPENSITY, WeighableMetric
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "RBP")
@dataclass(frozen=True, kw_only=True)
class RBP(WeighableMetric):
    r"""Gain per item inspected by a user who goes on from each rank with chance p.

        RBP@n = (1−p) · Σ_{k≤n} g(r_k)·p^(k−1)
        residual = 1 − (1−p) · Σ_{k≤n, L[k] judged} p^(k−1)

    g is the gain, at most 1. ``unjudged`` says what unjudged items count as, in the list
    or beyond its end: non-relevant (the sum as it stands), relevant (with the residual
    added), minimal (with the residual times the gain of the lowest rating), or residual
    (the residual alone). Undefined without a judged item of positive
    gain. Between 0 and 1, higher is better. Moffat & Zobel 2008; canamares2020 C2.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> topic = topic_hits([1, 3], [5, 1])
    >>> RBP(p=0.5).of_topic(topic), RBP(p=0.5, unjudged="residual").of_topic(topic)
    (0.5, 0.375)
    """

    weighs_unjudged: ClassVar[bool] = True

    p: float = parameter(
        text="φ, the probability of going on from one rank to the next.", above=0, below=1
    )
    gain: Gain = parameter(Binary(), GAIN)
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def __post_init__(self) -> None:
        refuse_idle_relevance(self)
        super().__post_init__()

    def plain_score(self, topic: TopicHits) -> float:
        """The gains seen, weighted by the chance to inspect them."""
        weights = np.zeros(len(topic.ranks))
        seen = is_seen(topic, self.cutoff)
        weights[seen] = self._weight(topic.ranks[seen])
        return self._sum(topic, weights)

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each gain with the mean weight of its tied ranks."""
        return self._sum(topic, mean_weight(topic, self.cutoff, self._weight))

    def _weight(self, ranks: npt.NDArray[np.integer]) -> Floats:
        weights: Floats = (1 - self.p) * np.power(self.p, ranks - 1.0)
        return weights

    def _sum(self, topic: TopicHits, weights: Floats) -> float:
        gains = shares_of(topic, self.gain, self.relevance)
        if not gains.any():
            return nan
        gained, residual = float(gains @ weights), 1 - float(weights.sum())
        if self.unjudged == "minimal":
            lowest = replace(topic, ratings=np.array([topic.lowest]))
            return gained + float(shares_of(lowest, self.gain, self.relevance)[0]) * residual
        return {
            "non-relevant": gained,
            "relevant": gained + residual,
            "residual": residual,
        }[self.unjudged]
