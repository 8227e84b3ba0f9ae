"""Sampled systems: what rankings would score if only a sample of the targets were ranked.

A rank among all targets decides the law of the rank in a sample, so that samples are drawn
without ranking anything again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import CranfieldError, UnsuitableTargets
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import UNRANKED, Hits
from cranfield.scoring.measurement.corrected import uncorrected
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.sample_correction import SampleCorrection
from cranfield.scoring.scores import Flags, Floats


def one_relevant(hits: Hits) -> Hits:
    """The hits of rankings of one relevant item each, from those of rankings of all.

    Without the other relevant items, an item moves up by those that stood above it. Topics
    are by user and item, so that they are the same for all systems.
    """
    owners, items = hits.owners, hits.topics.items
    chosen = hits.ratings >= hits.relevance if items is None else hits.items == items[owners]
    counts = np.concatenate([[0], np.cumsum(chosen)])
    above = counts[:-1] - counts[hits.offsets[owners]]
    found = np.where(hits.ranks == UNRANKED, UNRANKED, hits.ranks - above).astype(np.int32)
    rows = np.flatnonzero(chosen)
    rows = rows[np.lexsort((hits.items[rows], owners[rows]))]
    others = np.maximum(np.bincount(owners[rows], minlength=len(hits)) - 1, 0)
    ranks, targets = found[rows], (hits.targets - others)[owners[rows]]
    return replace(
        hits,
        topics=Topics(hits.topics.users[owners[rows]], hits.items[rows]),
        offsets=offsets_of(np.ones(len(rows), dtype=np.int64)),
        items=hits.items[rows],
        ratings=hits.ratings[rows],
        ranks=ranks,
        first=ranks,
        last=ranks,
        lengths=targets - (ranks == UNRANKED),
        targets=targets,
        unscored=(ranks == UNRANKED).astype(np.int64),
        lists=None,
    )


def drawn_sample(full: Hits, size: int, stream: np.random.Generator) -> Hits:
    """The hits of rankings of one relevant item with a sample of the other targets."""
    sampled = np.minimum(size, full.targets - 1)
    ranked = full.ranks != UNRANKED
    above = np.where(ranked, full.ranks - 1, 0)
    drawn = stream.hypergeometric(above, full.targets - 1 - above, sampled)
    ranks = np.where(ranked, 1 + drawn, UNRANKED).astype(np.int32)
    return replace(
        full,
        ranks=ranks,
        first=ranks,
        last=ranks,
        lengths=sampled + ranked,
        targets=sampled + 1,
        population=full.targets,
    )


def means_of_known(values: Floats) -> Floats:
    """The means over the last axis of what is defined; NaN where nothing is."""
    known = ~np.isnan(values)
    counts = known.sum(axis=-1)
    sums = np.where(known, values, 0.0).sum(axis=-1)
    means: Floats = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def with_correction(metric: Metric, correction: SampleCorrection | None) -> Any:
    """The metric with another correction; None if it cannot be corrected."""
    try:
        made: Any = replace(metric, correction=correction)  # type: ignore[type-var]
    except (TypeError, CranfieldError):
        return None
    return made


@dataclass(frozen=True, eq=False)
class SampledSystems:
    """Systems of which the ranks among all targets are known, and what samples make of them.

    ``metrics`` have no correction; ``corrections`` are tried besides none, the first.
    """

    hits: Mapping[str, Hits]
    metrics: tuple[Metric, ...]
    corrections: tuple[SampleCorrection, ...]
    seed: int

    @classmethod
    def of(
        cls,
        hits: Mapping[str, Hits],
        metrics: tuple[Metric, ...],
        corrections: tuple[SampleCorrection, ...],
        seed: int,
    ) -> SampledSystems:
        """The systems on rankings of one relevant item each; refused if these are samples."""
        if any(each.population is not None for each in hits.values()):
            needed = "rankings of all targets, of which it draws samples itself"
            raise UnsuitableTargets("sampling", needed, "targets without sampled")
        single = {name: one_relevant(each) for name, each in hits.items()}
        return cls(single, tuple(map(uncorrected, metrics)), corrections, seed)

    @cached_property
    def forms(self) -> tuple[tuple[Metric, ...], ...]:
        """For each metric, the one without correction and those with each."""
        chosen = (None, *self.corrections)
        return tuple(
            tuple(with_correction(metric, each) for each in chosen) for metric in self.metrics
        )

    @cached_property
    def full(self) -> Floats:
        """The scores of full rankings (metrics × systems × topics)."""
        scores = [measure(each, self.metrics) for each in self.hits.values()]
        return np.stack(scores, axis=1)

    def sample(self, size: int, draw: int) -> Floats:
        """The scores of one sample (metrics × corrections × systems × topics)."""
        seeds, scores = Seeds(self.seed).child("sampling", size=size, draw=draw), []
        flat = [each for forms in self.forms for each in forms]
        for name, hits in self.hits.items():
            drawn = drawn_sample(hits, size, seeds.stream(name))
            scores.append(measure(drawn, flat))
        shape = (len(self.metrics), 1 + len(self.corrections), len(scores), -1)
        return np.stack(scores, axis=1).reshape(shape)

    @property
    def others(self) -> int:
        """How many targets there are at most besides the relevant one."""
        return max(int(each.targets.max(initial=1)) for each in self.hits.values()) - 1

    @cached_property
    def users(self) -> np.ndarray:
        """The number of the user of each topic, from 0."""
        topics = next(iter(self.hits.values())).topics
        return np.unique(topics.users, return_inverse=True)[1]

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of systems."""
        return list(combinations(range(len(self.hits)), 2))

    def verdicts(self, scores: Floats, alpha: float) -> Floats:
        """For each pair, 1 or −1 if its difference is significant, the sign of it; else 0.

        Student's t over the sums of users of what each topic is off the mean difference.
        Systems and topics are the last two axes.
        """
        from scipy.special import stdtrit

        first, second = map(list, zip(*self.pairs, strict=True))
        differences = scores[..., first, :] - scores[..., second, :]
        known = ~np.isnan(differences)
        means = means_of_known(differences)
        off = np.where(known, differences - means[..., None], 0.0)
        users = int(self.users.max()) + 1
        of_users = np.apply_along_axis(
            lambda row: np.bincount(self.users, row, minlength=users), -1, off
        )
        spread = np.sqrt((of_users**2).sum(axis=-1) * users / max(users - 1, 1))
        error = spread / np.maximum(known.sum(axis=-1), 1)
        reach = float(stdtrit(users - 1, 1 - alpha / 2)) if users > 1 else np.inf
        significant: Flags = np.abs(means) > reach * error
        return np.where(significant, np.sign(means), 0.0)
