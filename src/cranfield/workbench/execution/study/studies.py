"""Executing a study: the values of every system under every design, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from cranfield.base.errors import SystemsFailed
from cranfield.base.progress import bar
from cranfield.scoring.scores import Scores
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.workbench.definition.study.designs import Design, Universe
from cranfield.workbench.definition.study.remaining import study_without
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.experiment.checks import foresee
from cranfield.workbench.execution.experiment.experiments import ExperimentObserver
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.repeats import repeat_base
from cranfield.workbench.execution.study.contributions import (
    Contributions,
    Examined,
    tested_jointly,
)
from cranfield.workbench.execution.study.design_assessments import DesignAssessments
from cranfield.workbench.execution.study.design_figures import (
    effects_of,
    how_tested,
    p_values_of,
    pair_systems,
    values_of,
)
from cranfield.workbench.execution.study.design_groups import (
    Cells,
    by_data,
    by_ranking,
    conditions_of,
    metrics_of,
    observers_of,
    upcoming,
)
from cranfield.workbench.execution.study.study_tuning import DesignTrials, said_of_test_data
from cranfield.workbench.execution.systems.conditions import Observer, condition_of
from cranfield.workbench.execution.systems.failures import Failures, reasons_of
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults

_REASONS = {
    "coverage": "every system covered every user",
    "undefined": "no score was undefined",
    "comparison.test": "designs are tested jointly, whatever the test of a single one",
}
"""Why a decision can have no effect, as long as nothing speaks against it."""


def execute_study(
    study: Study, pipeline: Pipeline | None = None, *, foreseen: bool = False
) -> StudyResults:
    """Try every design of a study; the base is one more condition among those of its data.

    What would go wrong later is refused first, unless it was ``foreseen`` already.
    """
    road, universe = pipeline or Pipeline(), Universe(study)
    _ = universe.designs  # a wrong answer is refused before anything is fitted
    if not foreseen:
        foresee(study, road).refuse(study.where)
    failed = Failures()
    while True:
        try:
            return _execute(study, universe, road, failed)
        except _FailedLater:
            continue  # from the start, without it: all designs compare the same systems


class _FailedLater(Exception):
    """A system failed when others had been examined together with it."""


def _execute(asked: Study, universe: Universe, road: Pipeline, failed: Failures) -> StudyResults:
    """Try every design, without the systems that have failed before."""
    groups, data = by_data(universe.designs), road.prepare(asked.base)
    road.tuner.base = asked.base
    observer = ExperimentObserver(asked.base, data)
    everywhere = asked.assessed == "designs"
    assessing = DesignAssessments(asked, universe.designs, road.store) if everywhere else None
    cells = by_ranking(universe.designs, groups.pop(data_key(asked.base), []))
    # Designs may look at any rank: all are ranked in one pass.
    base_condition = replace(condition_of(asked.base), whole_ranks=True)
    conditions = [base_condition, *conditions_of(universe.designs, cells, assessing)]
    observers: dict[int, Observer] = {0: observer, **observers_of(cells, assessing, first=1)}
    road.announce(upcoming(universe.designs, groups, assessing))
    with bar("running", len(asked.base.names) * len(data.folds)) as shown:
        scores = road.score(data, conditions, observers, shown, failed)
    study = _remaining(asked, failed)
    base = observer.results(scores[0], road, reasons_of(failed))
    pair = study.pair or _two_best(base)
    work = _Examination(study, universe.designs, assessing)
    work.compare(pair)
    with road.timing.of("designs"):
        work.examine(cells, scores[1:])
    work.trials.note(cells, data, road.tuner)
    del scores
    examined = _examine_groups(work, groups, road, universe, failed)
    with road.timing.of("concluding"):
        conclusion = said_of_test_data(asked, _concluded(study, pair, examined))
    known, repeats = len(failed), repeat_base(study, pair, road, failed)
    if len(failed) > known:
        raise _FailedLater
    if study.pair != asked.pair:
        note = f"Warning: the study is about {' and '.join(pair)}, as a system of its pair failed."
        base = replace(base, notes=(*base.notes, note))
    assessed = () if assessing is None else assessing.together(universe)
    costs, tuned = road.timing.costs, work.trials.by_design()
    made = examined.designs, conclusion, repeats, assessed
    return StudyResults(asked, base, *made, costs=costs, tuned=tuned)


def _concluded(study: Study, pair: tuple[str, str], examined: Examined) -> StudyFindings:
    """What all designs say, of the study's pair or of the base's two best."""
    # With the base among the designs, its two best are what a conclusion is about anyway.
    of_base = study.pair is None and examined.designs.base is None
    return conclude(
        examined.designs,
        pair if of_base else study.pair,
        examined.joint,
        of_base=of_base,
        resampled=examined.resampled,
    )


def _remaining(study: Study, failed: Failures) -> Study:
    """The study without the systems that failed; it needs two others."""
    left = len(study.base.names) - len(failed)
    if left < 2:
        problem = f"a study needs at least 2 systems; here {left} can be used."
        raise SystemsFailed(reasons_of(failed), problem)
    return study_without(study, failed)


def _two_best(base: Results) -> tuple[str, str]:
    """The base's two best systems by its first metric, the better first."""
    metric, names = base.scores.metrics[0], base.scores.systems
    values = [base.summary.row(name, metric).value for name in names]
    order = np.argsort(-np.nan_to_num(np.array(values), nan=-np.inf), kind="stable")
    return names[int(order[0])], names[int(order[1])]


