"""Samples: the scores of all systems on the same users, ready to be compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import UnsuitableScores
from cranfield.base.ragged import frozen
from cranfield.scoring.coverage import Undefined
from cranfield.scoring.scores import Counts, Flags, Floats, Scores

Pairing = Literal["full", "common"]
"""Users whom a system does not cover: they score 0 there, or they are left out for all."""

ROUNDING = 2.0**-40
"""Two scores that differ by less than this share of the larger are equal (ties)."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Scores of all systems by all metrics, user by user; every system has the same users.

    ``values[s, m, u]`` is never NaN, and 0 where the user does not enter by the metric;
    ``enters[m, u]`` tells who does. ``weights`` say how much users count, alike if None.
    ``judged`` and ``relevant`` are |R_test(u)| and |PR_test(u)|, where known.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats
    enters: Flags
    judged: Counts | None = None
    relevant: Counts | None = None
    weights: Floats | None = None

    def __post_init__(self) -> None:
        assert self.values.shape == (len(self.systems), *self.enters.shape)
        object.__setattr__(self, "values", frozen(self.values))
        object.__setattr__(self, "enters", frozen(self.enters))

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of systems, in the order of every array of pairs."""
        return list(combinations(range(len(self.systems)), 2))

    @property
    def users(self) -> Counts:
        """How many users enter by each metric."""
        counts: Counts = np.count_nonzero(self.enters, axis=1)
        return counts

    def of(self, metric: int) -> Floats:
        """The scores by one metric of those who enter (systems × users)."""
        return self.values[:, metric][:, self.enters[metric]]

    def differences(self, metric: int, pair: tuple[int, int]) -> Floats:
        """First minus second system, for those who enter; exactly 0 where they are equal."""
        first, second = self.values[list(pair), metric][:, self.enters[metric]]
        differences = first - second
        slack = ROUNDING * np.maximum(np.abs(first), np.abs(second))
        return np.where(np.abs(differences) <= slack, 0.0, differences)

    def shares(self, metric: int) -> Floats:
        """How much each user who enters counts; the shares add up to 1."""
        count = int(self.users[metric])
        if self.weights is None:
            return np.full(count, 1 / count)
        weights: Floats = self.weights[self.enters[metric]]
        if np.count_nonzero(weights) < 2:
            few = "1 user" if weights.any() else "no user, as weights add up to 0,"
            problem = f"{few} weighs anything"
            raise UnsuitableScores(self.metrics[metric], problem, "Choose a test without weights")
        shares: Floats = weights / weights.sum()
        return shares

    def take(self, users: npt.NDArray[np.integer]) -> Samples:
        """The samples of some users."""
        of_users: dict[str, Any] = {
            name: None if (known := getattr(self, name)) is None else known[users]
            for name in ("judged", "relevant", "weights")
        }
        return replace(
            self, values=self.values[:, :, users], enters=self.enters[:, users], **of_users
        )


def pair_users(
    scores: Scores,
    metrics: tuple[str, ...] = (),
    *,
    coverage: Pairing = "full",
    undefined: Undefined = "left-out",
) -> Samples:
    """The samples of some metrics, of all unless they are named: one score per user.

    The user is the unit: topics of one user are averaged first. Systems are compared on
    the users of all of them. One on whom a metric is undefined for a system is left out
    for every system, or scores 0; one whom a system does not cover scores 0, or is left
    out for every system. Both are counted by what enters.
    """
    _refuse(scores)
    users = scores.by_user()
    chosen = [scores.metric_number(name) for name in metrics or scores.metrics]
    values = users.values[:, chosen]
    enters = np.ones(values.shape[1:], dtype=bool)
    if undefined == "left-out":
        enters &= ~np.isnan(values).any(axis=0)
    if coverage == "common":
        enters &= users.covered.all(axis=0)
    known = ~np.isnan(values) & users.covered[:, None, :] & enters
    names = tuple(scores.metrics[number] for number in chosen)
    made = Samples(
        scores.systems, names, np.where(known, values, 0.0), enters, users.judged, users.relevant
    )
    refuse_few(made)
    return made


def _refuse(scores: Scores) -> None:
    if len(scores.systems) < 2:
        only = f"is one system, {scores.systems[0]}" if scores.systems else "is no system"
        raise UnsuitableScores("comparison", f"there {only}", "Give the scores of at least two")
    if np.isinf(scores.values).any():
        raise UnsuitableScores("comparison", "a score is infinite", "Give finite scores")


def refuse_few(samples: Samples) -> None:
    """Refuse samples with fewer than two users by a metric."""
    for metric, count in zip(samples.metrics, samples.users.tolist(), strict=True):
        if count < 2:
            total = samples.enters.shape[1]
            others = ", as the others are undefined or uncovered for a system"
            problem = f"{count} of {total} users can be compared{others if total > count else ''}"
            remedy = "Give at least two users with scores by every system"
            raise UnsuitableScores(metric, problem, remedy)
