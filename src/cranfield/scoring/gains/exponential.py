"""Gains that double with each step of the rating."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats, Gain, RatingScale, check_at_least, check_highest


@option("gain", "exponential", aliases=("exp",))
@dataclass(frozen=True, kw_only=True)
class Exponential(Gain):
    """Each step up is worth twice the last: g(r) = (2^r − 1)/(2^rmax − 1).

    rmax is the highest rating of the scale, so that its gain is 1. Ratings must not be
    negative. canamares2020 Table 3, g₂.

    >>> import numpy as np
    >>> Exponential().of_rating(np.array([1.0, 5.0]), RatingScale(1, 5, 4)) * 31
    array([ 1., 31.])
    """

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """From 0 for a rating of 0 to 1 for the highest."""
        check_at_least(ratings, 0, "exponential")
        check_highest(scale, 0, "exponential")
        gains: Floats = (2.0**ratings - 1) / (2.0**scale.highest - 1)
        return gains
