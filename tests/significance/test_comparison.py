"""Comparisons: all pairs, their direction, what is said about them."""

from __future__ import annotations

import json
from math import exp, log
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import CranfieldError
from cranfield.base.options import options, parse
from cranfield.base.seeds import Seeds
from cranfield.significance.comparison import (
    Comparison,
    ComparisonChoice,
    compare,
    compare_samples,
)
from cranfield.significance.corrections import Bonferroni, Holm, Uncorrected
from cranfield.significance.default_test import misfit
from cranfield.significance.paired_tests import LogT, Permutation, Sign, StudentT, WeightedT
from cranfield.significance.resampling import Subsets, rejection_shares
from score_cases import U, scores_of
from significance_cases import random_samples

A = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9]
B = [0.5, 0.5, 0.4, 0.4, 0.1, 0.4, 0.4, 0.4]
C = [0.5, 0.4, 0.5, 0.4, 0.2, 0.3, 0.4, 0.4]
SCORES = scores_of({"a": A, "b": B, "c": C}, judged=[1, 2, 3, 4, 5, 6, 7, 8])


def made(**choice: Any) -> Comparison:
    return compare(SCORES, ComparisonChoice(**{"test": StudentT(), **choice}))


def test_all_pairs_are_there_in_order() -> None:
    pairs = [(pair.first, pair.second) for pair in made().pairs]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_pair_tells_direction_difference_and_outcomes() -> None:
    pair = made().pair("P@10", "a", "b")
    assert pair.better == "a"
    assert pair.significant
    assert pair.difference == pytest.approx(np.mean(A) - np.mean(B))
    assert pair.low < pair.difference < pair.high
    assert (pair.wins, pair.ties, pair.losses) == (8, 0, 0)
    assert pair.believed_first > 0.99
    assert (pair.users, pair.left_out) == (8, 0)


def test_p_values_are_adjusted_within_each_metric() -> None:
    found = made(correction=Bonferroni())
    for pair in found.pairs:
        assert pair.adjusted == pytest.approx(min(1, 3 * pair.p_value))


def test_a_pair_is_significant_by_its_adjusted_p_value() -> None:
    choice = ComparisonChoice(test=StudentT(), correction=Bonferroni())
    pairs = compare_samples(random_samples(5, systems=6, users=60, lift=0.02), choice).pairs
    assert any(pair.p_value < 0.05 <= pair.adjusted for pair in pairs)
    assert any(pair.significant for pair in pairs)
    assert all(pair.significant == (pair.adjusted < 0.05) for pair in pairs)


def test_or_over_all_metrics_if_so_decided() -> None:
    samples = random_samples(1, systems=2, metrics=4)
    choice = ComparisonChoice(test=StudentT(), correction=Bonferroni(), family="all")
    for pair in compare_samples(samples, choice).pairs:
        assert pair.adjusted == pytest.approx(min(1, 4 * pair.p_value))


def test_systems_significantly_beaten_are_listed() -> None:
    found = made()
    assert found.beaten("P@10", "a") == ("b", "c")
    assert found.beaten("P@10", "b") == ()


def test_the_direction_is_that_of_the_test() -> None:
    # More users prefer b, a few prefer a by far: by the sign test b is better.
    scores = scores_of({"a": [1.0, 0.1, 0.1, 0.1], "b": [0.0, 0.2, 0.2, 0.2]})
    pair = compare(scores, ComparisonChoice(test=Sign())).pairs[0]
    assert pair.difference > 0
    assert pair.better == "b"


def test_weighted_values_are_weighted_means() -> None:
    found = made(test=WeightedT(), aggregation=parse("aggregation", "weighted-mean"))
    weights = np.arange(1, 9) / 36
    assert found.values[0, 0] == pytest.approx(float(weights @ np.array(A)))
    assert found.pairs[0].difference == pytest.approx(float(weights @ (np.array(A) - np.array(B))))
    assert found.notes == ()


def test_geometric_values_are_geometric_means() -> None:
    found = made(test=LogT(), aggregation=parse("aggregation", "geometric-mean"))
    expected = exp(np.mean([log(x + 0.01) for x in A])) - 0.01
    assert found.values[0, 0] == pytest.approx(expected)
    assert found.notes == ()


def test_identical_systems_have_no_better_one() -> None:
    found = compare(scores_of({"a": A, "b": A}), ComparisonChoice())
    pair = found.pairs[0]
    assert (pair.p_value, pair.adjusted, pair.difference, pair.better) == (1, 1, 0, None)
    assert pair.believed_equivalent == 1


def test_the_same_seed_gives_the_same_comparison() -> None:
    choice = ComparisonChoice(test=Permutation(draws=200, exact_up_to=0))
    one, two = (compare(SCORES, choice, seed=4).to_dict() for _ in range(2))
    assert one == two


def test_users_left_out_are_noted() -> None:
    found = compare(scores_of({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.3, U]}), ComparisonChoice())
    assert found.notes[-1] == (
        "1 of 3 users by P@10 lacks a score of at least one system and is excluded for every "
        "system."
    )
    assert found.pairs[0].left_out == 1


def test_topics_that_were_averaged_are_noted() -> None:
    scores = scores_of({"a": [0.2, 0.4, 1.0], "b": [0.0, 0.0, 0.5]}, users=[3, 3, 7])
    assert "a user with several topics counts once" in compare(scores).notes[0]


def test_a_family_corrected_twice_or_never_is_noted() -> None:
    assert "allow for all 3 pairs already" in made(test=parse("test", "tukey-hsd")).notes[0]
    assert "3 pairs are compared without correction" in made(correction=Uncorrected()).notes[0]
    assert made(correction=Holm()).notes == ()


