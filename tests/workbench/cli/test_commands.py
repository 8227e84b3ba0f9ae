"""The first commands as a user meets them: exit code, output, and files left behind."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl
import pytest

import cranfield
from cranfield.base.decisions import parameter, parameters
from cranfield.base.errors import CranfieldError
from cranfield.workbench.cli.main import main
from cranfield.workbench.cli.options import _option
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study

CSV = "userId,movieId,rating,timestamp\n" + "".join(
    f"{user},{item},{1 + (user + item) % 5},{1000 + user * 10 + item}\n"
    for user in range(1, 9)
    for item in range(1, 11)
)


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text(CSV)
    return path


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The complaint of a command that must fail in one line without a traceback."""
    code = main(arguments)
    captured = capsys.readouterr()
    assert code == 1
    assert captured.err.startswith("cranfield: ")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    return captured.err.removeprefix("cranfield: ").rstrip()


def test_stats_prints_a_table(ratings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(ratings)]) == 0
    lines = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()[1:5])
    assert lines["users"] == "8"
    assert lines["items"] == "10"
    assert lines["ratings"] == "80"


def test_stats_prints_json_with_the_promised_keys(
    ratings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(ratings), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["users"], found["items"], found["ratings"]) == (8, 10, 80)
    assert (found["density"], found["gini_users"], found["gini_items"]) == (1, 0, 0)
    assert found == cranfield.describe(str(ratings)).to_dict()


def test_stats_reads_mapped_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("who,what,stars\na,x,1\nb,x,2\n")
    assert main(["stats", str(path), "--columns", "user_id=who,item_id=what", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["users"] == 2


def test_a_column_without_a_name_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating,timestamp\n1,2,3,\n1,3,4,5\n")
    assert 'column "timestamp": nothing is not a time' in failed(capsys, "stats", str(path))
    out = tmp_path / "out.parquet"
    keep = ("--filter", "min-ratings(per=user, at_least=1)", "--out", str(out))
    assert main(["filter", str(path), "--columns", "timestamp=", *keep]) == 0
    read = cranfield.read(path, columns={"timestamp": ""})
    assert cranfield.read(out).fingerprint == read.fingerprint


def test_filter_reports_sizes_and_writes_the_rest(
    ratings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "kept.csv.gz"
    wanted = [
        "--filter",
        "rating-range(at_least=2)",
        "--filter",
        "min-ratings(per=user, at_least=1)",
    ]
    assert main(["filter", str(ratings), *wanted, "--out", str(out)]) == 0
    assert "80 → 64" in capsys.readouterr().out
    assert pl.read_csv(out)["rating"].min() == 2


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.zst", ".tsv.gz", ".parquet"])
def test_what_filter_writes_is_read_again(
    suffix: str, ratings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"kept{suffix}"
    assert main(["filter", str(ratings), "--filter", "k-core(k=1)", "--out", str(out)]) == 0
    capsys.readouterr()
    prints = []
    for path in (ratings, out):
        assert main(["stats", str(path), "--json"]) == 0
        prints.append(json.loads(capsys.readouterr().out)["fingerprint"])
    assert prints[0] == prints[1]


def test_split_writes_three_files(
    ratings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "split"
    arguments = ["split", str(ratings), "--split", "per-user(test_share=0.2)", "--seed", "1"]
    assert main([*arguments, "--out", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "split.json",
        "test.parquet",
        "train.parquet",
    ]
    test = pl.read_parquet(out / "test.parquet")
    assert test.columns == ["user_id", "item_id", "rating", "timestamp"]
    assert test["user_id"].value_counts()["count"].to_list() == [2] * 8
    record = json.loads((out / "split.json").read_text())
    assert record["split"]["option"] == {"name": "per-user", "test_share": 0.2, "repeats": 1}
    assert record["seed"] == 1
    assert "per-user(test_share=0.2, repeats=1), seed 1" in capsys.readouterr().out


def test_split_replaces_another_split_only_if_asked(
    ratings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(ratings), "--split", "random", "--out", str(tmp_path / "split")]
    assert main(["split", *arguments]) == 0
    assert main(["split", *arguments]) == 0
    other = [*arguments, "--seed", "1"]
    assert "another split is there: random, seed 0" in failed(capsys, "split", *other)
    assert main(["split", *other, "--overwrite"]) == 0


def test_options_lists_decisions_then_options_then_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options"]) == 0
    out = capsys.readouterr().out
    assert "How ratings are divided" in out
    assert [line.split()[0] for line in out.splitlines()[2:21]] == [
        "source", "filter", "split", "judged_by", "candidates", "relevant", "nonrelevant",
        "propensity", "recommender", "smoothing", "gain", "estimator", "sample-correction",
        "metric", "run-metric", "aggregation", "test", "correction", "criterion",
    ]  # fmt: skip
    assert main(["options", "split"]) == 0
    assert "uniform(test_share=0.2, epsilon=0.2, folds=1, repeats=1)" in capsys.readouterr().out
    assert main(["options", "split", "uniform"]) == 0
    assert "bellogin2017 §6.2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("nDCG", "metric nDCG\n\nDiscounted gain"),
        ("ndcg@10", "metric nDCG\n"),
        ("holm", "correction holm\n"),
        ("user-kNN", "recommender user-kNN\n"),
        ("forgiving", "coverage = forgiving: they are left out"),
    ],
)
def test_options_finds_an_answer_in_any_decision(
    capsys: pytest.CaptureFixture[str], name: str, starts: str
) -> None:
    assert main(["options", name]) == 0
    assert capsys.readouterr().out.startswith(starts)


def test_options_shows_all_answers_of_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "random"]) == 0  # a decision of that name comes first
    assert capsys.readouterr().out.startswith("comparison.random: ")
    assert main(["options", "popularity"]) == 0
    out = capsys.readouterr().out
    assert "recommender Popularity\n" in out
    assert "unscored = popularity: " in out


def test_options_hints_at_the_near_name_of_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "NDGC"]) == 1
    assert 'no decision is called "NDGC". Did you mean "nDCG"?' in capsys.readouterr().err
    assert main(["options", "nDCG", "nDCG"]) == 1
    assert 'no decision is called "nDCG"' in capsys.readouterr().err


