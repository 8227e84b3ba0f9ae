"""Expectation: what a random ranking would score, and the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress
from typing import cast

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.base.threads import chunks, run_concurrently
from cranfield.collection.propensity import Weighing
from cranfield.collection.target import Targets
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.locate import locate
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.expectation.best_ranking import best_scores
from cranfield.scoring.expectation.closed_forms import closed_form, has_closed_form
from cranfield.scoring.expectation.random_ranking import RandomOrders, tied
from cranfield.scoring.expectation.random_scores import enough_draws, random_scores, simulated
from cranfield.scoring.measurement import corrected
from cranfield.scoring.measurement.corrected import as_first, uncorrected
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import (
    ExpectedMetric,
    Metric,
    cutoff_of,
    expects_ties,
    is_corrected,
)
from cranfield.scoring.scores import Flags, Floats

_TOPICS_AT_ONCE = 65_536
"""Topics whose random rankings are worked out at a time."""
_NO_LISTS = Run(
    "no lists",
    Topics(np.empty(0, np.int32)),
    np.zeros(1, np.int64),
    np.empty(0, np.int32),
    np.empty(0),
    np.empty(0, np.int64),
)
"""A run without a list."""


@storable
@dataclass(frozen=True, eq=False)
class Expectation:
    """What a random ranking of each topic's targets scores on average, and the best one.

    ``values[m, t]`` is the mean of metric m over all orders of the targets of topic t,
    ``best[m, t]`` its score on the order that is best for it, which is that by falling
    rating for most; NaN where the metric is undefined, and in ``best`` also where it only
    describes lists or takes unjudged items for relevant. ``errors[m]`` is
    the standard error of the mean over topics of what was ``estimated`` by simulation,
    else 0. No system matters here, except by the depth at which lists end.
    ``drawn[d, m, t]`` are the scores of single random rankings, where asked for: the
    average of topics may be no mean, and its expectation not the average of theirs.
    """

    metrics: tuple[str, ...]
    values: Floats
    best: Floats
    estimated: tuple[bool, ...]
    errors: tuple[float, ...]
    drawn: Floats | None = None


Expectations = dict[int | None, Expectation]
"""By the depth at which lists end; None is the depth of lists of all targets."""


def expect(
    hits: Hits,
    metrics: Sequence[Metric],
    *,
    depths: Sequence[int | None] = (None,),
    popularity: Floats | None = None,
    draws: int | None = None,
    keep_draws: bool = False,
    seed: int = 0,
    part: int = 0,
) -> Expectations:
    """What random rankings of the targets score, and the best, for each depth of lists.

    A metric with a cut-off sees lists down to its cut-off, whatever the depth; its values
    are worked out once. For other metrics, lists end at the depth. Neither the lists nor
    the depth of the hits matter.

    Exact by a closed form or by what the metric expects of ties; else estimated from
    ``draws`` random rankings of all topics, by default from 5 to 1000, the fewer the
    larger the collection; 0 leaves such metrics without a value. What is drawn for a
    metric does not depend on the depths and the other metrics.
    Precision of a random ranking is ρ = |T_u ∩ PR_test(u)|/|T_u|, 1/|T_u| in 1R
    (bellogin2017 §4). ``keep_draws`` keeps the scores of single random rankings by all
    metrics. ``part`` tells parts of one collection apart, which draw by themselves.
    """
    whole = [metric for metric in metrics if cutoff_of(metric) is None]
    longest = int(hits.targets.max(initial=0))
    ends = {
        depth: None if not whole or depth is None or depth >= longest else depth for depth in depths
    }
    passes: dict[int | None, list[Metric]] = {end: list(whole) for end in ends.values()}
    passes[None] = list(metrics if None in passes else compress(metrics, map(cutoff_of, metrics)))
    times = enough_draws(len(hits.items)) if draws is None else draws
    seeds, orders = Seeds(seed).child("expectation", part=part), RandomOrders(hits)
    work = {end: _Pass(orders.cut(end), some, popularity) for end, some in passes.items()}
    exact, drawn = run_concurrently(
        lambda: {end: each.exact() for end, each in work.items()},
        lambda: {end: each.simulated(times, seeds) for end, each in work.items()},
    )
    found = {end: each.expectation(*exact[end], *drawn[end]) for end, each in work.items()}
    if keep_draws:
        found = {end: work[end].with_draws(each, times, seeds) for end, each in found.items()}
    by_end = {end: _gather(metrics, found[None], found[end]) for end in set(ends.values())}
    return {depth: by_end[end] for depth, end in ends.items()}


def judged_targets(targets: Targets) -> Hits:
    """The judged targets of all topics, as if nothing had been ranked."""
    return locate(_NO_LISTS, targets)


def expect_targets(
    targets: Targets,
    metrics: Sequence[Metric],
    *,
    depths: Sequence[int | None] = (None,),
    popularity: Floats | None = None,
    weighing: Weighing | None = None,
    keep_draws: bool = False,
    seed: int = 0,
) -> Expectations:
    """What `expect` finds for all topics of some targets, many topics at a time.

    Parts are always the same, so that memory changes no digit. ``weighing`` are the
    propensities of targets, for metrics that weigh them.
    """
    judged = int(targets.judged.user_counts[targets.topics.users].sum())
    topics = list(chunks(len(targets.topics), _TOPICS_AT_ONCE)) or [slice(0, 0)]
    parts = [
        expect(
            replace(judged_targets(targets.take(some)), weighing=weighing),
            metrics,
            depths=depths,
            popularity=popularity,
            draws=enough_draws(judged),
            keep_draws=keep_draws,
            seed=seed,
            part=part,
        )
        for part, some in enumerate(topics)
    ]
    joined: dict[tuple[int, ...], Expectation] = {}
    found: Expectations = {}
    for depth in parts[0]:
        same = [part[depth] for part in parts]
        key = tuple(map(id, same))
        if key not in joined:
            joined[key] = join_expectations(same)
        found[depth] = joined[key]
    return found


def _gather(metrics: Sequence[Metric], shared: Expectation, own: Expectation) -> Expectation:
    """The rows of all metrics: shared ones of metrics with a cut-off, own ones of others."""
    names = tuple(map(str, metrics))
    if own.metrics == names:
        return own
    rows = [
        (found, found.metrics.index(name))
        for metric, name in zip(metrics, names, strict=True)
        for found in [own if cutoff_of(metric) is None else shared]
    ]
    return Expectation(
        names,
        np.array([found.values[row] for found, row in rows]),
        np.array([found.best[row] for found, row in rows]),
        tuple(found.estimated[row] for found, row in rows),
        tuple(found.errors[row] for found, row in rows),
        _together(
            [found.drawn if found.drawn is None else found.drawn[:, [row]] for found, row in rows],
            axis=1,
        ),
    )


def _together(drawn: Sequence[Floats | None], axis: int) -> Floats | None:
    """Draws of several metrics or topics as those of all, as many as each has; none if none."""
    known = [each for each in drawn if each is not None]
    if not known:
        return None
    fewest = min(map(len, known))
    return np.concatenate([each[:fewest] for each in known], axis=axis)


@dataclass(frozen=True, eq=False)
class _Pass:
    """Some metrics on random rankings that end at one depth."""

    orders: RandomOrders
    metrics: Sequence[Metric]
    popularity: Floats | None

    @cached_property
    def drawn(self) -> Flags:
        """For each metric, whether its expectation has to be estimated."""
        exact = (_is_exact(metric) or metric.needs_lists for metric in self.metrics)
        return ~np.fromiter(exact, dtype=bool)

    def exact(self) -> tuple[list[Floats], Floats]:
        """The expectations that are known without drawing, and the best scores by all."""
        known = compress(self.metrics, ~self.drawn)
        values = [_exact(metric, self.orders, self.popularity) for metric in known]
        return values, best_scores(self.orders, self.metrics, self.popularity)

    def simulated(self, draws: int, seeds: Seeds) -> tuple[Floats, Floats]:
        """The other expectations, and their standard errors."""
        unknown = list(compress(self.metrics, self.drawn))
        draws = draws if unknown else 0
        return simulated(self.orders, unknown, self.popularity, draws, seeds)

    def expectation(
        self, exact: list[Floats], best: Floats, estimates: Floats, deviations: Floats
    ) -> Expectation:
        """All of it together."""
        drawn, size = self.drawn, len(self.orders.hits)
        values, errors = np.empty((len(drawn), size)), np.zeros(len(drawn))
        values[~drawn] = np.reshape(exact, (len(exact), size))
        values[drawn], errors[drawn] = estimates, deviations
        names = tuple(map(str, self.metrics))
        return Expectation(names, values, best, tuple(drawn.tolist()), tuple(errors.tolist()))

    def with_draws(self, found: Expectation, draws: int, seeds: Seeds) -> Expectation:
        """The same with the scores of single random rankings, NaN where lists are needed."""
        known = [place for place, metric in enumerate(self.metrics) if not metric.needs_lists]
        metrics = [self.metrics[place] for place in known]
        drawn = np.full((draws, len(self.metrics), len(self.orders.hits)), np.nan)
        scores = random_scores(self.orders, metrics, self.popularity, draws, seeds)
        for draw, of_metrics in enumerate(scores):
            drawn[draw, known] = of_metrics
        return replace(found, drawn=drawn)


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
        _together([part.drawn for part in parts], axis=2),
    )


def _is_exact(metric: Metric) -> bool:
    """Whether the expectation is known without drawing."""
    return has_closed_form(metric) or expects_ties(metric) or is_corrected(metric)


def _exact(metric: Metric, orders: RandomOrders, popularity: Floats | None) -> Floats:
    """The exact expectation for each topic; unknown where it takes more than what is judged."""
    if metric.needs_lists:
        return np.full(len(orders.hits), np.nan)
    if is_corrected(metric):
        return _of_samples(metric, orders, popularity)
    if has_closed_form(metric):
        return closed_form(metric, orders)
    expected = cast(ExpectedMetric, metric).expected_of_topic
    unordered = tied(orders.hits, orders.depth)
    topics = (unordered.topic(number, popularity) for number in range(len(unordered)))
    return np.array([expected(topic) for topic in topics], dtype=np.float64)


def _of_samples(metric: Metric, orders: RandomOrders, popularity: Floats | None) -> Floats:
    """What a corrected metric expects of a sample in random order; unknown in shorter lists."""
    if orders.depth is not None:
        return np.full(len(orders.hits), np.nan)
    best = measure(as_first(orders.hits), [uncorrected(metric)], popularity=popularity)[0]
    return corrected.expected(orders.hits, metric, best)


def adjust(value: float, expected: float, best: float) -> float:
    """A value on the scale on which a random ranking is 0 and the best one 1.

    (value − expected)/(best − expected), each a mean over the same topics. Below 0 it is
    worse than chance; undefined where chance is as good as the best.

    >>> adjust(0.5, 0.25, 0.75)
    0.5
    """
    return (value - expected) / (best - expected) if best > expected else float("nan")
