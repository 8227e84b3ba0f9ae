"""Stratified by propensity."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.gain import Floats


@option("estimator", "stratified")
@dataclass(frozen=True, kw_only=True)
class Stratified(Estimator):
    r"""The plain metric within strata of propensity, averaged over strata.

        Σ_q (n_q/N)·m_q

    Strata are so many ranges of equal width between the lowest and the highest propensity of a
    test rating; n_q of all N test ratings are in stratum q. m_q is the mean of the metric over
    the users for whom it is defined if nothing but the items of the stratum is judged. So many
    users who rated little but popular items do not decide alone. A user's score is the mean of
    its scores in strata, weighted by n_q/U_q, and counts by the sum of these; U_q users have a
    score in stratum q. Jadidinejad, Macdonald & Ounis 2021.
    """

    strata: int = parameter(2, "How many strata there are.", at_least=1, at_most=1000)

    def weights(self, propensities: Floats) -> Floats:
        """1 for all: within a stratum, targets count alike."""
        return np.ones(len(propensities))
