"""The figures of one design of a study: values, effects and p-values of its systems."""

from __future__ import annotations

from typing import cast

import numpy as np

from cranfield.base.errors import UnsuitableScores
from cranfield.base.options import from_table
from cranfield.base.seeds import Seeds
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.pairing import pair_users
from cranfield.significance.samples.samples import Samples
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.designs import Design

_DRAWS = 1000
"""Draws of the permutation test of one design by itself."""


def values_of(scores: Scores, design: Design) -> tuple[list[float], int]:
    """The value of every system, by the aggregation and coverage of the design.

    Beside them, the number of topics that entered that of the first.
    """
    experiment, metric = design.experiment, scores.metric_number(str(design.metric))
    aggregation = experiment.aggregation
    values, topics = [], 0
    for system in range(len(scores.systems)):
        entered = enter(
            scores,
            system,
            metric,
            experiment.coverage,
            experiment.undefined,
            compared=aggregation.compares,
        )
        values.append(aggregation.of_scores(entered) if len(entered) else np.nan)
        topics = topics or len(entered)
    return values, topics


def study_test(experiment: Experiment) -> PairedTest:
    """The test of one design: the one asked for, else the t test that fits the average.

    Values that are no means are tested by few draws: a study makes thousands of tests, and
    what it concludes is up to the joint one.
    """
    given, aggregation = experiment.comparison.test, experiment.aggregation
    test = given or default_test(aggregation, of_means="t")
    if given is None and not isinstance(aggregation, LinearAggregation):
        test = cast(PairedTest, from_table("test", {"name": "permutation", "draws": _DRAWS}))
    return test


def how_tested(design: Design) -> tuple[str, int]:
    """What the p-values of a design depend on besides its scores."""
    return str(study_test(design.experiment)), design.experiment.seed


def pair_systems(scores: Scores, design: Design) -> Samples | None:
    """The systems of one design, user by user; None where too few users can be compared."""
    try:
        return pair_users(scores, design.experiment.summary_choice, (str(design.metric),))
    except UnsuitableScores:
        return None


def p_values_of(samples: Samples, design: Design) -> Floats:
    """The p-values of all pairs by themselves; NaN where scores do not suit the test."""
    seeds = Seeds(design.experiment.seed).child("significance")
    try:
        return np.asarray(study_test(design.experiment).compare(samples, seeds).p_values[0])
    except UnsuitableScores:
        return np.full(len(samples.pairs), np.nan)


def effects_of(samples: Samples) -> list[float]:
    """The t statistic of every pair divided by √U; NaN where values are not means."""
    if not samples.linear:
        return [np.nan] * len(samples.pairs)
    made = [samples.difference(0, pair) for pair in samples.pairs]
    return [each.statistic / np.sqrt(each.users) for each in made]
