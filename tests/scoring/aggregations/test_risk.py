"""Risk-sensitive values against their papers' formulas, and where they end."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, ttest_1samp

from cranfield.base.options import parse
from cranfield.scoring.aggregation import DrawnScores
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from score_cases import N, U, scores_of
from suites import tries

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8)


def value(spelling: str, scores: Scores, system: int = 0) -> float:
    chosen: Any = parse("aggregation", spelling)
    return float(chosen.of_scores(enter(scores, system, 0, compared=True)))


def both(pairs: list[tuple[float, float]]) -> Scores:
    return scores_of({"A": [a for a, _ in pairs], "base": [b for _, b in pairs]})


@settings(deadline=None, max_examples=tries(25))
@given(pairs=PAIRS, alpha=st.sampled_from([0.0, 1.0, 5.0]))
def test_urisk_is_the_reward_less_the_enlarged_risk(
    pairs: list[tuple[float, float]], alpha: float
) -> None:
    """Wang et al. 2012: U = Reward − (1 + α)·Risk, both means over all topics."""
    reward = sum(max(0.0, a - b) for a, b in pairs) / len(pairs)
    risk = sum(max(0.0, b - a) for a, b in pairs) / len(pairs)
    found = value(f"URisk(baseline=base, alpha={alpha})", both(pairs))
    assert found == pytest.approx(reward - (1 + alpha) * risk, abs=1e-12)


@settings(deadline=None, max_examples=tries(25))
@given(pairs=PAIRS)
def test_more_alpha_never_raises_urisk(pairs: list[tuple[float, float]]) -> None:
    found = [value(f"URisk(baseline=base, alpha={alpha})", both(pairs)) for alpha in (0, 1, 10)]
    assert found[0] >= found[1] >= found[2]


@pytest.mark.parametrize("alpha", [0.0, 1.0, 3.0])
def test_trisk_is_the_t_statistic_of_the_enlarged_differences(alpha: float) -> None:
    rng = np.random.default_rng(3)
    scores = both([tuple(pair) for pair in rng.random((30, 2)).tolist()])
    differences = scores.values[0, 0] - scores.values[1, 0]
    enlarged = np.where(differences < 0, (1 + alpha) * differences, differences)
    found = value(f"TRisk(baseline=base, alpha={alpha})", scores)
    assert found == pytest.approx(ttest_1samp(enlarged, 0).statistic)


@pytest.mark.parametrize(
    ("a", "base"), [([0.3, 0.4], [0.2, 0.3]), ([0.7, 0.1, 0.9], [0.4, -0.2, 0.6])]
)
def test_trisk_is_undefined_where_every_topic_gains_the_same_but_for_rounding(
    a: list[float], base: list[float]
) -> None:
    """0.3 − 0.2 and 0.4 − 0.3 differ in their last bit, which is no spread to divide by."""
    assert len(set(np.subtract(a, base).tolist())) > 1
    assert np.isnan(value("TRisk(baseline=base)", scores_of({"A": a, "base": base})))


def test_trisk_of_one_user_is_undefined_however_many_topics() -> None:
    scores = scores_of({"A": [0.1, 0.9], "base": [0.2, 0.2]}, users=[0, 0])
    assert np.isnan(value("TRisk(baseline=base)", scores))


def test_a_draw_of_two_users_has_the_trisk_of_these_two() -> None:
    """As of_scores gives it: the error of two users has one degree of freedom."""
    scores = both([(0.9, 0.2), (0.3, 0.5)])
    entered = enter(scores, 0, 0, compared=True)
    chosen: Any = parse("aggregation", "TRisk(baseline=base, alpha=1)")
    drawn = DrawnScores(entered, entered, np.ones((1, 2)), np.zeros((1, 2)))
    gains = [0.7, 2 * -0.2]
    assert value("TRisk(baseline=base, alpha=1)", scores) == pytest.approx(
        ttest_1samp(gains, 0).statistic
    )
    assert chosen.of_draws(drawn).tolist() == pytest.approx([ttest_1samp(gains, 0).statistic])


def test_a_loss_on_a_topic_that_a_system_does_not_cover_is_the_whole_score() -> None:
    scores = scores_of({"A": [N, 0.5, U], "base": [0.4, 0.5, 0.1]})
    assert value("URisk(baseline=base, alpha=1)", scores) == pytest.approx((2 * -0.4 + 0) / 2)


def test_georisk_by_its_definition() -> None:
    rng = np.random.default_rng(1)
    table = rng.random((4, 12))
    table[:, 5] = 0  # no system scores on this topic
    scores = scores_of({f"s{number}": row.tolist() for number, row in enumerate(table)})
    for system, row in enumerate(table):
        expected = row.sum() * table.sum(axis=0) / table.sum()
        z = np.divide(row - expected, np.sqrt(expected), out=np.zeros(12), where=expected > 0)
        risk = z[z >= 0].sum() + (1 + 2.5) * z[z < 0].sum()
        wanted = sqrt(row.mean() * norm.cdf(risk / 12))
        assert value("GeoRisk(alpha=2.5)", scores, system) == pytest.approx(wanted)


def test_georisk_of_equal_systems_is_the_root_of_half_their_mean() -> None:
    scores = scores_of({"A": [0.5, 0.1], "B": [0.5, 0.1]})
    assert value("GeoRisk", scores) == pytest.approx(sqrt(0.3 * 0.5))


@pytest.mark.parametrize("low", [[-0.5, 0.9], [0.9, -0.1], [-0.2, -0.2]])
def test_georisk_is_undefined_where_any_system_scores_below_zero(low: list[float]) -> None:
    scores = scores_of({"A": [0.5, 0.1], "B": low})
    assert np.isnan(value("GeoRisk", scores))
    assert np.isnan(value("GeoRisk", scores, 1))
