"""Discounted cumulative gain, plain and as a share of the best."""

from __future__ import annotations

from math import inf, nan
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import option, parameter
from cranfield.collection.propensity import Propensity
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.estimators.snips import SNIPS
from cranfield.scoring.gain import Floats, Gain
from cranfield.scoring.gains.rating import Rating
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION
from cranfield.scoring.metrics.discount import discount
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    GAIN,
    RELEVANCE,
    depth_of,
    gains_of,
    is_relevant,
    is_seen,
    mean_weight,
    refuse_idle_relevance,
)
from cranfield.scoring.metrics.unjudged import UNJUDGED, Unjudged
from cranfield.scoring.metrics.weighted import ESTIMATOR, PROPENSITY, WeighableMetric
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "DCG")
@dataclass(frozen=True, kw_only=True)
class DCG(WeighableMetric):
    r"""Gain of a ranking, discounted by rank.

        DCG@n = Σ_{k≤n} g(r_k)/log2(k+1)

    r_k is the rating at rank k, g the gain; unjudged items gain nothing. Undefined
    without a judged item of positive gain. From 0 up, without a bound; higher is better.
    Järvelin & Kekäläinen 2002; valcarce2020 eq. 5, upper part.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> DCG(cutoff=3).of_topic(topic_hits([1, 3], [5, 4]))  # 5/1 + 4/2
    7.0
    """

    highest_plain: ClassVar[float] = inf

    gain: Gain = parameter(Rating(), GAIN)
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
        """The discounted gains of the top n."""
        gains, seen = gains_of(topic, self.gain, self.relevance), is_seen(topic, self.cutoff)
        return float(gains[seen] @ discount(topic.ranks[seen])) if gains.any() else nan

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each gain with the mean discount of its tied ranks."""
        gains = gains_of(topic, self.gain, self.relevance)
        return float(gains @ mean_weight(topic, self.cutoff, discount)) if gains.any() else nan


Tool = Literal["elliot", "recbole", "implicit", "rectools", "lenskit"]


@option("metric", "nDCG")
@dataclass(frozen=True, kw_only=True)
class NDCG(WeighableMetric):
    r"""Discounted gain of a ranking, as a share of the best that could be gained.

        nDCG@n = Σ_{k≤n} g(r_k)/log2(k+1)  ÷  Σ_{k≤n} g(r*_k)/log2(k+1)

    r_k is the rating at rank k, r* the topic's judged targets from best to worst, in the
    list or not, cut at n; g the gain. Undefined without a judged item of positive gain.
    Between 0 and 1, higher is better. Järvelin & Kekäläinen 2002; valcarce2020 eq. 5;
    with gain=rating the same as ndcg_cut of trec_eval.

    Other tools have a gain of their own, which takes the place of ``gain``:
    ``as=recbole`` and ``as=implicit`` are binary. ``as=elliot`` takes 2^(r−τ+1) − 1 for
    relevant ratings, else 0. ``as=rectools`` is binary and divides by n hits, even where
    there are fewer relevant items. ``as=lenskit`` is binary with the discount
    1/max(log2 k, 1), which leaves ranks 1 and 2 undiscounted.

    ``ideal=full`` does not cut r* at n: the best order of all judged targets, so that 1
    cannot be reached where there are more than n.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> NDCG(cutoff=3).of_topic(topic_hits([1, 3], [5, 5]))
    0.9197...
    """

    gain: Gain = parameter(Rating(), GAIN)
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    as_: Tool | None = parameter(None, "The tool whose definition is used.")
    ideal: Literal["cut", "full"] = parameter(
        "cut", "Whether the best order is cut at n, as the list is, or counted in full."
    )
    propensity: Propensity | None = parameter(None, PROPENSITY)
    estimator: Estimator = parameter(SNIPS(), ESTIMATOR)
    unjudged: Unjudged = parameter("non-relevant", UNJUDGED)
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def __post_init__(self) -> None:
        if self.as_ == "rectools" and self.ideal == "full":
            raise OptionError(
                "nDCG, ideal: full cannot be combined with as=rectools, which has its own ideal."
            )
        if self.as_ is None:  # other tools have a threshold, whatever the gain
            refuse_idle_relevance(self)
        super().__post_init__()

    def plain_score(self, topic: TopicHits) -> float:
        """The discounted gains of the top n, over those of the best order."""
        gains, seen = self._gains(topic), is_seen(topic, self.cutoff)
        return self._share(topic, gains, float(gains[seen] @ self._discount(topic.ranks[seen])))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each gain with the mean discount of its tied ranks."""
        gains = self._gains(topic)
        weights = mean_weight(topic, self.cutoff, self._discount)
        return self._share(topic, gains, float(gains @ weights))

    def _share(self, topic: TopicHits, gains: Floats, gained: float) -> float:
        best = np.sort(gains)[::-1][: self.cutoff if self.ideal == "cut" else None]
        if self.as_ == "rectools":
            best = np.ones(depth_of(topic, self.cutoff))
        most = float(best @ self._discount(np.arange(1, len(best) + 1)))
        if not gains.any():
            return nan
        return gained / most if most else 0.0

    def _gains(self, topic: TopicHits) -> Floats:
        if self.as_ is None:
            return gains_of(topic, self.gain, self.relevance)
        relevant = is_relevant(topic, self.relevance)
        if self.as_ != "elliot":
            return relevant.astype(np.float64)
        threshold = topic.relevance if self.relevance is None else self.relevance
        steps = np.where(relevant, topic.ratings - threshold + 1, 0.0)
        gains: Floats = 2.0**steps - 1
        return gains

    def _discount(self, ranks: npt.NDArray[np.integer]) -> Floats:
        if self.as_ == "lenskit":
            weights: Floats = 1 / np.maximum(np.log2(ranks), 1.0)
            return weights
        return discount(ranks)
