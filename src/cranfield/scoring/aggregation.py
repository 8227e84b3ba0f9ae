"""Aggregation: from scores per topic to one value per system."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.machine.blas import dot
from cranfield.base.options import contract
from cranfield.scoring.coverage import ComparedWith, EnteredScores
from cranfield.scoring.scores import Counts, Floats

ROUNDING = 1e-12
"""Scores that differ by so small a share of the highest differ by rounding alone."""


@contract("aggregation")
class Aggregation(Protocol):
    """How the scores of all topics become one value (decision C3)."""

    @property
    def compares(self) -> ComparedWith:
        """Whether the value of a system depends on the scores of all others, or of which."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the value depends on besides the scores."""
        return ()

    def of_scores(self, entered: EnteredScores) -> float:
        """The value of one system by one metric; at least one topic has entered."""
        ...


class TransformedMean(Aggregation):
    r"""An aggregation that is a mean of scores on a scale of its own, taken back.

        g(Σ_t s_t·y_t),  s_t = w_t·c_t ÷ Σ w_t·c_t

    y_t may depend on the scores of all systems on topic t alone. So what users add to the
    mean can be exchanged and drawn again without computing it anew. Unless a member says
    otherwise, y_t is the score, c_t is 1, and nothing is taken back.
    """

    def of_scores(self, entered: EnteredScores) -> float:
        """The mean of the transformed scores, on the scale of scores."""
        mean = dot(self.shares(entered), self.transformed(entered))
        return float(self.restored(np.array([mean]))[0])

    def shares(self, entered: EnteredScores) -> Floats:
        """How much each topic counts; the shares add up to 1."""
        counts = self.counts(entered)
        if counts is None:
            return entered.weights
        weights = entered.weights * counts
        total = weights.sum()
        return np.asarray(weights / total if total else weights * float("nan"))

    def counts(self, entered: EnteredScores) -> Floats | Counts | None:
        """What a topic counts for beyond its weight; None where all count alike."""
        return None

    def transformed(self, entered: EnteredScores) -> Floats:
        """The scores on the scale on which their mean is taken."""
        return entered.scores

    def restored(self, means: Floats) -> Floats:
        """Means of transformed scores on the scale of scores."""
        return means


class LinearAggregation(TransformedMean):
    """A weighted mean of the scores themselves, so that expectations carry over to it."""


@dataclass(frozen=True, eq=False)
class DrawnScores:
    """One system in many draws: how often each user enters, by which of two sets of scores.

    ``own`` are the system's scores, ``other`` those that it has once they are exchanged
    with another system's. ``own_times`` and ``other_times`` (draws × users) tell how often
    a user enters with either.
    """

    own: EnteredScores
    other: EnteredScores
    own_times: Floats
    other_times: Floats

    @property
    def sets(self) -> tuple[tuple[EnteredScores, Floats], tuple[EnteredScores, Floats]]:
        """Both sets of scores, with how often users enter."""
        return (self.own, self.own_times), (self.other, self.other_times)

    @property
    def counts(self) -> Floats:
        """How often each topic enters (draws × topics), own ones first."""
        return np.concatenate([times[:, entered.users] for entered, times in self.sets], axis=1)

    @property
    def weights(self) -> Floats:
        """How much each topic counts in each draw, before shares are taken."""
        units = [self.units(entered) for entered, _ in self.sets]
        return np.asarray(self.counts * np.concatenate(units, axis=1))

    def units(self, entered: EnteredScores) -> Floats:
        """How much a topic counts each time that it enters: a share of its segment."""
        sizes = sum(times @ entered.segment_sizes for entered, times in self.sets)
        shares = np.divide(1.0, sizes, out=np.zeros(np.shape(sizes)), where=sizes > 0)
        units = shares[:, entered.segments]
        return np.asarray(units if entered.times is None else units * entered.times)


@runtime_checkable
class DrawnAggregation(Protocol):
    """An aggregation that values many draws at once, as a loop over them is slow."""

    def of_draws(self, drawn: DrawnScores) -> Floats:
        """The value in each draw; what `of_scores` gives for the topics drawn."""
        ...


def needs_draws(aggregation: Aggregation) -> bool:
    """Whether the value of random rankings is found by drawing them: the average of topics
    is no mean. Where systems are compared with each other, random rankings have no value.
    """
    return not isinstance(aggregation, LinearAggregation) and not aggregation.compares


def standard_error(scores: Floats, shares: Floats, users: Counts) -> float:
    r"""The standard error of a weighted mean of scores, users being independent.

        SE² = U/(U−1) · Σ_u (Σ_{t of u} w_t (x_t − x̄))²

    With one topic per user of equal weight it is s/√|U|. Topics of one user (1R, P1R)
    go together, so that they do not pass for independent ones. NaN for a single user.

    >>> standard_error(np.array([1.0, 0.0]), np.array([0.5, 0.5]), np.array([0, 1]))
    0.5
    """
    by_user = np.bincount(users, weights=shares * (scores - dot(shares, scores)))
    count = int(np.count_nonzero(np.bincount(users)))
    if count < 2:
        return float("nan")
    return float(np.sqrt(dot(by_user, by_user) * count / (count - 1)))


def influence(aggregation: TransformedMean, entered: EnteredScores) -> Floats:
    r"""What each user adds to the error of a mean of transformed scores, linearised.

        e_u = Σ_{t of u} s_t·(y_t − ȳ) − Σ_seg (ȳ_seg − ȳ)·S_seg·n_u,seg/N_seg

    s_t are shares, ȳ the mean, n_u,seg of the N_seg topics of a segment are the user's,
    ȳ_seg is the segment's mean and S_seg its share; the second sum is there in P1R alone,
    where the size of a segment depends on users too. NaN for users without a topic, the
    rest adds up to 0. The variance of the mean is U/(U−1)·Σ_u e_u². Särndal, Swensson &
    Wretman 1992; Deng, Knoblich & Lu 2018.
    """
    shares, values = aggregation.shares(entered), aggregation.transformed(entered)
    size = entered.measured.n_users
    apart = shares * (values - dot(shares, values))
    added = np.bincount(entered.users, apart, size).astype(np.float64)
    entering = np.bincount(entered.users, minlength=size)
    if entered.measured.topics.segments is not None:
        sizes = entered.segment_sizes
        sums = np.bincount(entered.segments, apart, sizes.shape[1])
        added -= sizes @ (sums / np.maximum(sizes.sum(axis=0), 1))
        entering = sizes.sum(axis=1)
    added[entering == 0] = np.nan
    return added


def refuse_fewer_than_two(asker: str, entered: EnteredScores) -> None:
    """Refuse to compare a system with nothing."""
    if len(entered.systems) < 2:
        raise MissingFacts(asker, "the scores of at least two systems", "more runs")


def scores_of(asker: str, baseline: str, entered: EnteredScores) -> Floats:
    """The scores of the baseline."""
    if baseline not in entered.systems:
        known = f"one of the systems {', '.join(entered.systems)}"
        raise BadParameter(asker, "baseline", baseline, known)
    scores: Floats = entered.all_scores[entered.systems.index(baseline)]
    return scores


def scaled(values: Floats, highest: Floats | float) -> Floats:
    """Values divided by the power of two next to the highest, which loses no digit.

    >>> scaled(np.array([3.0, 6.0]), 6.0).tolist()
    [0.375, 0.75]
    """
    return np.asarray(np.ldexp(values, -np.frexp(highest)[1]))
