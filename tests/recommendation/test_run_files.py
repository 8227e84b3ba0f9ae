from __future__ import annotations

import gzip
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
    CranfieldError,
    EmptyInput,
    MissingColumn,
    MissingFile,
    NoCommonIds,
    OddRun,
    OptionError,
    UnreadableFile,
)
from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.run_coding import Reading
from cranfield.recommendation.run_files import read_run, read_runs
from cranfield.recommendation.run_report import RunRules

USERS, ITEMS = Ids(pl.Series([1, 2, 3])), Ids(pl.Series([7, 8, 9, 10]))
TABLE = {"user_id": [2, 1, 1, 1], "item_id": [7, 8, 9, 7], "score": [0.1, 0.25, 0.5, 0.25]}
LISTS = {1: [9, 7, 8], 2: [7]}


def read(source: Any, **options: Any) -> Reading:
    return read_run(source, **{"user_ids": USERS, "item_ids": ITEMS, **options})


def lists(reading: Reading, users: Ids = USERS, items: Ids = ITEMS) -> dict[Any, list[Any]]:
    table = reading.run.table(users, items)
    return {user[0]: part["item_id"].to_list() for user, part in table.group_by("user_id")}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


TREC = "2 Q0 7 1 0.1 sys\n1 Q0 8 2 0.25 sys\n1 Q0 9 1 0.5 sys\n1 Q0 7 3 0.25 sys\n"
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
    pl.LazyFrame(TABLE).sink_csv(path, separator="\t", include_header=False, compression="zstd")
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

    def test_all_systems_are_read_in_order_of_their_names(self) -> None:
        table = {**TABLE, "model": ["x", "y", "y", "x"]}
        first, second = read_runs(table, user_ids=USERS, item_ids=ITEMS)
        assert (first.run.system, second.run.system) == ("x", "y")
        assert lists(first) == {1: [7], 2: [7]}
        assert lists(second) == {1: [9, 8]}

    def test_a_row_of_no_system_is_refused(self) -> None:
        with pytest.raises(BadValue, match='row 2, column "model": "nothing" is not the name'):
            read({**TABLE, "model": ["x", None, "y", "y"]}, system="x")

    def test_a_table_of_one_system_is_one_run(self) -> None:
        assert len(read_runs(TABLE, user_ids=USERS, item_ids=ITEMS)) == 1


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


