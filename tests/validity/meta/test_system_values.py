"""What systems reached, from a table or from scores."""

from __future__ import annotations

from math import nan

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadValue, EmptyInput, TooFew, UnreadableFile
from cranfield.base.options import parse
from cranfield.validity.meta.system_values import (
    SystemValues,
    values_from_scores,
    values_from_table,
)
from score_cases import N, U, scores_of
from suites import tries

TABLE = pl.DataFrame(
    {
        "Recommender": ["b", "a", "a", "b"],
        "Percentage": [1.0, 0.5, 1.0, 0.5],
        "P": [0.2, 0.05, 0.1, 0.15],
        "RR": [0.4, 0.35, 0.3, 0.25],
    }
)


def test_values_find_their_size_metric_and_system() -> None:
    found = values_from_table(TABLE)
    assert (found.systems, found.metrics, found.sizes) == (("a", "b"), ("P", "RR"), (1.0, 0.5))
    assert found.values.tolist() == [[[0.1, 0.2], [0.3, 0.4]], [[0.05, 0.15], [0.35, 0.25]]]
    assert found.whole.tolist() == [[0.1, 0.2], [0.3, 0.4]]


@settings(deadline=None, max_examples=tries(20))
@given(st.permutations(range(4)))
def test_the_order_of_rows_does_not_matter(order: list[int]) -> None:
    assert np.array_equal(values_from_table(TABLE[order]).values, values_from_table(TABLE).values)


def test_columns_may_have_their_plain_names() -> None:
    plain = values_from_table(TABLE.rename({"Recommender": "system", "Percentage": "size"}))
    assert np.array_equal(plain.values, values_from_table(TABLE).values)
    assert plain.sizes == (1.0, 0.5)


def test_without_sizes_all_is_of_the_whole_test_set() -> None:
    found = values_from_table(TABLE.filter(pl.col("Percentage") == 1).drop("Percentage"))
    assert found.sizes == (1.0,)
    assert found.whole.tolist() == [[0.1, 0.2], [0.3, 0.4]]


def test_only_sizes_down_to_the_least_are_kept() -> None:
    found = values_from_table(TABLE)
    assert found.down_to(0.5).sizes == (1.0, 0.5)
    assert found.down_to(0.51).sizes == (1.0,)
    assert found.down_to(0.51).values.shape == (1, 2, 2)


@pytest.mark.parametrize("size", [0.0, -0.5, 1.5, nan, None])
def test_what_is_no_share_of_a_test_set_is_refused(size: float | None) -> None:
    table = TABLE.with_columns(Percentage=pl.Series([1.0, size, 1.0, size], dtype=pl.Float64))
    with pytest.raises(BadValue, match=r'column "Percentage".* a share above 0 and at most 1'):
        values_from_table(table, "values.csv")


def test_metrics_may_be_called_anything() -> None:
    odd = values_from_table(TABLE.rename({"P": "at", "RR": "of"}))
    assert odd.metrics == ("at", "of")
    assert np.array_equal(odd.values, values_from_table(TABLE).values)


def test_a_system_that_lacks_a_size_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="not every system has one row at every size"):
        values_from_table(TABLE.head(3))


def test_values_of_scores_are_their_means_over_the_topics_on_which_they_are_defined() -> None:
    scores = scores_of({"a": [0.2, U, 0.6], "b": [N, 0.3, 0.9]})
    found = values_from_scores(scores, parse("aggregation", "mean"))
    # a topic without a list scores 0
    assert found.whole.tolist() == [pytest.approx([(0.2 + 0.6) / 2, (0 + 0.3 + 0.9) / 3])]
    assert found.sizes == (1.0,)


def test_a_system_without_any_score_has_no_value() -> None:
    found = values_from_scores(
        scores_of({"a": [U, U], "b": [0.3, 0.9]}), parse("aggregation", "mean")
    )
    assert found.whole[0].tolist() == pytest.approx([nan, 0.6], nan_ok=True)


def test_one_user_makes_no_order_of_systems() -> None:
    with pytest.raises(TooFew, match="an order of systems needs at least 2 users; here 1"):
        values_from_scores(scores_of({"a": [0.5], "b": [0.1]}), parse("aggregation", "mean"))


def test_the_whole_test_set_must_be_there() -> None:
    with pytest.raises(AssertionError):
        SystemValues(("a",), ("P",), (0.5,), np.zeros((1, 1, 1)))


def test_what_a_table_leaves_empty_is_undefined() -> None:
    table = TABLE.with_columns(P=pl.Series([0.2, None, 0.1, 0.15]))
    found = values_from_table(table)
    assert found.values[1, 0].tolist() == pytest.approx([nan, 0.15], nan_ok=True)


def test_a_table_without_systems_is_refused_with_what_it_should_look_like() -> None:
    with pytest.raises(UnreadableFile, match="columns Recommender, perhaps Percentage"):
        values_from_table(TABLE.drop("Recommender"))


def test_a_row_without_a_system_is_refused() -> None:
    table = TABLE.with_columns(Recommender=pl.Series(["b", None, "a", "b"]))
    with pytest.raises(UnreadableFile, match="a row does not name a system"):
        values_from_table(table)


def test_a_table_without_metrics_or_rows_is_empty() -> None:
    for table in (TABLE.drop("P", "RR"), TABLE.clear()):
        with pytest.raises(EmptyInput, match="values of systems"):
            values_from_table(table)


def test_a_table_without_the_whole_test_set_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="no values of the whole test set"):
        values_from_table(TABLE.filter(pl.col("Percentage") < 1))


def test_a_system_that_stands_twice_at_a_size_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="not every system has one row at every size"):
        values_from_table(pl.concat([TABLE.head(3), TABLE.head(1)]))


def test_a_cell_that_is_no_number_is_refused_with_its_line() -> None:
    table = TABLE.with_columns(RR=pl.Series(["0.4", "0.35", "good", "0.25"]))
    with pytest.raises(BadValue, match=r'line 4, column "RR"'):
        values_from_table(table, "values.csv")
