"""Executing an experiment: evaluated, compared and assessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cranfield.base.errors import OptionError, TooFew
from cranfield.base.progress import bar
from cranfield.collection.judge import judges_by_test
from cranfield.scoring.scores import Scores
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.assessing import (
    EvidenceObserver,
    assess_metrics,
    refuse_unassessable,
)
from cranfield.workbench.execution.data.data_facts import facts_of
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.experiment.bias_observer import BiasObserver
from cranfield.workbench.execution.experiment.checks import foresee
from cranfield.workbench.execution.experiment.comparing import compare_systems
from cranfield.workbench.execution.experiment.evaluation import EvaluationObserver
from cranfield.workbench.execution.experiment.item_bootstrap import ItemBootstrap
from cranfield.workbench.execution.experiment.notes import notes_of_comparing, notes_of_tuning
from cranfield.workbench.execution.experiment.windows import WindowObserver, are_windows
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import SystemOutput, condition_of
from cranfield.workbench.execution.systems.failures import Failures, reasons_of
from cranfield.workbench.execution.tuner import with_known_budgets
from cranfield.workbench.results.costs import this_machine
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.results.results import Results, versions


def execute(
    experiment: Experiment, pipeline: Pipeline | None = None, *, foreseen: bool = False
) -> Results:
    """Execute an experiment; what the pipeline's store has of it is not computed again.

    What would go wrong later is refused first, unless it was ``foreseen`` already.

    >>> from cranfield.workbench.definition.reading import read_table
    >>> results = execute(read_table({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.4)", "relevance": 4,
    ...     "systems": {"Popularity": "Popularity", "Random": "Random"}, "metrics": ["P@5"],
    ... }))
    >>> results.summary.row("Popularity", "P@5").evaluated
    34
    """
    road = pipeline or Pipeline()
    if not foreseen:
        foresee(experiment, road).refuse("experiment")
    data = road.prepare(experiment)
    return execute_prepared(experiment, data, road, Failures())


def execute_prepared(
    experiment: Experiment, data: PreparedData, pipeline: Pipeline, failed: Failures | None = None
) -> Results:
    """Execute an experiment whose data are ready.

    Systems that fail are added to ``failed``, and left out; without it, what stopped one is
    raised.
    """
    observer = ExperimentObserver(experiment, data)
    with bar("running", len(experiment.names) * len(data.folds)) as shown:
        conditions = [condition_of(experiment)]
        scores = pipeline.score(data, conditions, {0: observer}, shown, failed)[0]
    return observer.results(scores, pipeline, reasons_of(failed or {}))


class ExperimentObserver:
    """Notes all that the results of an experiment hold, while its systems are ranked."""

    def __init__(self, experiment: Experiment, data: PreparedData) -> None:
        refuse_unassessable(experiment)
        if not experiment.metrics:
            raise OptionError("metrics: at least one must be of single users, such as nDCG@10.")
        self._experiment, self._data = experiment, data
        self._evaluation = EvaluationObserver(experiment, data)
        self._biases = BiasObserver()
        keeps = any(criterion.needs_hits for criterion in experiment.assess)
        self._evidence = EvidenceObserver(keeps_hits=keeps)
        drawn = experiment.comparison.random == "users-and-items"
        self._items = ItemBootstrap(experiment) if drawn else None
        self._windows = WindowObserver(experiment, data) if are_windows(data) else None

    def see(self, output: SystemOutput) -> None:
        """Show some topics of one system to all who want to see them."""
        self._evaluation.see(output)
        self._biases.see(output)
        self._evidence.see(output)
        for observer in (self._items, self._windows):
            if observer is not None:
                observer.see(output)

    def results(
        self, scores: Scores, pipeline: Pipeline, failed: Mapping[str, str] | None = None
    ) -> Results:
        """What was seen, compared and assessed; why other systems have ``failed``."""
        store, timing = pipeline.store, pipeline.timing
        made = self._evaluation.evaluation(scores, pipeline, failed)
        experiment, unassessed = _assessable(made.evaluated)
        lacking = *notes_of_comparing(self._experiment, made.failed), *unassessed
        with timing.of("comparing"):
            differences = None if self._items is None else self._items.differences(scores)
            comparison = compare_systems(experiment, scores, store, differences)
        with timing.of("assessing"):
            assessed = assess_metrics(self._evidence.systems(experiment, scores), store)
        biases = self._biases.assessments(self._data, experiment)
        windows = [] if self._windows is None else [self._windows.assessment(scores)]
        tuned = pipeline.tuner.all_tuned(self._experiment, self._data, scores.systems)
        known = {
            "experiment": with_known_budgets(self._experiment, tuned),
            "notes": (*made.notes, *lacking, *notes_of_tuning(tuned)),
        }
        return Results(
            **{**vars(made), **known},
            comparison=comparison,
            data={**facts_of(self._data), **_facts_of_judges(experiment, made)},
            seconds=dict(pipeline.seconds),
            costs=pipeline.timing.costs,
            machine=this_machine(),
            assessments=(*assessed, *windows, *biases),
            versions=versions(made.models.values()),
            workers=pipeline.worked,
            tuned=tuned,
        )


def _facts_of_judges(experiment: Experiment, made: Evaluation) -> dict[str, Any]:
    """The fingerprints of ratings that judge each fold in place of its test ratings, if any do.

    What is known because the data were simulated follows from the data.
    """
    if judges_by_test(experiment.judged_by) or experiment.judged_by.simulated:
        return {}
    judged = [each.collection.judgments.ratings.fingerprint for each in made.target_sets]
    return {"judged": judged}


def _assessable(experiment: Experiment) -> tuple[Experiment, list[str]]:
    """The experiment with the criteria for which enough systems are left, and why no others."""
    criteria, notes = [], []
    for criterion in experiment.assess:
        try:
            refuse_unassessable(replace(experiment, assess=(criterion,)))
        except TooFew as error:
            notes.append(f"Warning: {error}")
        else:
            criteria.append(criterion)
    return replace(experiment, assess=tuple(criteria)), notes
