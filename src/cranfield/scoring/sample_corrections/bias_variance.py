"""The estimate that trades the bias of a sampled metric against its variance."""

from __future__ import annotations

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_corrections.tables import REPLACEMENT, TableCorrection


@option("sample-correction", "bias-variance", aliases=("BV",))
@dataclass(frozen=True, kw_only=True)
class BiasVariance(TableCorrection):
    r"""The estimate with the least squared bias plus γ times the variance.

        f̂ = argmin 1/N · Σ_R [ (E[f̂(r) | R] − f(R))² + γ·Var(f̂(r) | R) ]
          = ((1−γ)·AᵀA + γ·diag(c))⁻¹ Aᵀb

    over all true ranks R, each as likely; A has the entries P(r | R)/√N, b f(R)/√N and c the
    chance of each sampled rank r. A small γ leaves little bias but lets single topics weigh
    much: estimates of one topic may leave the range of the metric. With γ = 1 it is the mean
    of f given r. Krichene & Rendle 2020, §5.
    """

    gamma: float = parameter(
        0.1, "γ, the weight of the variance relative to the squared bias, above 0 and at most 1.",
        above=0, at_most=1,
    )  # fmt: skip
    replacement: bool = parameter(False, REPLACEMENT)

    def table(self, law: Floats, values: Floats, weights: Floats) -> Floats:
        """The solution of the normal equations."""
        weighted = law * weights[:, None]
        moments = (1 - self.gamma) * (weighted.T @ law)
        moments[np.diag_indices_from(moments)] += self.gamma * weighted.sum(axis=0)
        found = np.linalg.solve(moments, weighted.T @ values)
        return np.asarray(found, dtype=np.float64)
