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
from cranfield.significance.comparison import Comparison, compare, compare_samples
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.corrections import Bonferroni, Holm, Uncorrected
from cranfield.significance.default_test import refuse_misfit
from cranfield.significance.paired_tests import LogT, Permutation, Sign, StudentT, WeightedT
from cranfield.significance.paired_tests.permutation import all_signs
from cranfield.significance.resampling import Subsets, rejection_shares
from score_cases import U, scores_of
from significance_cases import adjusting, random_samples

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
    assert pair.believed_equivalent > 0.99
    assert pair.equivalence_p < 0.01


def test_the_same_seed_gives_the_same_comparison() -> None:
    choice = ComparisonChoice(test=Permutation(draws=200, exact_up_to=0))
    one, two = (compare(SCORES, choice, seed=4).to_dict() for _ in range(2))
    assert one == two


def test_users_left_out_are_noted() -> None:
    found = compare(scores_of({"a": [0.1, 0.2, U], "b": [0.1, 0.3, U]}), ComparisonChoice())
    assert found.notes[-1] == (
        "1 of 3 users by P@10 lacks a score of at least one system and is excluded for every "
        "system."
    )
    assert found.pairs[0].left_out == 1


def test_users_of_their_own_are_noted() -> None:
    found = compare(scores_of({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.3, U]}), ComparisonChoice())
    assert found.notes == (
        "by P@10, each system is averaged over the users that it has a score for.",
    )
    assert found.pairs[0].first_value == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert found.pairs[0].second_value == pytest.approx((0.1 + 0.3) / 2)


def test_systems_without_a_user_in_common_are_compared_by_their_averages() -> None:
    scores = scores_of({"a": [0.1, 0.4, U, U], "b": [U, U, 0.3, 0.4]})
    [pair] = compare(scores, ComparisonChoice(test=StudentT())).pairs
    assert pair.difference == pytest.approx(0.25 - 0.35)
    assert (pair.wins, pair.ties, pair.losses) == (0, 0, 0)
    assert np.isnan(pair.better_share)
    # e_u = ∓0.15/2 and ±0.05/2; SE² = 4/3·Σe²
    error = np.sqrt(4 / 3 * (2 * 0.075**2 + 2 * 0.025**2))
    assert pair.statistic == pytest.approx(-0.1 / error)


def test_a_family_corrected_twice_or_never_is_noted() -> None:
    assert "allow for all 3 pairs already" in made(test=parse("test", "tukey-hsd")).notes[0]
    assert "3 pairs are compared without correction" in made(correction=Uncorrected()).notes[0]
    assert made(correction=Holm()).notes == ()


ANY = {"permutation", "sign"}
MEANS = ANY | {"t", "wilcoxon", "bootstrap", "tukey-hsd", "randomised-hsd"}
FITS = {
    "mean": MEANS,
    "weighted-mean": MEANS | {"weighted-t"},
    "geometric-mean": ANY | {"log-t"},
    "median": ANY,
    "GeoRisk": ANY,
}


@pytest.mark.parametrize("aggregation", FITS)
def test_a_test_about_another_number_than_the_tables_is_refused(aggregation: str) -> None:
    value, fitting = parse("aggregation", aggregation), set()
    for name in options("test"):
        try:
            refuse_misfit(parse("test", name), value)
        except CranfieldError:
            continue
        fitting.add(name)
    assert fitting == FITS[aggregation]


def test_a_misfit_says_what_would_fit() -> None:
    with pytest.raises(
        CranfieldError,
        match=r"comparison, test: \"t\" is not a test for median, such as permutation or sign\.",
    ):
        made(aggregation=parse("aggregation", "median"))


def test_another_epsilon_or_weight_is_a_misfit() -> None:
    with pytest.raises(CranfieldError, match=r"one with epsilon = 0\.01, as geometric-mean has"):
        refuse_misfit(LogT(epsilon=0.1), parse("aggregation", "geometric-mean"))
    with pytest.raises(CranfieldError, match="one with by = relevant"):
        refuse_misfit(WeightedT(), parse("aggregation", "weighted-mean(by=relevant)"))


def test_with_a_baseline_its_pairs_alone_are_the_family_and_it_comes_second() -> None:
    every, found = made(correction=Bonferroni()), made(correction=Bonferroni(), baseline="b")
    assert [(pair.first, pair.second) for pair in found.pairs] == [("a", "b"), ("c", "b")]
    first, turned = found.pairs
    assert first.adjusted == pytest.approx(min(1, 2 * every.pair("P@10", "a", "b").p_value))
    other = every.pair("P@10", "b", "c")
    assert turned.difference == -other.difference
    assert (turned.low, turned.high) == pytest.approx((-other.high, -other.low))
    assert turned.statistic == -other.statistic
    assert (turned.p_value, turned.better) == (other.p_value, other.better)
    assert (turned.wins, turned.losses) == (other.losses, other.wins)