FITS = {
    "mean": {"t", "wilcoxon", "permutation", "bootstrap", "tukey-hsd", "randomised-hsd"},
    "weighted-mean": {"weighted-t"},
    "geometric-mean": {"log-t"},
    "median": set(),
}


@pytest.mark.parametrize("aggregation", FITS)
def test_a_test_that_does_not_fit_the_aggregate_is_noted(aggregation: str) -> None:
    value = parse("aggregation", aggregation)
    silent = {name for name in options("test") if not misfit(parse("test", name), value)}
    assert silent == FITS[aggregation]


def test_a_misfit_says_what_would_fit() -> None:
    note = misfit(StudentT(), parse("aggregation", "geometric-mean"))
    assert note.endswith("For geometric-mean choose log-t.")


def test_another_epsilon_or_weight_is_a_misfit() -> None:
    note = misfit(LogT(epsilon=0.1), parse("aggregation", "geometric-mean"))
    assert "epsilon = 0.1" in note
    assert "by = relevant" in misfit(
        WeightedT(), parse("aggregation", "weighted-mean(by=relevant)")
    )


def test_weights_that_are_not_known_are_refused() -> None:
    scores = scores_of({"a": A, "b": B})
    with pytest.raises(CranfieldError, match="weighted-t needs the number of test ratings"):
        compare(scores, ComparisonChoice(test=WeightedT()))


@pytest.mark.parametrize(
    "choice",
    [
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"alpha": float("nan")},
        {"power": 2.0},
        {"rope": -1.0},
        {"family": "none"},
        {"coverage": "forgiving"},
        {"undefined": "zeros"},
    ],
)
def test_choices_out_of_range_are_refused(choice: dict[str, Any]) -> None:
    with pytest.raises(CranfieldError, match=f"comparison, {next(iter(choice))}"):
        ComparisonChoice(**choice)


def test_the_table_has_a_row_per_pair_and_the_record_is_json() -> None:
    found = made(subsets=Subsets(count=3))
    table = found.to_polars()
    assert table.height == 3
    assert table["adjusted"].to_list() == [pair.adjusted for pair in found.pairs]
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert record["decisions"]["test"] == {"name": "t"}
    assert record["decisions"]["subsets"] == {"count": 3, "share": 0.5}
    assert record["values"]["P@10"]["a"] == pytest.approx(np.mean(A))


def test_what_is_not_finite_is_null_in_the_record() -> None:
    scores = scores_of({"a": [0.5, 0.75], "b": [0.25, 0.5]})
    record = compare(scores, ComparisonChoice(test=StudentT())).to_dict()
    assert record["pairs"][0]["statistic"] is None
    json.dumps(record, allow_nan=False)


def test_subsets_reject_always_or_never_where_the_difference_is_clear() -> None:
    samples = random_samples(2, systems=3, users=60)
    values = samples.values.copy()
    values[0] += 1
    values[2] = values[1]
    clear = type(samples)(samples.systems, samples.metrics, values, samples.enters)
    found = rejection_shares(clear, StudentT(), Holm(), Subsets(count=20), seeds=Seeds(1))
    assert found.tolist() == [[1.0, 1.0, 0.0]]


def test_a_middling_difference_is_rejected_in_some_subsets_only() -> None:
    samples = random_samples(3, systems=2, users=200, lift=0.04)
    found = rejection_shares(samples, StudentT(), Holm(), Subsets(count=50, share=0.3))
    assert 0 < found[0, 0] < 1


def test_subsets_are_corrected_as_the_whole_is() -> None:
    samples = random_samples(6, systems=6, users=100, lift=0.02)
    plain, corrected = (
        rejection_shares(samples, StudentT(), correction, Subsets(count=20))
        for correction in (Uncorrected(), Bonferroni())
    )
    assert (corrected <= plain).all()
    assert corrected.sum() < plain.sum()


@pytest.mark.parametrize("given", [{"count": 0}, {"share": 0.0}, {"share": 1.0}])
def test_subsets_out_of_range_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(CranfieldError, match=r"subsets, (count|share): "):
        Subsets(**given)


def test_subsets_that_leave_fewer_than_two_users_are_refused() -> None:
    samples = random_samples(4, users=4)
    with pytest.raises(CranfieldError, match="1 of 1 users can be compared"):
        rejection_shares(samples, StudentT(), Holm(), Subsets(count=2, share=0.2))


@pytest.mark.parametrize(
    "asked", [("P@10", "b", "a"), ("P@10", "a", "x"), ("RR", "a", "b"), ("P@10", "a", "a")]
)
def test_a_pair_that_was_not_compared_is_refused(asked: tuple[str, str, str]) -> None:
    with pytest.raises(CranfieldError, match=r"a pair in the order of a, b, c, by one of P@10"):
        made().pair(*asked)


def test_equal_means_have_no_better_system_though_sums_are_rounded() -> None:
    scores = scores_of({"a": [0.7, 0.1, 0.3], "b": [0.3, 0.7, 0.1]})
    for name in ("t", "permutation", "bootstrap", "tukey-hsd", "randomised-hsd"):
        pair = compare(scores, ComparisonChoice(test=parse("test", name))).pairs[0]
        assert (pair.better, pair.difference, pair.p_value) == (None, 0, 1)


def test_differences_that_hardly_vary_are_compared_at_once() -> None:
    scores = scores_of({"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.6 + 1e-8]})
    pair = compare(scores, ComparisonChoice(test=StudentT())).pairs[0]
    assert pair.effect_low < pair.effect < pair.effect_high
