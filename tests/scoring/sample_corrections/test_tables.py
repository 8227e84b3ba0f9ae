"""Estimates by sampled rank: plug-in, bias and variance, constrained least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from cranfield.scoring.gain import Floats
from cranfield.scoring.sample_corrections import tables
from cranfield.scoring.sample_corrections.plug_in import estimated_ranks
from cranfield.scoring.sampling.sampled_ranks import SampledRanks, rank_law
from sample_cases import KRICHENE, correction, discount, drawn, every_sample, samples
from suites import spread, tries

minimise: Any = optimize.minimize  # its own types know fewer arguments than it takes
SMALL = [(4, 1), (5, 2), (6, 3), (7, 2), (8, 5)]
METRICS = ["nDCG@3", "Recall@2", "RR", "AUC", "RBP(p=0.8)"]


def estimates(spelling: str, metric: str, sampled: int, targets: int) -> Floats:
    """f̂ of every sampled rank."""
    every = samples(list(range(1, sampled + 2)), sampled, targets)
    found: Floats = correction(spelling).correct(every, discount(metric))
    return found


def objective(found: Floats, values: Floats, sampled: int, gamma: float) -> float:
    """Squared bias plus γ times variance, averaged over true ranks, sample by sample."""
    targets = len(values)
    total = 0.0
    for rank in range(1, targets + 1):
        scores = found[np.array(every_sample(rank, targets, sampled)) - 1]
        total += (scores.mean() - values[rank - 1]) ** 2 + gamma * scores.var()
    return total / targets


@pytest.mark.parametrize(("targets", "sampled"), SMALL)
def test_the_estimated_rank_is_unbiased_over_all_samples(targets: int, sampled: int) -> None:
    for rank in range(1, targets + 1):
        seen = every_sample(rank, targets, sampled)
        assert estimated_ranks(samples(seen, sampled, targets)).mean() == pytest.approx(rank)


@pytest.mark.parametrize("spelling", ["plug-in", "cls", "bias-variance(gamma=1e-9)"])
@pytest.mark.parametrize(("targets", "sampled"), SMALL)
def test_auc_is_unbiased_over_all_samples(spelling: str, targets: int, sampled: int) -> None:
    found = estimates(spelling, "AUC", sampled, targets)
    for rank in range(1, targets + 1):
        seen = np.array(every_sample(rank, targets, sampled))
        expected = 1 - (rank - 1) / (targets - 1)
        assert found[seen - 1].mean() == pytest.approx(expected, abs=1e-6)


@settings(max_examples=tries(100), deadline=None)
@given(st.integers(2, 40), st.data(), st.sampled_from(["AUC", "RR@5", "nDCG"]), st.booleans())
def test_auc_by_plug_in_is_auc_of_the_sample(
    targets: int, data: st.DataObject, metric: str, whole: bool
) -> None:
    sampled = targets - 1 if whole else data.draw(st.integers(1, targets - 1))
    found = estimates("plug-in", metric, sampled, targets)
    ranks = 1 + (targets - 1) * np.arange(sampled + 1) / sampled
    assert np.array_equal(found, discount(metric)(ranks, targets))
    if metric == "AUC":
        assert found == pytest.approx(1 - np.arange(sampled + 1) / sampled)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("targets", "sampled", "gamma"),
    spread(((*sizes, gamma) for sizes in SMALL for gamma in (0.01, 0.1, 1.0)), every=2),
)
def test_bias_and_variance_are_least(targets: int, sampled: int, gamma: float, metric: str) -> None:
    values = discount(metric)(np.arange(1.0, targets + 1), targets)
    found = estimates(f"bias-variance(gamma={gamma})", metric, sampled, targets)
    least = minimise(
        objective, np.zeros(sampled + 1), args=(values, sampled, gamma), options={"gtol": 1e-10}
    )
    reached = objective(found, values, sampled, gamma)
    assert reached <= least.fun + 1e-9
    assert found == pytest.approx(least.x, abs=2e-3)


def test_with_a_gamma_of_one_the_estimate_is_the_mean_given_the_rank() -> None:
    law = rank_law(np.arange(1, 8), 7, 3)
    values = discount("RR")(np.arange(1.0, 8), 7)
    found = estimates("bias-variance(gamma=1)", "RR", 3, 7)
    assert found == pytest.approx(values @ law / law.sum(axis=0))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("targets", "sampled"), SMALL)
def test_constrained_least_squares_are_those_of_a_general_solver(
    targets: int, sampled: int, metric: str
) -> None:
    values = discount(metric)(np.arange(1.0, targets + 1), targets)
    found = estimates("cls", metric, sampled, targets)
    falls = {"type": "ineq", "fun": lambda x: np.append(x[:-1] - x[1:], x[-1])}
    least = minimise(
        objective, np.ones(sampled + 1) / 2, args=(values, sampled, 0.0), method="SLSQP",
        constraints=[falls], options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    assert objective(found, values, sampled, 0.0) <= least.fun + 1e-9
    assert (np.diff(found) <= 1e-12).all()
    assert found[-1] >= 0


@settings(max_examples=tries(60), deadline=None)
@given(st.integers(3, 300), st.data())
def test_no_falling_estimate_has_less_bias(targets: int, data: st.DataObject) -> None:
    sampled = data.draw(st.integers(1, min(targets - 1, 40)))
    metric = data.draw(st.sampled_from(METRICS))
    found = estimates("cls", metric, sampled, targets)
    law = rank_law(np.arange(1, targets + 1), targets, sampled)
    values = discount(metric)(np.arange(1.0, targets + 1), targets)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    share = rng.choice([1e-3, 0.1, 1.0])
    other = (1 - share) * found + share * np.sort(rng.random(sampled + 1))[::-1]
    least = ((law @ found - values) ** 2).sum()
    assert least <= ((law @ other - values) ** 2).sum() + 1e-9


@pytest.mark.parametrize("spelling", ["plug-in", "bias-variance(gamma=0.3)", "cls"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_sample_of_everything_needs_no_correction(spelling: str, metric: str) -> None:
    expected = discount(metric)(np.arange(1.0, 9), 8)
    assert estimates(spelling, metric, 7, 8) == pytest.approx(expected, abs=1e-12)


def test_the_law_of_samples_with_replacement_is_another() -> None:
    without, replaced = (
        estimates(f"bias-variance(replacement={word})", "RR", 5, 9) for word in ("false", "true")
    )
    law = rank_law(np.arange(1, 10), 9, 5, replacement=True)
    values = discount("RR")(np.arange(1.0, 10), 9)
    moments = 0.9 * law.T @ law + 0.1 * np.diag(law.sum(axis=0))
    assert replaced == pytest.approx(np.linalg.solve(moments, law.T @ values))
    assert np.abs(replaced - without).max() > 0.01


def test_topics_have_the_estimates_of_their_own_sizes() -> None:
    mixed = SampledRanks(np.array([1, 2, 3, 2]), np.array([2, 2, 3, 4]), np.array([5, 9, 9, 5]))
    for spelling in ("plug-in", "bias-variance", "cls"):
        found = correction(spelling).correct(mixed, discount("RR"))
        alone = [
            estimates(spelling, "RR", n, size)[rank - 1]
            for rank, n, size in zip(mixed.ranks, mixed.sampled, mixed.targets, strict=True)
        ]
        assert found == pytest.approx(alone, rel=1e-12)


def test_between_sizes_that_are_told_apart_estimates_are_interpolated() -> None:
    sizes = np.arange(400, 600)
    for spelling in ("bias-variance", "cls"):
        for rank in (1, 2, 5):
            every = SampledRanks(np.full(200, rank), np.full(200, 20), sizes)
            found = correction(spelling).correct(every, discount("nDCG@10"))
            some = [0, 57, 123, 199]
            exact = [estimates(spelling, "nDCG@10", 20, int(sizes[at]))[rank - 1] for at in some]
            assert found[some] == pytest.approx(exact, rel=2e-3, abs=2e-4)


@pytest.mark.parametrize("spelling", ["bias-variance", "bias-variance(gamma=0.01)", "cls"])
def test_in_large_catalogues_ranks_that_are_near_count_as_one(
    spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, metric = correction(spelling), discount("nDCG@10")
    every = samples(list(range(1, 32)), 30, 6000)
    cells = made.correct(every, metric)
    monkeypatch.setattr(tables, "_EACH", 10_000)
    tables._law.cache_clear()
    tables._table.cache_clear()
    assert cells == pytest.approx(made.correct(every, metric), rel=1e-3, abs=1e-5)
    tables._law.cache_clear()
    tables._table.cache_clear()


def test_samples_turn_the_order_that_krichene_and_rendle_show() -> None:
    """Five topics: by AP among all items C is best, by AP of samples of 99 A is."""
    true = {name: np.mean(1 / np.array(ranks)) for name, ranks in KRICHENE.items()}
    assert [round(float(each), 3) for each in true.values()] == [0.01, 0.01, 0.101]
    every, sampled = np.arange(1, 101), dict[str, float]()
    auc, corrected = dict[str, float](), dict[str, float]()
    estimate = estimates("bias-variance(gamma=0.01, replacement=true)", "AP", 99, 10_000)
    for name, ranks in KRICHENE.items():
        law = rank_law(np.array(ranks), 10_000, 99, replacement=True)
        sampled[name] = float((law @ (1 / every)).mean())
        auc[name] = float((law @ (1 - (every - 1) / 99)).mean())
        corrected[name] = float((law @ estimate).mean())
    assert max(sampled, key=sampled.__getitem__) == "A"
    assert max(corrected, key=corrected.__getitem__) != "B"
    assert abs(corrected["C"] - true["C"]) < abs(sampled["C"] - true["C"])
    assert abs(corrected["A"] - true["A"]) < abs(sampled["A"] - true["A"])
    assert [round(each, 3) for each in auc.values()] == [0.99, 0.555, 0.843]


@pytest.mark.parametrize("spelling", ["bias-variance(gamma=0.01)", "cls"])
def test_corrections_come_near_to_what_samples_miss(spelling: str) -> None:
    given_ranks, true = drawn(3, topics=4000, targets=500, sampled=50)
    for metric in ("nDCG@10", "Recall@10", "AP"):
        measured = discount(metric)
        exact = measured(true, 500).mean()
        plain = measured(given_ranks.ranks.astype(float), 500).mean()
        found = correction(spelling).correct(given_ranks, measured).mean()
        assert abs(found - exact) < 0.2 * abs(plain - exact)
