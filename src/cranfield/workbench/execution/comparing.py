"""Comparing: the systems of an experiment against each other.

Comparisons are kept in the store by what they are made from, since a test by drawing takes
minutes where systems and metrics are many, and an experiment is often run again.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cranfield.base.files import fingerprint
from cranfield.scoring.scores import Scores
from cranfield.significance.comparison import Comparison, compare
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Store


def compare_systems(experiment: Experiment, scores: Scores, store: Store) -> Comparison:
    """Every pair of systems by every metric, as the experiment asks for it."""
    inputs = _inputs(experiment, scores)
    kept_by = store if inputs is not None else Store(None)
    choice, seed = experiment.comparison_choice, experiment.seed
    entry = kept_by.fetch(
        "comparison",
        inputs or {},
        lambda: encoding.encode_object("comparison", compare(scores, choice, seed=seed)),
    )
    comparison: Comparison = encoding.decode_object("comparison", entry)
    return comparison


def _inputs(experiment: Experiment, scores: Scores) -> dict[str, Any] | None:
    """What the comparison depends on; None if something of it was made in Python."""
    choice = experiment.comparison_choice
    options = choice.test, choice.correction, choice.aggregation
    spelled = [spelled_fully(each) for each in options]
    if None in spelled:
        return None
    weights = [
        each if each is None else fingerprint(each) for each in (scores.judged, scores.relevant)
    ]
    return {
        "options": spelled,
        "coverage": choice.coverage,
        "undefined": choice.undefined,
        "family": choice.family,
        "numbers": [choice.alpha, choice.power, choice.rope],
        "subsets": choice.subsets and asdict(choice.subsets),
        "systems": list(scores.systems),
        "metrics": list(scores.metrics),
        "scores": encoding.content_of_scores(scores),
        "weights": weights,
        "seed": experiment.seed,
    }
