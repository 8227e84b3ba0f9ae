"""Propensities by what is said of items, against a small random sample."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.propensity import Floats, Propensities, Propensity
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_ratings


@option("propensity", "naive-bayes")
@dataclass(frozen=True, kw_only=True)
class NaiveBayesPropensity(Propensity):
    r"""What users rate depends on what they would say; a random sample says what that is.

        p_ui = P(rated | r) = P(r | rated)·P(rated) ÷ P(r),  r the rating of the pair

    P(r | rated) is the share of rating r in training, P(r) that in ``random``, ratings of items
    that were shown at random; P(rated) = |R_train|/(|U|·|I|). At most 1 is taken. A rating that
    the sample, or training, does not have has no propensity. It is the chance to be in
    training; see `logistic`. Schnabel 2016, eq. 15.
    """

    random: str = parameter(text="A file, data set or source of ratings of random items.")

    @property
    def files(self) -> tuple[str, ...]:
        """The file of the random sample."""
        return (self.random,)

    def estimate(self, train: Ratings, seeds: Seeds) -> RatingPropensities:
        """By shares of ratings in both parts."""
        sample = read_ratings(self.random).aggregate()
        density = len(train) / (train.n_users * train.n_items)
        levels = np.unique(np.concatenate([train.values, sample.values]))
        rated, shown = (
            np.bincount(np.searchsorted(levels, each), minlength=len(levels)) / len(each)
            for each in (train.values, sample.values)
        )
        known = (rated > 0) & (shown > 0)
        found = np.full(len(levels), np.nan)
        found[known] = np.minimum(rated[known] * density / shown[known], 1.0)
        return RatingPropensities(levels, found)


@dataclass(frozen=True, eq=False)
class RatingPropensities(Propensities):
    """Propensities that depend on the rating alone."""

    levels: Floats
    by_level: Floats

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """The propensity of each rating; NaN for a rating that occurs nowhere."""
        places = np.minimum(np.searchsorted(self.levels, ratings), len(self.levels) - 1)
        return np.where(self.levels[places] == ratings, self.by_level[places], np.nan)
