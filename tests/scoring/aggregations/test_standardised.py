"""Standardised scores against SciPy, and where systems score the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, zscore

from cranfield.base.options import parse
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from score_cases import scores_of

STANDARDISED: Any = parse("aggregation", "standardised")


def values(scores: Scores) -> list[float]:
    systems = range(len(scores.systems))
    return [STANDARDISED.of_scores(enter(scores, system, 0, compared=True)) for system in systems]


def test_it_is_the_mean_of_normal_places_of_standard_scores() -> None:
    table = np.random.default_rng(2).random((5, 9))
    scores = scores_of({f"s{number}": row.tolist() for number, row in enumerate(table)})
    wanted = norm.cdf(zscore(table, axis=0, ddof=1)).mean(axis=1)
    assert values(scores) == pytest.approx(wanted.tolist())


@pytest.mark.parametrize("factor", [0.001, 7.0])
def test_topics_on_another_scale_count_the_same(factor: float) -> None:
    table = np.random.default_rng(4).random((3, 6))
    other = table * np.array([factor, 1, 1, factor, 1, 1]) + np.array([0, 3, 0, 0, 1, 0])
    plain, moved = (
        scores_of({f"s{number}": row.tolist() for number, row in enumerate(each)})
        for each in (table, other)
    )
    assert values(moved) == pytest.approx(values(plain))


def test_scores_that_differ_by_rounding_alone_count_a_half() -> None:
    """0.1 + 0.2 is not 0.3 to a computer, and no system is ahead by that."""
    assert values(scores_of({"A": [0.1 + 0.2], "B": [0.3]})) == [0.5, 0.5]
    assert values(scores_of({"A": [0.0], "B": [0.0], "C": [0.0]})) == [0.5, 0.5, 0.5]


def test_a_system_ahead_on_every_topic_is_ahead_and_two_mirror_each_other() -> None:
    ahead, behind = values(scores_of({"A": [0.5, 0.9, 0.2], "B": [0.4, 0.1, 0.1]}))
    assert ahead == pytest.approx(norm.cdf(1 / np.sqrt(2)))
    assert ahead + behind == pytest.approx(1)
