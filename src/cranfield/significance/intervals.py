"""Intervals of values that are no sums over users, from resampled users."""

from __future__ import annotations

from math import nan

import numpy as np

from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import CONFIDENCE, Interval
from cranfield.significance.resampling import rows_of_blocks
from cranfield.significance.samples.resampled import drawn_again
from cranfield.significance.samples.samples import Samples

_DRAWS = 2_000
"""Draws of users behind an interval."""

_GROUPS = 200
"""Groups of users, left out one by one, where there are more users."""


def bca_interval(
    observed: float, drawn: Floats, jackknifed: Floats, confidence: float = CONFIDENCE
) -> Interval:
    r"""Efron's bias-corrected and accelerated interval of a bootstrap (BCa).

        low = Ĝ⁻¹(Φ(z₀ + (z₀ + z)/(1 − a·(z₀ + z)))),  z = z_{(1−confidence)/2}; high likewise

        z₀ = Φ⁻¹(share of draws below the observed value, ties counting half)
        a = Σ_u l_u³/(6·(Σ_u l_u²)^{3/2}),  l_u = θ̄_(·) − θ_(u)

    ``drawn`` are the values of users drawn with replacement, ``jackknifed`` θ_(u), the
    values without one user each; NaN are left out of both. Ĝ⁻¹ interpolates between
    ordered draws. Efron 1987, eqs. 2.3 and 6.6; z₀ and Ĝ⁻¹ as in
    scipy.stats.bootstrap. Without spread of draws both ends are the observed value; both
    are NaN where all draws are on one side of it, or none is a number.
    """
    from scipy.special import ndtr, ndtri

    draws = np.sort(drawn[~np.isnan(drawn)])
    if not len(draws) or np.isnan(observed):
        return Interval(observed, nan, nan)
    if draws[0] == draws[-1] == observed:
        return Interval(observed, observed, observed)
    below = ((draws < observed).mean() + (draws <= observed).mean()) / 2
    bias, tails = ndtri(below), ndtri(np.array([1 - confidence, 1 + confidence]) / 2)
    if not np.isfinite(bias):
        return Interval(observed, nan, nan)
    moved = bias + tails
    # Beyond this bound the end is that of all draws.
    shrunk = np.maximum(1 - acceleration(jackknifed) * moved, 1e-12)
    ends = ndtr(bias + moved / shrunk)
    low, high = np.quantile(draws, ends)
    return Interval(observed, float(low), float(high))


def acceleration(jackknifed: Floats) -> float:
    """How fast the standard error changes with the value, a of `bca_interval`; 0 if none does."""
    known = jackknifed[~np.isnan(jackknifed)]
    parts = known.mean() - known if len(known) else known
    squares = float((parts**2).sum())
    return float((parts**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0


def bootstrap_interval(
    samples: Samples, place: tuple[int, tuple[int, int]], seeds: Seeds
) -> Interval:
    """The BCa interval of a difference of values that are computed anew, users drawn again.

    The acceleration comes from leaving out users one by one, in groups where there are
    many: user u is in group u mod 200.
    """
    from cranfield.significance.kernels.drawing import fill_counts

    metric, pair = place
    made, users = samples.resampled[metric], samples.enters.shape[1]
    key = seeds.key("interval", "bootstrap")

    def work(block: range) -> Floats:
        counts = np.empty((len(block), users))
        fill_counts(np.uint64(key), block.start, counts)
        return drawn_again(made, pair, counts)

    groups = np.arange(users) % min(users, _GROUPS)
    without = (groups != np.arange(groups.max() + 1)[:, None]).astype(np.float64)
    drawn = rows_of_blocks(work, _DRAWS, 16 * users)
    return bca_interval(samples.tabled(metric, pair), drawn, drawn_again(made, pair, without))
