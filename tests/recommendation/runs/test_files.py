from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from cranfield.base.errors import (
    BadParameter,
    BadValue,
    OddRun,
)
from cranfield.base.ids import Ids
from cranfield.recommendation.runs.report import RunRules
from run_cases import LISTS, TABLE, TREC, lists, read, write
from zstandard_files import write_zstandard

FILES = {
    "trec.run": TREC,
    "trec.run.gz": TREC,
    "tabs.run": TREC.replace(" ", "\t"),
    "padded.run": TREC.replace(" 0.25", "     0.25").replace("\n", " \n"),
    "mixed.txt": TREC.replace(" Q0 ", "\tQ0  "),
    "blank_lines.run": "\n" + TREC.replace("\n", "\n\n") + "\n",
    "crlf.run": TREC.replace("\n", "\r\n"),
    "elliot.tsv": "2\t7\t0.1\n1\t8\t0.25\n1\t9\t0.5\n1\t7\t0.25\n",
    "plain.csv": "2,7,0.1\n1,8,0.25\n1,9,0.5\n1,7,2.5e-1\n",
    "blanks.csv": "2, 7, 0.1\n1, 8, 0.25\n1, 9, 0.5\n1, 7, 0.25\n".replace(", 7", ",7"),
    "three.txt": "2 7 0.1\n1 8 0.25\n1 9 0.5\n1 7 0.25",
    "lenskit.csv": "item_id,rank,score,user_id\n7,1,.1,2\n8,2,.25,1\n9,1,.5,1\n7,3,.25,1\n",
    "bom.csv": "\ufeffuser_id,item_id,score\n2,7,0.1\n1,8,0.25\n1,9,0.5\n1,7,0.25\n",
    "semicolons.csv": "user;item;prediction\n2;7;0.1\n1;8;0.25\n1;9;0.5\n1;7;0.25\n",
    "recbole.inter": "user_id:token\titem_id:token\tscore:float\n"
    "2\t7\t.1\n1\t8\t.25\n1\t9\t.5\n1\t7\t.25\n",
    "quoted.csv": '"userId","itemId","score"\n"2","7",0.1\n"1","8",0.25\n"1","9",.5\n"1","7",.25\n',
}
FILES["blanks.csv"] = FILES["blanks.csv"].replace(", 8", ",8").replace(", 9", ",9")


@pytest.mark.parametrize("name", FILES)
def test_every_usual_file_gives_the_same_lists(tmp_path: Path, name: str) -> None:
    reading = read(write(tmp_path, name, FILES[name]))
    assert lists(reading) == LISTS
    assert reading.run.predictions.tolist() == [0.5, 0.25, 0.25, 0.1]
    assert reading.run.tied.tolist() == [2, 0]
    assert reading.report.rows == 4
    assert reading.report.missing_users == 1


def test_parquet_is_known_by_its_content(tmp_path: Path) -> None:
    pl.DataFrame(TABLE).write_parquet(tmp_path / "run.bin")
    assert lists(read(tmp_path / "run.bin")) == LISTS


def test_zstandard_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "run.tsv.zst"
    write_zstandard(pl.DataFrame(TABLE), path, header=False)
    assert lists(read(path)) == LISTS


@pytest.mark.parametrize("make", [dict, pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table])
def test_every_table_gives_the_same_lists(make: Any) -> None:
    assert lists(read(make(TABLE))) == LISTS


def test_columns_can_be_named() -> None:
    table = {"who": TABLE["user_id"], "item": TABLE["item_id"], "points": TABLE["score"]}
    assert lists(read(table, columns={"user_id": "who", "score": "points"})) == LISTS


def test_the_order_of_rows_does_not_matter() -> None:
    turned = pl.DataFrame(TABLE).reverse()
    assert read(turned).run == read(TABLE).run


class TestNames:
    def test_a_trec_run_is_called_by_its_tag(self, tmp_path: Path) -> None:
        assert read(write(tmp_path, "a.run", TREC)).run.system == "sys"

    def test_a_file_without_tag_gives_its_own_name(self, tmp_path: Path) -> None:
        assert read(write(tmp_path, "slim.v2.tsv.gz", "1\t7\t1\n")).run.system == "slim"

    def test_the_name_given_comes_first(self, tmp_path: Path) -> None:
        assert read(write(tmp_path, "a.run", TREC), system="mine").run.system == "mine"

    def test_one_of_several_systems_is_picked_and_its_lines_are_right(self, tmp_path: Path) -> None:
        text = TREC + TREC.replace("sys", "other").replace("0.5", "0.2")
        path = write(tmp_path, "a.run", text)
        assert lists(read(path, system="other"))[1] == [7, 8, 9]
        with pytest.raises(OddRun, match="2 systems are in it, such as other and sys"):
            read(path)
        with pytest.raises(OddRun, match='none is called "third"'):
            read(path, system="third")
        again = write(tmp_path, "b.run", text + "2 Q0 7 2 0 other\n")
        with pytest.raises(OddRun, match=r"b.run, other: .*first 2 and 7 \(lines 5 and 9\)"):
            read(again, system="other")

    def test_each_of_several_systems_has_its_own_rows(self) -> None:
        table = {**TABLE, "model": ["x", "y", "y", "x"]}
        assert lists(read(table, system="x")) == {1: [7], 2: [7]}
        assert lists(read(table, system="y")) == {1: [9, 8]}

    def test_a_row_of_no_system_is_refused(self) -> None:
        with pytest.raises(BadValue, match='row 2, column "model": nothing is not the name'):
            read({**TABLE, "model": ["x", None, "y", "y"]}, system="x")


