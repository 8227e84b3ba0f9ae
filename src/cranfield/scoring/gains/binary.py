"""All relevant ratings alike."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.gain import Floats, Gain, RatingScale


@option("gain", "binary")
@dataclass(frozen=True, kw_only=True)
class Binary(Gain):
    """A relevant rating is worth 1, any other 0: g(r) = 1[r ≥ τ].

    τ is the metric's threshold, or else that of the judgments. canamares2020 §4.1, C2.

    >>> Binary().of_rating(np.array([3.0, 4.0]), RatingScale(1, 5, 4))
    array([0., 1.])
    """

    reads_relevance: ClassVar[bool] = True

    def of_rating(self, ratings: Floats, scale: RatingScale) -> Floats:
        """1 for each rating that reaches the threshold, else 0."""
        return (ratings >= scale.relevance).astype(np.float64)
