"""The filter by the rating itself."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.ratings import Ratings


@option("filter", "rating-range")
@dataclass(frozen=True, kw_only=True)
class RatingRange(Filter):
    """Keep the ratings from at_least up to at_most, both included.

    Such as bookcrossing's explicit ratings: at_least=1.
    """

    at_least: float | None = parameter(None, "The lowest rating that is kept; none means no limit.")
    at_most: float | None = parameter(None, "The highest rating that is kept; none means no limit.")

    def __post_init__(self) -> None:
        if self.at_least is None and self.at_most is None:
            raise OptionError("rating-range needs at_least, at_most or both.")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise OptionError(
                f"rating-range: at_least = {self.at_least:g} is above at_most = {self.at_most:g}."
            )

    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        """Keep the ratings within the range."""
        low = -np.inf if self.at_least is None else self.at_least
        high = np.inf if self.at_most is None else self.at_most
        return (ratings.values >= low) & (ratings.values <= high)