def test_a_baseline_that_was_not_compared_is_refused() -> None:
    with pytest.raises(CranfieldError, match=r"baseline: \"x\" is not one of the systems a, b, c"):
        made(baseline="x")


def test_a_median_is_compared_by_exchanging_scores_with_an_interval_by_drawing_users() -> None:
    value = parse("aggregation", "median")
    found = compare(SCORES, ComparisonChoice(test=Permutation(), aggregation=value))
    pair = found.pair("P@10", "a", "b")
    assert pair.first_value == np.median(A)
    assert pair.difference == np.median(A) - np.median(B)
    assert pair.low <= pair.difference <= pair.high
    # the medians of all 2^7 exchanges by hand
    signs = all_signs(8) > 0
    one, two = np.where(signs, A, B), np.where(signs, B, A)
    drawn = np.abs(np.median(one, axis=1) - np.median(two, axis=1))
    assert pair.p_value == np.mean(drawn >= pair.difference - 1e-9)
    assert pair.wins is None
    assert np.isnan([pair.effect, pair.believed_first, pair.detectable]).all()


def test_no_test_is_made_against_the_baseline_of_trisk() -> None:
    value = parse("aggregation", "TRisk(baseline=c)")
    found = compare(SCORES, ComparisonChoice(test=Permutation(draws=100), aggregation=value))
    assert np.isnan(found.pair("P@10", "a", "c").p_value)
    assert not found.pair("P@10", "a", "c").significant
    assert found.pair("P@10", "a", "c").better is None
    assert 0 < found.pair("P@10", "a", "b").p_value <= 1


def test_weights_that_are_not_known_are_refused() -> None:
    scores = scores_of({"a": A, "b": B})
    choice = ComparisonChoice(test=WeightedT(), aggregation=parse("aggregation", "weighted-mean"))
    with pytest.raises(CranfieldError, match="weighted-mean needs the number of test ratings"):
        compare(scores, choice)


def test_a_region_below_zero_is_refused() -> None:
    with pytest.raises(CranfieldError, match=r"-1\.0 is not a region of practical equivalence"):
        ComparisonChoice(rope=-1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "choice",
    [
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"alpha": float("nan")},
        {"power": 2.0},
        {"family": "none"},
        {"coverage": "Forgiving"},
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
    found = rejection_shares(
        clear, StudentT(), adjusting(Holm()), Subsets(count=20), seeds=Seeds(1)
    )
    assert found.tolist() == [[1.0, 1.0, 0.0]]


def test_a_middling_difference_is_rejected_in_some_subsets_only() -> None:
    samples = random_samples(3, systems=2, users=200, lift=0.04)
    found = rejection_shares(samples, StudentT(), adjusting(Holm()), Subsets(count=50, share=0.3))
    assert 0 < found[0, 0] < 1


def test_subsets_are_corrected_as_the_whole_is() -> None:
    samples = random_samples(6, systems=6, users=100, lift=0.02)
    plain, corrected = (
        rejection_shares(samples, StudentT(), adjusting(correction), Subsets(count=20))
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
        rejection_shares(samples, StudentT(), adjusting(Holm()), Subsets(count=2, share=0.2))


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
        assert (pair.better, pair.p_value) == (None, 1)
        assert pair.difference == pytest.approx(0, abs=1e-15)


def test_differences_that_hardly_vary_are_compared_at_once() -> None:
    scores = scores_of({"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.6 + 1e-8]})
    pair = compare(scores, ComparisonChoice(test=StudentT())).pairs[0]
    assert pair.effect_low < pair.effect < pair.effect_high


NEAR = scores_of({"a": A, "b": [0.95, 0.6, 0.75, 0.8, 0.7, 0.7, 0.72, 0.8]})
"""Two systems that chance could turn round."""


def test_draws_are_those_of_seed_0_unless_another_is_given() -> None:
    choice = ComparisonChoice(test=Permutation(draws=200, exact_up_to=0))
    given: list[dict[str, Any]] = [{}, {"seed": 0}, {"seed": 1}]
    made = [compare(NEAR, choice, **each).pair("P@10", "a", "b").p_value for each in given]
    assert made[0] == made[1] != made[2]
    samples = random_samples(3, systems=2, users=30)
    found = [compare_samples(samples, choice, **each).pairs[0].p_value for each in given]
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(("most", "exact"), [(7, False), (8, True)])
def test_medians_of_as_many_users_as_are_allowed_are_compared_exactly(
    most: int, exact: bool
) -> None:
    test = Permutation(draws=200, exact_up_to=most)
    choice = ComparisonChoice(test=test, aggregation=parse("aggregation", "median"))
    pair = compare(NEAR, choice).pair("P@10", "a", "b")
    assert (pair.p_error == 0) is exact
