"""The law: what is compared is the table's number, and what is tested is its difference."""

from __future__ import annotations

import zlib
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import Coverage
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Floats, Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_tests.permutation import Permutation, all_signs
from cranfield.significance.paired_tests.student import StudentT
from cranfield.significance.samples.contrast import contrast_of
from cranfield.significance.samples.pairing import pair_users
from cranfield.significance.samples.resampled import _Exchange, _Loop, resampled, swapped
from score_cases import scores_of
from suites import spread

AGGREGATIONS = (
    "mean", "weighted-mean(by=test)", "weighted-mean(by=relevant)", "weighted-mean(by=train)",
    "weighted-mean(by=all)", "weighted-mean(by=column(age))", "median", "geometric-mean",
    "floored-geometric-mean", "floored-geometric-mean(as=rec_eval)", "standardised",
    "standardised(reference=[a, c])", "URisk(baseline=c)", "URisk(baseline=a)",
    "TRisk(baseline=c)", "GeoRisk",
)  # fmt: skip
COVERAGES: tuple[Coverage, ...] = ("full", "forgiving", "common")


def made_up(
    seed: int, *, topics: str = "AR", uncovered: bool = True, undefined: bool = True
) -> Scores:
    """Scores of three systems: one topic per user (AR), several (1R), in segments (P1R)."""
    rng = np.random.default_rng(seed)
    counts = np.ones(14, int) if topics == "AR" else rng.integers(1, 5, 14)
    users = np.repeat(np.arange(14), counts)
    rows = np.round(rng.beta(1, 2, (3, len(users))), 2)
    if undefined:
        rows[1, rng.random(len(users)) < 0.1] = np.nan
        rows[:, 3] = np.nan
    judged = np.repeat(rng.integers(1, 6, 14), counts)
    segments = rng.integers(0, 3, len(users)).tolist() if topics == "P1R" else None
    made = scores_of(
        dict(zip("abc", rows.tolist(), strict=True)),
        users=users.tolist(),
        segments=segments,
        judged=judged.tolist(),
        relevant=np.maximum(judged - 1, 1).tolist(),
        columns={
            "train_ratings": np.repeat(rng.integers(0, 9, 14), counts).tolist(),
            "all_ratings": np.repeat(rng.integers(1, 9, 14), counts).tolist(),
            "age": np.repeat(np.append(0, rng.gamma(1, 20, 13)), counts).tolist(),
        },
    )
    covered = rng.random((3, len(users))) < (0.85 if uncovered else 1.1)
    return replace(made, covered=covered)


def folded(seed: int) -> Scores:
    """The scores of two folds with users in common, pooled by user."""
    return join_folds([made_up(seed), made_up(seed + 100)])


CASES = [*product(("AR", "1R", "P1R", "folds"), AGGREGATIONS, COVERAGES, ("left-out", "zero"))]


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize(("topics", "aggregation", "coverage", "undefined"), spread(CASES, every=5))
def test_the_difference_compared_is_that_of_the_values_in_the_table(
    topics: str, aggregation: str, coverage: Coverage, undefined: Any
) -> None:
    seed = zlib.crc32(repr((topics, aggregation, coverage, undefined)).encode())
    scores = folded(seed) if topics == "folds" else made_up(seed, topics=topics)
    value = parse("aggregation", aggregation)
    choice = SummaryChoice(aggregation=value, coverage=coverage, undefined=undefined)
    table = summarise(scores, choice)
    test: Any = default_test(value, of_means="t")
    test = replace(test, **_few_draws(aggregation))
    found = compare(
        scores,
        ComparisonChoice(test=test, aggregation=value, coverage=coverage, undefined=undefined),
    )
    for pair in found.pairs:
        first, second = (table.row(s, "P@10").value for s in (pair.first, pair.second))
        np.testing.assert_equal(pair.first_value, first)
        np.testing.assert_equal(pair.second_value, second)
        np.testing.assert_equal(pair.difference, first - second)


def _few_draws(aggregation: str) -> dict[str, int]:
    return {} if "mean" in aggregation and "geo" not in aggregation else {"draws": 100}


def test_the_test_of_topic_means_is_about_the_difference_of_topic_means() -> None:
    """20 users with 30 relevant items each, on whom a is better; 40 with 2, on whom b is."""
    rng = np.random.default_rng(7)
    sizes = np.repeat([30, 2], [20, 40])
    users = np.repeat(np.arange(60), sizes)
    heavy = sizes[users] == 30
    first = (rng.random(len(users)) < np.where(heavy, 0.6, 0.3)).astype(float)
    second = (rng.random(len(users)) < np.where(heavy, 0.2, 0.5)).astype(float)
    scores = scores_of({"a": first.tolist(), "b": second.tolist()}, users=users.tolist())
    [pair] = compare(scores, ComparisonChoice(test=StudentT())).pairs
    assert pair.first_value == pytest.approx(first.mean())
    assert pair.difference == pytest.approx(first.mean() - second.mean())
    sums, counts = np.bincount(users, first - second), np.bincount(users)
    rest = sums - pair.difference * counts
    error = np.sqrt(60 / 59 * (rest**2).sum()) / len(users)
    assert pair.statistic == pytest.approx(pair.difference / error)
    assert pair.p_value == pytest.approx(2 * stats.t(59).sf(abs(pair.statistic)))
    assert pair.better == "a"
    assert pair.p_value < 1e-4
    assert pair.effect == pytest.approx(pair.statistic / np.sqrt(60))