class TestOrder:
    def test_ties_follow_the_file_if_asked(self) -> None:
        assert lists(read(TABLE, rules=RunRules(ties="file")))[1] == [9, 8, 7]

    def test_ties_follow_ranks_if_asked(self) -> None:
        table = {**TABLE, "rank": [1, 2, 1, 3]}
        assert lists(read(table, rules=RunRules(ties="rank")))[1] == [9, 8, 7]

    def test_ties_cannot_follow_ranks_that_are_not_there(self) -> None:
        with pytest.raises(BadParameter, match="possible without a column of ranks"):
            read(TABLE, rules=RunRules(ties="rank"))

    def test_trec_eval_puts_the_higher_text_first(self) -> None:
        table = {"user": [1] * 4, "item": [7, 8, 9, 10], "score": [1.0] * 4}
        assert lists(read(table, rules=RunRules(ties="trec_eval")))[1] == [9, 8, 7, 10]

    def test_trec_eval_compares_in_single_precision(self) -> None:
        table = {"user": [1, 1], "item": [7, 8], "score": [1 + 2**-40, 1.0]}
        reading = read(table, rules=RunRules(ties="trec_eval"))
        assert lists(reading)[1] == [8, 7]
        assert reading.run.tied.tolist() == [2]
        assert reading.run.predictions.tolist() == [1.0, 1.0]

    def test_scores_beyond_single_precision_stay_finite(self) -> None:
        table = {"user": [1, 1], "item": [7, 8], "score": [1e300, -1e300]}
        reading = read(table, rules=RunRules(ties="trec_eval"))
        assert np.isfinite(reading.run.predictions).all()

    def test_text_ids_tie_by_code_point(self) -> None:
        ids = Ids(pl.Series(["B", "a", "é"]))
        table = {"user": [1] * 3, "item": ["é", "a", "B"], "score": [0.0] * 3}
        assert lists(read(table, item_ids=ids), items=ids)[1] == ["B", "a", "é"]

    def test_minus_zero_is_zero(self) -> None:
        table = {"user": [1, 1], "item": [8, 7], "score": [0.0, -0.0]}
        assert lists(read(table))[1] == [7, 8]

    def test_ranks_order_where_there_is_no_score(self) -> None:
        reading = read({"user": [1, 1, 1], "item": [7, 8, 9], "rank": [3, 1, 2]})
        assert lists(reading)[1] == [8, 9, 7]
        assert reading.run.predictions.tolist() == [-1, -2, -3]
        assert "There is no score; lists are ordered by rank." in reading.report.notes

    def test_items_with_a_rank_and_no_score_come_last_by_rank(self) -> None:
        table = {"user": [1] * 3, "item": [7, 8, 9], "score": [None, None, -5.0], "rank": [3, 2, 1]}
        reading = read(table)
        assert lists(reading)[1] == [9, 8, 7]
        assert np.isnan(reading.run.predictions[1:]).all()
        assert reading.report.unscored == 2
        assert reading.run.tied.tolist() == [0]

    def test_lists_whose_ranks_contradict_their_scores_are_counted(self) -> None:
        table = {
            "user": [1, 1, 2, 2],
            "item": [7, 8, 7, 8],
            "score": [1, 2, 2, 1],
            "rank": [1, 2] * 2,
        }
        reading = read(table)
        assert reading.report.disordered == 1
        assert lists(reading)[1] == [8, 7]


def test_the_trec_eval_rule_orders_as_trec_eval_does() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    rng = np.random.default_rng(3)
    scores = rng.choice([0.5, 1.0, 1.0 + 2**-40, 1.0 + 2**-20], size=(50, 30))
    users, items = np.repeat(np.arange(50), 30), np.tile(np.arange(1, 31), 50)
    table = {"user": users, "item": items, "score": scores.ravel()}
    user_ids, item_ids = Ids(pl.Series(range(50))), Ids(pl.Series(range(1, 31)))
    rules = RunRules(ties="trec_eval")
    mine = lists(read(table, user_ids=user_ids, item_ids=item_ids, rules=rules), user_ids, item_ids)
    for wanted in range(1, 31):  # the reciprocal rank of one relevant item tells its place
        qrels = {str(user): {str(wanted): 1} for user in range(50)}
        run = {str(u): {str(i + 1): float(scores[u, i]) for i in range(30)} for u in range(50)}
        found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
        for user in range(50):
            place = mine[user].index(wanted) + 1
            assert found[str(user)]["recip_rank"] == pytest.approx(1 / place)
