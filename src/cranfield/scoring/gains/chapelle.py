"""Gains that double with each step above the lowest grade, 1."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats, Gain, RatingScale, check_at_least, check_highest


@option("gain", "chapelle")
@dataclass(frozen=True, kw_only=True)
class Chapelle(Gain):
    """Each step above 1 is worth twice the last: g(r) = (2^(r−1) − 1)/2^(rmax−1).

    The highest rating is worth less than 1: 15/16 on a scale from 1 to 5. Ratings must
    be at least 1. Chapelle et al. 2009; canamares2020 C2.

    >>> import numpy as np
    >>> Chapelle().of_rating(np.array([1.0, 5.0]), RatingScale(1, 5, 4)) * 16
    array([ 0., 15.])
    """

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """From 0 for a rating of 1 to just below 1 for the highest."""
        check_at_least(ratings, 1, "chapelle")
        check_highest(scale, 0, "chapelle")
        gains: Floats = (2.0 ** (ratings - 1) - 1) / 2.0 ** (scale.highest - 1)
        return gains


@option("gain", "chapelle-scaled")
@dataclass(frozen=True, kw_only=True)
class ChapelleScaled(Gain):
    """Like chapelle, with 1 for the highest rating: (2^(r−1) − 1)/(2^(rmax−1) − 1).

    Ratings must be at least 1, and the highest above 1. canamares2020 C2.

    >>> import numpy as np
    >>> ChapelleScaled().of_rating(np.array([1.0, 5.0]), RatingScale(1, 5, 4))
    array([0., 1.])
    """

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """From 0 for a rating of 1 to 1 for the highest."""
        check_at_least(ratings, 1, "chapelle-scaled")
        check_highest(scale, 1, "chapelle-scaled")
        gains: Floats = (2.0 ** (ratings - 1) - 1) / (2.0 ** (scale.highest - 1) - 1)
        return gains
