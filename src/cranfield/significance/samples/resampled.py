"""Resampled: the values of two systems once scores are exchanged, or users drawn again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.scoring.aggregation import (
    Aggregation,
    DrawnAggregation,
    DrawnScores,
    TransformedMean,
)
from cranfield.scoring.coverage import EnteredScores, enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.samples.margin import Margin

Users = npt.NDArray[np.int64]


class Resampled(Protocol):
    """What a pair's values are once users' scores are exchanged or drawn again.

    ``own`` and ``other`` (draws × users) tell how often each user enters with scores as
    they are, and with the scores of the two systems exchanged. Exchanging is 1 and 0 or
    0 and 1; a bootstrap draws counts and exchanges nothing.
    """

    def values(self, pair: tuple[int, int], own: Floats, other: Floats) -> tuple[Floats, Floats]:
        """The values of the first and the second system in each draw."""
        ...


def swapped(made: Resampled, pair: tuple[int, int], signs: Floats) -> Floats:
    """First minus second in each draw; a user's scores are exchanged where the sign is −1."""
    first, second = made.values(pair, (1 + signs) / 2, (1 - signs) / 2)
    return np.asarray(first - second)


def drawn_again(made: Resampled, pair: tuple[int, int], counts: Floats) -> Floats:
    """First minus second in each draw of users with replacement."""
    first, second = made.values(pair, counts, np.zeros((1, counts.shape[1])))
    return np.asarray(first - second)


def resampled(
    scores: Scores, metric: int, choice: SummaryChoice, margin: Margin | None = None
) -> Resampled:
    """How the values by one metric are worked out anew, as fast as the aggregation allows."""
    aggregation = choice.aggregation
    made = _Exchange(scores, metric, choice, margin)
    if isinstance(aggregation, TransformedMean):
        return _Means(made, aggregation)
    if isinstance(aggregation, DrawnAggregation):
        return _Draws(made, aggregation)
    return _Loop(made, aggregation)


class _Exchange:
    """The scores of systems as they are, and with those of two exchanged on every user."""

    def __init__(
        self, scores: Scores, metric: int, choice: SummaryChoice, margin: Margin | None = None
    ) -> None:
        self.scores, self.metric, self.choice, self.margin = scores, metric, choice, margin
        # One scores file may serve many pairs: entering is worked out once for each.
        self.entered: Callable[[int, tuple[int, int] | None], EnteredScores]
        self.entered = lru_cache(maxsize=64)(self._entered)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is cached is not pickled."""
        return _Exchange, (self.scores, self.metric, self.choice, self.margin)

    def enter(self, scores: Scores, system: int) -> EnteredScores:
        """The topics that enter the value of a system."""
        choice = self.choice
        compared = choice.aggregation.compares
        entered = enter(
            scores, system, self.metric, choice.coverage, choice.undefined, compared=compared
        )
        return entered if self.margin is None else self.margin.moved(entered)

    def _entered(self, system: int, exchanged: tuple[int, int] | None) -> EnteredScores:
        if exchanged is None:
            return self.enter(self.scores, system)
        order = list(range(len(self.scores.systems)))
        one, two = exchanged
        order[one], order[two] = two, one
        swapped_scores = replace(
            self.scores, values=self.scores.values[order], covered=self.scores.covered[order]
        )
        return self.enter(swapped_scores, system)

    def other(self, system: int, pair: tuple[int, int]) -> EnteredScores:
        """The topics of a system that has the scores of the other of a pair."""
        if self.choice.aggregation.compares:
            return self.entered(system, pair)
        return self.entered(pair[1] if system == pair[0] else pair[0], None)


Sums = tuple[Floats, Floats, Floats]
"""Each user's sum, weight and defined topics in each segment (users × segments)."""


