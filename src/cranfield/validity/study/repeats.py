"""Repeats: whether a difference holds for algorithms, beyond the models fitted on one split."""

from __future__ import annotations

from dataclasses import asdict
from math import inf, isnan, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import TooFew, counted
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import CONFIDENCE, Interval
from cranfield.validity.phrases import signed, written_p

Terms = list[tuple[float, float]]
"""Mean squares, with their signs, and the degrees of freedom of each."""


@dataclass(frozen=True)
class VarianceComponents:
    r"""Variances of d_usf = μ + user_u + split_s + fit_f(s) + (user × split)_us + rest_usf.

    None is below 0. NaN where repeats cannot tell it: with one fit per split, ``split``
    holds the fit too and ``user_split`` the rest; with one split, ``user`` holds it.
    """

    user: float
    split: float
    fit: float
    user_split: float
    rest: float


@dataclass(frozen=True, kw_only=True)
class RepeatedDifference:
    """The mean difference over splits and fits, and its standard error for the algorithms.

    ``users_error`` is the standard error with users alone at random; ``error`` adds splits
    and fits, with ``freedom`` degrees of freedom.
    """

    difference: float
    users_error: float
    error: float
    freedom: float
    users: int
    splits: int
    fits: int
    components: VarianceComponents

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """The mean difference ± the quantile of Student's t times its standard error."""
        from scipy.special import stdtrit

        reach = float(stdtrit(self.freedom, (1 + confidence) / 2)) * self.error
        return Interval(self.difference, self.difference - reach, self.difference + reach)

    @property
    def p_value(self) -> float:
        """The two-sided p-value of Student's t."""
        from scipy.special import stdtr

        if self.difference == 0:
            return 1.0
        statistic = abs(self.difference) / self.error if self.error > 0 else inf
        return float(2 * stdtr(self.freedom, -statistic))


def repeated_difference(values: Floats) -> RepeatedDifference:
    r"""The mean difference of two systems over splits and fits, variances by moments.

        SE² = SE²_users + σ²_split/S + σ²_fit/(S·F)
        SE²_users = (σ²_user + σ²_user×split/S + σ²_rest/(S·F))/U

    ``values`` are the differences of U users in S splits with F fits each (users × splits ×
    fits), linearised, so that the mean over users is the difference that a table shows.
    Variances are those of the analysis of variance, not below 0; degrees of freedom are
    Satterthwaite's (1946), over the mean squares that SE² is made of. Splits divide the
    same ratings, so that this is about random splits of these ratings, not about other
    ratings (Nadeau & Bengio 2003).
    """
    users, splits, fits = values.shape
    _refuse_few(users, splits * fits)
    # Fits of a single split are the only repeats there are.
    columns = values[:, 0, :] if splits == 1 else values.mean(axis=2)
    squares, count = _crossed(columns), columns.shape[1]
    within = _within(values) if splits > 1 and fits > 1 else None
    fit = 0.0 if within is None else max(within.column - within.rest, 0.0) / users
    column = max((squares.column - squares.rest) / users - fit / fits, 0.0)
    terms: Terms = [(squares.user, users - 1)]
    if column > 0:
        terms += [(squares.column, count - 1), (-squares.rest, (users - 1) * (count - 1))]
    elif within is not None and fit > 0:
        freedom = splits * (fits - 1)
        terms += [(within.column / fits, freedom), (-within.rest / fits, freedom * (users - 1))]
    user = max(squares.user - squares.rest, 0.0) / count
    if splits == 1:
        found = (user, nan, column, nan, squares.rest)
    elif within is None:
        found = (user, column, nan, squares.rest, nan)
    else:
        found = (user, column, fit, max(squares.rest - within.rest / fits, 0.0), within.rest)
    return RepeatedDifference(
        difference=float(columns.mean()),
        users_error=sqrt(squares.user / (users * count)),
        error=sqrt(sum(square for square, _ in terms) / (users * count)),
        freedom=_satterthwaite(terms),
        users=users,
        splits=splits,
        fits=fits,
        components=VarianceComponents(*found),
    )


def _refuse_few(users: int, repeats: int) -> None:
    for what, number in (("users", users), ("splits or fits", repeats)):
        if number < 2:
            raise TooFew("repeating", what, 2, number)


class _MeanSquares(NamedTuple):
    """Mean squares of users, of columns, and of users × columns."""

    user: float
    column: float
    rest: float


def _crossed(values: Floats) -> _MeanSquares:
    users, columns = values.shape
    by_user, by_column = values.mean(axis=1), values.mean(axis=0)
    rest = values - by_user[:, None] - by_column + values.mean()
    return _MeanSquares(
        columns * float(by_user.var(ddof=1)),
        users * float(by_column.var(ddof=1)),
        float((rest**2).sum()) / ((users - 1) * (columns - 1)),
    )


def _within(values: Floats) -> _MeanSquares:
    """The mean squares of fits within splits; all splits have as many."""
    parts = [_crossed(values[:, split]) for split in range(values.shape[1])]
    return _MeanSquares(*np.mean(parts, axis=0).tolist())


def _satterthwaite(terms: Terms) -> float:
    """Degrees of freedom of a sum of mean squares."""
    total = sum(square for square, _ in terms)
    spread = sum(square**2 / freedom for square, freedom in terms)
    return total**2 / spread if spread > 0 else terms[0][1]


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """What splits and fits add to the difference of a pair by one metric; first minus second."""

    first: str
    second: str
    metric: str
    found: RepeatedDifference
    alpha: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON: what was found, with its interval and p-value; what is NaN is None."""
        found, ends = self.found, self.found.interval()
        more = {"low": ends.low, "high": ends.high, "p_value": found.p_value}
        variances = {
            name: None if isnan(each) else each for name, each in asdict(found.components).items()
        }
        named = {"first": self.first, "second": self.second, "metric": self.metric}
        return {**named, **asdict(found), **more, "components": variances}

    @property
    def sentences(self) -> tuple[str, ...]:
        """What it says: the difference over repeats, what it varies by, and for whom it holds."""
        found, ends = self.found, self.found.interval()
        difference = (
            f"{_over(found)}, {self.first} − {self.second} by {self.metric} is "
            f"{signed(found.difference, '+.4f')} on average, 95 % interval "
            f"{signed(ends.low, '+.4f')} to {signed(ends.high, '+.4f')}, "
            f"{written_p(found.p_value, self.alpha)}."
        )
        error = (
            f"Its standard error is {found.error:.4f}, and {found.users_error:.4f} with users "
            f"alone at random. {_spreads(found.components)}"
        )
        if found.p_value < self.alpha:
            models = "the models of one split" if found.splits > 1 else "these fitted models"
            return difference, error, f"It is established for the algorithms, beyond {models}."
        only = "A conclusion from one split is about its fitted models."
        return difference, error, f"It is not established for the algorithms. {only}"


def _over(found: RepeatedDifference) -> str:
    if found.splits == 1:
        return f"Over {counted(found.fits, 'fit')} on this split"
    fits = "" if found.fits == 1 else f", with {counted(found.fits, 'fit')} each"
    return f"Over {counted(found.splits, 'random split')} of these ratings{fits}"


def _spreads(components: VarianceComponents) -> str:
    known = {"splits": components.split, "fits": components.fit}
    told = [f"{sqrt(each):.4f} between {name}" for name, each in known.items() if not isnan(each)]
    return f"The difference has a standard deviation of {' and '.join(told)}."
