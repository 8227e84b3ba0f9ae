from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.errors import (
    EmptyInput,
    NoCommonIds,
    OddRun,
)
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.report import RunRules
from run_cases import ITEMS, TABLE, TREC, USERS, lists, read, write


def test_unknown_items_keep_their_places() -> None:
    reading = read({**TABLE, "item_id": [7, 8, 99, 7]})
    assert lists(reading)[1] == [99, 7, 8]
    assert reading.run.items.tolist()[0] == -1
    assert reading.report.unknown_items.rows == 1
    assert reading.report.unknown_items.example == "99"


def test_unknown_items_can_be_dropped() -> None:
    reading = read({**TABLE, "item_id": [7, 8, 99, 7]}, rules=RunRules(unknown_items="drop"))
    assert lists(reading)[1] == [7, 8]
    assert reading.report.unknown_items.rows == 1


def test_unknown_items_can_be_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.run", TREC.replace(" 9 ", " 99 "))
    with pytest.raises(OddRun, match=r"1 row names an item .*, first 99 \(line 3\)\. Choose"):
        read(path, rules=RunRules(unknown_items="refuse"))


def test_unknown_text_items_among_integers_come_last_among_ties() -> None:
    table = {"user": ["1"] * 3, "item": ["10", "abc", "9"], "score": [1.0] * 3}
    reading = read(table)
    assert lists(reading)[1] == ["9", "10", "abc"]
    assert reading.run.unknown_items[0] == "abc"


def test_unknown_users_are_left_out_and_counted() -> None:
    reading = read({**TABLE, "user_id": [77, 1, 1, 1]})
    assert lists(reading) == {1: [9, 7, 8]}
    assert (reading.report.unknown_users.rows, reading.report.unknown_users.ids) == (1, 1)
    assert reading.report.missing_users == 2


def test_unknown_users_can_be_refused() -> None:
    with pytest.raises(OddRun, match=r"names a user .* first 77 \(row 1\)"):
        read({**TABLE, "user_id": [77, 1, 1, 1]}, rules=RunRules(unknown_users="refuse"))


def test_an_item_twice_in_a_list_is_refused_with_its_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "a.run", "\n" + TREC + "1 Q0 9 4 0.01 sys\n")
    with pytest.raises(OddRun, match=r"1 row repeats an item .* 1 and 9 \(lines 4 and 6\)"):
        read(path)


def test_the_best_place_of_a_repeated_item_counts_if_asked() -> None:
    table = {"user": [1, 1, 1, 2], "item": [7, 8, 7, 7], "score": [0.1, 0.5, 0.9, 0.1]}
    reading = read(table, rules=RunRules(duplicates="first"))
    assert lists(reading) == {1: [7, 8], 2: [7]}
    assert reading.run.predictions.tolist() == [0.9, 0.5, 0.1]
    assert reading.report.repeated.rows == 1


@pytest.mark.parametrize(("rule", "left"), [("drop", [7, 8]), ("keep", [9, 7, 8])])
def test_training_items_follow_their_rule(rule: Any, left: list[int]) -> None:
    train = Ratings.from_triples([1, 2], [9, 8]).reindex(USERS, ITEMS)
    reading = read(TABLE, train=train, rules=RunRules(training_items=rule))
    assert lists(reading)[1] == left
    assert reading.report.training_items.rows == 1
    assert reading.report.training_items.example == "1 and 9"


def test_training_items_can_be_refused() -> None:
    train = Ratings.from_triples([1], [9])
    with pytest.raises(OddRun, match=r"training set, first 1 and 9 \(row 3\)"):
        read(TABLE, train=train, rules=RunRules(training_items="refuse"))


def test_a_user_whose_items_all_go_has_no_list() -> None:
    reading = read(TABLE, train=Ratings.from_triples([2], [7]))
    assert lists(reading) == {1: [9, 7, 8]}
    assert reading.report.missing_users == 2


def test_a_run_of_training_items_only_is_empty() -> None:
    with pytest.raises(EmptyInput, match="once training items are left out"):
        read({"user": [1], "item": [9], "score": [1]}, train=Ratings.from_triples([1], [9]))


def test_integers_match_text_by_spelling_and_the_reverse() -> None:
    text = Ids(pl.Series(["1", "2", "x"]))
    reading = read(TABLE, user_ids=text)
    assert lists(reading, users=text) == {"1": [9, 7, 8], "2": [7]}
    assert reading.report.spelled == ("user",)
    spelled = {**TABLE, "item_id": ["7", "8", "9", "07"]}
    assert lists(read(spelled))[1] == ["9", "8", "07"]


def test_a_run_of_other_users_or_items_is_refused_with_examples() -> None:
    with pytest.raises(NoCommonIds, match=r'no user of it .* such as "u1", the .* such as 1'):
        read({**TABLE, "user_id": ["u1"] * 4})
    with pytest.raises(NoCommonIds, match="no item of it"):
        read({**TABLE, "item_id": [100, 101, 102, 103]})


def test_the_report_tells_every_oddity_in_a_sentence() -> None:
    train = Ratings.from_triples([1], [9])
    table = {
        "user": ["1", "1", "1", "1", "77", "1"],
        "item": [7, 8, 9, 99, 7, 7],
        "score": [1.0, 1.0, 3.0, 0.5, 1.0, 0.1],
        "rank": [9, 2, 1, 4, 1, 5],
    }
    report = read(table, train=train, rules=RunRules(duplicates="first")).report
    assert str(report).splitlines() == [
        "6 rows, 1 list.",
        "2 users of the collection have no list.",
        "1 row names 1 user (such as 77) that is not in the collection; it was dropped.",
        "1 row names 1 item (such as 99) that is not in the collection; it keeps its place.",
        "1 row holds an item of the user's training set, such as 1 and 9; it was dropped.",
        "1 row repeats an item of its list, such as 1 and 7; the best place counts.",
        "2 positions share their score with a neighbour.",
        "1 list has ranks that contradict scores; scores decide.",
        "The user ids were matched by their spelling (text and integers).",
    ]


def test_a_run_without_oddities_has_no_notes() -> None:
    table = {"user": [1, 2, 3], "item": [7, 8, 9], "score": [1.0, 2.0, 3.0]}
    assert read(table).report.notes == ()
