"""Sweeps: how metrics move with test sparsity, target sets, popularity skew and the head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import from_table, parse
from cranfield.collection.target_choice import parse_targets
from cranfield.scoring.metric import Metric
from cranfield.validity.study.designs import Designs
from cranfield.workbench.bias.case import BiasCase
from cranfield.workbench.bias.theory import Theory, theory_of
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.designs import Design, Universe
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import examine


@dataclass(frozen=True, eq=False)
class Sweep:
    """A study along one axis, under one or more protocols, by every metric of the case.

    ``column`` is what tables call the axis, ``heading`` what readers see in place of it.
    ``precision`` is the metric of which the theory speaks. ``places`` gives each spelling
    of targets its protocol and, unless ``along`` names the decision that the axis is, its
    place on the axis.
    """

    name: str
    axis: str
    column: str
    heading: str
    study: Study
    precision: Metric
    places: Mapping[str, tuple[str, float]]
    along: str | None = None

    def place(self, design: Design) -> tuple[str, float]:
        """The protocol of a design, and its place on the axis."""
        protocol, place = self.places[str(design.experiment.targets)]
        answer = None if self.along is None else design.answers[self.along]
        return protocol, place if answer is None else float(answer)


def sweeps(case: BiasCase) -> Iterator[Sweep]:
    """The four sweeps of a case."""
    one, choice = case.one_relevant, case.choice
    protocols = {"AR": "test-items", "1R": one}
    yield _sparsity_sweep(case, protocols)
    sizes = {
        one.replace(f"n={choice.sample}", f"n={n}"): ("1R", n + 1.0) for n in choice.sizes or ()
    }
    yield Sweep(
        "target set size",
        "target set size t",
        "target_size",
        "t",
        _study(case, {"targets": tuple(sizes)}),
        case.precision,
        _places(sizes),
    )
    heads = {
        targets.replace("test-items", f"test-items(without_head={head:g})"): (name, head)
        for name, targets in protocols.items()
        for head in choice.heads
    }
    yield Sweep(
        "head items removed",
        "share of items removed, the most popular",
        "removed",
        "removed",
        _study(case, {"targets": tuple(heads)}),
        case.precision,
        _places(heads),
    )
    yield skew_sweep(case)


def _sparsity_sweep(case: BiasCase, protocols: Mapping[str, str]) -> Sweep:
    """Fewer and fewer test ratings known, under each protocol."""
    # As in the paper, users without a relevant item count 0 in AR, whatever is known.
    everybody = replace(case.experiment, topics="all", undefined="zero")
    varied = {"targets": tuple(protocols.values()), "judged_share": case.choice.shares}
    return Sweep(
        "test sparsity",
        "share of the test ratings that is known",
        "known",
        "known",
        _study(case, varied, everybody),
        case.precision,
        _places({targets: (name, nan) for name, targets in protocols.items()}),
        along="judged_share",
    )


def skew_sweep(case: BiasCase) -> Sweep:
    """Popularity skew from α = 0 up, on data without taste that resemble the user's.

    Users, items, ratings and histogram are those of the user's collection, c1 and c2 are
    fitted to it; the split is random, as the theory has it. bellogin2017 §5.2, Fig. 5.
    """
    ratings = case.ratings
    base = replace(
        case.experiment,
        data=from_table(
            "source",
            {
                "name": "power-law",
                "reference": str(case.experiment.data),
                "users": int(np.count_nonzero(ratings.user_counts)),
                "items": int(np.count_nonzero(ratings.item_counts)),
                "ratings": len(ratings),
                "alpha": case.choice.skews[0],
            },
        ),
        filters=(),
        split=parse("split", f"random(test_share={case.test_share:.4g})"),
        targets=parse_targets(case.one_relevant),
    )
    return Sweep(
        "popularity skew",
        "skew α of simulated popularity",
        "alpha",
        "α",
        _study(case, {"data.alpha": case.choice.skews}, base),
        case.precision,
        _places({case.one_relevant: ("1R", nan)}),
        along="data.alpha",
    )


def _study(case: BiasCase, vary: Mapping[str, Any], base: Experiment | None = None) -> Study:
    """A study of every metric of a case, each with the cut-off that it has or has not."""
    whole = case.experiment if base is None else base
    # A metric that is varied takes over the cut-off of the base, so the base has none.
    uncut = replace(whole, metrics=(parse("metric", "P"),))
    metrics = tuple(map(str, case.experiment.metrics))
    return Study(base=uncut, draws=0, vary={**vary, "metric": metrics})


def _places(given: Mapping[str, tuple[str, float]]) -> dict[str, tuple[str, float]]:
    """Places by the canonical spelling of targets."""
    return {str(parse_targets(text)): place for text, place in given.items()}


@dataclass(frozen=True, eq=False)
class SweepRun:
    """A sweep with the value of every system at every place, and the theory of each.

    ``places``, ``theories`` and ``metrics`` are those of each design. Where no metric is
    named, the first is meant: P@n.
    """

    sweep: Sweep
    designs: Designs
    places: tuple[tuple[str, float], ...]
    theories: tuple[Theory, ...]
    metrics: tuple[str, ...]

    @property
    def protocols(self) -> list[str]:
        """The protocols, as they come."""
        return list(dict.fromkeys(protocol for protocol, _ in self.places))

    @property
    def precision(self) -> str:
        """The metric of which the theory speaks."""
        return str(self.sweep.precision)

    @property
    def others(self) -> list[str]:
        """All metrics but precision, as they come."""
        return [each for each in dict.fromkeys(self.metrics) if each != self.precision]

    def rows(self, protocol: str, metric: str | None = None) -> list[int]:
        """The designs of a protocol and a metric along the axis."""
        wanted = protocol, metric or self.precision
        named = enumerate(zip(self.places, self.metrics, strict=True))
        mine = [at for at, ((name, _), by) in named if (name, by) == wanted]
        return sorted(mine, key=lambda at: self.places[at][1])

    def values(self, protocol: str, system: str, metric: str | None = None) -> list[float]:
        """The values of a system along the axis."""
        column = self.designs.systems.index(system)
        return [float(self.designs.values[at, column]) for at in self.rows(protocol, metric)]

    def expected(self, protocol: str, name: str) -> list[float]:
        """What the theory says along the axis."""
        return [float(getattr(self.theories[at], name)) for at in self.rows(protocol)]

    def axis(self, protocol: str) -> list[float]:
        """The places of a protocol along the axis."""
        return [self.places[at][1] for at in self.rows(protocol)]


def run_sweep(sweep: Sweep, pipeline: Pipeline) -> SweepRun:
    """Try every place of a sweep."""
    universe = Universe(sweep.study)
    first, second = sweep.study.base.names[:2]
    designs = examine(sweep.study, universe, pipeline, (first, second)).designs
    return SweepRun(
        sweep,
        designs,
        tuple(sweep.place(design) for design in universe.designs),
        _theories(sweep, universe, pipeline),
        tuple(str(design.metric) for design in universe.designs),
    )


def _theories(sweep: Sweep, universe: Universe, pipeline: Pipeline) -> tuple[Theory, ...]:
    """The theory of each design, which is one for all its metrics."""
    asked = [replace(design.experiment, metrics=(sweep.precision,)) for design in universe.designs]
    known = {each: theory_of(each, pipeline.prepare(each)) for each in dict.fromkeys(asked)}
    return tuple(known[each] for each in asked)
