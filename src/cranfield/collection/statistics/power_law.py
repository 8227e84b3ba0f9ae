"""The shifted power law of item popularity: its shape, its fit, and whole counts by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import parameter
from cranfield.base.errors import BadParameter, TooLarge

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

STEEPEST = 10.0
"""The largest exponent that a fit considers; beyond it the curve is an exponential."""
MOST_RATINGS = 200_000_000
"""Ratings that are simulated at most: so many take about 8 GB."""


@dataclass(frozen=True)
class PowerLaw:
    r"""How many ratings the item at each popularity rank has.

        |R(i_k)| = c1 + β (c2 + k)^(−α),  k = 1, 2, …

    c1 ≥ 0 is what every item has, c2 ≥ 0 flattens the head, β ≥ 0 sets the total, and α
    is the skew: 0 is uniform, MovieLens 1M has about 1.4. bellogin2017 §5.2.
    """

    c1: float
    c2: float
    beta: float
    alpha: float

    @property
    def is_power_law(self) -> bool:
        """Whether the exponent means something: not at the end of what a fit considers.

        There the counts fall by a constant share or amount per rank, or hardly fall at all.
        """
        return self.alpha < STEEPEST * (1 - 1e-6)

    def curve(self, items: int) -> Floats:
        """The number of ratings at ranks 1 to ``items``, not rounded."""
        return self.c1 + self.beta * _decay(items, self.c2, self.alpha) * self._head

    @property
    def _head(self) -> float:
        return float((self.c2 + 1) ** -self.alpha)


def fit_power_law(counts: npt.ArrayLike) -> PowerLaw | None:
    """The shifted power law nearest to item counts; None for fewer than five items.

    Least squares between counts and curve over all ranks, with c1, c2, β ≥ 0 and α up to
    10: the paper does not say how it fits. Since c1 and β enter linearly, they are
    solved for at every (c2, α) tried, and the search is over those two only, from the
    best point of a coarse grid. Without c1 ≥ 0 the best curve of MovieLens 1M would end
    below zero; with it the fit gives α = 1.37, where the paper has "~ 1.4".
    Items without a rating do not count. Equal counts give α = 0.
    """
    falling = -np.sort(-np.asarray(counts, dtype=np.float64))
    falling = falling[falling > 0]
    if len(falling) < 5:
        return None
    if falling[0] == falling[-1]:
        return PowerLaw(c1=float(falling[0]), c2=0.0, beta=0.0, alpha=0.0)
    shift, alpha = _search(falling)
    c1, height = _linear_part(falling, _decay(len(falling), shift, alpha))
    beta = height * float((shift + 1) ** alpha)
    return PowerLaw(c1=c1, c2=shift, beta=beta, alpha=alpha)


def _search(counts: Floats) -> tuple[float, float]:
    """The c2 and α of the nearest curve."""
    # Loaded here: reading and describing other figures must not wait for it.
    from scipy.optimize import least_squares

    items = len(counts)
    scale = float(np.std(counts)) * np.sqrt(items)

    def misses(at: Floats) -> Floats:
        decay = _decay(items, float(np.expm1(at[0])), float(at[1]))
        c1, height = _linear_part(counts, decay)
        return np.asarray((c1 + height * decay - counts) / scale)

    shifts = np.log1p(items * np.array([0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0]))
    grid = [np.array([s, a]) for s in shifts for a in (0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)]
    start = min(grid, key=lambda at: float(np.sum(misses(at) ** 2)))
    top = float(np.log1p(100.0 * items))
    found = least_squares(
        misses,
        np.maximum(start, [1e-6, 1e-6]),
        bounds=([0.0, 0.0], [top, STEEPEST]),
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
    )
    return float(np.expm1(found.x[0])), float(found.x[1])


def _decay(items: int, shift: float, alpha: float) -> Floats:
    """(c2 + k)^(−α) as a share of its value at k = 1, which cannot underflow there."""
    ranks = np.arange(1, items + 1, dtype=np.float64)
    return np.asarray(((shift + ranks) / (shift + 1)) ** -alpha, dtype=np.float64)


def _linear_part(counts: Floats, decay: Floats) -> tuple[float, float]:
    """The c1 ≥ 0 and height ≥ 0 with the least squares for a given decay."""
    centred = decay - decay.mean()
    spread = float(centred @ centred)
    height = float(centred @ counts) / spread if spread > 1e-12 else 0.0
    c1 = float(counts.mean() - height * decay.mean())
    if height <= 0:
        return float(counts.mean()), 0.0
    if c1 < 0:
        return 0.0, float(decay @ counts) / float(decay @ decay)
    return c1, height


def power_law_counts(
    *, users: int, items: int, ratings: int, alpha: float, c1: float = 0.0, c2: float = 0.0
) -> Counts:
    """Whole numbers of ratings by popularity rank that follow the shifted power law.

    They add up to ``ratings``, never rise with rank, and lie between 1 and ``users``,
    since nobody rates an item twice. β is what makes the total come out; a c1 that alone
    would exceed the total is lowered to the mean. α = 0 gives counts that differ by at
    most 1.

    >>> power_law_counts(users=9, items=4, ratings=12, alpha=1.0).tolist()
    [6, 3, 2, 1]
    """
    refuse_impossible_sizes("power-law", users=users, items=items, ratings=ratings)
    floor = min(c1, ratings / items)
    return apportion(_decay(items, c2, alpha), ratings, least=1, most=users, base=floor)


def size_parameter(text: str) -> Any:
    """The field of an option that holds a number of users, items or ratings, if given."""
    return parameter(None, text, at_least=1, at_most=MOST_RATINGS)


def refuse_impossible_sizes(option: str, *, users: int, items: int, ratings: int) -> None:
    """Refuse sizes at which some user or item would have no rating, or a pair two, and sizes
    that fill memory.
    """
    if ratings > MOST_RATINGS:
        problem = f"{users:,} users and {items:,} items would have {ratings:,} ratings"
        remedy = f"Give ratings={MOST_RATINGS}, which is the most, or fewer users or items"
        raise TooLarge(option, problem, remedy)
    if ratings < max(users, items):
        wanted = f"enough for one each of {users:,} users and {items:,} items"
        raise BadParameter(
            option, "ratings", ratings, f"{wanted}: give at least {max(users, items):,}"
        )
    if ratings > users * items:
        wanted = f"possible without rating a pair twice: {users:,} users and {items:,} items"
        raise BadParameter(option, "ratings", ratings, f"{wanted} have {users * items:,} pairs")


def apportion(weights: Floats, total: int, *, least: int, most: int, base: float = 0.0) -> Counts:
    """Whole numbers near base + β·weights that add up to a total, each within bounds.

    β is found by bisection; what rounding down leaves over goes to the largest
    remainders, the earlier first among equals. So larger weights never get less.

    >>> apportion(np.array([4.0, 1.0, 1.0]), 8, least=1, most=5).tolist()
    [5, 2, 1]
    """
    assert least * len(weights) <= total <= most * len(weights)
    assert weights.min() > 0

    def shares(beta: float) -> Floats:
        return np.clip(base + beta * weights, least, most)

    low, high = 0.0, most / float(weights.min())
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if shares(middle).sum() <= total else (low, middle)
    # Lifted a hair before rounding down, so that a whole share is not cut by rounding error.
    exact = shares(low)
    counts = np.floor(exact * (1 + 1e-12)).astype(np.int64)
    remainders = np.where(counts < most, exact - counts, -np.inf)
    order = np.argsort(-remainders, kind="stable")
    counts[order[: total - int(counts.sum())]] += 1
    return counts
