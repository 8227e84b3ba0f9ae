"""Corrected scores: what sampled targets say of the scores of full rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnsuitableTargets
from cranfield.base.ragged import Ragged, offsets_of
from cranfield.recommendation.ranking.hits import UNRANKED, Hits
from cranfield.scoring.gain import Floats
from cranfield.scoring.measurement.rank_discounts import rank_discount
from cranfield.scoring.metric import Metric
from cranfield.scoring.sample_correction import SampleCorrection
from cranfield.scoring.sampling.sampled_ranks import SampledRanks


@dataclass(frozen=True)
class MetricDiscount:
    """What a metric makes of ranks, as a function that is equal to that of an equal metric."""

    metric: Metric

    def __call__(self, ranks: Floats, targets: Any) -> Floats:
        """The score on each rank as a share of that on rank 1."""
        return rank_discount(self.metric, ranks, targets)


def uncorrected(metric: Metric) -> Metric:
    """The same metric, which scores the sample as it stands."""
    plain: Metric = replace(metric, correction=None)  # type: ignore[type-var]
    return plain


def corrected(hits: Hits, metric: Any, best: Floats, plain: Floats) -> Floats:
    """The estimate of the score that each topic would have in a ranking of all targets.

    ``best`` are the scores of `as_first` without correction, ``plain`` those of the sample. A
    relevant item that is not in the list scores what it does without correction.
    """
    sampled, topics = sampled_ranks(hits, metric), judged_topics(hits)
    counted = (sampled.ranks != UNRANKED) & ~np.isnan(best[topics])
    correction: SampleCorrection = metric.correction
    found = correction.correct(sampled.take(counted), MetricDiscount(uncorrected(metric)))
    scores = plain.copy()
    scores[topics[counted]] = best[topics[counted]] * found
    return scores


def judged_topics(hits: Hits) -> np.ndarray:
    """The topics whose relevant item is judged: all, unless only some items are looked at."""
    return np.flatnonzero(np.diff(hits.offsets))


def sampled_ranks(hits: Hits, metric: Metric) -> SampledRanks:
    """The sampled rank of each topic that is judged; refused unless targets are such samples."""
    population = refuse_unsampled(hits, metric)
    topics = judged_topics(hits)
    return SampledRanks(hits.ranks.astype(np.int64), hits.targets[topics] - 1, population[topics])


def refuse_unsampled(hits: Hits, metric: Metric) -> np.ndarray:
    """How many targets each topic has in all; refused where no sample was drawn from them."""
    if hits.topics.items is None:
        raise UnsuitableTargets(str(metric), "rankings of one relevant item each", ONE_RELEVANT)
    if hits.population is None:
        needed = "sampled targets, as a full ranking needs no correction"
        raise UnsuitableTargets(str(metric), needed, f"{ONE_RELEVANT}, or leave out correction")
    if np.diff(hits.offsets).max(initial=0) > 1:
        needed = "topics of which the relevant item alone is judged"
        raise UnsuitableTargets(str(metric), needed, "judged = only-relevant")
    return hits.population


ONE_RELEVANT = 'targets such as "one-relevant, sampled(n=100)"'
"""What to choose for a correction."""


def as_first(hits: Hits) -> Hits:
    """The hits as if the relevant item of each topic were on rank 1 of all targets."""
    population = hits.targets if hits.population is None else hits.population
    ones = np.ones(len(hits.ranks), dtype=np.int32)
    return replace(
        hits, ranks=ones, first=ones, last=ones, lengths=population, targets=population, lists=None
    )


def expected(hits: Hits, metric: Any, best: Floats) -> Floats:
    """The estimate for each topic if its sample is in random order: each rank is as likely.

    All ranks of all sizes of samples are corrected as the topics of one system.
    """
    sampled = sampled_ranks(hits, metric)
    sizes = np.stack([sampled.sampled, sampled.targets])
    kinds, of_topic = np.unique(sizes, axis=1, return_inverse=True)
    offsets = offsets_of(kinds[0] + 1)
    owners = Ragged(np.empty(offsets[-1], np.int32), offsets).owners
    ranks = np.arange(offsets[-1]) - offsets[owners] + 1
    every = SampledRanks(ranks, kinds[0][owners], kinds[1][owners])
    found = metric.correction.correct(every, MetricDiscount(uncorrected(metric)))
    means = np.bincount(owners, found, len(offsets) - 1) / (kinds[0] + 1)
    scores = np.full(len(hits), np.nan)
    topics = judged_topics(hits)
    scores[topics] = best[topics] * means[of_topic.reshape(-1)]
    return scores


def pools_topics(metrics: Sequence[Metric]) -> bool:
    """Whether a metric needs all topics of a system at once."""
    corrections = (getattr(metric, "correction", None) for metric in metrics)
    return any(getattr(each, "pools_topics", False) for each in corrections)
