"""Executing a study of several data sets: each by itself, then all together."""

from __future__ import annotations

from cranfield.validity.data_sets.associations import traits_of
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.experiment.checks import foresee
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.data_sets import ResultsByDataSet, results_by_data_set
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults


def execute_data_sets(
    asked: StudyOfDataSets, pipeline: Pipeline | None = None, *, foreseen: bool = False
) -> ResultsByDataSet:
    """Execute the experiment or study on every data set, and put together what was found.

    What would go wrong on any data set is refused before the first is run.
    """
    road = pipeline or Pipeline()
    if not foreseen:
        for part in asked.parts.values():
            foresee(part, road).refuse(asked.where)
    found, traits = {}, {}
    for name, part in asked.parts.items():
        found[name] = execute_part(part, road)
        base = asked.bases[name]
        data = road.prepare(base)
        ratings = data.folds[0].train if data.ratings is None else data.ratings
        traits[name] = traits_of(ratings, base.relevance)
    return results_by_data_set(asked, found, traits)


def execute_part(part: Experiment | Study, road: Pipeline) -> Results | StudyResults:
    """The results of one data set."""
    if isinstance(part, Study):
        return execute_study(part, road, foreseen=True)
    return execute(part, road, foreseen=True)
