"""Bonferroni's correction: every comparison gets the same share of α."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction


@option("correction", "bonferroni")
@dataclass(frozen=True, kw_only=True)
class Bonferroni(Correction):
    r"""P-values times their number, which bounds the probability of any false rejection by α.

        p̃_i = min(1, k·p_i)

    k is the number of comparisons in the family. Holm's correction promises the same
    and rejects no less. Dunn 1961.
    """

    def adjust(self, p_values: Floats) -> Floats:
        """The p-values times their number, at most 1."""
        return np.minimum(p_values * len(p_values), 1.0)
