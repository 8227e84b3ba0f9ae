"""Samples: the scores of all systems user by user, ready to be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnsuitableScores
from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Counts, Flags, Floats
from cranfield.significance.effect_size import MeanDifference, mean_difference, mean_of_influence
from cranfield.significance.samples.resampled import Resampled

ROUNDING = 2.0**-40
"""Two scores that differ by less than this share of the larger are equal (ties)."""


Differences = Mapping[tuple[str, str, str], MeanDifference]
"""The differences of pairs by metric, first and second system, whose errors are known."""


class Influence(NamedTuple):
    """What users add to the errors of means: the means of all systems, and e_su.

    ``added`` (systems × users) is NaN for users who do not enter a mean.
    """

    means: Floats
    added: Floats


@dataclass(frozen=True, eq=False)
class Samples:
    """Scores of all systems by all metrics, user by user.

    ``values[s, m, u]`` is the mean of a user's topics, never NaN, and 0 where the user does
    not enter by the metric for every system; ``enters[m, u]`` tells who does.
    ``weights[m, u]`` is how much a user counts, alike if None. ``table[m, s]`` are the
    values that are compared; without them, they are the means of users. Where the value of
    a metric is no mean over the same users, ``resampled`` tells what it is once scores are
    exchanged; where topics lie in segments or users differ between systems,
    ``influence`` tells what a user adds to the errors of means. ``linear`` tells whether
    values are means of scores, not of what an aggregation makes of them, ``additive``
    whether they come from such a mean at all. ``given`` are differences whose errors do
    not follow from users alone.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats
    enters: Flags
    weights: Floats | None = None
    table: Floats | None = None
    influence: Mapping[int, Influence] = field(default_factory=dict)
    resampled: Mapping[int, Resampled] = field(default_factory=dict)
    linear: bool = True
    additive: bool = True
    given: Differences | None = None

    def __post_init__(self) -> None:
        assert self.values.shape == (len(self.systems), *self.enters.shape)
        object.__setattr__(self, "values", frozen(self.values))
        object.__setattr__(self, "enters", frozen(self.enters))

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of systems, in the order of every array of pairs."""
        return list(combinations(range(len(self.systems)), 2))

    @cached_property
    def users(self) -> Counts:
        """How many users enter by each metric."""
        counts: Counts = np.count_nonzero(self.enters, axis=1)
        return counts

    def compared(self, metric: int) -> int:
        """How many users enter the value of some system by a metric."""
        if metric not in self.influence:
            return int(self.users[metric])
        return int(np.count_nonzero(~np.isnan(self.influence[metric].added).all(axis=0)))

    def unequal(self, metric: int) -> bool:
        """Whether systems are averaged over different users by a metric."""
        if metric not in self.influence:
            return False
        entering = ~np.isnan(self.influence[metric].added)
        return bool((entering != entering[0]).any())

    def of(self, metric: int) -> Floats:
        """The scores by one metric of those who enter (systems × users)."""
        scores: Floats = self.values[:, metric]
        # Everyone enters mostly, and a copy for each pair would take longer than its test.
        return scores if self.users[metric] == scores.shape[1] else scores[:, self.enters[metric]]

    def differences(self, metric: int, pair: tuple[int, int]) -> Floats:
        """First minus second system, for those who enter; exactly 0 where they are equal."""
        scores = self.of(metric)
        first, second = scores[pair[0]], scores[pair[1]]
        differences = first - second
        slack = ROUNDING * np.maximum(np.abs(first), np.abs(second))
        return np.where(np.abs(differences) <= slack, 0.0, differences)

    def shares(self, metric: int) -> Floats:
        """How much each user who enters counts; the shares add up to 1."""
        count = int(self.users[metric])
        if self.weights is None:
            return np.full(count, 1 / max(count, 1))
        weights: Floats = self.weights[metric, self.enters[metric]]
        return np.asarray(weights / weights.sum())

    @cached_property
    def contributions(self) -> Floats:
        """What users add to the value of each system, times the number of users.

        The scores themselves where all users count alike; 0 for who does not enter.
        """
        if self.weights is None:
            return self.values
        scaled = np.zeros(self.enters.shape)
        for metric, enters in enumerate(self.enters):
            scaled[metric, enters] = self.shares(metric) * self.users[metric]
        return np.asarray(self.values * scaled)

    def linearised(self, metric: int) -> Floats:
        """Scores whose means are the values, and whose spread is that of the values.

        x̄_s + n·e_su, e_su what user u adds to the error of system s: the scores
        themselves where all users count alike (systems × users).
        """
        if metric in self.influence:
            means, added = self.influence[metric]
            entering = ~np.isnan(added).all(axis=0)
            apart: Floats = np.nan_to_num(added)[:, entering] * entering.sum()
            return np.asarray(means[:, None] + apart)
        scores = self.of(metric)
        if self.weights is None:
            return scores
        shares = self.shares(metric)
        means = scores @ shares
        return np.asarray(means[:, None] + len(shares) * shares * (scores - means[:, None]))

    def difference(self, metric: int, pair: tuple[int, int]) -> MeanDifference:
        """The difference of two means, and its standard error with users as the unit."""
        if self.given is not None:
            first, second = (self.systems[system] for system in pair)
            return _given(self.given, self.metrics[metric], first, second)
        return self.over_users(metric, pair)

    def over_users(self, metric: int, pair: tuple[int, int]) -> MeanDifference:
        """The same where users are all that is random."""
        if metric not in self.influence:
            return mean_difference(self.differences(metric, pair), self.shares(metric))
        means, added = (each[list(pair)] for each in self.influence[metric])
        entering = ~np.isnan(added).all(axis=0)
        first, second = np.nan_to_num(added)[:, entering]
        return mean_of_influence(float(means[0] - means[1]), first - second)

    def error_parts(self, metric: int, pair: tuple[int, int]) -> Floats | None:
        """What each user adds to the error of a difference of values, 0 for who does not enter.

        None where values are not means of scores.
        """
        if not self.linear:
            return None
        if metric in self.influence:
            first, second = np.nan_to_num(self.influence[metric].added[list(pair)])
            return np.asarray(first - second)
        differences, shares = self.differences(metric, pair), self.shares(metric)
        parts = np.zeros(self.enters.shape[1])
        parts[self.enters[metric]] = shares * (differences - shares @ differences)
        return parts

    def tabled(self, metric: int, pair: tuple[int, int]) -> float:
        """The difference of the values that a table shows."""
        first, second = self.shown(metric)[list(pair)].tolist()
        return float(first - second)

    def shown(self, metric: int) -> Floats:
        """The values that a table shows, system by system."""
        if self.table is None:
            return self.of(metric) @ self.shares(metric)
        return np.asarray(self.table[metric])

    def take(self, users: npt.NDArray[np.integer]) -> Samples:
        """The samples of some users, whose values are means."""
        assert not self.influence
        assert not self.resampled
        weights = None if self.weights is None else self.weights[:, users]
        values, enters = self.values[:, :, users], self.enters[:, users]
        return replace(self, values=values, enters=enters, weights=weights, table=None)


def _given(known: Differences, metric: str, first: str, second: str) -> MeanDifference:
    if (metric, first, second) in known:
        return known[metric, first, second]
    turned = known[metric, second, first]
    return replace(turned, mean=-turned.mean)


def refuse_few(samples: Samples) -> None:
    """Refuse samples with fewer than two users by a metric."""
    for metric, name in enumerate(samples.metrics):
        count, total = samples.compared(metric), samples.enters.shape[1]
        if count < 2:
            others = ", as the others are undefined or uncovered for a system"
            problem = f"{count} of {total} users can be compared{others if total > count else ''}"
            remedy = "Give at least two users with scores by every system"
            raise UnsuitableScores(name, problem, remedy)


def refuse_unequal_users(asker: object, samples: Samples) -> None:
    """Refuse values that are no means over the same users."""
    if samples.resampled:
        raise UnsuitableScores(
            str(asker),
            "the values compared are not means over the same users",
            "Choose the permutation test, or coverage full or common",
        )
