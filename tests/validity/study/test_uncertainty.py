from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from cranfield.base.seeds import Seeds
from cranfield.base.threads import VARIABLE
from cranfield.scoring.scores import Floats
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.study.importance import importance_of_effect
from cranfield.validity.study.pair_outcomes import pair_outcomes
from cranfield.validity.study.uncertainty import (
    DesignSample,
    ResampledDesigns,
    basic_interval,
    resample,
    uncertainty_of,
)
from design_cases import crossed, designs_of
from significance_cases import resample_counts

TABLE = crossed({"cutoff": [5, 10, 20], "metric": ["P", "RR"]})
STREAM = np.random.default_rng(3)
SCORES = 0.1 * STREAM.standard_normal((6, 3, 50)) + 0.3  # designs × systems × users
SCORES[:, 0] += np.array([0.06, 0.06, 0.03, 0.03, 0.0, 0.0])[:, None]


def sample_of(scores: Floats) -> DesignSample:
    """Means over users; every system minus the second, which is the reference."""
    apart = scores - scores[1]
    leads = [lambda counts, of=of: counts @ of / counts.sum(axis=1) for of in apart]
    unit = float(apart[0].std(ddof=1))
    everyone = np.arange(scores.shape[1], dtype=np.int32)
    return DesignSample(everyone, (leads[0], None, *leads[2:]), unit)


SAMPLES = [sample_of(each) for each in SCORES]


def test_means_are_resampled_as_if_they_were_computed_again() -> None:
    found = resample(SAMPLES, (0, 1), 50, base=0, resamples=40, seeds=Seeds(4))
    counts = resample_counts(Seeds(4).key("designs"), range(41), 50)
    counts[0] = 1  # the users as they are
    for design, scores in enumerate(SCORES):
        means = counts @ scores.T / 50
        apart = scores[0] - scores[1]
        effects = (means[:, 0] - means[:, 1]) / apart.std(ddof=1)
        assert found.effects[:, design] == pytest.approx(effects)
        base = counts @ SCORES[0].T / 50
        assert found.taus[:, design] == pytest.approx(tau_b(means, base))


def test_without_a_base_the_order_by_mean_rank_is_the_reference() -> None:
    found = resample(SAMPLES, (0, 1), 50, resamples=3, seeds=Seeds(4))
    means = SCORES.mean(axis=2)
    ranks = (means[:, :, None] < means[:, None, :]).sum(axis=2).mean(axis=0)
    assert found.taus[0] == pytest.approx(tau_b(means, -ranks))


def test_a_basic_interval_mirrors_the_quantiles() -> None:
    drawn = np.random.default_rng(1).exponential(size=4001)
    drawn[0] = 1.0
    low, high = np.quantile(drawn[1:], [0.025, 0.975])
    assert basic_interval(drawn) == pytest.approx((2 - high, 2 - low))
    assert basic_interval(drawn, 0, 1).low == 0


def test_designs_that_cannot_be_resampled_are_left_out() -> None:
    samples = [*SAMPLES[:3], SAMPLES[3]._replace(unit=0.0), None, SAMPLES[5]]
    found = resample(samples, (0, 1), 50, base=0, resamples=30)
    assert found.known.tolist() == [True, True, True, False, False, True]
    designs = designs_of(TABLE, SCORES.mean(axis=2))
    assert uncertainty_of(designs, found).left_out == 2


def test_the_intervals_are_of_what_is_reported() -> None:
    found = resample(SAMPLES, (0, 1), 50, base=0)
    designs = designs_of(TABLE, SCORES.mean(axis=2), effects=_effects(found))
    made = uncertainty_of(designs, found)
    reported = importance_of_effect(pair_outcomes(designs, "AB"))
    for row in reported.decisions:
        low, high = made.shares[row.decision]
        assert low <= row.share <= high or high == 1 or low == 0
        assert row.flips is not None
        assert 0 <= made.flips[row.decision].low <= made.flips[row.decision].high <= 1
    assert made.shares["cutoff"].low > made.shares["metric"].low
    assert made.wins.low <= made.wins.high
    assert made.resamples == 1000