class _Means:
    """Means of transformed scores: sums over users, which exchange and draw by a product."""

    def __init__(self, made: _Exchange, aggregation: TransformedMean) -> None:
        self.made, self.aggregation = made, aggregation
        # Draws come in parts, and to transform scores may take longer than to draw.
        self.sums: Callable[[EnteredScores], Sums] = lru_cache(maxsize=64)(self._sums)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is cached is not pickled."""
        return _Means, (self.made, self.aggregation)

    def values(self, pair: tuple[int, int], own: Floats, other: Floats) -> tuple[Floats, Floats]:
        first, second = (self._value(system, pair, own, other) for system in pair)
        return first, second

    def _value(self, system: int, pair: tuple[int, int], own: Floats, other: Floats) -> Floats:
        """Segments weigh alike, and within each its topics; all are in one without segments."""
        mine = self.sums(self.made.entered(system, None))
        theirs = self.sums(self.made.other(system, pair))
        drawn = [own @ a + other @ b for a, b in zip(mine, theirs, strict=True)]
        totals, weights, sizes = drawn
        shares = np.divide(1.0, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
        total, weight = (totals * shares).sum(axis=1), (weights * shares).sum(axis=1)
        means = np.divide(total, weight, out=np.full(len(total), np.nan), where=weight > 0)
        return self.aggregation.restored(means)

    def _sums(self, entered: EnteredScores) -> Sums:
        counts, sizes = self.aggregation.counts(entered), entered.segment_sizes
        weights = np.ones(len(entered)) if counts is None else counts.astype(np.float64)
        weights = weights if entered.times is None else weights * entered.times
        places = entered.users * sizes.shape[1] + entered.segments
        sums, weighed = (
            np.bincount(places, each, sizes.size).astype(np.float64).reshape(sizes.shape)
            for each in (weights * self.aggregation.transformed(entered), weights)
        )
        return sums, weighed, sizes


@dataclass(frozen=True, eq=False)
class _Draws:
    """An aggregation that values many draws at once."""

    made: _Exchange
    aggregation: DrawnAggregation

    def values(self, pair: tuple[int, int], own: Floats, other: Floats) -> tuple[Floats, Floats]:
        first, second = (self._value(system, pair, own, other) for system in pair)
        return first, second

    def _value(self, system: int, pair: tuple[int, int], own: Floats, other: Floats) -> Floats:
        mine, theirs = self.made.entered(system, None), self.made.other(system, pair)
        wide = np.broadcast_to(other, own.shape)
        some = own[:, mine.users].any(axis=1) | wide[:, theirs.users].any(axis=1)
        values: Floats = np.full(len(own), np.nan)
        if some.any():
            drawn = DrawnScores(mine, theirs, own[some], wide[some])
            values[some] = self.aggregation.of_draws(drawn)
        return values


@dataclass(frozen=True, eq=False)
class _Loop:
    """Any aggregation, draw by draw: the definition that the others must equal."""

    made: _Exchange
    aggregation: Aggregation

    def values(self, pair: tuple[int, int], own: Floats, other: Floats) -> tuple[Floats, Floats]:
        wide = np.broadcast_to(other, own.shape)
        found = [
            [self._value(self._drawn(pair, mine, theirs), system) for system in pair]
            for mine, theirs in zip(own, wide, strict=True)
        ]
        first, second = np.array(found).T
        return first, second

    def _value(self, scores: Scores, system: int) -> float:
        entered = self.made.enter(scores, system)
        return self.aggregation.of_scores(entered) if len(entered) else np.nan

    def _drawn(self, pair: tuple[int, int], own: Floats, other: Floats) -> Scores:
        """The scores of users as often as drawn, exchanged where they are; each a new user."""
        scores, users = self.made.scores, self.made.scores.user_numbers
        order = list(range(len(scores.systems)))
        order[pair[0]], order[pair[1]] = pair[1], pair[0]
        exchanged = replace(scores, values=scores.values[order], covered=scores.covered[order])
        parts = [
            part.take(np.flatnonzero(times[users] > copy))
            for part, times in ((scores, own), (exchanged, other))
            for copy in range(int(times.max(initial=0)))
        ]
        return _joined(parts)


def _joined(parts: list[Scores]) -> Scores:
    """The scores of all parts, the users of each apart from those of the others."""
    first = parts[0]
    step = int(max(part.topics.users.max(initial=0) for part in parts)) + 1
    users = [part.topics.users + number * step for number, part in enumerate(parts)]

    def joined(name: str) -> npt.NDArray[np.generic] | None:
        pieces = [getattr(part, name) for part in parts]
        return None if pieces[0] is None else np.concatenate(pieces, axis=-1)

    def of_topics(name: str) -> npt.NDArray[np.int32] | None:
        pieces = [getattr(part.topics, name) for part in parts]
        return None if pieces[0] is None else np.concatenate(pieces)

    topics = replace(
        first.topics,
        users=np.concatenate(users).astype(first.topics.users.dtype),
        items=of_topics("items"),
        segments=of_topics("segments"),
    )
    changed = {name: joined(name) for name in ("values", "covered", "judged", "relevant")}
    columns = {
        name: np.concatenate([part.user_columns[name] for part in parts])
        for name in first.user_columns
    }
    weights = {
        name: np.concatenate([part.topic_weights[name] for part in parts])
        for name in first.topic_weights
    }
    first = replace(first, topic_weights={})
    made = replace(first, topics=topics, user_columns=columns, **changed)  # type: ignore[arg-type]
    return replace(made, topic_weights=weights)
