"""The estimate of least bias among those that never rise with the rank."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_corrections.tables import REPLACEMENT, TableCorrection

_STEPS = 1000
"""Steps of the solver for each sampled rank, at most."""


@option("sample-correction", "cls", aliases=("constrained-least-squares",))
@dataclass(frozen=True, kw_only=True)
class ConstrainedLeastSquares(TableCorrection):
    r"""The estimate with the least squared bias that falls with the rank, and is at least 0.

        f̂ = argmin Σ_R (E[f̂(r) | R] − f(R))²,  f̂(1) ≥ f̂(2) ≥ … ≥ f̂(n+1) ≥ 0

    over all true ranks R, each as likely. Without the constraints it would swing between
    large numbers of either sign. Krichene & Rendle 2020, §5.
    """

    replacement: bool = parameter(False, REPLACEMENT)

    def table(self, law: Floats, values: Floats, weights: Floats) -> Floats:
        """Steps down to each rank, none below 0; f̂ is what is left of them.

        Squares are least for the triangle of a QR decomposition as they are for all ranks.
        """
        from scipy.optimize import nnls

        within = np.cumsum(law, axis=1)  # a step after rank r counts if the item is not below r
        both = np.column_stack([within, values]) * np.sqrt(weights)[:, None]
        triangle = np.asarray(np.linalg.qr(both, mode="r"))
        most = _STEPS * law.shape[1]  # many more than the usual three, as columns are nearly alike
        steps, _ = nnls(triangle[:, :-1], triangle[:, -1], maxiter=most)
        return np.cumsum(steps[::-1])[::-1]