def _effects(found: ResampledDesigns) -> Floats:
    effects = np.zeros((6, 3))
    effects[:, 0] = found.effects[0]
    return effects


def test_weights_of_answers_act_on_shares() -> None:
    effects = np.array([[0.5, -0.5, 0.5]] * 41)  # A scores more in two of three designs
    resampled = ResampledDesigns(effects, np.ones_like(effects))
    designs = designs_of(crossed({"cutoff": [5, 10, 20]}), [[0.6, 0.5], [0.4, 0.5], [0.6, 0.5]])
    assert uncertainty_of(designs, resampled).wins == pytest.approx((2 / 3, 2 / 3))
    weighted = designs_of(
        crossed({"cutoff": [5, 10, 20]}), [[0.6, 0.5], [0.4, 0.5], [0.6, 0.5]],
        weights=np.array([1.0, 2.0, 1.0]),
    )  # fmt: skip
    assert uncertainty_of(weighted, resampled).wins == pytest.approx((2 / 4, 2 / 4))


def test_effects_stand_out_only_if_they_would_with_other_users() -> None:
    observed = np.array([[0.3, 0.3, 0.1, 0.1]])
    noise = np.random.default_rng(8).standard_normal((4000, 4))
    high = np.array([True, True, False, False])
    for spread in (0.09, 0.11):
        found = ResampledDesigns(
            np.vstack([observed, observed + spread * noise]), np.ones((4001, 4))
        )
        # the difference 0.2 of two means of two: its standard error is the spread
        assert found.stands_out(high, 1) == (0.2 - norm.ppf(0.975) * spread > 0)
        assert not found.stands_out(high, -1)
    assert found.stands_out(~high, -1) == found.stands_out(high, 1)
    assert not found.stands_out(np.ones(4, bool), 1)  # there is nothing to stand out from


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(threads: str) -> Any:
        monkeypatch.setenv(VARIABLE, threads)
        return resample(SAMPLES, (0, 1), 50, base=0, resamples=2500).effects.tobytes()

    assert made("1") == made("3")


@pytest.mark.slow
def test_intervals_hold_what_they_are_meant_to_hold() -> None:
    """The share of variation that a decision explains, over generated studies."""
    stream, held, studies = np.random.default_rng(5), 0, 60
    table = crossed({"a": [1, 2, 3, 4], "b": [1, 2]})
    truth = np.array([0.5, 0.8, 0.1, 0.4, 0.3, 0.0, 0.2, 0.5])
    designs = designs_of(table, np.column_stack([truth, np.zeros(8)]), effects=truth[:, None])
    share = importance_of_effect(pair_outcomes(designs, "AB")).decisions
    true = {row.decision: row.share for row in share}
    for _ in range(studies):
        users = truth[:, None] + stream.standard_normal((8, 300))
        samples = [sample_of(np.vstack([each, np.zeros(300)])) for each in users]
        made = uncertainty_of(designs, resample(samples, (0, 1), 300, base=0, resamples=300))
        held += made.shares["a"].low <= true["a"] <= made.shares["a"].high
    # 57 of 60 are expected; 49 or fewer would come once in a thousand times
    assert held >= 50


def test_flips_are_resampled_200_times_and_all_else_whenever_users_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = list[int]()

    def counted(factors: Any, effects: Any, figure: Any) -> tuple[()]:
        sizes.append(len(effects))
        return ()

    monkeypatch.setattr("cranfield.validity.study.uncertainty._by_decision", counted)
    designs = designs_of(TABLE, [[0.5, 0.3]] * len(TABLE))
    every = np.zeros((1 + 1000, len(TABLE)))
    uncertainty_of(designs, ResampledDesigns(every, every))
    assert sizes == [1 + 1000, 1 + 200]
