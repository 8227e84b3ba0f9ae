"""Judges that the data themselves have: the test ratings, and the truth behind simulated ones."""

from __future__ import annotations

from typing import ClassVar

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.collection.judge import Judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import true_ratings


@option("judged_by", "test")
@dataclass(frozen=True, kw_only=True)
class TestRatings(Judge):
    """The test ratings: what people chose to rate, as far as the split puts it in test."""

    __test__ = False  # no class of tests, whatever pytest makes of its name

    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        """The test ratings themselves."""
        return test


@option("judged_by", "truth")
@dataclass(frozen=True, kw_only=True)
class WholeTruth(Judge):
    """What every user would think of every item that is not in training.

    It is known of simulated data, and of a complete block of real ratings.
    """

    in_words: ClassVar[str] = "the simulated truth"
    simulated: ClassVar[bool] = True

    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        """The true ratings of all pairs outside training."""
        return true_ratings(data, train)
