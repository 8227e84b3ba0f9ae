from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import cranfield.significance.paired_tests  # noqa: F401  (makes the options known)
from cranfield.base.errors import (
    BadValue,
    EmptyInput,
    MissingFacts,
    TooFew,
    UnreadableFile,
)
from cranfield.base.ids import encode_ids
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.scoring.scores import Scores
from cranfield.validity.assessment import Chart
from cranfield.validity.criteria.discriminative_power import DiscriminativePower
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import (
    PairwisePValues,
    p_values_from_scores,
    p_values_from_table,
)

ONCE = pl.DataFrame(
    {"RunA": ["a", "a", "b"], "RunB": ["b", "c", "c"], "P": [0.5, 0.01, 0.0], "RR": [0.9, 0.6, 0.0]}
)


def test_dp_is_the_sum_over_pairs_beside_its_companions() -> None:
    made = DiscriminativePower().assess(Evidence(p_values=p_values_from_table(ONCE)))
    table = next(iter(made.tables.values()))
    assert table["metric"].to_list() == ["P", "RR"]  # the lower DP first
    assert table["dp"].to_list() == pytest.approx([0.51, 1.5])
    assert table["dp_doubled"].to_list() == pytest.approx([1.02, 3.0])
    assert table["share_below_alpha"].to_list() == pytest.approx([2 / 3, 1 / 3])
    assert table["median_p"].to_list() == pytest.approx([0.01, 0.6])
    assert made.reading == (
        "P separates 67 % of pairs at 0.05 (DP = 0.51), RR 33 % (DP = 1.5); lower DP is better. "
        "Over random subsets of the systems, P is first in 100 % (places 1 to 1)."
    )
    assert isinstance(made.charts[0], Chart)
    assert made.charts[0].lines[0].y == (0.5, 0.01, 0.0)


def test_places_come_with_their_interval_over_parts_of_the_systems() -> None:
    made = DiscriminativePower(subsets=50).assess(Evidence(p_values=p_values_from_table(ONCE)))
    found = made.tables["discriminative_power"]
    assert found["place"].to_list() == [1, 2]
    top = [0.51 / 0.51, 1.5 / 1.5]  # three pairs are all
    assert found["top_share"].to_list() == pytest.approx(top)
    shares = made.tables["discriminative_power"]["first_share"]
    # Of the pairs of three systems, P has the lower p-value in two, and the last is tied.
    assert shares[0] == 1
    assert 0.1 < shares[1] < 0.6
    assert (made.decisions["subsets"], made.decisions["seed"]) == (50, 0)


def test_both_directions_of_a_pair_count_as_their_mean() -> None:
    back = ONCE.select(
        pl.col("RunB").alias("RunA"), pl.col("RunA").alias("RunB"), pl.col("P") + 0.02, pl.col("RR")
    )
    found = p_values_from_table(pl.concat([ONCE, back]))
    assert found.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert found.values[0] == pytest.approx([0.51, 0.02, 0.01])


@pytest.mark.parametrize(
    ("table", "error", "problem"),
    [
        (ONCE.drop("RunB"), UnreadableFile, "RunB"),
        (ONCE.select("RunA", "RunB"), EmptyInput, "p-values"),
        (ONCE.head(0), EmptyInput, "p-values"),
        (ONCE.with_columns(P=pl.Series([0.5, 1.5, 0.1])), BadValue, "line 3.*1.5 is not a p-value"),
        (ONCE.with_columns(P=pl.Series([0.5, None, 0.1])), BadValue, "nothing is not a p-value"),
        (ONCE.with_columns(P=pl.lit("x")), BadValue, '"x" is not a number'),
        (ONCE.with_columns(P=pl.Series(["0", "0.5", "nan"])), BadValue, "line 4.*is not a p-value"),
        (ONCE.head(2), UnreadableFile, "only 2 of the 3 pairs of 3 systems"),
        (pl.concat([ONCE, ONCE.head(1)]), UnreadableFile, '"a" and "b" occurs more than once'),
        (ONCE.with_columns(RunB=pl.col("RunA")), UnreadableFile, "compared with itself"),
    ],
)
def test_tables_that_hold_something_else_are_refused(
    table: pl.DataFrame, error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        p_values_from_table(table, "p.csv")


def test_too_little_is_refused() -> None:
    with pytest.raises(MissingFacts, match="--p-values"):
        DiscriminativePower().assess(Evidence())
    with pytest.raises(TooFew, match="at least 2 systems"):
        DiscriminativePower().assess(
            Evidence(p_values=PairwisePValues((), ("P",), np.zeros((1, 0))))
        )


def test_p_values_come_from_a_paired_test_of_all_pairs() -> None:
    from scipy.stats import ttest_rel

    values = np.random.default_rng(3).random((3, 2, 20))
    ids, users = encode_ids(pl.Series(range(20)))
    scores = Scores(
        Topics(users), ids, ("a", "b", "c"), ("P", "RR"), values, np.ones((3, 20), dtype=bool)
    )
    found = p_values_from_scores(scores, parse("test", "t"))
    assert found.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert found.values[1, 2] == pytest.approx(ttest_rel(values[1, 1], values[2, 1]).pvalue)


def test_a_chart_ends_where_nothing_can_be_told_from_zero() -> None:
    values = [[0.5, 0.2, 0.0004, 0.0003, 0.0, 0.0]]
    pairs = tuple(itertools.combinations("abcd", 2))
    made = DiscriminativePower().assess(
        Evidence(p_values=PairwisePValues(pairs, ("P",), np.array(values)))
    )
    chart = made.charts[0]
    assert isinstance(chart, Chart)
    assert chart.lines[0].y == (0.5, 0.2, 0.0004)
    assert chart.x_title == "pair; 3 more are below 0.001"
    assert len(made.details["p_value_curves"]) == 6


def test_a_share_of_nearly_all_pairs_is_not_called_all() -> None:
    names = [f"s{number:02}" for number in range(30)]
    pairs = tuple(itertools.combinations(names, 2))
    values = np.full((1, len(pairs)), 0.001)
    values[0, 0] = 0.5  # 434 of 435 pairs are told apart
    made = DiscriminativePower().assess(Evidence(p_values=PairwisePValues(pairs, ("P",), values)))
    assert made.reading == (
        "P separates over 99 % of pairs at 0.05 (DP = 0.934); lower DP is better."
    )
