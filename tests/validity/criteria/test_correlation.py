from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau

from cranfield.base.errors import (
    BadValue,
    EmptyInput,
    MissingFacts,
    TooFew,
    UnreadableFile,
)
from cranfield.validity.assessment import HeatMap
from cranfield.validity.criteria.correlation import Correlation
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.system_values import values_from_table

TABLE = pl.DataFrame(
    {"Recommender": ["a", "b", "c"], "P": [0.1, 0.2, 0.3], "AP": [1, 2, 3], "RR": [0.3, 0.1, 0.2]}
)


def test_metrics_are_compared_by_the_orders_they_give() -> None:
    made = Correlation().assess(Evidence(values=values_from_table(TABLE)))
    matrix = made.shown("system_orders")
    assert matrix["metric"].to_list() == ["P", "AP", "RR"]
    assert matrix["P"].to_list() == pytest.approx(
        [1, 1, kendalltau([0.1, 0.2, 0.3], [0.3, 0.1, 0.2]).statistic]
    )
    assert made.reading == (
        "1 of 3 pairs of metrics order the systems alike (τ-b ≥ 0.9); "
        "P and RR differ most (τ-b = -0.333), P and AP least (1.000)."
    )


def test_the_heat_map_has_the_figures_of_the_table() -> None:
    made = Correlation().assess(Evidence(values=values_from_table(TABLE)))
    chart, table = made.charts[0], made.shown("system_orders")
    assert isinstance(chart, HeatMap)
    assert chart.rows == chart.columns == ("P", "AP", "RR")
    assert chart.values == tuple(row[1:] for row in table.rows())


def test_tables_have_a_row_for_each_pair_and_each_value() -> None:
    made = Correlation().assess(Evidence(values=values_from_table(TABLE)))
    pairs = made.tables["system_orders"].rows_by_key(("metric", "other"), unique=True)
    assert len(pairs) == 9
    assert pairs["P", "AP"] == (1.0,) or pairs["P", "AP"] == 1.0
    values = made.details["values"].rows()
    assert values[:3] == [("a", "P", 0.1), ("a", "AP", 1.0), ("a", "RR", 0.3)]
    assert len(values) == 9


def test_tau_ap_can_be_asked_for() -> None:
    made = Correlation(agreement="tau-ap").assess(Evidence(values=values_from_table(TABLE)))
    matrix = made.shown("system_orders")
    # by RR: a, c, b; by P: c, b, a. c is wrongly below a; b is below a wrongly, c rightly
    assert matrix["P"][2] == pytest.approx((-1 + 0) / 2)


def test_rows_in_any_order_give_the_same() -> None:
    one, two = (
        Correlation().assess(Evidence(values=values_from_table(each)))
        for each in (TABLE, TABLE.reverse())
    )
    assert one.to_dict() == two.to_dict()


def test_a_value_that_is_not_a_number_is_undefined() -> None:
    given = values_from_table(TABLE.with_columns(P=pl.Series(["0.1", "nan", "0.3"])))
    assert given.whole[0].tolist() == pytest.approx([0.1, float("nan"), 0.3], nan_ok=True)
    matrix = Correlation().assess(Evidence(values=given)).shown("system_orders")
    assert matrix["AP"].is_nan().to_list() == [True, False, False]


def test_metrics_that_tie_all_systems_have_no_order() -> None:
    flat = TABLE.with_columns(P=pl.lit(0.5), AP=pl.lit(1.0)).drop("RR")
    made = Correlation().assess(Evidence(values=values_from_table(flat)))
    assert made.reading.startswith("No metric separates the systems")


@pytest.mark.parametrize(
    ("table", "error", "problem"),
    [
        (TABLE.drop("Recommender"), UnreadableFile, "Recommender"),
        (TABLE.select("Recommender"), EmptyInput, "values of systems"),
        (TABLE.with_columns(P=pl.lit("x")), BadValue, "is not a number"),
        (TABLE.with_columns(P=pl.Series(["1", "nan", "x"])), BadValue, 'line 4.*"x" is not a num'),
        (TABLE.with_columns(Recommender=pl.Series(["a", None, "c"])), UnreadableFile, "not name"),
        (TABLE.with_columns(Percentage=pl.lit(0.5)), UnreadableFile, "no values of the whole"),
        (TABLE.with_columns(Percentage=pl.lit(1.5)), BadValue, "at most 1"),
        (
            TABLE.with_columns(Percentage=pl.Series([1.0, 1.0, 0.5])),
            UnreadableFile,
            "one row at every size",
        ),
        (pl.concat([TABLE, TABLE]), UnreadableFile, "one row at every size"),
    ],
)
def test_tables_that_hold_something_else_are_refused(
    table: pl.DataFrame, error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        values_from_table(table, "values.csv")


def test_too_little_is_refused() -> None:
    with pytest.raises(MissingFacts, match="values of systems"):
        Correlation().assess(Evidence())
    with pytest.raises(TooFew, match="at least 2 systems; here 1"):
        Correlation().assess(Evidence(values=values_from_table(TABLE.head(1))))
    with pytest.raises(TooFew, match="at least 2 metrics; here 1"):
        Correlation().assess(Evidence(values=values_from_table(TABLE.select("Recommender", "P"))))


def test_null_values_are_undefined() -> None:
    found = values_from_table(TABLE.with_columns(P=pl.Series([0.1, None, 0.2])))
    assert np.isnan(found.whole[0, 1])


def test_a_single_pair_of_metrics_does_not_differ_most_and_least() -> None:
    made = Correlation().assess(Evidence(values=values_from_table(TABLE.drop("AP"))))
    # P: a b c ascending; RR: b c a. One of three pairs agrees: (1 − 2)/3
    assert made.reading == "P and RR order the systems with an agreement of τ-b = -0.333."
