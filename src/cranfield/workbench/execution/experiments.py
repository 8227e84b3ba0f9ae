"""Executing an experiment: evaluated, compared and assessed."""

from __future__ import annotations

from cranfield.base.errors import OptionError
from cranfield.base.progress import bar
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.scores import Scores
from cranfield.validity.criterion import evidence_of_items
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.assessing import assess_metrics, refuse_unassessable
from cranfield.workbench.execution.bias_observer import BiasObserver
from cranfield.workbench.execution.comparing import compare_systems
from cranfield.workbench.execution.conditions import SystemOutput
from cranfield.workbench.execution.evaluation import EvaluationObserver, condition_of
from cranfield.workbench.execution.item_bootstrap import ItemBootstrap
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.prepared_data import PreparedData, facts_of
from cranfield.workbench.results.results import Results


def execute(experiment: Experiment, pipeline: Pipeline | None = None) -> Results:
    """Execute an experiment; what the pipeline's store has of it is not computed again.

    >>> from cranfield.workbench.definition.reading import read_table
    >>> results = execute(read_table({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.4)", "relevance": 4,
    ...     "systems": {"Popularity": "Popularity", "Random": "Random"}, "metrics": ["P@5"],
    ... }))
    >>> results.summary.row("Popularity", "P@5").evaluated
    34
    """
    road = pipeline or Pipeline()
    data = road.prepare(experiment)
    return execute_prepared(experiment, data, road)


def execute_prepared(experiment: Experiment, data: PreparedData, pipeline: Pipeline) -> Results:
    """Execute an experiment whose data are ready."""
    observer = ExperimentObserver(experiment, data)
    with bar("running", len(experiment.names) * len(data.folds)) as shown:
        condition = condition_of(experiment)
        scores = pipeline.score(data, [condition], {0: observer}, shown)[0]
    return observer.results(scores, pipeline)


class ExperimentObserver:
    """Notes all that the results of an experiment hold, while its systems are ranked."""

    def __init__(self, experiment: Experiment, data: PreparedData) -> None:
        refuse_unassessable(experiment)
        if not experiment.metrics:
            raise OptionError("metrics: at least one must be of single users, such as nDCG@10.")
        self._experiment, self._data = experiment, data
        self._evaluation = EvaluationObserver(experiment, data)
        self._biases = BiasObserver()
        self._hits: dict[str, list[Hits]] = {}
        drawn = experiment.comparison.random == "users-and-items"
        self._items = ItemBootstrap(experiment) if drawn else None

    def see(self, output: SystemOutput) -> None:
        """Show some topics of one system to all who want to see them."""
        self._evaluation.see(output)
        self._biases.see(output)
        if self._items is not None:
            self._items.see(output)
        if any(criterion.needs_hits for criterion in self._experiment.assess):
            self._hits.setdefault(output.system, []).append(output.hits)

    def results(self, scores: Scores, pipeline: Pipeline) -> Results:
        """What was seen, compared and assessed."""
        experiment, store, timing = self._experiment, pipeline.store, pipeline.timing
        made = self._evaluation.evaluation(scores, pipeline)
        with timing.of("comparing"):
            differences = None if self._items is None else self._items.differences(scores)
            comparison = compare_systems(experiment, scores, store, differences)
        with timing.of("assessing"):
            items = evidence_of_items([each.collection for each in made.target_sets])
            assessed = assess_metrics(experiment, scores, self._hits, items, store)
        biases = self._biases.assessments(self._data, experiment)
        return Results(
            **vars(made),
            comparison=comparison,
            data=facts_of(self._data),
            seconds=dict(pipeline.seconds),
            assessments=(*assessed, *biases),
        )
