"""Users and items at random, from the rankings of experiments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import OptionError, UnsuitableScores
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import summarise
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.evaluation import condition_of
from cranfield.workbench.execution.item_bootstrap import ItemBootstrap
from cranfield.workbench.execution.pipeline import Pipeline
from experiment_cases import experiment_of


def observed(experiment: Experiment) -> tuple[ItemBootstrap, Scores]:
    pipeline, observer = Pipeline(), ItemBootstrap(experiment)
    data = pipeline.prepare(experiment)
    return observer, pipeline.score(data, [condition_of(experiment)], {0: observer})[0]


CASES: list[dict[str, Any]] = [
    {},
    {"targets": "test-items, one-relevant"},
    {"split": "k-fold(folds=3)"},
    {"split": "k-fold(folds=3)", "targets": "test-items, one-relevant"},
    {"aggregation": "weighted-mean"},
    {"coverage": "forgiving", "unscored": "drop"},
    {"undefined": "zero"},
    {"split": "k-fold(folds=3)", "undefined": "zero"},
]


@pytest.mark.parametrize("changes", CASES)
def test_the_difference_is_that_of_the_table_and_terms_make_it_up(changes: dict[str, Any]) -> None:
    metrics = ["nDCG@5", "P@5", "Recall@3", "AP", "RBP(p=0.8)", "DCG@5"]
    experiment = experiment_of(**{"metrics": metrics, **changes})
    observer, scores = observed(experiment)
    summary = summarise(scores, experiment.summary_choice)
    found = observer.differences(scores, 50)
    assert len(found) == 6 * 3
    for (metric, first, second), each in found.items():
        value, other = (summary.row(name, metric).value for name in (first, second))
        assert each.mean == pytest.approx(value - other, abs=1e-14)
        assert each.error > 0
        made, weighted = observer._weighted(scores, first, metric)
        known = weighted.terms.scores(np.ones(50))
        assert np.nan_to_num(known) @ weighted.shares == pytest.approx(made)


def test_the_same_seed_draws_the_same() -> None:
    observer, scores = observed(experiment_of())
    one, other = (observer.differences(scores, 30) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("changes", "error", "problem"),
    [
        ({"metrics": ["P@5", "RR"]}, UnsuitableScores, "RR: it is no sum over judged items"),
        ({"aggregation": "median"}, OptionError, "aggregation: median is no mean"),
        ({"ties": "expected"}, OptionError, "ties: drawing items again needs one order"),
    ],
)
def test_what_items_cannot_be_drawn_for_is_refused(
    changes: dict[str, Any], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        ItemBootstrap(experiment_of(**changes))
