"""Propensities by the popularity of items."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, UnsuitableRatings
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.propensity import Counts, ItemPropensities, Propensity
from cranfield.collection.ratings import Ratings

_FITTED = "fitted"


def _read_gamma(value: Any) -> float | str:
    """γ as a number, or the word that has it fitted."""
    if value == _FITTED:
        return _FITTED
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 100:
        wanted = "a number from 0 to 100, or fitted"
        raise BadParameter("popularity", "gamma", value, wanted)
    return float(value)


@option("propensity", "popularity")
@dataclass(frozen=True, kw_only=True)
class PopularityPropensity(Propensity):
    r"""The more training ratings an item has, the likelier it is to be rated.

        p_i = ((n_i + 1)/(n_max + 1))^γ

    n_i counts the training ratings of item i, n_max those of the most rated item. γ = 0 makes
    all alike, γ = 1 proportional to counts. Known but for a common factor: shares such as
    SNIPS do not depend on it, sums by IPS do. ``gamma=fitted`` takes γ = (α + 1)/2, where α is
    the exponent of the power law P(n) ∝ n^(−α) of the counts, by maximum likelihood:

        α = 1 + |I| ÷ Σ_i ln(n_i/½) over items with a training rating

    Yang, Cui, Xuan, Wang, Belongie & Estrin 2018 have the powers of n_i; Clauset, Shalizi &
    Newman 2009, eq. 3.7, the estimate of α.
    """

    gamma: float | str = parameter(
        1.0, "γ, how strongly popularity determines what is rated; or fitted.", read=_read_gamma
    )

    def estimate(self, train: Ratings, seeds: Seeds) -> ItemPropensities:
        """By the counts of training ratings."""
        counts = train.item_counts
        power = (fitted_exponent(counts) + 1) / 2 if self.gamma == _FITTED else float(self.gamma)
        return ItemPropensities(((counts + 1) / (counts.max(initial=0) + 1)) ** power)


def fitted_exponent(counts: Counts) -> float:
    """The exponent α of a power law of counts, by maximum likelihood from 1 on."""
    known = counts[counts > 0]
    logs = float(np.log(known / 0.5).sum())
    if not logs > 0:
        raise UnsuitableRatings("popularity(gamma=fitted)", "no item has a training rating")
    return 1 + len(known) / logs
