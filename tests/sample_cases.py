"""Sampled ranks to test corrections with, and what papers say of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

import cranfield.scoring.metrics  # noqa: F401
from cranfield.base.options import parse
from cranfield.base.ragged import offsets_of
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.gain import Floats
from cranfield.scoring.measurement.corrected import MetricDiscount
from cranfield.scoring.sampling.sampled_ranks import SampledRanks

CORRECTIONS = (
    "plug-in", "bias-variance", "bias-variance(gamma=0.01)", "cls", "mle", "max-entropy",
)  # fmt: skip

KRICHENE = {
    "A": (100, 100, 100, 100, 100),
    "B": (40, 40, 8437, 9266, 4482),
    "C": (212, 2, 743, 5342, 1548),
}
"""True ranks among 10,000 items of three systems on five topics: Krichene & Rendle 2020, §4."""


def correction(spelling: str) -> Any:
    return parse("sample-correction", spelling)


def discount(spelling: str) -> MetricDiscount:
    return MetricDiscount(parse("metric", spelling))


def samples(ranks: list[int], sampled: int, targets: int) -> SampledRanks:
    """Sampled ranks of topics that are alike otherwise."""
    size = len(ranks)
    return SampledRanks(np.array(ranks), np.full(size, sampled), np.full(size, targets))


def drawn(seed: int, topics: int, targets: int, sampled: int) -> tuple[SampledRanks, Floats]:
    """Sampled ranks, drawn without replacement, of true ranks that are mostly high, and these."""
    rng = np.random.default_rng(seed)
    true = np.minimum(1 + (rng.pareto(0.7, topics) * 6).astype(np.int64), targets)
    ranks = 1 + rng.hypergeometric(true - 1, targets - true, sampled)
    return samples(ranks.tolist(), sampled, targets), true.astype(np.float64)


def every_sample(rank: int, targets: int, sampled: int) -> list[int]:
    """The rank that an item of a true rank has in every sample of the others."""
    others = [each for each in range(1, targets + 1) if each != rank]
    return [1 + sum(each < rank for each in chosen) for chosen in combinations(others, sampled)]


def hits_of_samples(
    sampled: SampledRanks, ratings: Floats | None = None, *, population: bool = True
) -> Hits:
    """Hits of topics of one relevant item each; a rank of 0 is that of an unranked item."""
    size = len(sampled)
    ranks = sampled.ranks.astype(np.int32)
    return Hits(
        topics=Topics(np.arange(size, dtype=np.int32), np.zeros(size, dtype=np.int32)),
        offsets=offsets_of(np.ones(size, dtype=np.int64)),
        items=np.zeros(size, dtype=np.int32),
        ratings=np.full(size, 5.0) if ratings is None else ratings,
        ranks=ranks, first=ranks, last=ranks,
        lengths=sampled.sampled + 1 - (ranks == 0), targets=sampled.sampled + 1,
        unscored=(ranks == 0).astype(np.int64), relevance=4, lowest=1, highest=5,
        population=sampled.targets if population else None,
    )  # fmt: skip
