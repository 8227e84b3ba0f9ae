"""Gains looked up in a table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, UnmappableRating
from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats, Gain, RatingScale


@option("gain", "table", aliases=("custom",))
@dataclass(frozen=True, kw_only=True)
class GainTable(Gain):
    """Each rating is worth what a table says: table(gains={1: 0, 5: 1}).

    Every rating that occurs must be in the table, gains must not be negative, and a
    higher rating must not be worth less.

    >>> GainTable(gains={1: 0, 2: 0, 5: 1}).of_rating(np.array([5.0, 2.0]), RatingScale(1, 5, 4))
    array([1., 0.])
    """

    gains: Mapping[float, float] = parameter(
        text="What each rating is worth, such as {1: 0, 5: 1}; not negative.", at_least=0
    )

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """The entry of each rating."""
        known = np.array(sorted(self.gains), dtype=np.float64)
        worth = np.array([self.gains[rating] for rating in known], dtype=np.float64)
        if (np.diff(worth) < 0).any():
            raise BadParameter("table", "gains", dict(self.gains), "rising with the rating")
        missing = np.setdiff1d(ratings, known)
        if len(missing):
            listed = ", ".join(f"{rating:g}" for rating in known)
            raise UnmappableRating("table", float(missing[0]), f"one of the ratings {listed}")
        gains: Floats = worth[np.searchsorted(known, ratings)]
        return gains