def examine(
    study: Study, universe: Universe, pipeline: Pipeline, pair: tuple[str, str] | None
) -> Examined:
    """Try every design, without results of the base.

    The joint test is about the ``pair``, first minus second; without one, there is none.
    """
    work, pipeline.tuner.base = _Examination(study, universe.designs), study.base
    if pair is not None:
        work.compare(pair)
    return _examine_groups(work, by_data(universe.designs), pipeline, universe)


def _examine_groups(
    work: _Examination,
    groups: Mapping[str, Sequence[int]],
    pipeline: Pipeline,
    universe: Universe,
    failed: Failures | None = None,
) -> Examined:
    """Score the designs of each group, which share data and fits, and put all together."""
    known = len(failed or {})
    pipeline.announce(upcoming(universe.designs, groups, work.assessing))
    with bar("studying", sum(map(len, groups.values()))) as shown:
        for places in groups.values():
            data = pipeline.prepare(universe.designs[places[0]].experiment)
            cells = by_ranking(universe.designs, places)
            conditions = conditions_of(universe.designs, cells, work.assessing)
            observers = observers_of(cells, work.assessing)
            scores = pipeline.score(data, conditions, observers, failed=failed)
            if len(failed or {}) > known:
                raise _FailedLater
            with pipeline.timing.of("designs"):
                work.examine(cells, scores)
            work.trials.note(cells, data, pipeline.tuner)
            shown.advance(len(places))
    with pipeline.timing.of("designs"):
        return work.examined(universe)


class _Examination:
    """What is known of every design so far."""

    def __init__(
        self, study: Study, designs: Sequence[Design], assessing: DesignAssessments | None = None
    ) -> None:
        self._study, self._designs, self.assessing = study, designs, assessing
        systems = len(study.base.names)
        pairs = len(list(combinations(range(systems), 2)))
        self.values, self.effects, self.p_values = (
            np.full((len(designs), width), np.nan) for width in (systems, pairs, pairs)
        )
        self.users, self.topics = np.zeros((2, len(designs)), dtype=np.int64)
        self._contributions: Contributions | None = None
        self._reasons = dict(_REASONS)
        self.trials = DesignTrials(study)

    def compare(self, pair: tuple[str, str]) -> None:
        """Test designs jointly, for a pair, and find those that are the same."""
        if self._study.draws:
            self._contributions = Contributions(self._study, pair, len(self._designs))

    def examine(self, cells: Cells, scored: Sequence[Scores]) -> None:
        """Look at each design, given the scores of the conditions of all of them."""
        for scores, (cell, members) in zip(scored, cells.items(), strict=True):
            own = scores
            if self.assessing is not None:
                self.assessing.assess(cell, members, scores)
                own = scores.by_metrics([str(each) for each in metrics_of(self._designs, members)])
            for place in members:
                self._examine_design(place, own)

    def examined(self, universe: Universe) -> Examined:
        """All designs together, and the joint test."""
        made = Designs(
            decisions=universe.decisions(),
            systems=self._study.base.names,
            values=self.values,
            effects=self.effects,
            p_values=self.p_values,
            users=self.users,
            base=universe.base,
            alpha=self._study.base.comparison.alpha,
            topics=self.topics,
            weights=universe.weights(),
            reasons=self._reasons,
        )
        found = self._contributions
        return (
            Examined(made)
            if found is None
            else tested_jointly(made, found, self._study.joint_family)
        )

    def _examine_design(self, place: int, scores: Scores) -> None:
        """Values, effects and p-values of one design, from the scores of its rankings."""
        design = self._designs[place]
        self.values[place], self.topics[place] = values_of(scores, design)
        self._reconsider(scores)
        samples = pair_systems(scores, design)
        if samples is None:
            return
        self.effects[place] = effects_of(samples)
        self.users[place] = samples.compared(0)
        found = self._contributions
        first = place if found is None else found.add(place, self.values[place], scores, samples)
        again = how_tested(self._designs[first]) == how_tested(design)
        known = first != place and again
        self.p_values[place] = self.p_values[first] if known else p_values_of(samples, design)

    def _reconsider(self, scores: Scores) -> None:
        """Drop the reasons why a decision may have had no effect that do not hold here."""
        if not scores.covered.all():
            self._reasons.pop("coverage", None)
        if np.isnan(scores.values).any():
            self._reasons.pop("undefined", None)
