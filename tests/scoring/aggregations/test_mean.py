"""Means over topics: alike, by segment, or by the ratings of users."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from score_cases import N, U, many_scores, scores_of
from suites import tries

SOME = settings(deadline=None, max_examples=tries(20))


def value(spelling: str, scores: Scores, **how: Any) -> float:
    chosen: Any = parse("aggregation", spelling)
    return float(chosen.of_scores(enter(scores, 0, 0, **how)))


@SOME
@given(scores=many_scores(segments=True), undefined=st.sampled_from(["left-out", "zero"]))
def test_the_mean_of_percentiles_is_the_mean_of_their_means(scores: Scores, undefined: str) -> None:
    """bellogin2017 §6.1; an uncovered topic scores 0, an undefined one is left out or 0."""
    segments, row = scores.topics.segments, scores.values[0, 0]
    assert segments is not None
    resolved = np.where(scores.covered[0] | np.isnan(row), row, 0.0)
    kept = ~np.isnan(resolved) if undefined == "left-out" else np.ones(len(row), dtype=bool)
    assume(kept.any())
    filled = np.nan_to_num(resolved)
    means = [filled[kept & (segments == s)].mean() for s in np.unique(segments[kept])]
    assert value("mean", scores, undefined=undefined) == pytest.approx(np.mean(means))


@SOME
@given(scores=many_scores(), counts=st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_the_weighted_mean_is_that_of_scores_repeated_by_their_count(
    scores: Scores, counts: list[int]
) -> None:
    size = len(scores)
    row = scores.values[0, 0]
    entered = enter(scores, 0, 0)
    assume(sum(counts[t] for t in entered.topics) > 0)
    weighted = scores_of(
        {"A": [x if c else N for x, c in zip(row, scores.covered[0], strict=True)]},
        judged=counts[:size],
    )
    repeated = np.repeat(entered.scores, [counts[t] for t in entered.topics])
    assert value("weighted-mean", weighted) == pytest.approx(repeated.mean())


def test_equal_counts_weigh_like_none() -> None:
    scores = scores_of({"A": [0.1, 0.4, U, N]}, relevant=[5, 5, 5, 5])
    assert value("weighted-mean(by=relevant)", scores) == pytest.approx(value("mean", scores))


def test_without_any_rating_to_weigh_by_there_is_no_mean() -> None:
    assert np.isnan(value("weighted-mean", scores_of({"A": [0.5, 0.7]}, judged=[0, 0])))


def test_shares_add_up_to_one_and_leave_out_users_without_a_rating() -> None:
    scores = scores_of({"A": [0.1, 0.4, 0.5]}, judged=[0, 3, 1])
    chosen: Any = parse("aggregation", "weighted-mean")
    np.testing.assert_allclose(chosen.shares(enter(scores, 0, 0)), [0, 3 / 4, 1 / 4])
