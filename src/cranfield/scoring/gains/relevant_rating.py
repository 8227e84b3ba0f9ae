"""The rating as its own gain, for relevant items only."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats, Gain, RatingScale, check_at_least


@option("gain", "relevant-rating")
@dataclass(frozen=True, kw_only=True)
class RelevantRating(Gain):
    """A relevant rating is worth itself, any other 0: g(r) = r where r ≥ τ, else 0.

    τ is the metric's threshold, or else that of the judgments. With one relevant item in
    the list (1R), the grade cancels in nDCG: 1/log2(rank + 1). Relevant ratings must not
    be negative. bellogin2017 §6.3, "the rating values above the relevance threshold".

    >>> RelevantRating().of_rating(np.array([3.0, 4.0, 5.0]), RatingScale(1, 5, 4))
    array([0., 4., 5.])
    """

    reads_relevance: ClassVar[bool] = True

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """The ratings that reach the threshold, 0 for all others."""
        relevant = ratings >= scale.relevance
        check_at_least(ratings[relevant], 0, "relevant-rating")
        return np.where(relevant, ratings, 0.0)
