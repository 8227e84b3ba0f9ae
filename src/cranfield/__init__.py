"""Cranfield: offline evaluation of recommender systems.

Names are loaded when they are first used, so that importing the package is quick.

>>> import cranfield
>>> cranfield.read("simulated(size=small)")
Ratings(...)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cranfield.base.nouns.views import views_in

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from cranfield.base.errors import CranfieldError as CranfieldError
    from cranfield.collection.filter import Filtered as Filtered
    from cranfield.collection.judgments import Judgments as Judgments
    from cranfield.collection.ratings import Ratings as Ratings
    from cranfield.collection.simulation.truth import Simulation as Simulation
    from cranfield.collection.split import Split as Split
    from cranfield.collection.split_files import write_split as write_split
    from cranfield.collection.statistics.statistics import Statistics as Statistics
    from cranfield.collection.test_collection import TestCollection as TestCollection
    from cranfield.collection.text.rating_files import write_ratings as write_ratings
    from cranfield.recommendation.adapter import adapt as adapt
    from cranfield.recommendation.ranking.rank import Ranked as Ranked
    from cranfield.recommendation.recommender import Recommender as Recommender
    from cranfield.recommendation.runs.coding import Reading as Reading
    from cranfield.recommendation.runs.files import read_run as read_run
    from cranfield.recommendation.runs.run import Run as Run
    from cranfield.recommendation.runs.writing import write_run as write_run
    from cranfield.scoring.scores import Scores as Scores
    from cranfield.significance.comparison import Comparison as Comparison
    from cranfield.significance.gate import Gate as Gate
    from cranfield.validity.assessment import Assessment as Assessment
    from cranfield.workbench.definition.experiment import Experiment as Experiment
    from cranfield.workbench.definition.study.study import Study as Study
    from cranfield.workbench.plan.data_sets import PlanOfDataSets as PlanOfDataSets
    from cranfield.workbench.plan.plan import Plan as Plan
    from cranfield.workbench.results.data_sets import ResultsByDataSet as ResultsByDataSet
    from cranfield.workbench.results.evaluation import Evaluation as Evaluation
    from cranfield.workbench.results.folders import read_results as read_results
    from cranfield.workbench.results.folders import write_results as write_results
    from cranfield.workbench.results.results import Results as Results
    from cranfield.workbench.results.study_results import StudyResults as StudyResults
    from cranfield.workbench.results.tracking import log as log
    from cranfield.workbench.review.checklist import Checklist as Checklist
    from cranfield.workbench.review.comparison import ResultsComparison as ResultsComparison
    from cranfield.workbench.verbs.collection import describe as describe
    from cranfield.workbench.verbs.collection import filter as filter  # noqa: A004
    from cranfield.workbench.verbs.collection import judge as judge
    from cranfield.workbench.verbs.collection import read as read
    from cranfield.workbench.verbs.collection import read_split as read_split
    from cranfield.workbench.verbs.collection import simulate as simulate
    from cranfield.workbench.verbs.collection import split as split
    from cranfield.workbench.verbs.conclusion import assess as assess
    from cranfield.workbench.verbs.conclusion import compare as compare
    from cranfield.workbench.verbs.conclusion import gate as gate
    from cranfield.workbench.verbs.evaluation import evaluate as evaluate
    from cranfield.workbench.verbs.evaluation import rank as rank
    from cranfield.workbench.verbs.evaluation import score as score
    from cranfield.workbench.verbs.execution import plan as plan
    from cranfield.workbench.verbs.execution import run as run
    from cranfield.workbench.verbs.execution import study as study
    from cranfield.workbench.verbs.execution import study_data_sets as study_data_sets
    from cranfield.workbench.verbs.execution import verify as verify
    from cranfield.workbench.verbs.review import checklist as checklist
    from cranfield.workbench.verbs.review import compare_results as compare_results
    from cranfield.workbench.verbs.truth import assess_truth as assess_truth
    from cranfield.workbench.verbs.truth import recommend_design as recommend_design

_PLACES = {
    "Assessment": "validity.assessment",
    "Checklist": "workbench.review.checklist",
    "Comparison": "significance.comparison",
    "CranfieldError": "base.errors",
    "Evaluation": "workbench.results.evaluation",
    "Experiment": "workbench.definition.experiment",
    "Filtered": "collection.filter",
    "Gate": "significance.gate",
    "Judgments": "collection.judgments",
    "Plan": "workbench.plan.plan",
    "PlanOfDataSets": "workbench.plan.data_sets",
    "Ranked": "recommendation.ranking.rank",
    "Ratings": "collection.ratings",
    "Reading": "recommendation.runs.coding",
    "Recommender": "recommendation.recommender",
    "Results": "workbench.results.results",
    "ResultsByDataSet": "workbench.results.data_sets",
    "ResultsComparison": "workbench.review.comparison",
    "Run": "recommendation.runs.run",
    "Scores": "scoring.scores",
    "Simulation": "collection.simulation.truth",
    "Split": "collection.split",
    "Statistics": "collection.statistics.statistics",
    "Study": "workbench.definition.study.study",
    "StudyResults": "workbench.results.study_results",
    "TestCollection": "collection.test_collection",
    "adapt": "recommendation.adapter",
    "assess": "workbench.verbs.conclusion",
    "assess_truth": "workbench.verbs.truth",
    "checklist": "workbench.verbs.review",
    "compare": "workbench.verbs.conclusion",
    "compare_results": "workbench.verbs.review",
    "describe": "workbench.verbs.collection",
    "evaluate": "workbench.verbs.evaluation",
    "filter": "workbench.verbs.collection",
    "gate": "workbench.verbs.conclusion",
    "judge": "workbench.verbs.collection",
    "log": "workbench.results.tracking",
    "plan": "workbench.verbs.execution",
    "rank": "workbench.verbs.evaluation",
    "read": "workbench.verbs.collection",
    "read_results": "workbench.results.folders",
    "read_run": "recommendation.runs.files",
    "read_split": "workbench.verbs.collection",
    "recommend_design": "workbench.verbs.truth",
    "run": "workbench.verbs.execution",
    "score": "workbench.verbs.evaluation",
    "simulate": "workbench.verbs.collection",
    "split": "workbench.verbs.collection",
    "study": "workbench.verbs.execution",
    "study_data_sets": "workbench.verbs.execution",
    "verify": "workbench.verbs.execution",
    "write_ratings": "collection.text.rating_files",
    "write_results": "workbench.results.folders",
    "write_run": "recommendation.runs.writing",
    "write_split": "collection.split_files",
}

views_in(
    "cranfield.view.nouns",
    "cranfield.workbench.plan.views",
    "cranfield.workbench.results.views",
    "cranfield.workbench.results.data_set_views",
    "cranfield.workbench.review.views",
)

__all__ = sorted(_PLACES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """The public name, from the module that defines it."""
    if name not in _PLACES:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    return getattr(import_module(f"cranfield.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
