"""Sweeps: how precision moves with test sparsity, target sets, popularity skew and the head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from cranfield.base.options import from_table, parse
from cranfield.collection.target import parse_targets
from cranfield.validity.study.designs import Designs
from cranfield.workbench.bias.case import BiasCase
from cranfield.workbench.bias.theory import Theory, theory_of
from cranfield.workbench.definition.designs import Design, Universe
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.studies import examine


@dataclass(frozen=True, eq=False)
class Sweep:
    """A study along one axis, under one or more protocols.

    ``places`` gives each spelling of targets its protocol and, unless ``along`` names the
    decision that the axis is, its place on the axis.
    """

    name: str
    axis: str
    column: str
    study: Study
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
        "t",
        case.study(vary={"targets": tuple(sizes)}),
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
        case.study(vary={"targets": tuple(heads)}),
        _places(heads),
    )
    yield skew_sweep(case)


def _sparsity_sweep(case: BiasCase, protocols: Mapping[str, str]) -> Sweep:
    """Fewer and fewer test ratings known, under each protocol."""
    # As in the paper, users without a relevant item count 0 in AR, whatever is known.
    everybody = replace(case.experiment, topics="all", undefined="zero")
    return Sweep(
        "test sparsity",
        "share of the test ratings that is known",
        "known",
        Study(
            base=everybody,
            draws=0,
            vary={"targets": tuple(protocols.values()), "judged_share": case.choice.shares},
        ),
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
        "α",
        Study(base=base, draws=0, vary={"data.alpha": case.choice.skews}),
        _places({case.one_relevant: ("1R", nan)}),
        along="data.alpha",
    )


def _places(given: Mapping[str, tuple[str, float]]) -> dict[str, tuple[str, float]]:
    """Places by the canonical spelling of targets."""
    return {str(parse_targets(text)): place for text, place in given.items()}


@dataclass(frozen=True, eq=False)
class SweepRun:
    """A sweep with the value of every system at every place, and the theory of each."""

    sweep: Sweep
    designs: Designs
    places: tuple[tuple[str, float], ...]
    theories: tuple[Theory, ...]

    @property
    def protocols(self) -> list[str]:
        """The protocols, as they come."""
        return list(dict.fromkeys(protocol for protocol, _ in self.places))

    def rows(self, protocol: str) -> list[int]:
        """The designs of a protocol along the axis."""
        mine = [at for at, (name, _) in enumerate(self.places) if name == protocol]
        return sorted(mine, key=lambda at: self.places[at][1])

    def values(self, protocol: str, system: str) -> list[float]:
        """The values of a system along the axis."""
        column = self.designs.systems.index(system)
        return [float(self.designs.values[at, column]) for at in self.rows(protocol)]

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
        tuple(theory_of(e, pipeline.prepare(e)) for e in _experiments(universe)),
    )


def _experiments(universe: Universe) -> list[Experiment]:
    return [design.experiment for design in universe.designs]
