"""P-values of all pairs, from a table or from scores."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.significance.paired_tests  # noqa: F401  (makes the options known)
from cranfield.base.errors import BadValue, EmptyInput, UnreadableFile, UnsuitableScores
from cranfield.base.options import parse
from cranfield.validity.meta.p_values import (
    PairwisePValues,
    p_values_from_scores,
    p_values_from_table,
)
from score_cases import U, scores_of
from suites import tries

NAMES = ["kNN", "MF", "pop", "rand"]


def table_of(p_values: dict[tuple[str, str], float]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "RunA": [one for one, _ in p_values],
            "RunB": [two for _, two in p_values],
            "P@10": list(p_values.values()),
        }
    )


@settings(deadline=None, max_examples=tries(40))
@given(st.randoms(use_true_random=False), st.booleans())
def test_rows_in_any_order_and_direction_hold_the_same_p_values(random: Random, both: bool) -> None:
    pairs = list(combinations(sorted(NAMES), 2))
    known = {pair: place / 10 for place, pair in enumerate(pairs)}
    rows = {(pair if random.random() < 0.5 else pair[::-1]): p for pair, p in known.items()}
    if both:
        rows |= {pair[::-1]: p for pair, p in rows.items()}
    order = list(rows)
    random.shuffle(order)
    found = p_values_from_table(table_of({pair: rows[pair] for pair in order}))
    assert dict(zip(found.pairs, found.values[0].tolist(), strict=True)) == pytest.approx(known)


def test_systems_come_in_the_order_in_which_pairs_name_them() -> None:
    found = PairwisePValues((("b", "c"), ("b", "a"), ("c", "a")), ("P",), np.zeros((1, 3)))
    assert found.systems == ("b", "c", "a")


def test_a_direction_that_only_some_pairs_have_counts_where_it_is() -> None:
    found = p_values_from_table(
        table_of({("a", "b"): 0.2, ("b", "a"): 0.4, ("a", "c"): 0.5, ("c", "b"): 0.1})
    )
    assert dict(zip(found.pairs, found.values[0], strict=True)) == pytest.approx(
        {("a", "b"): (0.2 + 0.4) / 2, ("a", "c"): 0.5, ("b", "c"): 0.1}
    )


@pytest.mark.parametrize("column", ["RunA", "RunB"])
def test_a_row_without_a_system_is_not_said_to_compare_one_with_itself(column: str) -> None:
    table = table_of({("a", "b"): 0.2}).with_columns(pl.lit(None, pl.String).alias(column))
    with pytest.raises(UnreadableFile, match="a row does not name two systems"):
        p_values_from_table(table)


def test_numbers_as_names_are_names() -> None:
    found = p_values_from_table(pl.DataFrame({"RunA": [2], "RunB": [10], "P": ["0.5"]}))
    assert found.pairs == (("10", "2"),)
    assert found.values.tolist() == [[0.5]]


def test_users_on_whom_all_systems_are_undefined_change_no_p_value() -> None:
    whole = scores_of({"a": [0.5, 0.1, 0.9, U], "b": [0.2, 0.3, 0.4, U]})
    part = scores_of({"a": [0.5, 0.1, 0.9], "b": [0.2, 0.3, 0.4]})
    one, two = (p_values_from_scores(each, parse("test", "t")) for each in (whole, part))
    assert one.values.tolist() == two.values.tolist()
    assert one.pairs == (("a", "b"),)


def test_draws_depend_on_the_seed() -> None:
    row = np.random.default_rng(1).random((2, 20)).round(2).tolist()
    scores = scores_of({"a": row[0], "b": row[1]})
    test = parse("test", "bootstrap(draws=100)")
    one, two, three = (p_values_from_scores(scores, test, seed).values[0, 0] for seed in (1, 1, 2))
    assert one == two
    assert one != three


def test_one_user_is_too_few() -> None:
    with pytest.raises(UnsuitableScores, match="1 of 1 users can be compared"):
        p_values_from_scores(scores_of({"a": [0.5], "b": [0.1]}), parse("test", "t"))


def test_metrics_may_be_called_anything() -> None:
    table = table_of({("a", "b"): 0.2, ("b", "a"): 0.4}).rename({"P@10": "first"})
    found = p_values_from_table(table.with_columns(second=pl.col("first") / 2))
    assert found.metrics == ("first", "second")
    assert found.values == pytest.approx(np.array([[(0.2 + 0.4) / 2], [(0.1 + 0.2) / 2]]))


@pytest.mark.parametrize(("value", "line"), [(-0.1, 3), (1.5, 3), (None, 3)])
def test_a_wrong_p_value_is_refused_with_its_line(value: float | None, line: int) -> None:
    table = pl.DataFrame({"RunA": ["a", "a", "b"], "RunB": ["b", "c", "c"], "P": [0.5, value, 0.1]})
    with pytest.raises(BadValue, match=rf"line {line}, column \"P\".*a p-value between 0 and 1"):
        p_values_from_table(table, "p.csv")


def test_the_ends_of_the_range_are_p_values() -> None:
    found = p_values_from_table(table_of({("a", "b"): 0.0, ("a", "c"): 1.0, ("b", "c"): 0.5}))
    assert found.values.tolist() == [[0.0, 1.0, 0.5]]


@pytest.mark.parametrize("gone", range(6))
def test_every_pair_of_the_systems_must_be_there(gone: int) -> None:
    pairs = list(combinations(sorted(NAMES), 2))
    left = {pair: 0.5 for place, pair in enumerate(pairs) if place != gone}
    with pytest.raises(UnreadableFile, match="only 5 of the 6 pairs of 4 systems have p-values"):
        p_values_from_table(table_of(left))


def test_a_pair_that_stands_twice_in_one_direction_is_refused() -> None:
    table = pl.concat([table_of({("a", "b"): 0.2}), table_of({("a", "b"): 0.2})])
    with pytest.raises(UnreadableFile, match='the pair "a" and "b" occurs more than once'):
        p_values_from_table(table)


def test_a_system_is_not_compared_with_itself() -> None:
    with pytest.raises(UnreadableFile, match='"a" is compared with itself'):
        p_values_from_table(table_of({("a", "a"): 1.0}))


@pytest.mark.parametrize("column", ["RunA", "RunB"])
def test_a_table_without_systems_is_refused_with_what_it_should_look_like(column: str) -> None:
    table = table_of({("a", "b"): 0.2}).drop(column)
    with pytest.raises(UnreadableFile, match="columns RunA, RunB and one per metric"):
        p_values_from_table(table)


def test_a_table_without_metrics_or_rows_is_empty() -> None:
    whole = table_of({("a", "b"): 0.2})
    for table in (whole.drop("P@10"), whole.clear()):
        with pytest.raises(EmptyInput, match="p-values"):
            p_values_from_table(table)


def test_p_values_cannot_be_changed() -> None:
    found = p_values_from_table(table_of({("a", "b"): 0.2}))
    with pytest.raises(ValueError, match="read-only"):
        found.values[0, 0] = 1.0
