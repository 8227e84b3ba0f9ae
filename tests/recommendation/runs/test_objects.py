"""Runs in Python that are no tables: what is odd in them, and what is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import (
    CranfieldError,
    EmptyInput,
    InputError,
    MissingColumn,
    NotARun,
    OptionError,
)
from cranfield.recommendation.runs.objects import is_run_object, run_table
from cranfield.recommendation.runs.report import RunRules
from run_cases import LISTS, TABLE, lists, read
from run_forms import Prediction, RanxRun, Row

IDS, SCORES = np.array([[0, 1], [1, 0]]), np.array([[0.9, 0.5], [0.8, 0.1]])

BAD: dict[str, tuple[Any, type[CranfieldError], str]] = {
    "number": (5, InputError, "table: int is not a table"),
    "words": ({"u1": "i1"}, NotARun, 'table, user u1: "i1" is not a run: give a file, a table'),
    "series": ({1: pd.Series([0.5], [7])}, NotARun, "user 1: .* is not a run"),
    "mixed": ({1: [7], 2: {8: 0.5}}, InputError, "some lists have items alone and some scores"),
    "nobody": ({}, EmptyInput, "table: there are no ranked items"),
    "no rows": ([], EmptyInput, "there are no ranked items"),
    "only empty": ({1: [], 2: []}, EmptyInput, "there are no ranked items"),
    "pairs": ([(1, 7)], NotARun, r"\(1, 7\) is not a run"),
    "texts": (["a.tsv", "b.tsv"], NotARun, '"a.tsv" is not a run'),
    "no item": ([{"user": 1, "score": 2}], MissingColumn, 'no column for "item_id" among "user"'),
    "whose": ((IDS, SCORES), InputError, r"do not say of whom. Give \(ids, scores, users\), or"),
    "too few": ((IDS, SCORES, [1]), InputError, "ids are 2 × 2, scores 2 × 2, and there are 1 u"),
    "shapes": ((IDS, SCORES[:1], [1, 2]), InputError, "ids are 2 × 2, scores 1 × 2"),
    "beyond": ((IDS, SCORES, [1, 2], [7]), InputError, "item 1 is beyond the 1 items given"),
    "lengths": (
        pl.DataFrame({"user": [1], "items": [[7, 8]], "scores": [[0.5]]}),
        InputError,
        'table: user 1 has 2 in "items", 1 in "scores"',
    ),
    "one score": (
        pl.DataFrame({"user": [1], "items": [[7, 8]], "score": [0.5]}),
        InputError,
        'column "score" has one value where "items" has a list',
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_run_is_refused_with_what_would_be_one(name: str) -> None:
    given, error, message = BAD[name]
    with pytest.raises(error, match=message):
        read(given)


@pytest.mark.parametrize("name", ["words", "mixed", "texts", "whose"])
def test_an_experiment_refuses_it_by_the_name_of_the_run(name: str) -> None:
    test = {"user": [1], "item": [7], "rating": [5]}
    with pytest.raises(OptionError) as refused:
        cf.evaluate(test, {"mine": BAD[name][0]}, ["RR"], relevance=4)
    assert [path for path, _ in refused.value.problems] == ["runs.mine"]


def test_columns_are_told_from_users_by_their_names() -> None:
    assert not is_run_object(TABLE)
    assert not is_run_object({"who": [1], "item": [7], "score": [1]}, {"user_id": "who"})
    assert is_run_object({"u1": ["i1"], "u2": ["i2"]})
    assert is_run_object({1: [7]})
    assert is_run_object({"user": {"i1": 0.5}}), "a user of that name: a column is no mapping"


def test_a_mapping_of_lists_keeps_their_order_and_one_of_scores_goes_by_these() -> None:
    assert lists(read({1: [9, 7, 8], 2: [7]})) == LISTS
    assert lists(read({1: {8: 0.25, 9: 0.5, 7: 0.25}, 2: {7: 0.1}})) == LISTS


def test_a_missing_score_in_a_list_leaves_the_item_last_by_its_place() -> None:
    table = pl.DataFrame({"user": [1], "items": [[8, 9, 7]], "scores": [[None, 0.5, None]]})
    reading = read(table)
    assert lists(reading) == {1: [9, 8, 7]}
    assert reading.report.unscored == 2


def test_scores_out_of_order_in_a_list_are_no_contradiction() -> None:
    table = pl.DataFrame({"user": [1], "items": [[8, 9]], "scores": [[0.1, 0.5]]})
    assert read(table).report.disordered == 0


def test_empty_lists_are_counted_and_their_users_are_not_missing() -> None:
    report = read({1: [9], 2: []}).report
    assert (report.lists, report.empty, report.missing_users) == (2, 1, 1)
    assert "1 list is empty." in report.notes


def test_an_empty_list_of_a_user_nobody_knows_is_dropped_or_refused() -> None:
    run: dict[int, list[int]] = {1: [9], 77: []}
    assert read(run).report.lists == 1
    with pytest.raises(InputError, match=r"1 empty list is of a user that is not in the coll.*77"):
        read(run, rules=RunRules(unknown_users="refuse"))


def test_a_list_of_one_row_and_an_empty_one_of_the_same_user_is_that_row() -> None:
    table = pl.DataFrame({"user": [1, 1], "items": [[], [9]]})
    assert lists(read(table)) == {1: [9]}
    assert read(table).report.empty == 0


def test_systems_of_one_table_of_lists_keep_their_own_empty_lists() -> None:
    table = pl.DataFrame(
        {"model": ["A", "A", "B"], "user": [1, 2, 1], "items": [[9], [], [7]]},
    )
    assert read(table, system="A").report.lists == 2
    assert read(table, system="B").report.lists == 1


def test_details_of_predictions_are_left_alone() -> None:
    made = run_table([Prediction("1", "7", 3.0, 4.5, {"was_impossible": True})], "table")
    assert made.columns == ["uid", "iid", "r_ui", "est"]


def test_a_run_of_ranx_has_a_name_of_its_own() -> None:
    assert read(RanxRun({"1": {"7": 0.5}}, name="BM25")).run.system == "BM25"
    assert read(RanxRun({"1": {"7": 0.5}})).run.system == "run"


def test_rows_of_spark_in_pandas_are_recognised_below_empty_lists() -> None:
    rows = [Row(item=7, rating=0.5)]
    frame = pd.DataFrame({"user": [1, 2], "recommendations": [[], rows]})
    assert lists(read(frame)) == {2: [7]}


def test_implicit_without_names_of_items_has_their_ids() -> None:
    ids, scores = np.array([[8, 7]]), np.array([[0.9, float(np.finfo(np.float32).min)]])
    assert lists(read((ids, scores, [1]))) == {1: [8]}


def test_fields_of_structs_may_be_named() -> None:
    table = pl.DataFrame({"who": [1], "recs": [[{"what": 7, "value": 0.5}]]})
    assert lists(read(table, columns={"user_id": "who", "item_id": "what"})) == {1: [7]}


def test_lists_beside_a_plain_item_are_left_alone() -> None:
    table = pl.DataFrame({"user": [1], "item": [7], "score": [0.5], "genres": [["a", "b"]]})
    assert lists(read(table)) == {1: [7]}


@pytest.mark.parametrize("rating", [{"rating": [1.0]}, {"Rating": [1.0]}])
def test_a_rating_is_the_score_where_there_is_neither_score_nor_rank(rating: Any) -> None:
    assert read({"user": [1], "item": [7], **rating}).run.predictions.tolist() == [1.0]
    ranked = read({"user": [1], "item": [7], "rank": [3], **rating})
    assert ranked.report.by_rank


def test_a_table_of_ratings_with_times_is_no_run() -> None:
    with pytest.raises(MissingColumn, match="score"):
        read({"user": [1], "item": [7], "rating": [5], "timestamp": [1]})


def test_judgments_may_be_a_mapping_or_qrels() -> None:
    graded = {"1": {"7": 5, "8": 2}, "2": {"7": 4}}
    rows = [(user, item, r) for user, each in graded.items() for item, r in each.items()]
    flat = pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")
    runs = {"mine": {"1": ["8", "7"], "2": ["7"]}}
    expected = cf.score(flat, runs, ["RR", "nDCG@2"], relevance=4)
    for form in (graded, RanxRun(graded)):  # Qrels have the same method
        made = cf.score(form, runs, ["RR", "nDCG@2"], relevance=4)
        assert np.array_equal(made.values, expected.values)
    assert expected.of("mine", "RR").tolist() == [0.5, 1.0]
