"""Expectation: what a random ranking would score, and the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import cast

import numpy as np

from cranfield.base.seeds import Seeds
from cranfield.base.threads import in_threads, run_concurrently
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.chances import Chances
from cranfield.scoring.closed_forms import closed_form, has_closed_form
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import ExpectedMetric, Metric
from cranfield.scoring.random_ranking import cut_lists, ideal, shuffled, tied
from cranfield.scoring.scores import Floats

_JUDGED_AT_LEAST = 1_000_000
_MOST_DRAWS = 1_000
_FEWEST_DRAWS = 5
"""Simulations place this many judged targets, in so many random rankings."""


@dataclass(frozen=True, eq=False)
class Expectation:
    """What a random ranking of each topic's targets scores on average, and the best one.

    ``values[m, t]`` is the mean of metric m over all orders of the targets of topic t,
    ``best[m, t]`` its score on the order that is best for it, which is that by falling
    rating for most; NaN where the metric is undefined, and in ``best`` also where it only
    describes lists or takes unjudged items for relevant. ``errors[m]`` is
    the standard error of the mean over topics of what was ``estimated`` by simulation,
    else 0. Nothing here depends on a system.
    """

    metrics: tuple[str, ...]
    values: Floats
    best: Floats
    estimated: tuple[bool, ...]
    errors: tuple[float, ...]


def expect(
    hits: Hits,
    metrics: Sequence[Metric],
    *,
    popularity: Floats | None = None,
    draws: int | None = None,
    seed: int = 0,
    part: int = 0,
) -> Expectation:
    """What random rankings of the targets score; lists end where those of the hits are cut.

    Exact by a closed form or by what the metric expects of ties; else estimated from
    ``draws`` random rankings of all topics, by default from 5 to 1000, the fewer the
    larger the collection; 0 leaves such metrics without a value.
    Precision of a random ranking is ρ = |T_u ∩ PR_test(u)|/|T_u|, 1/|T_u| in 1R
    (bellogin2017 §4). ``part`` tells parts of one collection apart, which draw by
    themselves.
    """
    chances = Chances(hits, hits.depth)
    drawn = np.array([not _is_exact(metric) for metric in metrics], dtype=bool)
    known, unknown = (list(compress(metrics, some)) for some in (~drawn, drawn))
    times = enough_draws(len(hits.items)) if draws is None else draws
    seeds = Seeds(seed).child("expectation", part=part)
    (exact, best), estimate = run_concurrently(
        lambda: (
            [_exact(metric, chances, popularity) for metric in known],
            _best(chances, metrics, popularity),
        ),
        lambda: _simulated(hits, unknown, popularity, times if unknown else 0, seeds),
    )
    values, errors = np.empty((len(metrics), len(hits))), np.zeros(len(metrics))
    values[~drawn] = np.reshape(exact, (len(known), len(hits)))
    values[drawn], errors[drawn] = estimate
    names = tuple(map(str, metrics))
    return Expectation(names, values, best, tuple(drawn.tolist()), tuple(errors.tolist()))


def enough_draws(judged: int) -> int:
    """How many random rankings to draw: many where judged targets are few."""
    return min(max(_JUDGED_AT_LEAST // max(judged, 1), _FEWEST_DRAWS), _MOST_DRAWS)


def join_expectations(parts: Sequence[Expectation]) -> Expectation:
    """The expectation of all topics from that of parts, which were drawn by themselves.

    The error of a mean over all topics is that of a sum of independent means, each with
    the share of its topics.
    """
    if len(parts) == 1:
        return parts[0]
    sizes = np.array([part.values.shape[1] for part in parts], dtype=np.float64)
    errors = np.array([part.errors for part in parts]) * (sizes / max(sizes.sum(), 1))[:, None]
    return Expectation(
        parts[0].metrics,
        np.concatenate([part.values for part in parts], axis=1),
        np.concatenate([part.best for part in parts], axis=1),
        parts[0].estimated,
        tuple(np.sqrt((errors**2).sum(axis=0)).tolist()),
    )


def _is_exact(metric: Metric) -> bool:
    """Whether the expectation is known without drawing."""
    return has_closed_form(metric) or isinstance(metric, ExpectedMetric)


def _exact(metric: Metric, chances: Chances, popularity: Floats | None) -> Floats:
    """The exact expectation for each topic."""
    if has_closed_form(metric):
        return closed_form(metric, chances)
    hits, expected = chances.hits, cast(ExpectedMetric, metric).expected_of_topic
    unordered = tied(hits, hits.depth)
    topics = (unordered.topic(number, popularity) for number in range(len(hits)))
    return np.array([expected(topic) for topic in topics], dtype=np.float64)


def _simulated(
    hits: Hits, metrics: Sequence[Metric], popularity: Floats | None, draws: int, seeds: Seeds
) -> tuple[Floats, Floats]:
    """The mean over random rankings on which the metric is defined, and standard errors."""
    totals, defined = np.zeros((2, len(metrics), len(hits)))
    if not draws:
        return totals + np.nan, np.zeros(len(metrics))
    means = np.empty((draws, len(metrics)))

    def scored(draw: int) -> Floats:
        ranking = shuffled(hits, seeds.key(draw=draw), hits.depth)
        return measure(ranking, metrics, popularity=popularity)

    for draw, scores in enumerate(in_threads(scored, range(draws))):
        exists = ~np.isnan(scores)
        totals += np.where(exists, scores, 0.0)
        defined += exists
        sizes = np.maximum(exists.sum(axis=1), 1)
        means[draw] = np.where(exists, scores, 0.0).sum(axis=1) / sizes
    values = np.full(totals.shape, np.nan)
    np.divide(totals, defined, out=values, where=defined > 0)
    spread = means.std(axis=0, ddof=1) if draws > 1 else np.full(len(metrics), np.nan)
    return values, spread / np.sqrt(draws)


def _best(chances: Chances, metrics: Sequence[Metric], popularity: Floats | None) -> Floats:
    """The scores of the best ranking, for metrics to which it is the best."""
    depth = chances.depth
    ranking = chances.ideal if depth is None else cut_lists(chances.ideal, depth)
    best = measure(ranking, metrics, popularity=popularity)
    for place, metric in enumerate(metrics):
        if not is_better_higher(metric) or getattr(metric, "unjudged", "") == "relevant":
            best[place] = np.nan
        elif metric.needs_popularity and popularity is not None:
            rarest = _rarest_first(chances, getattr(metric, "relevance", None), popularity)
            best[place] = measure(rarest, [metric], popularity=popularity)[0]
    return best


def _rarest_first(chances: Chances, threshold: float | None, popularity: Floats) -> Hits:
    """Relevant targets first, the less popular before the more, in lists as deep as others."""
    hits = chances.hits
    relevant = hits.ratings >= chances.least(threshold)
    worth = np.where(relevant, -popularity[hits.items], -np.inf)
    return ideal(hits, chances.depth, worth=worth)


def is_better_higher(metric: Metric) -> bool:
    """Whether a higher score means a better ranking; it does not for what only describes."""
    return metric.higher_is_better and getattr(metric, "unjudged", "") != "residual"


def adjust(value: float, expected: float, best: float) -> float:
    """A value on the scale on which a random ranking is 0 and the best one 1.

    (value − expected)/(best − expected), each a mean over the same topics. Below 0 it is
    worse than chance; undefined where chance is as good as the best.

    >>> adjust(0.5, 0.25, 0.75)
    0.5
    """
    return (value - expected) / (best - expected) if best > expected else float("nan")
