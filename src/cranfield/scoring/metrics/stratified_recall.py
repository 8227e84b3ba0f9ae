"""Stratified recall: recall in which popular items count less."""

from __future__ import annotations

from math import inf, nan
from typing import Any, ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingPopularity
from cranfield.base.options import option, parameter
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.gain import Floats, RatingScale
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.metrics.reading import (
    CUTOFF,
    RELEVANCE,
    chance_within,
    is_relevant,
    is_seen,
)


def _read_gamma(value: Any) -> float:
    """γ as a number, inf included."""
    if value == "inf":
        return inf
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise BadParameter("StratifiedRecall", "gamma", value, "a number of at least 0, or inf")
    return float(value)


@option("metric", "StratifiedRecall")
@dataclass(frozen=True, kw_only=True)
class StratifiedRecall(Metric):
    r"""Recall in which each relevant item counts less, the more popular it is.

        StratifiedRecall@n = Σ_{i ∈ L^n ∩ R_u} w_i ÷ Σ_{i ∈ R_u} w_i,
        w_i = |PR(i)|^(−γ/(γ+1))

    |PR(i)| counts the item's positive ratings (at least 1 is taken); γ = 0 is plain
    recall, γ = inf takes 1/|PR(i)|. Undefined without a relevant item. Between 0 and 1,
    higher is better. Steck 2011; bellogin2017 §7.

    >>> from cranfield.recommendation.ranking.hits import topic_hits
    >>> topic = topic_hits([1], [5], unranked=[5], popularity=[16, 1])  # weights 1/4 and 1
    >>> StratifiedRecall(gamma=1).of_topic(topic)
    0.2
    """

    needs_popularity: ClassVar[bool] = True
    rewards_swaps: ClassVar[bool] = False

    gamma: float = parameter(
        text="How much popularity counts against an item, from 0 to inf.", read=_read_gamma
    )
    relevance: float | None = parameter(None, RELEVANCE, aliases=("rel",))
    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_topic(self, topic: TopicHits) -> float:
        """The weights of the relevant items seen, over those of all."""
        return self._share(topic, is_seen(topic, self.cutoff).astype(np.float64))

    def expected_of_topic(self, topic: TopicHits) -> float:
        """The mean over tie orders: each weight by the chance to be in the top n."""
        return self._share(topic, chance_within(topic, self.cutoff))

    def weights(self, popularity: Floats) -> Floats:
        """What each item counts."""
        power = 1.0 if self.gamma == inf else self.gamma / (self.gamma + 1)
        return np.maximum(popularity, 1.0) ** -power

    def worth(self, ratings: Floats, popularity: Floats, scale: RatingScale) -> Floats:
        """What each judged target adds to the sum: its weight if it is relevant."""
        return np.where(ratings >= scale.relevance, self.weights(popularity), 0.0)

    def _share(self, topic: TopicHits, chance: Floats) -> float:
        if topic.popularity is None:
            raise MissingPopularity(str(self))
        relevant = is_relevant(topic, self.relevance)
        weights = self.weights(topic.popularity[relevant])
        return float(weights @ chance[relevant] / weights.sum()) if len(weights) else nan
