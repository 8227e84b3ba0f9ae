"""The rating as its own gain."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats, Gain, RatingScale, check_at_least


@option("gain", "rating", aliases=("linear",))
@dataclass(frozen=True, kw_only=True)
class Rating(Gain):
    """A rating is worth itself: g(r) = r.

    Ratings must not be negative. valcarce2020 §3.2, below eq. 5.

    >>> import numpy as np
    >>> Rating().of_rating(np.array([1.0, 5.0]), RatingScale(1, 5, 4))
    array([1., 5.])
    """

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """The ratings themselves."""
        check_at_least(ratings, 0, "rating")
        return ratings
