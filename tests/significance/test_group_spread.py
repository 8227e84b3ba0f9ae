"""Spread of groups: differences by hand, pairs as SciPy tests them, and intervals that hold."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from math import exp, isnan, log, nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import cranfield as cf
from cranfield.base.options import parse
from cranfield.scoring.breakdown import Breakdown, BreakdownRow, Groups, break_down
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.group_gaps import with_gaps
from cranfield.significance.group_spread import GroupSpread, group_spreads, spread_table
from cranfield.view.tables.breakdowns import breakdown_table, spread_rows
from experiment_cases import file_of, table_of
from score_cases import scores_of
from suites import tries

RNG = np.random.default_rng(5)
VALUES = RNG.beta(2, 3, 30)
CODES = np.repeat([0, 1, 2], [8, 10, 12])


def spreads_of(
    values: Any, codes: Any, names: tuple[str, ...] = ("a", "b", "c"), **choice: Any
) -> tuple[GroupSpread, ...]:
    scores = scores_of({"A": list(map(float, values))})
    groups = Groups("kind", names, np.array(codes, dtype=np.int32))
    chosen = SummaryChoice(**choice)
    return group_spreads(with_gaps(break_down(scores, groups, chosen), scores, groups, chosen))


def test_differences_are_those_of_all_pairs_of_means() -> None:
    (found,) = spreads_of(VALUES, CODES)
    means = {name: VALUES[place == CODES].mean() for place, name in enumerate("abc")}
    apart = [abs(means[one] - means[two]) for one, two in combinations("abc", 2)]
    assert found.mad == pytest.approx(sum(apart) / 3)
    assert found.gap == pytest.approx(max(apart))
    assert (found.lowest, found.highest) == (
        min(means, key=lambda g: means[g]),
        max(means, key=lambda g: means[g]),
    )
    assert found.ratio == pytest.approx(min(means.values()) / max(means.values()))
    assert found.groups == 3


@pytest.mark.parametrize(("low", "p"), [(0.5, 1.0), (0.25, 0.0)])
def test_groups_without_spread_are_equal_or_apart_for_certain(low: float, p: float) -> None:
    (found,) = spreads_of([low] * 3 + [0.5] * 3, [0] * 3 + [1] * 3, ("a", "b"))
    assert (found.gap, found.gap_low, found.gap_high) == (0.5 - low,) * 3
    assert found.p == p


def test_pairs_are_tested_as_scipy_does() -> None:
    (found,) = spreads_of(VALUES, CODES)
    parts = {name: VALUES[place == CODES] for place, name in enumerate("abc")}
    tested = [
        stats.ttest_ind(parts[one], parts[two], equal_var=False)
        for one, two in combinations("abc", 2)
    ]
    assert found.p == pytest.approx(min(1, 3 * min(each.pvalue for each in tested)))
    widest = stats.ttest_ind(parts[found.highest], parts[found.lowest], equal_var=False)
    ends = widest.confidence_interval(1 - 0.05 / 3)
    assert (found.gap_low, found.gap_high) == pytest.approx((ends.low, ends.high))
    reaches = [each.confidence_interval(1 - 0.05 / 3) for each in tested]
    bounds = [
        sorted((abs(each.low), abs(each.high))) if each.low * each.high > 0
        else [0.0, max(-each.low, each.high)]
        for each in reaches
    ]  # fmt: skip
    assert found.mad_low == pytest.approx(np.mean([low for low, _ in bounds]))
    assert found.mad_high == pytest.approx(np.mean([high for _, high in bounds]))


def test_the_interval_of_the_ratio_is_that_of_its_logarithm() -> None:
    low, high = np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.6, 0.9, 0.8])
    (found,) = spreads_of([*low, *high], [0, 0, 0, 1, 1, 1, 1], ("a", "b"))
    errors = [part.std(ddof=1) / sqrt(len(part)) / part.mean() for part in (low, high)]
    error = sqrt(errors[0] ** 2 + errors[1] ** 2)
    freedom = error**4 / (errors[0] ** 4 / 2 + errors[1] ** 4 / 3)
    reach = stats.t.ppf(0.975, freedom) * error
    middle = log(low.mean() / high.mean())
    wanted = exp(middle - reach), exp(middle), exp(middle + reach)
    assert (found.ratio_low, found.ratio, found.ratio_high) == pytest.approx(wanted)


@settings(deadline=None, max_examples=tries(60))
@given(values=st.lists(st.integers(0, 4), min_size=6, max_size=12))
def test_names_of_groups_and_order_of_users_do_not_matter(values: list[int]) -> None:
    codes = [place % 3 for place in range(len(values))]
    (one,) = spreads_of([value / 4 for value in values], codes)
    renamed = [(code + 1) % 3 for code in codes]
    (two,) = spreads_of([value / 4 for value in values], renamed)
    for name in ("mad", "gap", "ratio", "mad_low", "mad_high", "p", "gap_low", "gap_high"):
        assert getattr(one, name) == pytest.approx(getattr(two, name), nan_ok=True), name
    assert 0 <= one.mad <= one.gap + 1e-12


def test_groups_that_are_served_alike_are_not_apart() -> None:
    (found,) = spreads_of([0.25, 0.5] * 3, [0, 0, 1, 1, 2, 2])
    assert (found.mad, found.gap, found.ratio, found.p) == (0, 0, 1, 1)
    assert found.lowest != found.highest


def test_a_group_of_nothing_found_has_a_ratio_of_0_without_an_interval() -> None:
    (found,) = spreads_of([0, 0, 0.5, 0.75], [0, 0, 1, 1], ("a", "b"))
    assert found.ratio == 0
    assert isnan(found.ratio_low)
    (negative,) = spreads_of([-0.5, -0.25, 0.5, 0.75], [0, 0, 1, 1], ("a", "b"))
    assert isnan(negative.ratio)


def test_a_single_user_has_values_but_no_intervals() -> None:
    (found,) = spreads_of([0.1, 0.5, 0.75], [0, 1, 1], ("a", "b"))
    assert found.gap == pytest.approx(0.525)
    assert isnan(found.gap_low)
    assert isnan(found.p)


def test_medians_have_no_intervals() -> None:
    (found,) = spreads_of(VALUES, CODES, aggregation=parse("aggregation", "median"))
    medians = [np.median(VALUES[place == CODES]) for place in range(3)]
    assert found.gap == pytest.approx(max(medians) - min(medians))
    assert isnan(found.mad_low)


def test_users_of_whom_nothing_is_known_are_no_group() -> None:
    (found,) = spreads_of(VALUES, CODES, ("a", "b", "unknown"))
    assert {found.lowest, found.highest} == {"a", "b"}
    assert found.groups == 2
    assert spreads_of(VALUES, CODES * 0, ("a",)) == ()


def test_ratios_beyond_all_numbers_are_not_known() -> None:
    row = BreakdownRow("a", "A", "P", 1e-9, 3, 3, 0, 0.4, 0, 1, 0.1)
    other = replace(row, group="b", value=0.5)
    (found,) = group_spreads(Breakdown("kind", (row, other)))
    assert isnan(found.ratio_high)


def test_intervals_of_equal_groups_hold_all_differences_together() -> None:
    """Of many worlds without a difference, no more than 5 % have an interval without 0."""
    rng, wrong, worlds = np.random.default_rng(8), 0, 120
    for _ in range(worlds):
        (found,) = spreads_of(rng.normal(0.5, 0.1, 40), np.arange(40) % 4, tuple("abcd"))
        wrong += found.p < 0.05
        assert (found.mad_low > 0) == (found.p < 0.05)
        assert found.p < 0.05 or found.gap_low <= 0
    assert wrong <= stats.binom.ppf(0.999, worlds, 0.05)


def test_spreads_are_shown_recorded_and_read_again(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"by": ["activity:3", "popularity:2"], "metrics": ["nDCG@5", "P@5"]}
    made = cf.run(table_of(**changes))
    of_users, of_items = made.group_spreads["activity"], made.group_spreads["popularity"]
    assert len(of_users) == len(of_items) == 3 * 2
    assert all(isnan(each.p) and not isnan(each.mad) for each in of_items)
    assert not any(isnan(each.p) for each in of_users)
    cf.write_results(made, tmp_path / "out")
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    assert record["group_spreads"]["activity"] == spread_table(of_users).to_dicts()
    again = cf.read_results(tmp_path / "out")
    assert isinstance(again, cf.Results)
    assert repr(again.group_spreads) == repr(made.group_spreads)  # NaN is not NaN
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Between groups by activity. MAD: mean absolute difference" in page
    text = breakdown_table(made.breakdowns[0], width=200)
    assert "MAD" in text
    assert "no difference between any two groups" in text
    assert "no difference between" not in breakdown_table(made.breakdowns[1], width=200)
    assert len(spread_rows(made.breakdowns[0])[1]) == 6


def test_two_groups_have_the_gap_of_one_to_the_other(tmp_path: Path) -> None:
    users = pl.DataFrame({"user": [f"u{n:04d}" for n in range(1, 41)], "age": ["old", "new"] * 20})
    users.write_csv(tmp_path / "users.csv")
    made = cf.run(file_of(tmp_path, by=["users.csv:age"], metrics=["nDCG@5"]))
    parts = {(row.group, row.system): row for row in made.breakdowns[0].parts}
    for each in made.group_spreads["age"]:
        row = parts[each.highest, each.system]
        found = (each.gap, each.gap_low, each.gap_high, each.p)
        assert found == pytest.approx((row.gap, row.gap_low, row.gap_high, row.gap_p))
        assert each.mad == each.gap


def test_an_unknown_value_is_null_in_the_table() -> None:
    row = GroupSpread("A", "P", 2, 0.5, "a", "b", 0.5, nan)
    assert spread_table((row,))["ratio"].to_list() == [None]
