"""Self-normalised inverse propensity scoring."""

from __future__ import annotations

from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.estimator import Estimator, clip_parameter, inverse
from cranfield.scoring.gain import Floats


@option("estimator", "snips")
@dataclass(frozen=True, kw_only=True)
class SNIPS(Estimator):
    r"""Inverse propensity scoring over the sum of weights: less variance for a little bias.

        w = 1/max(p, clip),  Σ w·δ ÷ Σ w

    P, DCG and RBP: sums over the rated items of all users. A user scores N_u·Σ w·x/Σ w, x being
    what an item adds to the metric, and counts by Σ w/N_u in the mean; N_u are the user's
    judged targets or, with over=targets, all targets. The first is on the scale of the plain
    metric: what so many ratings would give, had they been missing at random. The second is on
    the scale of complete judgments, as Schnabel 2016 has it. Recall, per user:
    Σ_{hits} w/Σ_{relevant} w (Yang 2018). nDCG: w·g takes the place of the gain g, in the best
    order too. AP: as by IPS, with weights whose mean over the user's relevant items is 1. In
    targets of one relevant item every metric is the mean of its scores weighted by w of that
    item. A common factor of all propensities changes nothing; equal ones give the plain metric.
    Schnabel et al. 2016; Yang, Cui, Xuan, Wang, Belongie & Estrin 2018.
    """

    clip: float = clip_parameter()
    over: Literal["judged", "targets"] = parameter(
        "judged", "The targets that sums of P, DCG and RBP are scaled to: the judged ones, or all."
    )

    def weights(self, propensities: Floats) -> Floats:
        """1/max(p, clip)."""
        return inverse(propensities, self.clip)
