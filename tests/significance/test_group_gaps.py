"""Gaps of groups: as SciPy tests them, adjusted over groups, and at their level."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import cranfield as cf
from cranfield.base.options import parse
from cranfield.scoring.breakdown import Breakdown, Groups, break_down
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.group_gaps import with_gaps
from cranfield.testing.laws.paired_tests import LEVEL, band
from cranfield.workbench.cli.main import main
from experiment_cases import file_of
from score_cases import U, scores_of

RNG = np.random.default_rng(3)
VALUES = RNG.beta(2, 3, 18)
THIRDS = np.repeat([0, 1, 2], [4, 5, 9])


def gaps_of(scores: Scores, codes: list[int], choice: SummaryChoice | None = None) -> Breakdown:
    names = tuple(f"g{number}" for number in range(max(codes) + 1))
    groups = Groups("kind", names, np.array(codes, dtype=np.int32))
    return with_gaps(break_down(scores, groups, choice), scores, groups, choice)


def test_each_group_is_tested_against_the_rest_as_scipy_does() -> None:
    parts = gaps_of(scores_of({"A": VALUES.tolist()}), THIRDS.tolist()).parts
    tested = [
        stats.ttest_ind(VALUES[place == THIRDS], VALUES[place != THIRDS], equal_var=False)
        for place in range(3)
    ]
    adjusted = parse("correction", "holm").adjust(np.array([each.pvalue for each in tested]))
    for part, found, p_value in zip(parts, tested, adjusted, strict=True):
        assert part.gap_p == pytest.approx(p_value)
        ends = found.confidence_interval(0.95)
        assert (part.gap_low, part.gap_high) == pytest.approx((ends.low, ends.high))
        assert part.gap == pytest.approx((part.gap_low + part.gap_high) / 2)


def test_two_groups_are_one_test() -> None:
    halves = [0] * 9 + [1] * 9
    first, second = gaps_of(scores_of({"A": VALUES.tolist()}), halves).parts
    found = stats.ttest_ind(VALUES[:9], VALUES[9:], equal_var=False)
    assert first.gap_p == second.gap_p == pytest.approx(found.pvalue)
    assert first.gap == -second.gap


def test_several_topics_of_a_user_are_not_taken_for_several_users() -> None:
    once = scores_of({"A": [0.1, 0.5, 0.7, 0.8]}, users=[0, 1, 2, 3])
    twice = scores_of(
        {"A": [0.1, 0.1, 0.5, 0.5, 0.7, 0.7, 0.8, 0.8]}, users=[0, 0, 1, 1, 2, 2, 3, 3]
    )
    for one, two in zip(
        *(gaps_of(each, [0, 0, 1, 1]).parts for each in (once, twice)), strict=True
    ):
        assert one.gap_p == pytest.approx(two.gap_p)


def test_what_cannot_be_tested_has_no_p_value() -> None:
    alone = gaps_of(scores_of({"A": [0.1, 0.2, 0.3]}), [0, 0, 0]).parts
    assert isnan(alone[0].gap)
    single = gaps_of(scores_of({"A": [0.1, 0.2, 0.4]}), [0, 1, 1]).parts
    assert single[0].gap == pytest.approx(0.1 - 0.3)
    assert isnan(single[0].gap_p)
    undefined = gaps_of(scores_of({"A": [U, U, 0.4, 0.2]}), [0, 0, 1, 1]).parts
    assert isnan(undefined[0].gap_p)
    median = SummaryChoice(aggregation=parse("aggregation", "median"))
    assert isnan(gaps_of(scores_of({"A": [0.1, 0.2, 0.4, 0.5]}), [0, 0, 1, 1], median).parts[0].gap)


def test_groups_without_spread_are_apart_or_not() -> None:
    apart = gaps_of(scores_of({"A": [0.5, 0.5, 0.25, 0.25]}), [0, 0, 1, 1]).parts
    assert [part.gap_p for part in apart] == [0, 0]
    same = gaps_of(scores_of({"A": [0.5, 0.5, 0.5, 0.5]}), [0, 0, 1, 1]).parts
    assert [part.gap_p for part in same] == [1, 1]


@pytest.mark.slow
def test_a_gap_that_is_none_is_found_in_one_of_twenty() -> None:
    rounds, codes = 500, np.repeat([0, 1], [15, 45])
    rejected = 0
    for seed in range(rounds):
        values = np.random.default_rng(seed).normal(0.5, np.where(codes == 0, 0.3, 0.1))
        made = gaps_of(scores_of({"A": values.tolist()}), codes.tolist())
        rejected += int(made.parts[0].gap_p <= LEVEL)
    low, high = band(rounds)
    assert low <= rejected <= high


def test_an_experiment_shows_records_and_reads_gaps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    users = pl.DataFrame({"user": [f"u{number:04}" for number in range(1, 41)]}).with_columns(
        age=pl.int_range(20, 60)
    )
    users.write_csv(tmp_path / "users.csv")
    file = file_of(tmp_path, by=["users.csv:age:4", "activity:2"])
    out = tmp_path / "out"
    assert main(["run", str(file), "--out", str(out), "--store", "none"]) == 0
    printed = capsys.readouterr().out
    assert "1: 20 to 29" in printed
    rows = json.loads((out / "results.json").read_text())["by"]["age"]
    assert len(rows) == 4 * 3 * 2
    assert all(row["gap_low"] < row["gap"] < row["gap_high"] for row in rows if row["gap_low"])
    again = cf.read_results(out)
    assert isinstance(again, cf.Results)
    assert again.breakdowns[0].to_polars().to_dicts() == rows
    assert ("†" in printed) == any((row["gap_p"] or 1) < 0.05 for each in again.breakdowns
                                   for row in each.to_polars().to_dicts())  # fmt: skip
    assert main(["verify", str(out)]) == 0
