"""Measure: the score of every topic by every metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import MissingPopularity, NoExpectation
from cranfield.base.threads import chunks, in_threads, shares
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.kernels.forms import has_kernel, plan
from cranfield.scoring.kernels.passes import PreparedHits
from cranfield.scoring.measurement.corrected import (
    as_first,
    corrected,
    refuse_unsampled,
    uncorrected,
)
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.scoring.metric import (
    ExpectedMetric,
    Metric,
    expects_ties,
    is_corrected,
    is_weighted,
    labels_unjudged,
)
from cranfield.scoring.metrics.per_list import PerList
from cranfield.scoring.metrics.unjudged import has_own_top, label_unjudged

Floats = npt.NDArray[np.float64]

Ties = Literal["ranked", "expected"]
"""Tied items in the order in which they were ranked, or the mean over all their orders."""

_LEAST = 1024
"""Topics that are worth a thread of their own."""
_MOST = 65536
"""Topics that are scored at a time, which bounds the memory of a part."""
_LABELLED_AT_ONCE = 1 << 22
"""Ranks that are labelled at a time, for the same reason."""


def measure(
    hits: Hits,
    metrics: Sequence[Metric],
    *,
    popularity: Floats | None = None,
    ties: Ties = "ranked",
    known_only: Hits | None = None,
) -> Floats:
    """The score of each topic by each metric, one row per metric; NaN = undefined.

    ``popularity`` is |PR(i)| by item, for metrics that need it. ``known_only`` are the hits
    of the same lists without unknown items, for metrics that rank targets only. By the
    kernel where there is one, else by the definition; the scores are the same for any
    number of threads.
    """
    apart = np.array([metric.ranks_targets_only for metric in metrics], dtype=bool)
    if known_only is not None and apart.any():
        scores = np.empty((len(metrics), len(hits)))
        for chosen, lists in ((apart, known_only), (~apart, hits)):
            some = list(compress(metrics, chosen))
            scores[chosen] = measure(lists, some, popularity=popularity, ties=ties)
        return scores
    for metric in metrics:
        if metric.needs_popularity and popularity is None:
            raise MissingPopularity(str(metric))
    if ties == "expected":
        return _expected(hits, metrics, popularity)
    ways: dict[Way, list[int]] = {}
    for place, metric in enumerate(metrics):
        ways.setdefault(_way(metric), []).append(place)
    if len(ways) == 1:
        return next(iter(ways))(hits, tuple(metrics), popularity)
    scores = np.empty((len(metrics), len(hits)))
    for way, places in ways.items():
        scores[places] = way(hits, tuple(metrics[place] for place in places), popularity)
    return scores


Way = Callable[[Hits, tuple[Any, ...], Floats | None], Floats]
"""How some metrics score all topics."""


def _way(metric: Metric) -> Way:
    if metric.needs_lists:
        return _by_lists
    if is_weighted(metric):
        return _with_weights
    if is_corrected(metric):
        return _corrected
    if labels_unjudged(metric):
        return _with_labels
    return _by_kernel if has_kernel(metric) else _by_definition


def _by_lists(hits: Hits, metrics: tuple[PerList, ...], _: Floats | None) -> Floats:
    """By all items of the lists."""
    return np.array([metric.of_hits(hits) for metric in metrics])


def _with_weights(hits: Hits, metrics: tuple[Any, ...], _: Floats | None) -> Floats:
    """Judged targets by their propensities."""
    made = WeightedHits(hits, measure)
    return np.array([made.scores(metric) for metric in metrics]).reshape(len(metrics), len(hits))


def _corrected(hits: Hits, metrics: tuple[Any, ...], popularity: Floats | None) -> Floats:
    """Metrics that estimate from a sample what they would be if all targets were ranked."""
    for metric in metrics:
        refuse_unsampled(hits, metric)
    plain = [uncorrected(metric) for metric in metrics]
    best = measure(as_first(hits), plain, popularity=popularity)
    of_samples = measure(hits, plain, popularity=popularity)
    rows = zip(metrics, best, of_samples, strict=True)
    return np.array([corrected(hits, *row) for row in rows]).reshape(of_samples.shape)


def _with_labels(hits: Hits, metrics: tuple[Any, ...], _: Floats | None) -> Floats:
    """Metrics for which unjudged items are labelled: their plain forms on the labelled lists."""
    plain = [replace(metric, unjudged="non-relevant") for metric in metrics]
    scores = measure(hits, plain)
    groups: dict[tuple[int | None, bool, bool], list[int]] = {}
    for place, metric in enumerate(metrics):
        key = metric.cutoff, metric.unjudged == "minimal", has_own_top(metric)
        groups.setdefault(key, []).append(place)
    for (cutoff, lowest, own), places in groups.items():
        end = int(hits.lengths.max(initial=0)) if cutoff is None else cutoff
        ratings = np.full(len(hits), hits.lowest if lowest else hits.highest)
        if own and not lowest:
            ratings = hits.tops
        for topics in chunks(len(hits), max(1, _LABELLED_AT_ONCE // max(end, 1))):
            some = measure(
                label_unjudged(hits, topics, cutoff, ratings), [plain[at] for at in places]
            )
            residual = np.array([metrics[at].unjudged == "residual" for at in places])
            before = scores[places, topics]
            found = np.where(residual[:, None], np.abs(some - before), some)
            scores[places, topics] = np.where(np.isnan(before), np.nan, found)
    return scores


def _by_definition(hits: Hits, metrics: tuple[Metric, ...], popularity: Floats | None) -> Floats:
    """Topic by topic, as the formulas stand."""
    scores = np.empty((len(metrics), len(hits)))
    for number in range(len(hits)):
        topic = hits.topic(number, popularity)
        scores[:, number] = [metric.of_topic(topic) for metric in metrics]
    return scores


def _expected(hits: Hits, metrics: Sequence[Metric], popularity: Floats | None) -> Floats:
    """The mean over tie orders; what has no ties is measured as it was ranked."""
    for metric in metrics:
        if not expects_ties(metric):
            raise NoExpectation(str(metric))
    scores = measure(hits, metrics, popularity=popularity)
    for number in np.unique(hits.owners[hits.first != hits.last]):
        topic = hits.topic(int(number), popularity)
        scores[:, number] = [cast(ExpectedMetric, m).expected_of_topic(topic) for m in metrics]
    return scores


def _by_kernel(hits: Hits, metrics: tuple[Metric, ...], popularity: Floats | None) -> Floats:
    """Each pass over the hits answers all the metrics and cut-offs that it can."""
    once = tuple(dict.fromkeys(metrics))
    work = PreparedHits(hits, plan(once), popularity)
    out = np.empty((len(hits), len(once)))  # what is written together lies together
    parts = shares(len(hits), _LEAST, _MOST)

    def score(topics: slice) -> None:
        work.score(topics, out)

    for _ in in_threads(score, parts) if len(parts) > 1 else map(score, parts):
        pass
    return out.T if len(once) == len(metrics) else out.T[[once.index(m) for m in metrics]]
