"""Cranfield: offline evaluation of recommender systems.

Names are loaded when they are first used, so that importing the package is quick.

>>> import cranfield
>>> cranfield.read("simulated(size=small)")
Ratings(...)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from cranfield.base.errors import CranfieldError as CranfieldError
    from cranfield.collection.judgments import Judgments as Judgments
    from cranfield.collection.judgments import judge as judge
    from cranfield.collection.rating_files import write_ratings as write_ratings
    from cranfield.collection.ratings import Ratings as Ratings
    from cranfield.collection.simulation.truth import Truth as Truth
    from cranfield.collection.split import Split as Split
    from cranfield.collection.split_files import write_split as write_split
    from cranfield.collection.statistics import Statistics as Statistics
    from cranfield.collection.statistics import describe as describe
    from cranfield.collection.topics import choose_users as choose_users
    from cranfield.recommendation.adapter import adapt as adapt
    from cranfield.recommendation.runs.files import read_run as read_run
    from cranfield.recommendation.runs.writing import write_run as write_run
    from cranfield.workbench.assessment_steps import assess as assess
    from cranfield.workbench.comparison_steps import compare as compare
    from cranfield.workbench.definition.experiment import Experiment as Experiment
    from cranfield.workbench.evaluation_steps import evaluate as evaluate
    from cranfield.workbench.evaluation_steps import score as score
    from cranfield.workbench.execution.evaluation import Evaluation as Evaluation
    from cranfield.workbench.ranking_steps import rank as rank
    from cranfield.workbench.results.files import write_results as write_results
    from cranfield.workbench.results.results import Results as Results
    from cranfield.workbench.run_steps import run as run
    from cranfield.workbench.run_steps import study as study
    from cranfield.workbench.steps import filter as filter  # noqa: A004
    from cranfield.workbench.steps import read as read
    from cranfield.workbench.steps import read_split as read_split
    from cranfield.workbench.steps import simulate as simulate
    from cranfield.workbench.steps import split as split

_PLACES = {
    "CranfieldError": "base.errors",
    "Evaluation": "workbench.execution.evaluation",
    "Experiment": "workbench.definition.experiment",
    "Judgments": "collection.judgments",
    "Ratings": "collection.ratings",
    "Results": "workbench.results.results",
    "Split": "collection.split",
    "Statistics": "collection.statistics",
    "Truth": "collection.simulation.truth",
    "adapt": "recommendation.adapter",
    "assess": "workbench.assessment_steps",
    "choose_users": "collection.topics",
    "compare": "workbench.comparison_steps",
    "describe": "collection.statistics",
    "evaluate": "workbench.evaluation_steps",
    "filter": "workbench.steps",
    "judge": "collection.judgments",
    "rank": "workbench.ranking_steps",
    "read": "workbench.steps",
    "read_run": "recommendation.runs.files",
    "read_split": "workbench.steps",
    "run": "workbench.run_steps",
    "score": "workbench.evaluation_steps",
    "simulate": "workbench.steps",
    "split": "workbench.steps",
    "study": "workbench.run_steps",
    "write_ratings": "collection.rating_files",
    "write_results": "workbench.results.files",
    "write_run": "recommendation.runs.writing",
    "write_split": "collection.split_files",
}

__all__ = sorted(_PLACES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """The public name, from the module that defines it."""
    if name not in _PLACES:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    return getattr(import_module(f"cranfield.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
