"""Levels: where two systems do not differ, one test in twenty says that they do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.scoring.coverage import Coverage
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Scores
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.testing.laws.paired_tests import LEVEL, band
from score_cases import scores_of

ROUNDS = 500
USERS = 60


def skewed(seed: int, *, segments: bool = False) -> Scores:
    """Topics of users of whom a few have most, as in 1R; a user's scores go together."""
    rng = np.random.default_rng(seed)
    sizes = np.minimum(rng.zipf(1.6, USERS), 40)
    users = np.repeat(np.arange(USERS), sizes)
    ease = rng.beta(1, 2, USERS)[users]
    own = rng.normal(0, 0.15, (2, USERS))[:, users]
    rows = np.clip(ease + own + rng.normal(0, 0.1, (2, len(users))), 0, 1)
    counts = np.repeat(rng.integers(1, 30, USERS), sizes).tolist()
    return scores_of(
        dict(zip("ab", rows.tolist(), strict=True)),
        users=users.tolist(),
        segments=rng.integers(0, 4, len(users)).tolist() if segments else None,
        judged=counts,
        relevant=counts,
    )


def single(seed: int, *, uncovered: float = 0.0) -> Scores:
    """One topic per user; each system lacks the lists of some users of its own."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(1, 2, USERS)
    rows = np.clip(ease + rng.normal(0, 0.15, (2, USERS)), 0, 1)
    lacking = rng.random((2, USERS)) < uncovered
    counts = rng.integers(1, 30, USERS).tolist()
    listed = [
        [None if lacks else float(score) for score, lacks in zip(row, lack, strict=True)]
        for row, lack in zip(rows, lacking, strict=True)
    ]
    named = dict(zip("ab", listed, strict=True))
    return scores_of(named, judged=counts, relevant=counts)


def folded(seed: int) -> Scores:
    return join_folds([single(2 * seed), single(2 * seed + 1)])


CASES: list[tuple[str, Callable[[int], Scores], str, Coverage, str]] = [
    ("1R", skewed, "mean", "full", "t"),
    ("1R", skewed, "mean", "full", "permutation(draws=199)"),
    ("P1R", lambda seed: skewed(seed, segments=True), "mean", "full", "t"),
    ("P1R", lambda seed: skewed(seed, segments=True), "mean", "full", "permutation(draws=199)"),
    ("folds", folded, "mean", "full", "t"),
    ("weighted", single, "weighted-mean", "full", "weighted-t"),
    ("median", single, "median", "full", "permutation(draws=199)"),
    ("geometric", single, "geometric-mean", "full", "permutation(draws=199)"),
    ("forgiving", lambda seed: single(seed, uncovered=0.3), "mean", "forgiving", "t"),
    (
        "forgiving",
        lambda seed: single(seed, uncovered=0.3),
        "mean",
        "forgiving",
        "permutation(draws=199)",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "aggregation", "coverage", "test"),
    [case[1:] for case in CASES],
    ids=[f"{case[0]}-{case[4].partition('(')[0]}" for case in CASES],
)
def test_a_true_null_hypothesis_is_rejected_in_one_of_twenty(
    made: Callable[[int], Scores], aggregation: str, coverage: Coverage, test: str
) -> None:
    choice = ComparisonChoice(
        test=parse("test", test), aggregation=parse("aggregation", aggregation), coverage=coverage
    )
    rejected = sum(
        compare(made(seed), choice, seed=seed).pairs[0].p_value <= LEVEL for seed in range(ROUNDS)
    )
    low, high = band(ROUNDS)
    assert low <= rejected <= high
