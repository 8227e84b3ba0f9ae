"""Estimate: what an experiment or a study will cost, before it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.base.errors import counted
from cranfield.workbench.definition.designs import Universe
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.repeat import Repeat
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.prepared_data import PreparedData, fit_inputs, ranking_inputs
from cranfield.workbench.store.store import Store

_SECONDS = {
    "BPRMF": 40, "EASE": 6, "HT": 20, "LDA": 25, "LM-WSR-IB": 6, "LM-WSR-UB": 10, "MF": 12,
    "NNCosNgbr-IB": 4, "NNCosNgbr-UB": 6, "PLSA": 20, "RM1": 15, "RM2": 15, "SLIM": 40, "SVD": 15,
    "WRMF": 12, "user-kNN": 5, "item-kNN": 4, "RW": 5, "RSV": 5, "CHI2": 5, "KLD": 5,
}  # fmt: skip
"""Seconds to fit on a million ratings of MovieLens' kind, on two cores; others take less."""
_OTHERS = 2.0
_SECONDS_PER_PREDICTION = 6e-9
_SECONDS_PER_LIST = 4e-5
_SECONDS_PER_DESIGN = 3e-3
_BYTES_PER_RATING = 120
_BYTES_PER_HIT = 28
_BYTES_PER_SCORE = 16
_BYTES_AT_LEAST = 250 << 20
_DENSE = ("EASE",)
"""Recommenders that hold a matrix of items × items."""


@dataclass(frozen=True)
class Estimate:
    """How much there is to do, how much of it the store has, and what the rest will take.

    ``rankings`` counts each system once for each set of targets. ``seconds`` and ``bytes``
    are rough; they rest on figures of MovieLens 1M on two cores.
    """

    designs: int
    splits: int
    fits: int
    fits_cached: int
    rankings: int
    rankings_cached: int
    seconds: float
    bytes: int

    def __str__(self) -> str:
        minutes = self.seconds / 60
        time = f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min"
        return (
            f"{counted(self.designs, 'design')}: {counted(self.splits, 'split')}, "
            f"{counted(self.fits, 'fit')} ({self.fits_cached:,} cached), "
            f"{counted(self.rankings, 'ranking')} ({self.rankings_cached:,} cached); "
            f"about {time}, {self.bytes / 2**30:.1f} GiB."
        )


def estimate(asked: Experiment | Study, pipeline: Pipeline, store: Store | None = None) -> Estimate:
    """What is to be done; data are read and split for it, nothing is fitted.

    What counts as cached is in ``store``, by default that of the pipeline.
    """
    cached = store or pipeline.store
    if isinstance(asked, Study):
        designs = Universe(asked).designs
        experiments = list(dict.fromkeys([asked.base, *(design.cell for design in designs)]))
        metrics = len({design.metric for design in designs})
        count = len(designs)
    else:
        experiments, metrics, count = [asked], len(asked.metrics), 1
    groups: dict[str, list[Experiment]] = {}
    for experiment in experiments:
        groups.setdefault(data_key(experiment), []).append(experiment)
    parts = [_part(group, pipeline, cached, metrics) for group in groups.values()]
    splits = len(groups)
    if isinstance(asked, Study) and asked.repeat is not None:
        parts.append(_repeats(asked.repeat, asked.base, pipeline))
        splits += asked.repeat.split_seeds - 1
    return Estimate(
        designs=count,
        splits=splits,
        fits=sum(part["fits"] for part in parts),
        fits_cached=sum(part["fits_cached"] for part in parts),
        rankings=sum(part["rankings"] for part in parts),
        rankings_cached=sum(part["rankings_cached"] for part in parts),
        seconds=sum(part["seconds"] for part in parts) + count * _SECONDS_PER_DESIGN,
        bytes=max(part["bytes"] for part in parts),
    )


def _part(
    experiments: Sequence[Experiment], pipeline: Pipeline, store: Store, metrics: int
) -> dict[str, Any]:
    """The cost of the experiments that share a split."""
    data = pipeline.prepare(experiments[0])
    counts = ("fits", "fits_cached", "rankings", "rankings_cached", "bytes")
    found: dict[str, Any] = {**dict.fromkeys(counts, 0), "seconds": 0.5}
    size = 0
    for fold in data.folds:
        targets = [pipeline.targets(data, fold, experiment) for experiment in experiments]
        size += sum(len(each.topics) for each in targets)
        needed: dict[str, Any] = {}
        for experiment, chosen in zip(experiments, targets, strict=True):
            for system in experiment.systems.values():
                spelling = spelled_fully(system) or str(system)
                inputs = {"system": spelling, **ranking_inputs(experiment, chosen)}
                found["rankings"] += 1
                if store.has("hits", inputs):
                    found["rankings_cached"] += 1
                    continue
                needed[spelling] = system
                found["seconds"] += len(chosen.topics) * _SECONDS_PER_LIST
            found["rankings"] += len(experiment.runs)
        for spelling, system in needed.items():
            inputs = fit_inputs(fold.train, spelling, experiments[0].seed)
            found["fits"] += 1
            cached = store.has("fit", inputs)
            found["fits_cached"] += cached
            found["seconds"] += 0 if cached else _fit_seconds(system, len(fold.train))
            found["seconds"] += fold.train.n_users * fold.train.n_items * _SECONDS_PER_PREDICTION
    found["bytes"] = _bytes(data, experiments, size, metrics)
    return found


def _repeats(repeat: Repeat, base: Experiment, pipeline: Pipeline) -> dict[str, Any]:
    """The cost of repeats beyond the base, by its two slowest systems; none counts as cached."""
    folds = pipeline.prepare(base).folds
    train, times = folds[0].train, (repeat.split_seeds * repeat.fit_seeds - 1) * len(folds)
    fitting = sorted(_fit_seconds(each, len(train)) for each in base.systems.values())[-2:]
    predicting = 2 * train.n_users * train.n_items * _SECONDS_PER_PREDICTION
    uncached = {"fits_cached": 0, "rankings_cached": 0, "bytes": 0}
    seconds = times * (sum(fitting) + predicting)
    return {**uncached, "fits": 2 * times, "rankings": 2 * times, "seconds": seconds}


def _fit_seconds(system: Any, ratings: int) -> float:
    return _SECONDS.get(getattr(system, "option_name", ""), _OTHERS) * ratings / 1e6


def _bytes(data: PreparedData, experiments: Sequence[Experiment], topics: int, metrics: int) -> int:
    fold = data.folds[0]
    ratings, items = len(fold.train) + len(fold.test), fold.train.n_items
    systems = {
        name: each for experiment in experiments for name, each in experiment.systems.items()
    }
    dense = any(getattr(each, "option_name", "") in _DENSE for each in systems.values())
    hits = len(experiments) * int(ratings * 0.5) * _BYTES_PER_HIT
    scores = topics * metrics * len(experiments[0].names) * _BYTES_PER_SCORE
    matrix = 3 * 8 * items**2 if dense else 0
    return _BYTES_AT_LEAST + ratings * _BYTES_PER_RATING + hits + scores + matrix