def test_options_explains_the_words_of_closed_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options"]) == 0
    out = capsys.readouterr().out
    assert "comparison.family                2   Which p-values are corrected" in out
    assert main(["options", "topics"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("topics: Which users enter the average. By default: judged.\n")
    assert "\njudged     users with a test rating\n" in out
    for name in ("comparison.family", "family", "Family"):
        assert main(["options", name]) == 0
        assert "the pairs by all metrics" in capsys.readouterr().out


def test_options_explains_one_word_of_a_closed_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "coverage", "full"]) == 0
    said, terms = capsys.readouterr().out.splitlines()
    assert said == "coverage = full: they score 0"
    assert terms == "`cranfield glossary TERM` explains: coverage, score."
    assert main(["options", "coverage", "ful"]) == 1
    assert 'Did you mean "full"?' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("decision", "ends"),
    [
        ("relevance", "that is relevant. It is required."),
        ("depth", "by default they are not. It takes values of at least 1."),
        ("runs", "files, tables, or Run objects."),
        ("seed", "By default: 0. It takes values of at least 0."),
    ],
)
def test_options_gives_a_default_where_there_is_one(
    decision: str, ends: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["options", decision]) == 0
    assert capsys.readouterr().out.partition("\n`cranfield glossary")[0].rstrip().endswith(ends)


def test_every_message_that_names_a_closed_list_leads_to_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for decision in (*parameters(Experiment), *parameters(Compared), *parameters(Study)):
        if decision.answers:
            with pytest.raises(CranfieldError) as refused:
                decision.check("wrong")
            command = str(refused.value).partition("`cranfield ")[2].partition("`")[0]
            assert main(command.split()) == 0
            out = capsys.readouterr().out
            assert all(word in out for word in (*decision.answers, *decision.texts.values()))


