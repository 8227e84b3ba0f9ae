"""Notes on propensities: how much weighted ratings are worth, and what weights leave open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cranfield.base.errors import counted
from cranfield.collection.target import Targets
from cranfield.view.names import short_name
from cranfield.view.prose import listed
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.systems.weighing import target_weights

FEW, SHARE = 100, 0.1
"""An effective sample size is small below so many ratings, or such a share of all."""


def notes_of_propensities(experiment: Experiment, targets: Sequence[Targets]) -> Iterator[str]:
    """The effective sample size of weighted metrics, and which of them are up to scale."""
    made = [target_weights(experiment.metrics, each, experiment.seed) for each in targets]
    sizes: dict[Any, list[tuple[float, int]]] = {}
    for each in made:
        for metric, size, ratings in each.effective_sizes() if each is not None else ():
            sizes.setdefault(metric, []).append((size, ratings))
    groups: dict[tuple[object, object], list[Any]] = {}
    for metric in sizes:
        groups.setdefault((metric.propensity, metric.estimator), []).append(metric)
    for metrics in groups.values():
        names = listed([short_name(metric) for metric in metrics])
        yield _effective(names, *map(sum, zip(*sizes[metrics[0]], strict=True)))
        if metrics[0].propensity.up_to_scale and metrics[0].estimator.option_name == "ips":
            yield (
                f"{names}: propensities by {metrics[0].propensity} are known but for a common "
                "factor, and so are sums by ips. Compare systems by them, or choose snips."
            )


def _effective(names: str, size: float, ratings: int) -> str:
    """How many equally weighted ratings would be as precise."""
    small = size < min(FEW, ratings) or size < SHARE * ratings
    warning, advice = (
        ("Warning: ", " A few ratings decide: choose a larger clip, or another propensity.")
        if small
        else ("", "")
    )
    of = counted(ratings, "test rating")
    return f"{warning}{names}: the effective sample size is {size:,.0f} of {of}.{advice}"