class TestOddities:
    def test_unknown_items_keep_their_places(self) -> None:
        reading = read({**TABLE, "item_id": [7, 8, 99, 7]})
        assert lists(reading)[1] == [99, 7, 8]
        assert reading.run.items.tolist()[0] == -1
        assert reading.report.unknown_items.rows == 1
        assert reading.report.unknown_items.example == "99"

    def test_unknown_items_can_be_dropped(self) -> None:
        reading = read({**TABLE, "item_id": [7, 8, 99, 7]}, rules=RunRules(unknown_items="drop"))
        assert lists(reading)[1] == [7, 8]
        assert reading.report.unknown_items.rows == 1

    def test_unknown_items_can_be_refused(self, tmp_path: Path) -> None:
        path = write(tmp_path, "a.run", TREC.replace(" 9 ", " 99 "))
        with pytest.raises(OddRun, match=r"1 rows name items .*, first 99 \(line 3\)\. Choose"):
            read(path, rules=RunRules(unknown_items="refuse"))

    def test_unknown_text_items_among_integers_come_last_among_ties(self) -> None:
        table = {"user": ["1"] * 3, "item": ["10", "abc", "9"], "score": [1.0] * 3}
        reading = read(table)
        assert lists(reading)[1] == ["9", "10", "abc"]
        assert reading.run.strangers[0] == "abc"

    def test_unknown_users_are_left_out_and_counted(self) -> None:
        reading = read({**TABLE, "user_id": [77, 1, 1, 1]})
        assert lists(reading) == {1: [9, 7, 8]}
        assert (reading.report.unknown_users.rows, reading.report.unknown_users.ids) == (1, 1)
        assert reading.report.missing_users == 2

    def test_unknown_users_can_be_refused(self) -> None:
        with pytest.raises(OddRun, match=r"name users .* first 77 \(row 1\)"):
            read({**TABLE, "user_id": [77, 1, 1, 1]}, rules=RunRules(unknown_users="refuse"))

    def test_an_item_twice_in_a_list_is_refused_with_its_lines(self, tmp_path: Path) -> None:
        path = write(tmp_path, "a.run", "\n" + TREC + "1 Q0 9 4 0.01 sys\n")
        with pytest.raises(OddRun, match=r"1 rows repeat an item .* 1 and 9 \(lines 4 and 6\)"):
            read(path)

    def test_the_best_place_of_a_repeated_item_counts_if_asked(self) -> None:
        table = {"user": [1, 1, 1, 2], "item": [7, 8, 7, 7], "score": [0.1, 0.5, 0.9, 0.1]}
        reading = read(table, rules=RunRules(duplicates="first"))
        assert lists(reading) == {1: [7, 8], 2: [7]}
        assert reading.run.predictions.tolist() == [0.9, 0.5, 0.1]
        assert reading.report.repeated.rows == 1

    @pytest.mark.parametrize(("rule", "left"), [("drop", [7, 8]), ("keep", [9, 7, 8])])
    def test_training_items_follow_their_rule(self, rule: Any, left: list[int]) -> None:
        train = Ratings.from_triples([1, 2], [9, 8]).under(USERS, ITEMS)
        reading = read(TABLE, train=train, rules=RunRules(training_items=rule))
        assert lists(reading)[1] == left
        assert reading.report.training_items.rows == 1
        assert reading.report.training_items.example == "1 and 9"

    def test_training_items_can_be_refused(self) -> None:
        train = Ratings.from_triples([1], [9])
        with pytest.raises(OddRun, match=r"training set, first 1 and 9 \(row 3\)"):
            read(TABLE, train=train, rules=RunRules(training_items="refuse"))

    def test_a_user_whose_items_all_go_has_no_list(self) -> None:
        reading = read(TABLE, train=Ratings.from_triples([2], [7]))
        assert lists(reading) == {1: [9, 7, 8]}
        assert reading.report.missing_users == 2

    def test_a_run_of_training_items_only_is_empty(self) -> None:
        with pytest.raises(EmptyInput, match="once training items are left out"):
            read({"user": [1], "item": [9], "score": [1]}, train=Ratings.from_triples([1], [9]))

    def test_integers_match_text_by_spelling_and_the_reverse(self) -> None:
        text = Ids(pl.Series(["1", "2", "x"]))
        reading = read(TABLE, user_ids=text)
        assert lists(reading, users=text) == {"1": [9, 7, 8], "2": [7]}
        assert reading.report.spelled == ("user",)
        spelled = {**TABLE, "item_id": ["7", "8", "9", "07"]}
        assert lists(read(spelled))[1] == ["9", "8", "07"]

    def test_a_run_of_other_users_or_items_is_refused_with_examples(self) -> None:
        with pytest.raises(NoCommonIds, match=r'no user of it .* such as "u1", the .* such as 1'):
            read({**TABLE, "user_id": ["u1"] * 4})
        with pytest.raises(NoCommonIds, match="no item of it"):
            read({**TABLE, "item_id": [100, 101, 102, 103]})

    def test_the_report_tells_every_oddity_in_a_sentence(self) -> None:
        train = Ratings.from_triples([1], [9])
        table = {
            "user": ["1", "1", "1", "1", "77", "1"],
            "item": [7, 8, 9, 99, 7, 7],
            "score": [1.0, 1.0, 3.0, 0.5, 1.0, 0.1],
            "rank": [9, 2, 1, 4, 1, 5],
        }
        report = read(table, train=train, rules=RunRules(duplicates="first")).report
        assert str(report).splitlines() == [
            "6 rows, 1 lists.",
            "2 users of the collection have no list.",
            "1 rows name 1 users (such as 77) that are not of the collection; left out.",
            "1 rows name 1 items (such as 99) that are not of the collection; places kept.",
            "1 rows hold an item of the user's training set, such as 1 and 9; left out.",
            "1 rows repeat an item of their list, such as 1 and 7; the best place counts.",
            "2 positions share their score with a neighbour.",
            "1 lists have ranks that contradict scores; scores decide.",
            "The user ids were matched by their spelling (text and integers).",
        ]

    def test_a_run_without_oddities_has_no_notes(self) -> None:
        table = {"user": [1, 2, 3], "item": [7, 8, 9], "score": [1.0, 2.0, 3.0]}
        assert read(table).report.notes == ()


