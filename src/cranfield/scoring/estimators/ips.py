"""Inverse propensity scoring."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.estimator import Estimator, clip_parameter, inverse
from cranfield.scoring.gain import Floats


@option("estimator", "ips")
@dataclass(frozen=True, kw_only=True)
class IPS(Estimator):
    r"""Inverse propensity scoring: what was unlikely to be rated counts for more.

        w = 1/max(p, clip),  Σ w·δ ÷ (|U|·|I|)

    δ is what a rated item adds to the metric, times |I|: 1[relevant]/n within the top n for P,
    g(r)/log2(k + 1) for DCG, (1 − φ)·g(r)·φ^(k−1) for RBP. The score of a user is the sum of
    w·δ/|I|, so that the mean over users is the estimate. Unbiased for the metric of complete
    judgments where p is right, nothing is clipped, and users without a relevant test rating
    score 0 (undefined = "zero"). AP is Σ_i w_i·(1 + Σ_{j above i} w_j)/k_i ÷ Σ_{i relevant} w_i
    over relevant items, i at rank k_i; both sums are unbiased, their quotient is not. Recall
    divides by |R_u|, which only simulated data know. In targets of one relevant item, the score
    of a topic is multiplied by w of that item.
    Schnabel, Swaminathan, Singh, Chandak & Joachims 2016.
    """

    clip: float = clip_parameter()

    def weights(self, propensities: Floats) -> Floats:
        """1/max(p, clip)."""
        return inverse(propensities, self.clip)
