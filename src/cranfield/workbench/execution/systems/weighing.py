"""Weighing: the propensities by which metrics weigh judged targets, for one set of targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from cranfield.base.dataclass import dataclass
from cranfield.base.files import digest_of
from cranfield.collection.propensity import Weighing, estimate
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.estimator import effective_size
from cranfield.scoring.expectation.expectation import judged_targets
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.weighted_scores import WeightedHits
from cranfield.scoring.metric import Metric, is_weighted
from cranfield.scoring.scores import Floats


@dataclass(frozen=True, eq=False)
class TargetWeights:
    """The weights that some metrics give to the targets of a fold, the same for all systems.

    ``hits`` are the judged targets with their ``weighing``, as if nothing had been ranked.
    """

    hits: Hits
    metrics: tuple[Any, ...]
    weighing: Weighing

    @cached_property
    def _weighted(self) -> WeightedHits:
        return WeightedHits(self.hits, measure)

    @cached_property
    def topic_weights(self) -> dict[str, Floats]:
        """How much each topic counts, by metric; nothing for metrics to which all are alike."""
        found = {str(metric): self._weighted.topic_weights(metric) for metric in self.metrics}
        return {name: weights for name, weights in found.items() if weights is not None}

    def effective_sizes(self) -> Iterator[tuple[Any, float, int]]:
        """Each metric with its effective sample size, and the number of ratings it is one of."""
        for metric in self.metrics:
            weights = self._weighted.counted_weights(metric)
            if weights is not None:
                yield metric, effective_size(weights), len(weights)


_made: WeakKeyDictionary[Targets, dict[tuple[object, ...], TargetWeights]] = WeakKeyDictionary()
"""What was worked out for targets that are still in memory: every system asks for it."""


def target_weights(metrics: Sequence[Metric], targets: Targets, seed: int) -> TargetWeights | None:
    """What weighs targets by some metrics; None where none of them weighs anything."""
    weighted: tuple[Any, ...] = tuple(metric for metric in metrics if is_weighted(metric))
    if not weighted:
        return None
    held, key = _made.setdefault(targets, {}), (weighted, seed)
    if key not in held:
        models = dict.fromkeys(metric.propensity for metric in weighted)
        known = Weighing({model: estimate(model, targets.train, seed) for model in models})
        hits = replace(judged_targets(targets), weighing=known)
        strata = WeightedHits(hits, measure).all_strata(weighted)
        known = replace(known, strata=strata)
        held[key] = TargetWeights(replace(hits, weighing=known), weighted, known)
    return held[key]


def weighed(hits: Hits, metrics: Sequence[Metric], targets: Targets, seed: int) -> Hits:
    """The hits with the propensities that metrics weigh them by."""
    made = target_weights(metrics, targets, seed)
    return hits if made is None else replace(hits, weighing=made.weighing)


def propensity_inputs(metrics: Sequence[Metric], seed: int) -> dict[str, Any]:
    """What scores depend on besides the spelling of metrics: files of propensities, and draws."""
    models = [metric.propensity for metric in metrics if is_weighted(metric)]  # type: ignore[attr-defined]
    if not models:
        return {}
    files = [Path(each).expanduser() for model in models for each in model.files]
    digests = {str(each): digest_of(each) for each in files if each.is_file()}
    return {"propensity_files": digests, "propensity_seed": seed}