def test_the_error_in_segments_is_that_of_the_mean_over_segments() -> None:
    """P1R: e_u = (1/m) Σ_s (d_us − D_s·n_us)/N_s."""
    scores = made_up(5, topics="P1R", uncovered=False, undefined=False)
    segments = scores.topics.segments
    assert segments is not None
    users, apart = scores.topics.users, scores.values[0, 0] - scores.values[1, 0]
    error = np.zeros(14)
    for segment in range(3):
        of = segments == segment
        error += np.bincount(users[of], apart[of] - apart[of].mean(), 14) / of.sum() / 3
    found = compare(scores, ComparisonChoice(test=StudentT())).pair("P@10", "a", "b")
    wanted = found.difference / np.sqrt(14 / 13 * (error**2).sum())
    assert found.statistic == pytest.approx(wanted)


def test_the_error_of_forgiving_means_is_that_of_two_means_over_users_in_common() -> None:
    """e_u = 1_A(u)(x_u − X)/U_A − 1_B(u)(y_u − Y)/U_B."""
    scores = made_up(2, undefined=False)
    choice = ComparisonChoice(test=StudentT(), coverage="forgiving")
    found = compare(scores, choice).pair("P@10", "a", "b")
    error = np.zeros(14)
    for sign, row, covered in zip((1, -1), scores.values[:2, 0], scores.covered[:2], strict=True):
        error[covered] += sign * (row[covered] - row[covered].mean()) / covered.sum()
    either = int(scores.covered[:2].any(axis=0).sum())
    wanted = found.difference / np.sqrt(either / (either - 1) * (error**2).sum())
    assert found.statistic == pytest.approx(wanted)


def test_the_exact_permutation_of_topic_means_flips_whole_users() -> None:
    scores = made_up(3, topics="1R", uncovered=False, undefined=False)
    samples = pair_users(scores)
    found = Permutation(exact_up_to=14).compare(samples, Seeds()).p_values[0, 0]
    sums = np.bincount(scores.topics.users, scores.values[0, 0] - scores.values[1, 0], 14)
    signed = all_signs(14) @ sums
    assert found == pytest.approx(np.mean(np.abs(signed) >= abs(sums.sum()) - 1e-9))


@pytest.mark.parametrize("topics", ["AR", "1R", "P1R"])
@pytest.mark.parametrize("coverage", COVERAGES)
@pytest.mark.parametrize("aggregation", spread(AGGREGATIONS, every=2))
def test_values_computed_anew_equal_the_aggregation_of_exchanged_scores(
    aggregation: str, coverage: Coverage, topics: str
) -> None:
    choice = SummaryChoice(aggregation=parse("aggregation", aggregation), coverage=coverage)
    rng = np.random.default_rng(1)
    for seed in range(2):
        scores = made_up(seed, topics=topics)
        fast = resampled(scores, 0, choice)
        plain = _Loop(_Exchange(scores, 0, choice), choice.aggregation)
        signs = rng.choice([-1.0, 1.0], (5, scores.n_users))
        counts = rng.integers(0, 3, (5, scores.n_users)).astype(float)
        own, none = (1 + signs) / 2, np.zeros_like(counts)
        for pair in ((0, 1), (0, 2), (1, 2)):
            for mine, theirs in ((own, 1 - own), (counts, none), (np.ones((1, 14)), none[:1])):
                wanted = plain.values(pair, mine, theirs)
                found = fast.values(pair, mine, theirs)
                np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def _swapped_by_hand(first: Floats, second: Floats, signs: Floats) -> tuple[Floats, Floats]:
    kept = signs > 0
    return np.where(kept, first, second), np.where(kept, second, first)


@given(st.integers(0, 10_000))
def test_medians_are_exchanged_as_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.round(rng.random((2, 9)), 1)
    scores = scores_of(dict(zip("ab", rows.tolist(), strict=True)))
    made = resampled(scores, 0, SummaryChoice(aggregation=parse("aggregation", "median")))
    signs = rng.choice([-1.0, 1.0], (6, 9))
    one, two = _swapped_by_hand(rows[0], rows[1], signs)
    wanted = np.median(one, axis=1) - np.median(two, axis=1)
    np.testing.assert_allclose(swapped(made, (0, 1), signs), wanted, atol=1e-12)


def test_contributions_add_up_to_the_difference_and_parts_of_its_error_to_nothing() -> None:
    for topics in ("AR", "1R", "P1R"):
        scores = made_up(1, topics=topics, undefined=False)
        found = contrast_of(pair_users(scores), scores, 0, ("a", "c"))
        assert found.contributions is not None
        assert found.influence is not None
        assert found.contributions.sum() == pytest.approx(found.difference)
        assert found.influence.sum() == pytest.approx(0, abs=1e-12)
        signs = np.random.default_rng(0).choice([-1.0, 1.0], (3, 14))
        np.testing.assert_allclose(found.swapped(signs), signs @ found.contributions)
