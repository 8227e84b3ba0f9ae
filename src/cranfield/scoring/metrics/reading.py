"""How metrics read a topic: which judged targets are relevant, seen, and worth what.

``first`` and ``last`` bound the ranks that tied items share. `chance_within` and
`mean_weight` average over every order of them, which is all that a metric needs that
adds up one term per item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import OptionError, UnmappableRating
from cranfield.recommendation.ranking.hits import TopicHits
from cranfield.scoring.gain import Floats, Gain, RatingScale

Flags = npt.NDArray[np.bool_]

CUTOFF = "How many ranks count; without it, the whole list."
RELEVANCE = "The lowest rating that is relevant, instead of the judgments' own."
GAIN = "How much a rating is worth."


def is_relevant(topic: TopicHits, relevance: float | None) -> Flags:
    """Which judged targets are relevant: R_u."""
    return topic.ratings >= (topic.relevance if relevance is None else relevance)


def is_seen(topic: TopicHits, cutoff: int | None) -> Flags:
    """Which judged targets are in the list, above the cut-off."""
    return (topic.ranks > 0) & (topic.ranks <= (inf if cutoff is None else cutoff))


def depth_of(topic: TopicHits, cutoff: int | None) -> int:
    """n: the cut-off, or the length of the list."""
    return topic.length if cutoff is None else cutoff


def last_rank(topic: TopicHits, cutoff: int | None) -> int:
    """The last rank that is looked at: n, or the end of a shorter list."""
    return min(topic.length, depth_of(topic, cutoff))


def gains_of(topic: TopicHits, gain: Gain, relevance: float | None) -> Floats:
    """What each judged target is worth."""
    return gain.of_rating(topic.ratings, scale_of(topic, relevance))


def shares_of(topic: TopicHits, gain: Gain, relevance: float | None) -> Floats:
    """What each judged target is worth, as a share of at most 1."""
    return check_shares(gains_of(topic, gain, relevance), gain)


def own_shares(topic: TopicHits, gain: Gain, relevance: float | None) -> Floats:
    """What each judged target is worth on a scale that ends at the topic's highest rating.

    All 0 where that leaves the gain nothing to divide by.
    """
    scale = replace(scale_of(topic, relevance), highest=float(topic.ratings.max()))
    try:
        return check_shares(gain.of_rating(topic.ratings, scale), gain)
    except UnmappableRating:  # ratings that have no gain on any scale were refused before
        return np.zeros(len(topic.ratings))


def check_shares(gains: Floats, gain: Gain) -> Floats:
    """The gains, unless one is above 1."""
    if len(gains) and gains.max() > 1:
        raise UnmappableRating(str(gain), float(gains.max()), "gains of at most 1 here")
    return gains


def scale_of(topic: TopicHits, relevance: float | None) -> RatingScale:
    """The rating scale with the threshold that holds."""
    threshold = topic.relevance if relevance is None else relevance
    return RatingScale(topic.lowest, topic.highest, threshold)


def refuse_idle_relevance(metric: Any) -> None:
    """Refuse a threshold of its own for a metric whose gain asks only for ratings."""
    if metric.relevance is not None and not getattr(metric.gain, "reads_relevance", True):
        raise OptionError(
            f"{metric.option_name}, relevance: {metric.relevance:g} would change nothing, as "
            f"gain={metric.gain} has no threshold. Choose gain=relevant-rating or gain=binary."
        )


def chance_within(topic: TopicHits, cutoff: int | None) -> Floats:
    """For each judged target, the chance that it lands above the cut-off."""
    return mean_weight(topic, cutoff, lambda ranks: np.ones(len(ranks)))


def mean_weight(
    topic: TopicHits, cutoff: int | None, weight: Callable[[npt.NDArray[np.int64]], Floats]
) -> Floats:
    """For each judged target, the mean weight of the ranks it could have above the cut-off."""
    means, end = np.zeros(len(topic.ranks)), last_rank(topic, cutoff)
    for place, (first, last) in enumerate(zip(topic.first, topic.last, strict=True)):
        if first > 0:
            weights = weight(np.arange(first, min(int(last), end) + 1, dtype=np.int64))
            means[place] = weights.sum() / (last - first + 1)
    return means


class TieGroup(NamedTuple):
    """Items of equal prediction, on ranks ``first`` to ``last``."""

    first: int
    last: int
    relevant: int

    @property
    def size(self) -> int:
        """How many items are tied, judged or not."""
        return self.last - self.first + 1


def tie_groups(topic: TopicHits, relevance: float | None) -> Iterator[TieGroup]:
    """The tie groups that hold relevant items, from the top."""
    chosen = is_relevant(topic, relevance) & (topic.first > 0)
    firsts, places, counts = np.unique(topic.first[chosen], return_index=True, return_counts=True)
    lasts = topic.last[chosen][places]
    for first, last, count in zip(firsts, lasts, counts, strict=True):
        yield TieGroup(int(first), int(last), int(count))
