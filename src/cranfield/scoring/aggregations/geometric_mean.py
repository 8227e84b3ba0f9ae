"""Geometric means, which look at the worst served users; two ways to bear zeros."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import TransformedMean
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.scores import Floats


@option("aggregation", "geometric-mean", aliases=("GM",))
@dataclass(frozen=True, kw_only=True)
class GeometricMean(TransformedMean):
    r"""Geometric mean of scores that are raised by a little, and lowered again.

        exp(Σ_t w_t·ln(x_t + ε)) − ε

    For scores of at least 0; undefined if one is −ε or less. canamares2020 C3, with its ε.
    """

    epsilon: float = parameter(0.01, "What is added to each score, above 0.", above=0)

    def transformed(self, entered: EnteredScores) -> Floats:
        """Logarithms; NaN where there is none."""
        raised = entered.scores + self.epsilon
        return np.log(np.where(raised > 0, raised, np.nan))

    def restored(self, means: Floats) -> Floats:
        """What the logarithms are of, lowered again."""
        return np.asarray(np.exp(means) - self.epsilon)


@option("aggregation", "floored-geometric-mean", aliases=("GM-floor",))
@dataclass(frozen=True, kw_only=True)
class FlooredGeometricMean(TransformedMean):
    r"""Geometric mean of scores that count as at least a floor.

        exp(Σ_t w_t·ln max(x_t, floor))

    The form of trec_eval's gm_map and gm_bpref.
    """

    floor: float = parameter(1e-5, "The least that a score counts as, above 0.", above=0)

    def transformed(self, entered: EnteredScores) -> Floats:
        """Logarithms of at least the floor's."""
        return np.asarray(np.log(np.maximum(entered.scores, self.floor)))

    def restored(self, means: Floats) -> Floats:
        """What the logarithms are of."""
        return np.exp(means)
