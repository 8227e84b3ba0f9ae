"""Breakdowns by groups of users and of items."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from cranfield.base.errors import CranfieldError
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.scoring.breakdown import (
    Groups,
    break_down,
    break_down_values,
    by_activity,
    by_attribute,
    by_popularity,
    measure_by_item,
    only,
)
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from hit_cases import Ranking, hits_of
from score_cases import N, U, many_scores, scores_of
from suites import tries


def groups(*of_code: int) -> Groups:
    return Groups("kind", ("first", "second"), np.array(of_code, dtype=np.int32))


def test_each_group_has_its_value_and_its_number_of_users() -> None:
    scores = scores_of({"A": [0.2, 0.4, N, U]})
    parts = break_down(scores, groups(0, 0, 1, 1)).parts
    assert [(part.group, part.users, part.undefined, part.covered) for part in parts] == [
        ("first", 2, 0, 2),
        ("second", 1, 1, 1),
    ]
    assert [part.value for part in parts] == [pytest.approx((0.2 + 0.4) / 2), 0.0]


@settings(deadline=None, max_examples=tries(50))
@given(scores=many_scores())
def test_groups_add_up_to_the_whole(scores: Scores) -> None:
    choice = SummaryChoice(undefined="zero")
    parts = break_down(scores, groups(*[code % 2 for code in range(10)]), choice).parts
    for system in scores.systems:
        mine = [part for part in parts if part.system == system]
        whole = summarise(scores, choice).row(system, "P@10")
        assert sum(part.users for part in mine) == whole.users
        assert sum(part.undefined for part in mine) == whole.undefined
    even = scores.topics.users % 2 == 0
    if even.all():
        assert parts[0].value == pytest.approx(summarise(scores, choice).rows[0].value)


def test_activity_groups_are_of_equal_size_where_counts_differ() -> None:
    users = [user for user in range(6) for _ in range(user + 1)]
    items = [item for user in range(6) for item in range(user + 1)]
    found = by_activity(Ratings.from_triples(users, items), np.arange(6, dtype=np.int32), parts=3)
    assert found.of_code.tolist() == [0, 0, 1, 1, 2, 2]
    assert found.names == ("1: 1 to 2", "2: 3 to 4", "3: 5 to 6")


def test_equally_active_users_are_in_one_group() -> None:
    train = Ratings.from_triples([1, 2, 3, 4, 4], [1, 1, 1, 1, 2])
    found = by_activity(train, np.arange(4, dtype=np.int32), parts=2)
    assert found.of_code.tolist() == [0, 0, 0, 1]


def test_popularity_groups_start_with_the_rarest_items() -> None:
    assert by_popularity(np.array([9, 1, 5, 3]), parts=2).of_code.tolist() == [1, 0, 1, 0]


def test_a_number_of_parts_below_one_is_refused() -> None:
    with pytest.raises(CranfieldError, match="at least 1"):
        by_popularity(np.array([1]), parts=0)


def test_any_column_of_a_table_makes_groups() -> None:
    scores = scores_of({"A": [0.2, 0.4, 0.6]})
    table = pl.DataFrame({"user_id": ["u12", "u10", "zz"], "country": ["nl", "fr", "de"]})
    found = break_down(scores, by_attribute(table, "country", scores.user_ids)).to_polars()
    assert found.columns[0] == "country"
    assert found.select("country", "value", "users").rows() == [
        ("fr", 0.2, 1),
        ("nl", 0.6, 1),
        ("unknown", 0.4, 1),
    ]


def test_rows_of_users_without_a_code_change_no_group() -> None:
    ids = scores_of({"A": [0.2]}).user_ids
    table = pl.DataFrame({"user_id": ["zz"], "country": ["de"]})
    found = by_attribute(table, "country", ids)
    assert {found.names[place] for place in found.of_code} == {"unknown"}


def test_a_table_of_users_needs_its_columns_and_each_user_once() -> None:
    ids = scores_of({"A": [0.2]}).user_ids
    with pytest.raises(CranfieldError, match='"age"'):
        by_attribute(pl.DataFrame({"user_id": ["u10"]}), "age", ids)
    with pytest.raises(CranfieldError, match="occurs once"):
        by_attribute(pl.DataFrame({"user_id": ["u10", "u10"], "age": [1, 2]}), "age", ids)


def test_only_the_items_of_a_group_are_judged() -> None:
    hits = hits_of([Ranking((5.0, 4.0, None), items=(3, 7))])
    rare = only(hits, np.arange(20) == 7)
    assert rare.items.tolist() == [7]
    assert rare.ranks.tolist() == [2]
    assert rare.lengths.tolist() == [3]


def test_values_by_item_group_count_relevant_items_of_the_group_alone() -> None:
    """Item 3 is relevant to the first user at rank 1, item 7 at rank 2 to both."""
    hits = hits_of([Ranking((5.0, 4.0), items=(3, 7)), Ranking((None, 5.0), items=(7,))])
    metrics = [parse("metric", "RR")]
    some = scores_of({"A": [0, 0]})
    values = measure(hits, metrics)[None]
    scores = Scores(some.topics, some.user_ids, ("A",), ("RR",), values, some.covered)
    of_code = np.zeros(20, dtype=np.int32)
    of_code[[3, 7]] = [1, 2]
    kinds = Groups("kind", ("other", "three", "seven"), of_code)
    parts = break_down_values(
        scores, ("RR",), {"A": measure_by_item(hits, metrics, kinds)}, kinds
    ).parts
    found = {part.group: (part.value, part.users, part.undefined) for part in parts}
    assert found["three"] == (1.0, 1, 1)
    assert found["seven"] == (0.5, 2, 0)
    assert found["other"][1:] == (0, 2)


def test_numbers_of_many_values_are_divided_into_parts() -> None:
    ids = scores_of({"A": [0.0] * 8}).user_ids  # u10 to u29
    ages = [20.5, 30, 40, 50, None, 60, 70, 80]
    table = pl.DataFrame({"user_id": [f"u{number}" for number in range(10, 18)], "age": ages})
    found = by_attribute(table, "age", ids, parts=3)
    assert found.names == ("1: 20.5 to 30", "2: 40 to 60", "3: 70 to 80", "unknown")
    assert found.of_code[:9].tolist() == [0, 0, 1, 1, 3, 1, 2, 2, 3]


def test_numbers_of_few_values_and_words_stay_as_they_are() -> None:
    ids = scores_of({"A": [0.0] * 4}).user_ids
    users = ["u10", "u11", "u12", "zz"]
    codes = pl.DataFrame({"user_id": users, "kind": [2, 1, 2, 3]})
    assert by_attribute(codes, "kind", ids, parts=2).names == ("1", "2", "3", "unknown")
    words = pl.DataFrame({"user_id": users, "kind": ["b", "a", "c", "d"]})
    assert by_attribute(words, "kind", ids, parts=2).names[:2] == ("a", "b")


def test_a_part_has_the_interval_of_its_mean_alone() -> None:
    scores = scores_of({"A": [0.2, 0.4, 0.9, 0.5]})
    first = break_down(scores, groups(0, 0, 1, 1)).parts[0]
    whole = summarise(scores.take(np.array([0, 1]))).rows[0]
    assert (first.low, first.high) == (whole.low, whole.high)
    median = SummaryChoice(aggregation=parse("aggregation", "median"))
    other = break_down(scores, groups(0, 0, 1, 1), median).parts[0]
    assert np.isnan([other.low, other.high, other.standard_error]).all()
