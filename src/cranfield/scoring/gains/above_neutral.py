"""What a rating is above a neutral one."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats, Gain, RatingScale


@option("gain", "above-neutral")
@dataclass(frozen=True, kw_only=True)
class AboveNeutral(Gain):
    """A rating is worth its distance above a neutral one: g(r) = max(r − d, 0).

    Unless d is given, it is the middle of the scale. Breese, Heckerman & Kadie 1998, §3.1.

    >>> AboveNeutral().of_rating(np.array([2.0, 3.0, 5.0]), RatingScale(1, 5, 4))
    array([0., 0., 2.])
    """

    neutral: float | None = parameter(
        None, "d, the neutral rating; by default the middle of the scale."
    )

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """The distance above the neutral rating, 0 below it."""
        middle = (scale.lowest + scale.highest) / 2
        return np.maximum(ratings - (middle if self.neutral is None else self.neutral), 0.0)
