"""Assessing the metrics of a study in every design, from the rankings that are made anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from cranfield.base.errors import CranfieldError
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Scores
from cranfield.validity.assessment import Assessment
from cranfield.validity.study.assessed_designs import AssessedDesigns
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.designs import Design, Universe
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.assessing import Assessor, EvidenceObserver
from cranfield.workbench.store.store import Store


class DesignAssessments:
    """What the criteria of a study's base say of its metrics in every design.

    Designs that differ in their metric alone are assessed once, by all metrics of the
    base. What two designs have in common is computed once: an assessment follows from
    hits, scores and options, and not from the design that they come from.
    """

    def __init__(self, study: Study, designs: Sequence[Design], store: Store) -> None:
        self._base, self._designs = study.base, designs
        self._assessor = Assessor(store)
        self._observers: dict[Experiment, EvidenceObserver] = {}
        self._made: dict[int, dict[int, Assessment | CranfieldError]] = {}

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that are assessed."""
        return self._base.metrics

    def observer(self, cell: Experiment) -> EvidenceObserver:
        """Who looks at the rankings of some designs."""
        keeps = any(criterion.needs_hits for criterion in self._base.assess)
        return self._observers.setdefault(cell, EvidenceObserver(keeps_hits=keeps))

    def assess(self, cell: Experiment, places: Sequence[int], scores: Scores) -> None:
        """Assess the designs that share their rankings; their hits are then let go."""
        seen = self._observers.pop(cell)
        measured = scores.by_metrics(tuple(map(str, self.metrics)))
        for experiment, place in self._distinct(places).items():
            systems = seen.systems(experiment, measured)
            for number, criterion in enumerate(self._base.assess):
                made: Assessment | CranfieldError
                try:
                    made = self._assessor.assess(criterion, systems)
                except CranfieldError as error:  # one design that cannot be assessed stops no other
                    made = error
                self._made.setdefault(number, {})[place] = made

    def _distinct(self, places: Sequence[int]) -> dict[Experiment, int]:
        """Experiments that differ in more than their metric, each with its first design."""
        found: dict[Experiment, int] = {}
        for place in places:
            found.setdefault(self._designs[place].experiment.with_metrics(self.metrics), place)
        return found

    def together(self, universe: Universe) -> tuple[Assessment, ...]:
        """What each criterion says, over all designs."""
        return tuple(
            _together(str(criterion), self._made.get(number, {}), universe.decisions())
            for number, criterion in enumerate(self._base.assess)
        )


def _together(
    name: str, made: Mapping[int, Assessment | CranfieldError], decisions: pl.DataFrame
) -> Assessment:
    """``name`` is what the criterion is called where it says nothing."""
    places = sorted(made)
    found = [each if isinstance(each, Assessment) else None for each in map(made.get, places)]
    rows = decisions[places]
    varied = [factor for factor in rows.columns if rows[factor].n_unique() > 1]
    numbers = pl.Series("design", [place + 1 for place in places], dtype=pl.Int64)
    return AssessedDesigns(
        next((each.criterion for each in found if each is not None), name),
        rows.select(numbers, *varied),
        found,
        [(p + 1, str(each)) for p in places if isinstance(each := made[p], CranfieldError)],
    ).together()
