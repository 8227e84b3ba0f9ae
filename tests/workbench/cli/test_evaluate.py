"""``cranfield evaluate`` as a user meets it: output, exit code, and files left behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.scoring.score_files import read_scores
from cranfield.workbench.cli.main import main

TEST = "user,item,rating\n1,1,5\n1,2,2\n1,3,4\n2,1,1\n2,4,5\n3,2,5\n4,3,1\n"
TRAIN = "user,item,rating\n1,9,3\n1,8,4\n2,9,5\n3,9,4\n4,8,2\n"
GOOD = "user,item,score\n1,1,9\n1,3,8\n1,2,7\n2,4,9\n2,1,8\n3,7,2\n3,2,1\n4,1,1\n"
ITEMS = "item\n1\n2\n3\n4\n7\n9\n"
BAD = "user,item,score\n1,2,9\n1,7,8\n1,9,7\n2,1,9\n2,7,8\n"

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in a folder with judgments, training and two runs."""
    monkeypatch.chdir(tmp_path)
    contents = {"test.csv": TEST, "train.csv": TRAIN, "good.csv": GOOD, "bad.csv": BAD}
    contents["items.csv"] = ITEMS
    for name, text in contents.items():
        Path(name).write_text(text)

    def evaluate(*arguments: str, runs: tuple[str, ...] = ("good.csv", "bad.csv")) -> int:
        given = [word for name in runs for word in ("--run", name)]
        asked = () if "-m" in arguments else ("-m", "P@2", "-m", "nDCG@2")
        return main(
            ["evaluate", "--judgments", "test.csv", "--relevance", "4", *given, *asked, *arguments]
        )

    return evaluate


def written(run: Run, *arguments: str, runs: tuple[str, ...] = ("good.csv", "bad.csv")) -> Any:
    """What the command writes as JSON."""
    assert run(*arguments, "--json", "out.json", runs=runs) == 0
    return json.loads(Path("out.json").read_text())


def means(run: Run, *arguments: str) -> tuple[float, float]:
    """P@2 of both systems."""
    systems = written(run, *arguments)["systems"]
    return systems["good"]["P@2"]["value"], systems["bad"]["P@2"]["value"]