BAD_FILES: dict[str, tuple[str, type[CranfieldError], str]] = {
    "word.run": (
        TREC.replace("0.5", "half"),
        BadValue,
        'word.run, line 3, column "score": "half" is not a number',
    ),
    "first.tsv": ("1\t7\thalf\n", BadValue, 'first.tsv, line 1, column "score": "half"'),
    "nan.tsv": ("1\t7\t1\n\n1\t8\tnan\n", BadValue, 'nan.tsv, line 3, column "score": "?nan"?'),
    "inf.csv": (
        "user,item,score\n1,7,1\n1,8,-inf\n",
        BadValue,
        'inf.csv, line 3, column "score": "?-inf"? is not a finite number',
    ),
    "gap.csv": ("user,item,score\n1,7,1\n1,8,\n", BadValue, '3, column "score": "nothing"'),
    "no_user.csv": (
        "user,item,score\n,7,1\n",
        BadValue,
        '2, column "user": "nothing" is not an id',
    ),
    "few.run": (TREC + "1 Q0 7\n", UnreadableFile, "line 5: there are 3 columns where 6 are"),
    "many.tsv": (
        "1\t7\t1\n1\t8\t1\t1\n",
        UnreadableFile,
        "line 2: there are 4 columns where 3 are",
    ),
    "four.tsv": ("1\t7\t1\t1\n", UnreadableFile, "line 1: there are 4 columns. A run has 3"),
    "empty.tsv": ("", EmptyInput, "empty.tsv: there are no ranked items in it"),
    "blank.tsv": ("\n \n", EmptyInput, "there are no ranked items in it"),
    "header.csv": ("user,item,score\n", EmptyInput, "there are no ranked items in it"),
    "who.csv": ("who,item,score\n1,7,1\n", MissingColumn, 'no column for "user_id" among "who"'),
    "score.csv": ("user,item,x\n1,7,a\n", MissingColumn, 'no column for "score" among "user"'),
    "two.csv": ("user,uid,item,score\n1,1,7,1\n", OptionError, "user and uid may both be"),
    "binary.tsv": ("1\t7\t\x00\x01\n", UnreadableFile, "binary"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_faulty_file_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    text, error, message = BAD_FILES[name]
    with pytest.raises(error, match=message):
        read(write(tmp_path, name, text))


def test_a_line_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.tsv"
    path.write_bytes(b"1\t7\t1\n1\t\xe9\t2\n")
    with pytest.raises(UnreadableFile, match=r"latin.tsv, line 2: it is not UTF-8"):
        read(path)


@pytest.mark.parametrize("share", [0.5, 0.999])
def test_a_truncated_gzip_file_is_refused(tmp_path: Path, share: float) -> None:
    lines = "".join(f"{user}\t7\t{user / 7}\n" for user in range(5000))
    packed = gzip.compress(lines.encode())
    path = tmp_path / "cut.tsv.gz"
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(UnreadableFile, match="damaged or ends too early"):
        read(path)


def test_a_truncated_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.parquet"
    pl.DataFrame(TABLE).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match="not a whole Parquet file"):
        read(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        read(tmp_path / "nothing.run")
    with pytest.raises(UnreadableFile, match="it is a folder"):
        read(tmp_path)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None, "many"])
def test_a_table_with_a_score_that_is_no_number_is_refused_by_row(score: Any) -> None:
    with pytest.raises(BadValue, match='table, row 2, column "score"'):
        read({"user": [1, 1], "item": [7, 8], "score": [1.0, score]})


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(EmptyInput, match="table: there are no ranked items"):
        read(pl.DataFrame(TABLE).head(0))


def test_an_unknown_format_or_rule_is_refused_with_what_there_is() -> None:
    with pytest.raises(BadParameter, match='format: "json" is not one of auto, trec, tsv'):
        read(TABLE, format="json")
    with pytest.raises(BadParameter, match='ties: "luck" is not one of item-id, file'):
        RunRules(ties="luck")  # type: ignore[arg-type]


def test_a_trec_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"3 columns. A run has 6 \(user Q0 item rank score"):
        read(write(tmp_path, "a.run", "1 7 0.5\n"), format="trec")


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
