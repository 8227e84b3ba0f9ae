"""The chance that a user who reaches an item is satisfied by it."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats, Gain, RatingScale, check_at_least, check_highest


@option("gain", "stopping")
@dataclass(frozen=True, kw_only=True)
class Stopping(Gain):
    """The chance that a user stops at an item: g(r) = (2^r − 1)/2^rmax.

    The gain of ERR; below 1 also for the highest rating, 31/32 on a scale from 1 to 5.
    Ratings must not be negative. valcarce2020 eq. 8.

    >>> import numpy as np
    >>> Stopping().of_rating(np.array([1.0, 5.0]), RatingScale(1, 5, 4)) * 32
    array([ 1., 31.])
    """

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """From 0 for a rating of 0 to just below 1 for the highest."""
        check_at_least(ratings, 0, "stopping")
        check_highest(scale, 0, "stopping")
        gains: Floats = (2.0**ratings - 1) / 2.0**scale.highest
        return gains
