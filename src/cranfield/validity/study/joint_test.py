"""Joint test: in which designs two systems differ, allowing for all designs that were tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import TooFew
from cranfield.base.ids import Codes
from cranfield.base.ragged import frozen
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks
from cranfield.scoring.scores import Counts, Floats
from cranfield.significance.resampling import (
    PER_PRODUCT,
    PER_SIGN,
    over_large_blocks,
    rows_of_blocks,
)
from cranfield.validity.study.designs import LEVEL

DRAWS = 10_000
"""Assignments of signs, where none are given."""

POWER = 0.8
"""How often the detectable difference would be found."""

Places = npt.NDArray[np.integer]
"""The numbers of some hypotheses."""

_CELLS = 2**23
"""Statistics or contributions that are held at once (64 MiB)."""

_PER_SWAPPED = 1e-8
"""Seconds of a user in a draw whose difference is computed anew."""

_PER_STATISTIC = 4e-9
"""Seconds in which a statistic is compared with others."""

_KEPT = 2**26
"""Differences with scores swapped that are kept (512 MiB); of more, all are computed twice."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """That two systems do not differ in one design: each user's two scores could be swapped.

    ``users`` are the numbers of those who enter, ``difference`` is that of the two values.
    ``contributions`` are what users add to it; where it is no sum over users,
    ``swapped(signs)`` gives the difference with the scores of some users swapped (draws ×
    users of ±1), one for each draw.
    """

    users: Codes
    difference: float
    contributions: Floats | None = None
    swapped: Callable[[Floats], Floats] | None = None

    def __post_init__(self) -> None:
        assert (self.contributions is None) != (self.swapped is None)

    @cached_property
    def scale(self) -> float:
        """√Σ c², the standard deviation of the difference under random signs."""
        added = self.contributions
        return 0.0 if added is None else float(np.sqrt((added * added).sum()))


@dataclass(frozen=True, eq=False, kw_only=True)
class JointTest:
    """What swapping the scores of whole users says about all hypotheses at once.

    ``adjusted[h]`` is the p-value of hypothesis h that allows for all of them, NaN for the
    ``left_out`` ones; the least of them, ``p_value``, is that of "no difference anywhere",
    with ``error``, its Monte-Carlo error. ``statistics[h]`` is t_h, ``scales[h]`` the
    standard error in it, and ``critical`` the 1 − α quantile of the largest |t|.
    """

    draws: int
    tested: int
    left_out: int
    p_value: float
    error: float
    critical: float
    statistics: Floats
    scales: Floats
    adjusted: Floats

    def detectable(self, power: float = POWER) -> Floats:
        """The differences that would have been found with this power: (c + z_power)·SE."""
        from scipy.special import ndtri

        return np.asarray((self.critical + ndtri(power)) * self.scales)

    def take(self, places: Places) -> JointTest:
        """What it says about some hypotheses, still allowing for all."""
        adjusted = self.adjusted[places]
        tested = int(np.count_nonzero(~np.isnan(adjusted)))
        least = float(np.nanmin(adjusted)) if tested else np.nan
        return replace(
            self,
            tested=tested,
            left_out=len(adjusted) - tested,
            p_value=least,
            error=_error(least, self.draws),
            statistics=self.statistics[places],
            scales=self.scales[places],
            adjusted=adjusted,
        )


def joint_test(
    family: Sequence[Hypothesis | None],
    users: int,
    *,
    draws: int = DRAWS,
    alpha: float = LEVEL,
    seeds: Seeds | None = None,
) -> JointTest:
    r"""Test all hypotheses at once; None stands for one that cannot be tested.

        t_h = Σ_u c_uh / √(Σ_u c_uh²)
        q_g = (#{draws: max_{f: |t_f| ≤ |t_g|} |t*_f| ≥ |t_g|} + 1)/(draws + 1)
        p_h = max_{g: |t_g| ≥ |t_h|} q_g

    c_uh is what user u adds to the difference, 0 for who does not enter. A draw gives each
    of the ``users`` one sign in all hypotheses, so that these stay as dependent as they
    are. Where the difference is not a sum over users, t is the difference over the root mean
    square of what it is once scores are swapped, by the same signs; a draw in which it is
    undefined counts as if it were larger than any. Statistics equal up to rounding are ties.
    Step-down maximum: Romano & Wolf 2005, Algorithm 4.1, with the p-values of Romano &
    Wolf 2016; it keeps the chance of any false finding at α.
    """
    tested = np.array([place for place, each in enumerate(family) if each is not None], int)
    if users < 2:
        raise TooFew("a joint test", "users", 2, users)
    if not len(tested):
        raise TooFew("a joint test", "designs that can be tested", 1, 0)
    drawn = _Draws([each for each in family if each is not None], users, draws, seeds or Seeds())
    stepped, highest = _step_down(drawn)
    statistics, scales, adjusted = np.full((3, len(family)), np.nan)
    statistics[tested], scales[tested], adjusted[tested] = drawn.observed, drawn.scales, stepped
    least = float(stepped.min())
    return JointTest(
        draws=draws,
        tested=len(tested),
        left_out=len(family) - len(tested),
        p_value=least,
        error=_error(least, draws),
        critical=float(np.quantile(highest, 1 - alpha, method="higher")),
        statistics=frozen(statistics),
        scales=frozen(scales),
        adjusted=frozen(adjusted),
    )


def _error(p_value: float, draws: int) -> float:
    return float(np.sqrt(p_value * (1 - p_value) / (draws + 1)))


def _step_down(drawn: _Draws) -> tuple[Floats, Floats]:
    """Adjusted p-values, and the largest |t| of every draw."""
    order = drawn.order
    found = list(over_large_blocks(_Maxima(drawn), drawn.draws, drawn.seconds))
    reached = np.sum([each for each, _ in found], axis=0)
    p_values = (reached + 1) / (drawn.draws + 1)
    adjusted = np.empty(len(order))
    adjusted[order[::-1]] = np.maximum.accumulate(p_values[order[::-1]])
    return adjusted, np.concatenate([highest for _, highest in found])


@dataclass(frozen=True, eq=False)
class _Maxima:
    """What the statistics of some draws come to, as workers work it out too.

    From the smallest |t| up, the maximum of every draw grows by one hypothesis after the
    other, so that no more than a block of statistics is ever held.
    """

    drawn: _Draws

    def __call__(self, draws: range) -> tuple[Counts, Floats]:
        """How many draws reach each hypothesis, and the largest |t| of every draw."""
        sizes, order = np.abs(self.drawn.observed), self.drawn.order
        highest, reached = np.zeros(len(draws)), np.zeros(len(order), dtype=np.int64)
        for part in chunks(len(order), self.drawn.width):
            places = order[part]
            maxima = np.abs(self.drawn.statistics(places, draws))
            np.maximum(maxima[:, 0], highest, out=maxima[:, 0])
            np.maximum.accumulate(maxima, axis=1, out=maxima)
            reached[places] = (maxima >= sizes[places] - self.drawn.slack).sum(axis=0)
            highest = maxima[:, -1].copy()
        return reached, highest


class _Draws:
    """The statistics of hypotheses, as observed and in every draw of signs."""

    def __init__(self, family: Sequence[Hypothesis], users: int, draws: int, seeds: Seeds) -> None:
        self._signed = _Signed(family, users, seeds.key("joint test"))
        self._family, self._users, self.draws = family, users, draws
        self.slack = 8 * users**1.5 * float(np.finfo(np.float64).eps)
        self.width = max(1, _CELLS // max(draws, users))
        self.scales = np.array([each.scale for each in family])
        self._kept: dict[int, Floats] = {}
        self._measure([at for at, each in enumerate(family) if each.contributions is None])
        differences = np.array([_observed(each) for each in family])
        self._divisors = np.where(self.scales > 0, self.scales, np.inf)
        self.observed: Floats = differences / self._divisors

    @property
    def order(self) -> Places:
        """The hypotheses from the smallest |t| up."""
        return np.argsort(np.abs(self.observed), kind="stable")

    @property
    def seconds(self) -> float:
        """About what a draw takes, once the swapped differences that are kept are known."""
        anew = [at for at, each in enumerate(self._family) if each.swapped and at not in self._kept]
        parts = -(-len(self._family) // self.width)
        of_user = parts * PER_SIGN + len(self._family) * PER_PRODUCT + len(anew) * _PER_SWAPPED
        return self._users * of_user + len(self._family) * _PER_STATISTIC

    def _measure(self, places: Sequence[int]) -> None:
        """Find the scales of hypotheses that are no sums, and keep their draws if they are few."""
        for part in chunks(len(places), self.width):
            some = places[part]
            work = partial(self._signed.swapped, some)
            seconds = self._users * (PER_SIGN + len(some) * _PER_SWAPPED)
            found = np.concatenate(list(over_large_blocks(work, self.draws, seconds))).T
            known = np.count_nonzero(~np.isnan(found), axis=1)
            squares = np.nansum(found * found, axis=1) / np.maximum(known, 1)
            self.scales[list(some)] = np.sqrt(squares)
            if len(places) * self.draws <= _KEPT:
                self._kept |= dict(zip(some, found, strict=True))

    def statistics(self, places: Places, draws: range) -> Floats:
        """The statistics of some hypotheses in some draws (draws × hypotheses)."""
        found = np.empty((len(draws), len(places)))
        summed = np.array([self._family[at].contributions is not None for at in places.tolist()])
        if summed.any():
            found[:, summed] = self._signed.sums(places[summed], self._divisors, draws)
        others = places[~summed].tolist()
        drawn = {at: self._kept[at][draws.start : draws.stop] for at in others if at in self._kept}
        missing = [place for place in others if place not in drawn]
        if missing:
            drawn |= dict(zip(missing, self._signed.swapped(missing, draws).T, strict=True))
        for at, place in zip(np.flatnonzero(~summed).tolist(), others, strict=True):
            # A draw without a value counts as if it reached everything.
            missing_value = np.inf if self.scales[place] > 0 else 0.0
            found[:, at] = np.nan_to_num(drawn[place] / self._divisors[place], nan=missing_value)
        return found


@dataclass(frozen=True, eq=False)
class _Signed:
    """Hypotheses once every user has a sign, the same in all of them, drawn by a key."""

    family: Sequence[Hypothesis]
    users: int
    key: int

    def sums(self, places: Places, divisors: Floats, draws: range) -> Floats:
        """The statistics of hypotheses that are sums over users (draws × hypotheses)."""
        parts = np.zeros((self.users, len(places)))
        for at, place in enumerate(places.tolist()):
            hypothesis = self.family[place]
            parts[hypothesis.users, at] = hypothesis.contributions / divisors[place]
        return self._over_signs(lambda signs: signs @ parts, draws, 2 * len(places))

    def swapped(self, places: Sequence[int], draws: range) -> Floats:
        """The differences of hypotheses once scores are swapped (draws × hypotheses)."""
        chosen = [(self.family[place].users, self.family[place].swapped) for place in places]

        def work(signs: Floats) -> Floats:
            found = [swapped(signs[:, users]) for users, swapped in chosen if swapped]
            return np.column_stack(found)

        return self._over_signs(work, draws, len(places))

    def _over_signs(self, work: Callable[[Floats], Floats], draws: range, width: int) -> Floats:
        """What the work gives for the signs of some draws, a row each."""
        from cranfield.significance.kernels.drawing import fill_signs

        def of_block(block: range) -> Floats:
            signs = np.empty((len(block), self.users))
            fill_signs(np.uint64(self.key), block.start, signs)
            return work(signs)

        return rows_of_blocks(of_block, draws, 2 * self.users + width)


def _observed(hypothesis: Hypothesis) -> float:
    """The difference; summed as it is in the draws, where it is a sum."""
    added = hypothesis.contributions
    return hypothesis.difference if added is None else float(added.sum())
