"""Equivalence: whether two systems differ by so little that it does not matter."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, shown
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import MeanDifference, Posterior, mean_difference

_PERCENT = "%"


@dataclass(frozen=True)
class Rope:
    """A region of practical equivalence: the largest difference that is as good as none.

    Relative, ``size`` is a share of the larger value (0.05 for 5 %), below 1; else it is a
    difference of values, at least 0.

    >>> str(read_rope("5%")), str(read_rope(0.01))
    ('5 %', '0.01')
    """

    size: float
    relative: bool = False

    def __str__(self) -> str:
        return f"{self.size * 100:.12g} {_PERCENT}" if self.relative else repr(self.size)


FIVE_PERCENT = Rope(0.05, relative=True)
"""The region where none is given."""


def read_rope(given: Any) -> Rope:
    """A region from itself, a number, or its spelling: ``5 %``, ``5%`` or ``0.01``."""
    if isinstance(given, Rope):
        return given
    text = str(given).strip()
    relative = text.endswith(_PERCENT)
    try:
        size = float(text.removesuffix(_PERCENT)) / (100 if relative else 1)
    except ValueError:
        size = -1.0
    if isinstance(given, bool) or not isfinite(size) or size < 0 or (relative and size >= 1):
        raise OptionError(
            f"{shown(given)} is not a region of practical equivalence (rope). Give a share below "
            f'100 % such as "5 %", or a difference of at least 0 such as 0.01.'
        )
    return Rope(size, relative)


def equivalence(first: Floats, second: Floats, rope: Rope) -> Posterior:
    r"""Probabilities that a system is better by more than the region, and that neither is.

        r relative:  P(μ_B < (1 − r)·μ_A),  P(μ_A < (1 − r)·μ_B),  and the rest
        r absolute:  P(μ_A − μ_B > r),      P(μ_A − μ_B < −r),     and the rest

    ``first`` and ``second`` are the values of A and B of each of U users, linearised: their
    means are the values of the systems. Each probability is that of the posterior of a
    mean under the prior 1/σ, Student's t with U − 1 degrees of freedom about the mean of
    B − (1 − r)·A and A − (1 − r)·B, or of r ± (A − B) (Benavoli et al. 2017, eq. 8, without
    correlation). It is also the p-value of the one-sided test that this mean is above 0:
    see `equivalence_p`. A relative region is for values above 0.
    """
    kept, slack = (1 - rope.size, 0.0) if rope.relative else (1.0, rope.size)
    ahead, behind = (
        _below_zero(
            mean_difference(worse - kept * better + slack, np.full(len(first), 1 / len(first)))
        )
        for better, worse in ((first, second), (second, first))
    )
    return Posterior(ahead, max(1 - ahead - behind, 0.0), behind)


def equivalence_p(believed: Posterior) -> float:
    r"""The p-value of the claim that two systems are equivalent: the larger of two one-sided.

        H0: μ_A ≤ (1 − r)·μ_B,  H0: μ_B ≤ (1 − r)·μ_A

    Both must be rejected, each at level α (Hauschke et al. 1999 for a ratio of means;
    Schuirmann 1987 for a difference). Equivalence is established where p ≤ α.
    """
    return max(believed.first, believed.second)


def _below_zero(found: MeanDifference) -> float:
    """P(μ < 0), or which it is where there is no spread."""
    from scipy.special import stdtr

    if not found.error > 0:
        return float(found.mean < 0)
    return float(stdtr(found.users - 1, -found.statistic))