def failed(run: Run, capsys: pytest.CaptureFixture[str], *arguments: str, **given: Any) -> str:
    """The complaint of a command that must fail in one line and leave nothing behind."""
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert run(*arguments, "--json", "out.json", "--per-user", "out.parquet", **given) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("cranfield: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert before == {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    return captured.err.removeprefix("cranfield: ").rstrip()


def test_the_table_marks_the_best_and_shows_chance(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--catalogue", "items.csv") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "All 4 test users enter with 7 test ratings."
    assert lines[2].split() == [
        *("system", "P@2", "nDCG@2,", "gain", "=", "rating", "covered", "Coverage@2", "unjudged"),
        "tied",
    ]
    good, bad, random = lines[4:7]
    assert good.split()[:2] == ["good", "0.6667*"]  # (2/2 + 1/2 + 1/2) / 3
    assert bad.split()[:2] == ["bad", "0.0000"]
    assert good.split()[3] == "100.0%"
    assert bad.split()[3] == "50.0%"
    assert random.split()[:4] == ["a", "random", "ranking", f"{(2 + 1 + 1) / 6 / 3:.4f}"]
    said = "P@2: 3 of 4 topics were evaluated; 1 has no relevant item and was excluded. nDCG@2"
    assert lines[8].startswith(said)
    assert "bad has no list for 2" in lines[8]


def test_without_a_catalogue_nobody_knows_what_chance_would_reach(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    known, unknown = written(run, "--catalogue", "items.csv"), written(run)
    out = capsys.readouterr().out
    assert "note: neither training ratings nor a catalogue is given" in out
    rows = [line.split()[3:] for line in out.splitlines() if line.startswith("a random ranking")]
    assert rows == [[f"{(2 + 1 + 1) / 6 / 3:.4f}", "0.3077"], ["–", "–"]]
    for system in ("good", "bad"):
        for metric in ("P@2", "nDCG@2"):
            with_items, alone = (each["systems"][system][metric] for each in (known, unknown))
            assert alone["value"] == with_items["value"]
            assert None not in (with_items["random"], with_items["adjusted"])
            assert (alone["random"], alone["adjusted"]) == (None, None)


def test_both_averages_are_shown_where_a_system_leaves_users_out(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("-m", "nDCG@2") == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("bad  ") and "nDCG" in line)
    full, forgiving = row.partition("gain = rating")[2].split()[:2]
    assert float(forgiving) > 0
    assert float(full) == pytest.approx(float(forgiving) * 2 / 4, abs=1e-4)


def test_json_has_systems_metrics_and_decisions(run: Run) -> None:
    record = written(run, "--catalogue", "items.csv")
    cell = record["systems"]["good"]["P@2"]
    assert cell["mean"] == pytest.approx((2 / 2 + 1 / 2 + 1 / 2) / 3)
    assert (cell["evaluated"], cell["covered"], cell["undefined"]) == (3, 4, 1)
    assert cell["random"] is not None
    assert list(record["systems"]) == ["good", "bad"]
    decisions = record["decisions"]
    assert decisions["relevance"] == 4
    assert (decisions["topics"], decisions["ties"]) == ("judged", "item-id")
    assert decisions["aggregation"] == "mean"
    assert (decisions["coverage"], decisions["undefined"]) == ("full", "left-out")


def test_names_that_users_type_are_understood(run: Run) -> None:
    asked = [word for name in ("ndcg@2", "map@2", "mrr", "hr@2") for word in ("-m", name)]
    assert list(written(run, *asked)["systems"]["good"]) == ["nDCG@2", "AP@2", "RR", "Success@2"]


def test_scores_of_users_are_written_and_read_back(run: Run) -> None:
    record = written(run, "--per-user", "out.parquet")
    scores = read_scores("out.parquet")
    assert scores.systems == ("good", "bad")
    assert scores.user_ids.values.to_list() == [1, 2, 3, 4]
    mine = scores.of("good", "P@2").tolist()
    assert mine[:3] == [1, 0.5, 0.5]
    assert mine[3] != mine[3]  # user 4 has nothing relevant
    assert record["systems"]["good"]["P@2"]["mean"] == pytest.approx(sum(mine[:3]) / 3)
    assert pl.read_parquet("out.parquet")["judged"].to_list()[:4] == [3, 2, 1, 1]


def test_latex_escapes_names_and_sets_the_best_in_bold(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("a_1 & 50%=good.csv", "bad.csv")
    assert run("--latex", "--catalogue", "items.csv", runs=named) == 0
    out = capsys.readouterr().out
    assert r"a\_1 \& 50\% & \textbf{0.6667}" in out
    assert r"\begin{tabular}{lrr}" in out
    assert r"\caption{Evaluation." in out
    assert out.rstrip().endswith(r"\end{table}")
    assert "scriptsize" not in out
    assert run("--latex", "intervals", "--catalogue", "items.csv", runs=named) == 0
    assert r"\textbf{0.6667} {\scriptsize (" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "good", "bad"),
    [
        ([], 4 / 6, 0.0),
        (["--undefined", "zero"], 4 / 8, 0.0),
        (["--coverage", "common"], (1 + 1 / 2) / 2, 0.0),
        (["--aggregation", "median"], 0.5, 0.0),
        (["--aggregation", "weighted-mean"], (3 * 1 + 2 / 2 + 1 / 2) / 6, 0.0),
        (["--targets", "condensed"], (2 / 2 + 1 / 2 + 1 / 2) / 3, 0.0),
    ],
)
def test_decisions_change_values_as_they_say(
    arguments: list[str], good: float, bad: float, run: Run
) -> None:
    assert means(run, *arguments) == pytest.approx((good, bad))


USERS = "user,age,name\n1,10,x\n2,2,y\n3,0.5,z\n4,1,w\n"


def test_users_weigh_by_a_column_or_by_their_ratings(run: Run) -> None:
    Path("users.csv").write_text(USERS)
    column = ("--aggregation", "weighted-mean(by=column(age))", "--user-columns", "users.csv")
    plain = written(run, "--per-user", "scores.parquet", "--train", "train.csv", *column)
    table = pl.read_parquet("scores.parquet")
    assert table.columns[-3:] == ["train_ratings", "all_ratings", "age"]
    rows = table.filter((pl.col("system") == "good") & (pl.col("metric") == "P@2"))
    rows = rows.filter(pl.col("score").is_not_null())
    scores = rows["score"].to_numpy() * rows["covered"].to_numpy()
    found = plain["systems"]["good"]["P@2"]["value"]
    assert found == pytest.approx(np.average(scores, weights=rows["age"].to_numpy()))
    assert plain["decisions"]["aggregation"] == "weighted-mean(by=column(age))"
    by_all = written(run, "--train", "train.csv", "--aggregation", "weighted-mean(by=all)")
    wanted = np.average(scores, weights=rows["all_ratings"].to_numpy())
    assert by_all["systems"]["good"]["P@2"]["value"] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("weighted-mean(by=column(age))",), 'file or table of users that has the column "age"'),
        (("weighted-mean(by=column(agee))", "--user-columns", "users.csv"), 'mean "age"?'),
        (("weighted-mean(by=column(age))", "--user-columns", "none.csv"), "none.csv"),
        (("weighted-mean(by=train)",), "the number of training ratings of each user. Give train."),
        (("standardised(reference=none.parquet)",), "none.parquet"),
        (("standardised(reference=[good, bda])",), 'no system is called "bda"'),
    ],
)
def test_weights_and_references_that_are_not_there_are_refused(
    arguments: tuple[str, ...], said: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("users.csv").write_text(USERS)
    assert said in failed(run, capsys, "--aggregation", *arguments)


def test_only_users_of_some_run_enter_if_so_chosen(run: Run) -> None:
    alone = written(run, "--topics", "run", runs=("bad.csv",))["systems"]["bad"]["P@2"]
    assert (alone["topics"], alone["covered"]) == (2, 2)
    alone = written(run, "--topics", "judged", runs=("bad.csv",))["systems"]["bad"]["P@2"]
    assert (alone["topics"], alone["covered"]) == (4, 2)


TIED = "user,item,score\n1,2,1\n1,3,1\n1,1,1\n"


@pytest.mark.parametrize(
    ("ties", "value"),
    [
        ("item-id", 1 / 1),  # 1, 2, 3: item 1 is relevant
        ("trec_eval", 1 / 1),  # 3, 2, 1
        ("optimistic", 1 / 1),
        ("pessimistic", 1 / 2),  # 2 first
        ("expected", 2 / 3 * 1 + 1 / 3 * 1 / 2),
    ],
)
def test_ties_are_broken_as_chosen(ties: str, value: float, run: Run) -> None:
    Path("tied.csv").write_text(TIED)
    cell = written(run, "-m", "RR", "--ties", ties, "--topics", "run", runs=("tied.csv",))
    assert cell["systems"]["tied"]["RR"]["value"] == pytest.approx(value)
    assert cell["systems"]["tied"]["RR"]["tied"] == 1


def test_random_ties_depend_on_the_seed_alone(run: Run) -> None:
    Path("tied.csv").write_text(TIED)
    found = {
        seed: [
            written(run, "-m", "RR", "--ties", "random", "--seed", seed, runs=("tied.csv",))
            for _ in range(2)
        ]
        for seed in "0123456789"
    }
    assert all(first == second for first, second in found.values())
    assert len({pair[0]["systems"]["tied"]["RR"]["value"] for pair in found.values()}) == 2


def test_training_items_leave_the_lists(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    record = written(run, "--train", "train.csv", runs=("bad.csv",))
    assert any("training set, such as 1 and 9; it was dropped" in note for note in record["notes"])
    kept = written(run, "--train", "train.csv", "--training-items", "keep", runs=("bad.csv",))
    assert any("keeps its place" in note for note in kept["notes"])


def test_users_need_a_training_rating_unless_there_are_none_at_all(run: Run) -> None:
    Path("train.csv").write_text(TRAIN.replace("4,8,2\n", ""))
    for given, least, topics in (
        ((), "none", 4),
        (("--train", "train.csv"), "none", 3),
        (("--train", "train.csv", "--least-train", "0"), 0, 4),
        (("--train", "train.csv", "--least-train", "2"), 2, 1),
    ):
        record = written(run, *given)
        assert record["decisions"]["least_train"] == least
        assert record["systems"]["good"]["P@2"]["topics"] == topics


def test_a_cutoff_beyond_the_lists_is_said(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-m", "P@50") == 0
    assert "the longest list has 3 items, fewer than P@50 needs" in capsys.readouterr().out


def test_values_are_broken_down_by_users_and_items(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("users.csv").write_text("user_id,sex\n1,f\n2,m\n3,m\n")
    groups = ["--by", "users.csv:sex", "--by", "activity:2", "--by", "popularity:2"]
    by = written(run, "-m", "P@2", "--train", "train.csv", *groups)["by"]
    mine = {part["sex"]: part for part in by["sex"] if part["system"] == "good"}
    assert {group: part["value"] for group, part in mine.items()} == {
        "f": 1.0,
        "m": 0.5,
        "unknown": None,
    }
    assert [part["users"] for part in by["activity"] if part["system"] == "good"] == [2, 1]
    assert len({part["popularity"] for part in by["popularity"]}) == 2
    assert "activity" in capsys.readouterr().out


def test_metrics_of_runs_are_asked_for_like_others(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("items.csv").write_text("item,genres,year\n1,War|Drama,0\n3,War,0\n2,,0\n4,Love,0\n")
    asked = ["-m", "P@2", "-m", "CatalogueCoverage@1", "-m", "ILD@2"]
    record = written(run, *asked, "--train", "train.csv", "--item-vectors", "items.csv")
    cell = record["systems"]["good"]
    assert cell["CatalogueCoverage@1"]["value"] == pytest.approx(2 / 6)  # 1 and 4 of 1 2 3 4 8 9
    # Lists of two: War|Drama and War, Love and War|Drama, an unknown item and one without.
    assert cell["ILD@2"]["value"] == pytest.approx(((1 - 0.5**0.5) + 1 + 1) / 3)
    assert "ILD@2" in capsys.readouterr().out


def test_metrics_of_runs_need_no_other_metric(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-m", "Gini") == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["system", "Gini"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-m", "nDCGG@10"], 'no metric is called "nDCGG". Did you mean "nDCG"?'),
        (["-m", "CatalogCoverage"], 'Did you mean "CatalogueCoverage"?'),
        (["-m", "P@0"], "0 is not a whole number from 1 to 2147483647"),
        (["-m", "ILD@2"], "ILD@2"),
        (["-m", "ERR(gain=rating)"], "gains of at most 1"),
        (["-m", "nDCG(gain=table(gains={5: 1}))"], "table"),
        (["--by", "activity"], "training ratings"),
        (["--by", "nothing"], "FILE:COLUMN"),
        (["--by", "nowhere.csv:age"], "nowhere.csv: there is no such file"),
        (["--aggregation", "meen"], 'Did you mean "mean"?'),
        (["--targets", "all-itms"], 'Did you mean "all-items"?'),
        (["--ties", "expected", "-m", "InfAP"], "InfAP"),
    ],
)
def test_a_bad_request_gets_one_clear_message(
    arguments: list[str], complaint: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint in failed(run, capsys, *arguments)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "there are no ranked items"),
        ("user,item,score\n", "there are no ranked items"),
        ("user,item,score\n1,1,9\n1,2,8\n1,1,7\n", "first 1 and 1 (lines 2 and 4)"),
        ("user,item,score\n77,1,9\n", "user"),
        ("user,item,score\nanna,1,9\n", "anna"),
        ("user,item,score\n1,1,high\n", 'line 2, column "score": "high" is not a number'),
        ("user,item\n1,1\n", '"score"'),
    ],
)
def test_a_bad_run_gets_one_clear_message(
    content: str, complaint: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.csv").write_text(content)
    message = failed(run, capsys, runs=("odd.csv",))
    assert message.startswith("odd.csv")
    assert complaint in message


def test_a_missing_run_is_named(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.run: there is no such file" in failed(run, capsys, runs=("nowhere.run",))


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        ((), ("good.csv", "none.csv")),
        (("--train", "none.csv"), ("good.csv",)),
        (("--judgments", "none.csv"), ("good.csv",)),
    ],
)
def test_a_missing_file_is_told_before_any_is_read(
    arguments: tuple[str, ...],
    runs: tuple[str, ...],
    run: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cranfield.workbench.execution.pipeline.run_concurrently", None)
    assert "none.csv: there is no such file" in failed(run, capsys, *arguments, runs=runs)


def test_two_runs_of_one_name_are_refused(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert 'two runs are called "good"' in failed(run, capsys, runs=("good.csv", "good=bad.csv"))


@pytest.mark.parametrize("option", ["--json", "--per-user"])
def test_nothing_is_written_if_one_file_cannot_be(
    option: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {"--json": "--per-user", "--per-user": "--json"}[option]
    assert run(option, "good.csv/out", other, "other.out") == 1
    assert "cannot be written" in capsys.readouterr().err
    assert not Path("other.out").exists()


def test_ids_of_the_other_kind_are_matched_by_spelling_and_said(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("text.csv").write_text("user,item,score\n1,1,9\n1,x7,8\n2,4,1\n")
    record = written(run, runs=("text.csv",))
    assert record["systems"]["text"]["P@2"]["covered"] == 2
    assert any("spelling" in note for note in record["notes"])


def test_latex_holds_metrics_of_runs_too(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-m", "Gini@2", "-m", "P@2", "--latex", "--catalogue", "items.csv") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[7] == r" & P@2 & Gini@2 \\"
    assert lines[9].startswith(r"good & \textbf{0.6667} & 0.")


def test_a_threshold_that_no_rating_reaches_is_said(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--relevance", "9") == 0
    said = "no item is relevant: the highest test rating is 5, below the relevance of 9."
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("given", ["nan", "inf", "high"])
def test_a_threshold_that_is_no_number_is_refused(
    given: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run("--relevance", given)
    assert left.value.code == 2
    assert f'"{given}" is not a number' in capsys.readouterr().err
