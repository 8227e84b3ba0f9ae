"""Joint test: whether two systems differ in any design at all, allowing for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import TooFew
from cranfield.base.ragged import frozen
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Counts, Flags, Floats
from cranfield.significance.resampling import rows_of_blocks
from cranfield.validity.study.designs import LEVEL

DRAWS = 10_000
"""Assignments of signs, where none are given."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JointTest:
    """What sign flips of whole users say about all designs at once.

    ``p_value`` is that of "no difference in any design", ``adjusted[d]`` that of design d
    when all are allowed for, NaN for the ``left_out`` designs, whose aggregate is no sum over
    users. ``statistics[d]`` is t_d. ``median_effect`` and ``share_significant`` are those
    of the specification curve, the latter for the system that it favours more, each with
    its p-value from the same draws. ``error`` is the Monte-Carlo error of ``p_value``.
    """

    draws: int
    designs: int
    left_out: int
    p_value: float
    error: float
    statistics: Floats
    adjusted: Floats
    median_effect: float
    median_effect_p: float
    share_significant: float
    share_significant_p: float


def joint_test(
    contributions: Floats,
    users: Counts | None = None,
    *,
    draws: int = DRAWS,
    alpha: float = LEVEL,
    seeds: Seeds | None = None,
) -> JointTest:
    r"""Test all designs at once: were there no difference, every user's sign could be the other.

        t_d = Σ_u c_ud / √(Σ_u c_ud²),  T = max_d |t_d|
        p = (#{draws: T* ≥ T} + 1)/(draws + 1),  p_d = (#{draws: T* ≥ |t_d|} + 1)/(draws + 1)

    c_ud is what user u adds to the tested difference in design d, 0 for who does not enter
    (users × designs). A draw gives each user one sign in all designs, so that designs stay
    as dependent as they are; p_d is the single-step adjustment of Westfall & Young 1993.
    Statistics equal up to rounding are ties. The curve's median effect is the median of
    t_d/√n_d, n_d the ``users`` of a design (those who add something, if not given); a
    design counts as significant where Student's t rejects. Simonsohn, Simmons & Nelson 2020.
    """
    tested = _testable(contributions)
    summed = contributions if tested.all() else contributions[:, tested]
    curve = _Curve(summed, None if users is None else users[tested], alpha)
    observed = curve.observed()
    drawn = curve.draw(draws, (seeds or Seeds()).key("joint test"))
    reached = curve.reached(drawn[:, 0], np.abs(curve.statistics))
    p_value, median_p, share_p = (
        (np.count_nonzero(drawn >= observed - curve.slack, axis=0) + 1) / (draws + 1)
    ).tolist()
    statistics, adjusted = np.full((2, len(tested)), np.nan)
    statistics[tested], adjusted[tested] = curve.statistics, (reached + 1) / (draws + 1)
    return JointTest(
        draws=draws,
        designs=int(tested.sum()),
        left_out=int((~tested).sum()),
        p_value=p_value,
        error=float(np.sqrt(p_value * (1 - p_value) / (draws + 1))),
        statistics=frozen(statistics),
        adjusted=frozen(adjusted),
        median_effect=float(np.median(curve.effects(curve.statistics))),
        median_effect_p=median_p,
        share_significant=float(observed[2]),
        share_significant_p=share_p,
    )


def _testable(contributions: Floats) -> Flags:
    """The designs whose value is a sum over users; without any, or two users, nothing is."""
    tested: Flags = np.asarray(~np.isnan(contributions).any(axis=0))
    if len(contributions) < 2:
        raise TooFew("a joint test", "users", 2, len(contributions))
    if not tested.any():
        raise TooFew("a joint test", "designs whose value is a sum over users", 1, 0)
    return tested


class _Curve:
    """The statistics of all designs, observed and with the signs of users changed."""

    def __init__(self, contributions: Floats, users: Counts | None, alpha: float) -> None:
        from scipy.special import stdtrit

        lengths = np.sqrt((contributions * contributions).sum(axis=0))
        self._parts = contributions / np.where(lengths > 0, lengths, 1.0)
        count = np.count_nonzero(contributions, axis=0) if users is None else users
        self._roots = np.sqrt(np.maximum(count, 1))
        self.statistics: Floats = np.ones(len(contributions)) @ self._parts
        self.slack = 8 * len(contributions) ** 1.5 * float(np.finfo(np.float64).eps)
        freedom = np.maximum(count - 1, 1)
        critical = stdtrit(freedom, 1 - alpha / 2)
        # t_d² = n·t²/(n − 1 + t²), t Student's statistic of the same differences
        bound = np.sqrt(count * critical**2 / (count - 1 + critical**2)) - self.slack
        self._critical = np.where((count > 1) & (lengths > 0), bound, np.inf)

    def observed(self) -> Floats:
        """What the draws are held against."""
        return np.asarray(self._summary(self.statistics[None, :])[0])

    def draw(self, draws: int, key: int) -> Floats:
        """The summary of every draw (draws × 3)."""
        from cranfield.significance.kernels.drawing import fill_signs

        users, designs = self._parts.shape

        def work(block: range) -> Floats:
            signs = np.empty((len(block), users))
            fill_signs(np.uint64(key), block.start, signs)
            return self._summary(signs @ self._parts)

        return rows_of_blocks(work, draws, users + 2 * designs)

    def reached(self, drawn: Floats, thresholds: Floats) -> npt.NDArray[np.int64]:
        """How many draws reach each threshold."""
        ordered = np.sort(drawn)
        below = np.searchsorted(ordered, thresholds - self.slack, side="left")
        return np.asarray(len(drawn) - below, dtype=np.int64)

    def effects(self, statistics: Floats) -> Floats:
        """Standardised effects: t over the root of the users."""
        return np.asarray(statistics / self._roots)

    def _summary(self, statistics: Floats) -> Floats:
        """Largest |t|, |median effect| and share of significant designs, one side (draws × 3)."""
        won = (statistics >= self._critical).mean(axis=1)
        lost = (statistics <= -self._critical).mean(axis=1)
        medians = np.median(self.effects(statistics), axis=1)
        return np.column_stack(
            [np.abs(statistics).max(axis=1), np.abs(medians), np.maximum(won, lost)]
        )
