"""``cranfield compare`` as a user meets it: output, exit code, and files left behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield as cf
from cranfield.workbench.cli.main import main
from score_cases import U, scores_of

A = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9]
B = [0.5, 0.5, 0.4, 0.4, 0.1, 0.4, 0.4, 0.4]
TEST = "user,item,rating\n" + "".join(f"{u},{i},{5 - i}\n" for u in range(6) for i in range(3))
GOOD = "user,item,score\n" + "".join(f"{u},{i},{9 - i}\n" for u in range(6) for i in range(3))
BAD = "user,item,score\n" + "".join(f"{u},{i},{i}\n" for u in range(6) for i in range(3))

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in a folder with scores, runs and judgments."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"test.csv": TEST, "good.csv": GOOD, "bad.csv": BAD}.items():
        Path(name).write_text(text)
    counts = list(range(1, 9))
    both = scores_of({"a": A, "b": B}, judged=counts, relevant=[0] * 8)
    both.to_parquet("scores.parquet")
    scores_of({"a": A}).to_parquet("one.parquet")
    scores_of({"a": [0.5], "b": [0.2]}).to_parquet("user.parquet")
    scores_of({"a": A, "b": [*B[:7], U]}).to_parquet("undefined.parquet")
    scores_of({"a": A, "b": A}).to_parquet("same.parquet")
    table = both.to_polars()
    table.filter((pl.col("system") == "a") | (pl.col("user_id") != "u10")).write_parquet(
        "other.parquet"
    )
    table.with_columns(score=pl.lit("five")).write_parquet("words.parquet")
    table.with_columns(covered=pl.lit("yes")).write_parquet("covered.parquet")
    return lambda *arguments: main(["compare", *arguments])


def written(run: Run, *arguments: str) -> Any:
    """What the command writes as JSON."""
    assert run(*arguments, "--json", "out.json") == 0
    return json.loads(Path("out.json").read_text())


def complaint(run: Run, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that must fail and leave nothing behind."""
    assert run(*arguments, "--json", "out.json") == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("cranfield: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert not Path("out.json").exists()
    return captured.err


def test_the_tables_show_pairs_and_marks(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scores.parquet") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "P@10"
    assert out.splitlines()[3].split()[:2] == ["a", "b"]
    assert "0.0078" in out  # 2/2⁸, all eight users better with a
    assert "ᵇ" in out
    assert "paired permutation test, Holm correction" in out


def test_the_record_has_pairs_decisions_and_notes(run: Run) -> None:
    found = written(run, "scores.parquet", "--correction", "bonferroni")
    assert found["pairs"][0]["p_value"] == 2 / 2**8
    assert found["decisions"]["test"]["name"] == "permutation"
    assert found["decisions"]["correction"] == {"name": "bonferroni"}
    assert found["notes"] == []


def test_draws_and_seed_decide_a_drawn_test(run: Run) -> None:
    first, again, other = (
        written(run, "scores.parquet", "--test", "bootstrap", "--draws", "500", "--seed", seed)
        for seed in ("1", "1", "2")
    )
    assert first == again
    assert first["decisions"]["test"]["draws"] == 500
    assert first["pairs"][0]["p_error"] > 0
    assert first["pairs"] != other["pairs"] or first["pairs"][0]["p_value"] == 1 / 501


def test_runs_and_judgments_are_compared_directly(run: Run) -> None:
    given = ("--judgments", "test.csv", "--relevance", "5", "-m", "RR", "--test", "t")
    found = written(run, *given, "--run", "good.csv", "--run", "bad.csv")
    assert found["values"]["RR"] == pytest.approx({"good": 1.0, "bad": 1 / 3})
    assert found["pairs"][0]["better"] == "good"


def test_who_enters_and_the_name_that_was_typed_are_shown(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("train.csv").write_text("user,item,rating\n0,9,5\n1,9,5\n2,9,5\n3,9,5\n")
    given = ("--judgments", "test.csv", "--train", "train.csv", "--relevance", "5", "-m", "MRR")
    runs = ("--run", "good.csv", "--run", "bad.csv", "--test", "t")
    assert run(*given, *runs) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Warning: 4 of ")
    assert " no training rating (" in lines[0]
    assert lines[2] == "MRR"
    assert run(*given, *runs, "--latex") == 0
    out = capsys.readouterr().out
    assert "level 0.05). 4 of " in out
    assert r"& MRR \\" in out


def test_decisions_of_an_evaluation_are_those_of_evaluate(run: Run) -> None:
    Path("train.csv").write_text("user,item,rating\n" + "".join(f"{u},0,5\n" for u in range(5)))
    Path("test.csv").write_text(TEST.replace(",0,5", ",3,5"))
    given = ["--judgments", "test.csv", "--relevance", "4", "-m", "RR", "--test", "t"]
    given += ["--run", "good.csv", "--run", "bad.csv", "--train", "train.csv"]
    for decisions in (
        (),
        ("--training-items", "keep"),
        ("--least-train", "0"),
        ("--targets", "test-items", "--topics", "run", "--unknown-items", "drop"),
        ("--ties", "pessimistic", "--duplicates", "first"),
    ):
        found = written(run, *given, *decisions)
        evaluated = [word for word in (*given, *decisions) if word not in ("--test", "t")]
        assert main(["evaluate", *evaluated, "--json", "values.json"]) == 0
        systems = json.loads(Path("values.json").read_text())["systems"]
        expected = {name: values["RR"]["value"] for name, values in systems.items()}
        assert found["values"]["RR"] == pytest.approx(expected)


def test_latex_is_printed_instead(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scores.parquet", "--latex") == 0
    out = capsys.readouterr().out
    assert r"\begin{tabular}" in out
    assert "$^{b}$" in out


def test_subsets_are_tested_when_asked_for(run: Run) -> None:
    found = written(run, "scores.parquet", "--test", "t", "--subsets", "5", "--subset-share", "0.8")
    assert found["pairs"][0]["rejecting_subsets"] == 1.0


@pytest.mark.parametrize(
    ("aggregation", "test"),
    [
        ("mean", {"name": "permutation"}),
        ("weighted-mean", {"name": "weighted-t", "by": "test"}),
        ("geometric-mean(epsilon=0.1)", {"name": "permutation", "draws": 10_000}),
        ("median", {"name": "permutation", "draws": 10_000}),
    ],
)
def test_the_test_fits_the_aggregation_unless_it_is_named(
    aggregation: str, test: dict[str, object], run: Run
) -> None:
    found = written(run, "scores.parquet", "--aggregation", aggregation)
    assert found["decisions"]["test"] == found["decisions"]["test"] | test
    assert found["notes"] == []


def test_runs_and_the_scores_that_they_left_are_compared_alike(run: Run) -> None:
    ages = "".join(f"{user},{2**user}\n" for user in range(6))
    Path("users.csv").write_text(f"user,age\n{ages}")
    runs = ("--judgments", "test.csv", "--relevance", "4", "--run", "good.csv", "--run", "bad.csv")
    column = ("--aggregation", "weighted-mean(by=column(age))")
    asked = (*runs, "-m", "nDCG@2", "--user-columns", "users.csv", *column)
    assert main(["evaluate", *asked, "--per-user", "left.parquet"]) == 0
    of_file = written(run, "left.parquet", *column)
    of_runs = written(run, *asked)
    assert of_file["pairs"] == of_runs["pairs"]
    in_python = cf.compare("left.parquet", aggregation="weighted-mean(by=column(age))")
    assert in_python.to_dict()["pairs"] == of_file["pairs"]
    assert of_file["decisions"]["test"] == {"name": "weighted-t", "by": "column(age)"}


def test_another_question_is_noted(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scores.parquet", "--test", "sign", "--aggregation", "weighted-mean") == 0
    assert "note: sign asks for how many users each system is better" in capsys.readouterr().out


def test_a_baseline_is_compared_with_all_others(run: Run) -> None:
    found = written(run, "scores.parquet", "--test", "t", "--baseline", "b")
    assert {pair["second"] for pair in found["pairs"]} == {"b"}


def test_users_left_out_are_noted(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("undefined.parquet") == 0
    assert (
        "note: by P@10, each system is averaged over the users that it has a score for."
        in capsys.readouterr().out
    )


def test_systems_that_never_differ_are_equal(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("same.parquet") == 0
    assert capsys.readouterr().out.splitlines()[3].split()[:3] == ["a", "b", "+0.0000"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("one.parquet",), "there is one system, a. Give the scores of at least two."),
        (("user.parquet",), "P@10: 1 of 1 users can be compared. Give at least two"),
        (("words.parquet",), 'words.parquet, column "score": "five" is not a number, or nothing.'),
        (("covered.parquet",), 'column "covered": "yes" is not true or false.'),
        (("other.parquet",), "not every system has a score for every topic by every metric"),
        (("missing.parquet",), "missing.parquet"),
        (("scores.parquet", "--test", "permutatoin"), 'Did you mean "permutation"?'),
        (("scores.parquet", "--correction", "hulm"), 'Did you mean "holm"?'),
        (("scores.parquet", "-m", "P@5"), "P@5"),
        (("scores.parquet", "--draws", "5"), "permutation, draws: 5 is not"),
        (("scores.parquet", "--test", "t", "--draws", "500"), "the test t draws nothing"),
        (("scores.parquet", "--aggregation", "median", "--test", "t"), "not a test for median"),
        (("scores.parquet", "--baseline", "x"), "is not one of the systems"),
        (("scores.parquet", "--test", "bootstrap(draws=200)", "--draws", "500"), "give it inside"),
        (("scores.parquet", "--subset-share", "0.8"), "say with --subsets how many"),
        (("scores.parquet", "--aggregation", "weighted-mean(by=relevant)"), "0 of"),
        (("scores.parquet", "--aggregation", "weighted-mean(by=train)"), "training ratings of"),
        (("scores.parquet", "--aggregation", "weighted-mean(by=column(x))"), 'called "x"'),
        (("scores.parquet", "--user-columns", "x.csv"), "and --user-columns do not go together"),
        (("scores.parquet", "--run", "good.csv"), "SCORES.parquet and --run do not go together"),
        (("scores.parquet", "--ties", "random"), "SCORES.parquet and --ties do not go together"),
        (("--run", "good.csv"), "--judgments, --relevance, --metric are missing"),
        ((), "Give SCORES.parquet, or --judgments, --relevance, --metric and a --run for each"),
        (
            ("--judgments", "test.csv", "--relevance", "5", "--run", "good.csv", "--run",
             "bad.csv", "-m", "CatalogueCoverage@10"),
            "no score per user",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(
    run: Run, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], text: str
) -> None:
    assert text in complaint(run, capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--alpha", "0"), "--alpha: 0 is not a number above 0 and below 1."),
        (("--power", "1"), "--power: 1 is not a number above 0 and below 1."),
        (("--subsets", "3", "--subset-share", "1"), "--subset-share: 1 is not a number above 0"),
        (("--subsets", "0"), "--subsets: 0 is not a whole number from 1 to 1000000"),
        (("--coverage", "forgivng"), 'Did you mean "forgiving"?'),
        (("--family", "al"), 'Did you mean "all"?'),
    ],
)
def test_a_flag_out_of_bounds_is_refused_before_anything_is_read(
    run: Run, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], text: str
) -> None:
    with pytest.raises(SystemExit) as left:
        run("missing.parquet", *arguments)
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert text in said
    assert said.endswith(" See `cranfield compare --help`.\n")
    assert ".." not in said
