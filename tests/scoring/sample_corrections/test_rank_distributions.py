"""Estimates by the distribution of true ranks: likelihood and entropy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

from cranfield.scoring.gain import Floats
from cranfield.scoring.sampling.sampled_ranks import SampledRanks, rank_law
from sample_cases import correction, discount, drawn, samples


def maximised(ranks: list[int], targets: int, sampled: int, steps: int) -> Floats:
    """π by expectation maximisation, topic by topic and rank by rank."""
    law = rank_law(np.arange(1, targets + 1), targets, sampled)
    chances = [1 / targets] * targets
    for _ in range(steps):
        sums = [0.0] * targets
        for seen in ranks:
            joint = [chances[at] * law[at, seen - 1] for at in range(targets)]
            for at in range(targets):
                sums[at] += joint[at] / sum(joint) / len(ranks)
        chances = sums
    return np.array(chances)


def slopes_by_differences(spelling: str, ranks: list[int], targets: int, sampled: int) -> Floats:
    """How much one more topic of each sampled rank moves the mean, for many copies of topics."""
    many = 2000
    made = correction(spelling)
    base = made.correct(samples(ranks * many, sampled, targets), discount("RR")).mean()
    found = []
    for rank in sorted(set(ranks)):
        more = samples([*ranks * many, *[rank] * 20], sampled, targets)
        moved = made.correct(more, discount("RR")).mean() - base
        found.append(moved * (len(ranks) * many + 20) / 20)
    return np.array(found)


minimise: Any = optimize.minimize  # its own types know fewer arguments than it takes
SEEN = [1, 1, 1, 2, 1, 3, 4, 2, 6, 1]


@pytest.mark.parametrize("steps", [1, 3, 40])
def test_the_mean_is_that_of_the_likeliest_distribution(steps: int) -> None:
    found = correction(f"mle(iterations={steps})").correct(samples(SEEN, 5, 12), discount("RR"))
    chances = maximised(SEEN, 12, 5, steps)
    assert found.mean() == pytest.approx(chances @ (1 / np.arange(1, 13)), rel=1e-12)


def test_more_steps_make_the_samples_likelier() -> None:
    law = rank_law(np.arange(1, 13), 12, 5)
    likely = [
        np.log(maximised(SEEN, 12, 5, steps) @ law[:, np.array(SEEN) - 1]).sum()
        for steps in (0, 1, 2, 10, 50)
    ]
    assert likely == sorted(likely)


@pytest.mark.parametrize("eta", [0.001, 0.1])
def test_the_mean_is_that_of_the_distribution_of_most_entropy(eta: float) -> None:
    law = rank_law(np.arange(1, 9), 8, 5)
    observed = np.bincount(np.array(SEEN) - 1, minlength=6) / len(SEEN)

    def loss(chances: Floats) -> float:
        entropy = -(chances * np.log(np.maximum(chances, 1e-300))).sum()
        return float(((observed - chances @ law) ** 2).sum() - eta * entropy)

    least = minimise(
        loss, np.full(8, 1 / 8), method="SLSQP", bounds=[(0, 1)] * 8,
        constraints=[{"type": "eq", "fun": lambda chances: chances.sum() - 1}],
        options={"ftol": 1e-15, "maxiter": 2000},
    )  # fmt: skip
    found = correction(f"max-entropy(eta={eta})").correct(samples(SEEN, 5, 8), discount("RR"))
    assert found.mean() == pytest.approx(least.x @ (1 / np.arange(1, 9)), abs=1e-4)


def test_much_entropy_leaves_all_ranks_as_likely() -> None:
    found = correction("max-entropy(eta=1e6)").correct(samples(SEEN, 5, 12), discount("RR"))
    assert found.mean() == pytest.approx((1 / np.arange(1, 13)).mean(), rel=1e-5)


@pytest.mark.parametrize("spelling", ["mle(iterations=1)", "mle(iterations=30)", "max-entropy"])
def test_a_topic_scores_what_it_adds_to_the_mean(spelling: str) -> None:
    given_ranks = samples(SEEN, 5, 12)
    found = correction(spelling).correct(given_ranks, discount("RR"))
    firsts = [SEEN.index(rank) for rank in sorted(set(SEEN))]
    added = slopes_by_differences(spelling, SEEN, 12, 5)
    assert found[firsts] - found.mean() == pytest.approx(added, rel=2e-2, abs=2e-3)


@pytest.mark.parametrize("spelling", ["mle", "max-entropy(eta=1e-9)"])
def test_a_sample_of_everything_needs_no_correction(spelling: str) -> None:
    ranks = [1, 3, 3, 5, 2, 8, 6]
    found = correction(spelling).correct(samples(ranks, 7, 8), discount("nDCG@5"))
    expected = discount("nDCG@5")(np.array(ranks, dtype=float), 8)
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("spelling", ["mle", "max-entropy"])
def test_corrections_come_near_to_what_samples_miss(spelling: str) -> None:
    given_ranks, true = drawn(5, topics=4000, targets=500, sampled=50)
    for metric in ("nDCG@10", "Recall@10", "AP"):
        measured = discount(metric)
        exact = measured(true, 500).mean()
        plain = measured(given_ranks.ranks.astype(float), 500).mean()
        found = correction(spelling).correct(given_ranks, measured)
        error = found.std() / np.sqrt(len(found))
        assert abs(found.mean() - exact) < 0.2 * abs(plain - exact)
        assert abs(found.mean() - exact) < 4 * error


@pytest.mark.slow
@pytest.mark.parametrize("spelling", ["mle", "max-entropy"])
def test_the_error_of_the_mean_is_that_of_repeated_samples(spelling: str) -> None:
    means, errors = [], []
    for seed in range(60):
        given_ranks, _ = drawn(seed, topics=600, targets=300, sampled=40)
        found = correction(spelling).correct(given_ranks, discount("nDCG@10"))
        means.append(found.mean())
        errors.append(found.std() / np.sqrt(len(found)))
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.3)


def test_cells_change_no_estimate_of_a_smooth_metric_by_much() -> None:
    """Up to 100 targets every rank is a cell; with more, the mean hardly moves."""
    given_ranks, _ = drawn(7, topics=3000, targets=1000, sampled=100)
    found = correction("mle(iterations=50)").correct(given_ranks, discount("nDCG@10"))
    law = rank_law(np.arange(1, 1001), 1000, 100)
    observed = np.bincount(given_ranks.ranks - 1, minlength=101) / 3000
    seen, chances = observed > 0, np.full(1000, 1 / 1000)
    for _ in range(50):
        chances = chances * (law[:, seen] @ (observed[seen] / (chances @ law[:, seen])))
    expected = chances @ discount("nDCG@10")(np.arange(1.0, 1001), 1000)
    assert found.mean() == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("spelling", ["mle", "max-entropy"])
def test_users_with_other_catalogues_are_estimated_together(spelling: str) -> None:
    rng = np.random.default_rng(2)
    sizes = rng.integers(250, 350, 3000)
    true = np.minimum(1 + (rng.pareto(0.7, 3000) * 6).astype(np.int64), sizes)
    ranks = 1 + rng.hypergeometric(true - 1, sizes - true, 40)
    mixed = SampledRanks(ranks, np.full(3000, 40), sizes)
    for metric in ("nDCG@10", "AUC"):
        found = correction(spelling).correct(mixed, discount(metric))
        exact = discount(metric)(true.astype(float), sizes)
        error = found.std() / np.sqrt(3000)
        assert abs(found.mean() - exact.mean()) < 4 * error + 0.005


def test_no_topic_has_no_estimate() -> None:
    none = SampledRanks(*(np.empty(0, dtype=np.int64) for _ in range(3)))
    for spelling in ("plug-in", "bias-variance", "cls", "mle", "max-entropy"):
        assert correction(spelling).correct(none, discount("RR")).shape == (0,)