@pytest.mark.parametrize("decision", ["run-metric", "Run-Metric", "run_metric"])
def test_a_decision_is_found_however_it_is_written(
    decision: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["options", decision]) == 0
    assert "CatalogueCoverage" in capsys.readouterr().out
    assert main(["options", decision, "gini"]) == 0
    assert "How unequally items share the places" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("userId,rating\n1,2\n", 'no column for "item_id"'),
        ("user,item,rating\n1,2,five\n", 'line 2, column "rating": "five" is not a'),
        ("user,item,rating\n1,2,3\n\n1,3,NaN\n", 'line 4, column "rating"'),
        ("user,item,rating\n1,2,inf\n", 'line 2, column "rating"'),
        ("", "there are no ratings"),
        ("user,item,rating\n", "there are no ratings"),
        ("user,item,rating\n1,2,3\n1,3,3\n1,2,4\n", "1 pair occurs more than once, first 1 and 2"),
    ],
)
def test_bad_content_gets_one_clear_message(
    content: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(content)
    message = failed(capsys, "stats", str(path))
    assert message.startswith(str(path))
    assert complaint in message


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--split", "unifrom"], 'no split is called "unifrom". Did you mean "uniform"?'),
        (["--split", "random(test_shar=0.2)"], 'no parameter "test_shar". Did you mean'),
        (["--split", "random(test_share=1.2)"], "1.2 is not a number above 0 and below 1"),
        (["--split", "random(test_share="], "a value is expected"),
        (["--split", "uniform(test_share=0.9)"], "a test share of 0.9 cannot be reached"),
        (["--split", "leave-out(count=10)"], "8 users have fewer than 11 ratings, first 1 with 10"),
        (["--split", "given(test=nowhere.csv)"], "nowhere.csv: there is no such file"),
    ],
)
def test_a_bad_split_is_refused_and_leaves_nothing(
    arguments: list[str],
    complaint: str,
    ratings: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "made" / "split"
    assert complaint in failed(capsys, "split", str(ratings), *arguments, "--out", str(out))
    assert not out.parent.exists()


def test_a_temporal_split_without_times_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "untimed.csv"
    path.write_text("user,item,rating\n1,1,1\n1,2,2\n")
    message = failed(
        capsys, "split", str(path), "--split", "temporal", "--out", str(tmp_path / "x")
    )
    assert "needs a timestamp for every rating" in message


def test_a_missing_file_names_the_nearest_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert 'Did you mean "ml-1m"?' in failed(capsys, "stats", "ml-1mm")


def test_an_output_that_is_a_file_is_refused(
    ratings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = failed(
        capsys, "split", str(ratings), "--split", "random", "--out", str(ratings / "inside")
    )
    assert "cannot be written" in message


def test_a_full_disk_is_a_plain_message(
    ratings: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", no_space)
    out = tmp_path / "kept.csv"
    message = failed(capsys, "filter", str(ratings), "--filter", "k-core", "--out", str(out))
    assert "No space left on device" in message
    assert list(tmp_path.iterdir()) == [ratings]


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["statz"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert 'no command is called "statz"' in said
    assert said.endswith('. Did you mean "stats"? See `cranfield --help`.\n')


@pytest.mark.parametrize(
    ("arguments", "command", "said"),
    [
        (
            ["--judgments", "a.csv", "--relevence", "4", "--run", "a.tsv", "-m", "P@5"], "evaluate",
            '"--relevence". Did you mean "--relevance"?',
        ),
        (["--dta=a.csv"], "assess bias", '"--dta". Did you mean "--data"?'),
        (["--foo", "a.csv"], "stats", '"--foo".'),
    ],
)  # fmt: skip
def test_a_misspelled_flag_is_refused_before_what_it_leaves_missing(
    arguments: list[str], command: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command.split(), *arguments])
    assert left.value.code == 2
    help_line = f"See `cranfield {command} --help`.\n"
    assert capsys.readouterr().err == f"cranfield {command}: no flag is called {said} {help_line}"


def test_flags_may_be_shortened_and_two_dashes_end_them(
    ratings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--rel", "4", "--", str(ratings)]) == 0
    assert main(["stats", "--", "--relevence"]) == 1
    assert "--relevence: there is no such file" in capsys.readouterr().err


def test_control_characters_in_ids_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating\n\x1b[31mred,1,1\n\x1b[31mred,1,2\n")
    assert main(["stats", str(path)]) == 1
    assert "\x1b" not in capsys.readouterr().err


def test_ctrl_c_leaves_a_plain_message_and_nothing_else(
    ratings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = pl.DataFrame.write_parquet

    def interrupted(table: pl.DataFrame, path: Path) -> None:
        written(table, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(pl.DataFrame, "write_parquet", interrupted)
    out = ratings.parent / "split"
    assert main(["split", str(ratings), "--split", "random", "--out", str(out)]) == 130
    message = "cranfield: interrupted. Nothing half-written was left behind."
    assert capsys.readouterr().err.strip() == message
    assert list(ratings.parent.iterdir()) == [ratings]


def test_help_answers_at_once_and_names_the_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cranfield", "--help"], capture_output=True, text=True, check=True
    )
    for command in ("options", "stats", "filter", "split"):
        assert command in done.stdout


def test_options_shows_the_ranges_that_parameters_declare() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Damped:
        """Items by their damped mean."""

        option_name: ClassVar[str] = "Damped"
        damping: float = parameter(5.0, "Ratings that are added.", tune="0.1..100, log")
        binarised: bool = parameter(False, "Whether every rating counts as 1.")

    shown = _option(Damped)
    assert re.search(r"parameter +default +tune +meaning", shown)
    assert re.search(r"damping +5 +0\.1\.\.100, log +Ratings that are added", shown)
    assert re.search(r"binarised +false +– +Whether", shown)
    assert shown.endswith("Damped(tune) tunes it over these ranges.")
