"""Random scores: what metrics give on random rankings of the targets, drawn one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.base.seeds import Seeds
from cranfield.base.threads import in_threads
from cranfield.scoring.expectation.random_ranking import RandomOrders, shuffled
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric, cutoff_of
from cranfield.scoring.scores import Floats

_JUDGED_AT_LEAST = 1_000_000
_MOST_DRAWS = 1_000
_FEWEST_DRAWS = 5
"""Simulations place this many judged targets, in so many random rankings."""


def enough_draws(judged: int) -> int:
    """How many random rankings to draw: many where judged targets are few."""
    return min(max(_JUDGED_AT_LEAST // max(judged, 1), _FEWEST_DRAWS), _MOST_DRAWS)


def random_scores(
    orders: RandomOrders,
    metrics: Sequence[Metric],
    popularity: Floats | None,
    draws: int,
    seeds: Seeds,
) -> Iterator[Floats]:
    """The scores of one random ranking of all topics after the other (metrics × topics)."""
    hits, cuts = orders.hits, [cutoff for cutoff in map(cutoff_of, metrics) if cutoff]
    depth = max(cuts) if cuts and len(cuts) == len(metrics) else orders.depth

    def scored(draw: int) -> Floats:
        ranking = shuffled(hits, seeds.key(draw=draw), depth)
        return measure(ranking, metrics, popularity=popularity)

    yield from in_threads(scored, range(draws))


def simulated(
    orders: RandomOrders,
    metrics: Sequence[Metric],
    popularity: Floats | None,
    draws: int,
    seeds: Seeds,
) -> tuple[Floats, Floats]:
    """The mean over random rankings on which the metric is defined, and standard errors."""
    totals, defined = np.zeros((2, len(metrics), len(orders.hits)))
    if not draws:
        return totals + np.nan, np.zeros(len(metrics))
    # One contiguous row per metric: sums then have one order, however many metrics there are.
    means = np.empty((len(metrics), draws))
    for draw, scores in enumerate(random_scores(orders, metrics, popularity, draws, seeds)):
        exists = ~np.isnan(scores)
        known = np.ascontiguousarray(np.where(exists, scores, 0.0))
        totals += known
        defined += exists
        means[:, draw] = known.sum(axis=1) / np.maximum(exists.sum(axis=1), 1)
    values = np.full(totals.shape, np.nan)
    np.divide(totals, defined, out=values, where=defined > 0)
    spread = means.std(axis=1, ddof=1) if draws > 1 else np.full(len(metrics), np.nan)
    return values, spread / np.sqrt(draws)
