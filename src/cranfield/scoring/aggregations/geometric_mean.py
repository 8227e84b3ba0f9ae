"""Geometric means, which look at the worst served users; two ways to bear zeros."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter
from cranfield.base.options import option, parameter
from cranfield.scoring.aggregation import TransformedMean
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.rec_eval import FLOOR, rec_eval_scores
from cranfield.scoring.scores import Floats


@option("aggregation", "geometric-mean", aliases=("GM",))
@dataclass(frozen=True, kw_only=True)
class GeometricMean(TransformedMean):
    r"""Geometric mean of scores with a small constant added, which is then subtracted.

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
    r"""Geometric mean of scores, each of which counts as at least a floor.

        exp(Σ_t w_t·ln max(x_t, floor))

    The form of trec_eval's gm_map and gm_bpref. ``as=rec_eval`` is what rec_eval 10.6
    prints, fault included: by F1 and RR (its gm_set_F and gm_recip_rank) a score of 0
    counts as a perfect 1, since the program takes the logarithm of such users to be 0. It
    is for comparing with figures so made, such as those of valcarce2020 §7, and no right mean.
    """

    floor: float = parameter(FLOOR, "The lowest value that a score counts as, above 0.", above=0)
    as_: Literal["rec_eval"] | None = parameter(
        None, "rec_eval: scores of 0 by F1 and RR count as 1, an error of that program."
    )

    def __post_init__(self) -> None:
        if self.as_ is not None and self.floor != FLOOR:
            wanted = f"{FLOOR:g}, the floor of {self.as_}"
            raise BadParameter("floored-geometric-mean", "floor", self.floor, wanted)

    def transformed(self, entered: EnteredScores) -> Floats:
        """Logarithms of at least the floor's."""
        if self.as_ is not None:
            return np.log(rec_eval_scores(entered.scores, entered.metric_name))
        return np.log(np.maximum(entered.scores, self.floor))

    def restored(self, means: Floats) -> Floats:
        """What the logarithms are of."""
        return np.exp(means)
