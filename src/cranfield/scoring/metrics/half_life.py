"""Half-life utility: gain of a reader who gives up at a constant rate."""

from __future__ import annotations

from math import nan
from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingPopularity
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.gain import Floats, Gain, RatingScale
from cranfield.scoring.gains.above_neutral import AboveNeutral
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.correcting import CORRECTION, CorrectableMetric
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    GAIN,
    RELEVANCE,
    is_seen,
    mean_weight,
    refuse_idle_relevance,
    scale_of,
)
from cranfield.scoring.sample_correction import SampleCorrection


@option("metric", "HalfLife", aliases=("half-life-utility", "HLU"))
@dataclass(frozen=True, kw_only=True)
class HalfLife(CorrectableMetric):
    r"""Gain of a ranking in which each rank is seen by fewer, as a share of the best.

        HalfLife@n = Σ_{k≤n} w_k·g(r_k)·2^(−(k−1)/(α−1))
                     ÷ Σ_{k≤n} w*_k·g(r*_k)·2^(−(k−1)/(α−1))

    α is the rank that half of all readers reach; g(r) = max(r − d, 0) above the neutral
    rating d unless another gain is chosen; r* the judged targets from best to worst, cut
    at n. w is 1; with popularity=inverse 1/|PR(i)|, so that less popular items count more
    (|PR(i)| counts positive ratings; at least 1 is taken). Undefined without a judged item
    of positive gain. Between 0 and 1, higher is better. Breese, Heckerman & Kadie 1998,
    §3.1, which divides sums over all users; Shani, Chickering & Meek 2008; bellogin2017 §7.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> HalfLife(alpha=2).of_topic(topic_hits([1, 3], [4, 5]))  # (1 + 2/4) / (2 + 1/2)
    0.6
    """

    alpha: float = parameter(5.0, "α, the rank that half of all readers reach.", above=1)
    gain: Gain = parameter(AboveNeutral(), GAIN)
    popularity: Literal["none", "inverse"] = parameter(
        "none", "Whether items count by their inverse popularity (inverse) or alike (none)."
    )
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    correction: SampleCorrection | None = parameter(None, CORRECTION)
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def __post_init__(self) -> None:
        refuse_idle_relevance(self)
        super().__post_init__()

    @property
    def needs_popularity(self) -> bool:  # type: ignore[override]
        """Where items count by it."""
        return self.popularity == "inverse"

    @property
    def rewards_swaps(self) -> bool:  # type: ignore[override]
        """Where it is the rating alone that counts."""
        return self.popularity == "none"

    def plain_score(self, topic: TopicHits) -> float:
        """The discounted worth of the top n, over that of the best order."""
        seen = is_seen(topic, self.cutoff)
        weights = np.zeros(len(seen))
        weights[seen] = self.discount(topic.ranks[seen])
        return self._share(topic, weights)

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each worth with the mean discount of its tied ranks."""
        return self._share(topic, mean_weight(topic, self.cutoff, self.discount))

    def discount(self, ranks: npt.NDArray[np.integer]) -> Floats:
        """2^(−(k−1)/(α−1)) for each rank k."""
        weights: Floats = np.exp2(-(ranks - 1.0) / (self.alpha - 1))
        return weights

    def worth(self, ratings: Floats, popularity: Floats, scale: RatingScale) -> Floats:
        """What each judged target is worth before any discount."""
        gains = self.gain.of_rating(ratings, scale)
        return gains / np.maximum(popularity, 1.0) if self.needs_popularity else gains

    def _share(self, topic: TopicHits, weights: Floats) -> float:
        if self.needs_popularity and topic.popularity is None:
            raise MissingPopularity(str(self))
        known = np.empty(0) if topic.popularity is None else topic.popularity
        worth = self.worth(topic.ratings, known, scale_of(topic, self.relevance))
        best = np.sort(worth)[::-1][: self.cutoff]
        most = float(best @ self.discount(np.arange(1, len(best) + 1)))
        return float(worth @ weights) / most if worth.any() else nan
