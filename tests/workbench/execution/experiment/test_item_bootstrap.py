"""Users and items at random, from the rankings of experiments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import BadExperiment, CranfieldError
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import summarise
from cranfield.significance.effect_size import interval_of, student_p
from cranfield.view.prose import p_note
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.experiment.item_bootstrap import ItemBootstrap
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.systems.conditions import condition_of
from cranfield.workbench.results.methods.methods import methods_of
from experiment_cases import experiment_of, study_of

BOTH = {"random": "users-and-items"}


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
    {"split": "random(test_share=0.4, repeats=3)", "targets": "test-items, one-relevant"},
]


@pytest.mark.parametrize("changes", CASES)
def test_the_difference_is_that_of_the_table_and_terms_make_it_up(changes: dict[str, Any]) -> None:
    metrics = ["nDCG@5", "P@5", "Recall@3", "AP", "RBP(p=0.8)", "DCG@5"]
    experiment = experiment_of(**{"metrics": metrics, "comparison": BOTH, **changes})
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
    observer, scores = observed(experiment_of(comparison=BOTH))
    one, other = (observer.differences(scores, 30) for _ in range(2))
    assert one == other


def test_an_experiment_is_compared_over_users_and_items_where_it_asks_for_them() -> None:
    experiment = experiment_of(comparison=BOTH)
    made, alone = execute(experiment), execute(experiment_of())
    assert made.comparison is not None
    assert alone.comparison is not None
    observer, scores = observed(experiment)
    found = observer.differences(scores)
    for pair, other in zip(made.comparison.pairs, alone.comparison.pairs, strict=True):
        expected = found[pair.metric, pair.first, pair.second]
        assert pair.difference == other.difference == pytest.approx(expected.mean, abs=1e-14)
        assert pair.p_value == pytest.approx(student_p(expected))
        assert pair.low == pytest.approx(interval_of(expected).low)
        assert (pair.effect, pair.wins) == (other.effect, other.wins)
    assert made.comparison.choice.random == "users-and-items"
    assert "p: paired t test over users and items" in p_note(made.comparison.choice)
    methods = methods_of(made)
    assert "over users and items, with standard errors by the pigeonhole bootstrap (Owen" in methods


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"metrics": ["P@5", "RR"]}, "RR: it is no sum over judged items"),
        ({"aggregation": "median"}, "aggregation: median is no mean"),
        ({"targets": "test-items, percentiles(m=2)"}, "targets: the segments of percentiles"),
        ({"ties": "expected"}, "ties: the mean over orders has no ranks"),
        ({"comparison": {**BOTH, "test": "wilcoxon"}}, 'wilcoxon" draws users alone'),
        ({"comparison": {**BOTH, "subsets": {"count": 3}}}, "comparison.subsets: no test over"),
    ],
)
def test_what_items_cannot_be_drawn_for_is_refused_before_anything_is_ranked(
    changes: dict[str, Any], problem: str
) -> None:
    pipeline = Pipeline()
    with pytest.raises(CranfieldError, match=problem):
        execute(experiment_of(**{"comparison": BOTH, **changes}), pipeline)
    assert "fitting" not in pipeline.seconds


def test_a_study_is_over_users() -> None:
    with pytest.raises(BadExperiment, match="random: the designs of a study"):
        execute_study(study_of({"vary": {"cutoff": [3, 5]}}, comparison=BOTH))
