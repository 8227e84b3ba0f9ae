"""``cranfield rank`` as a user meets it: exit code, output, and files left behind."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cranfield.collection.source import read_ratings
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.workbench.cli import rank as command
from cranfield.workbench.cli.main import main

SUFFIXES = [
    *(".run", ".trec", ".txt", ".tsv", ".csv", ".inter", ".parquet"),
    *(".run.gz", ".tsv.zst", ".csv.gz", ".inter.zst"),
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with train.csv and test.csv: 12 users, 10 items, one that only test has."""
    rng = np.random.default_rng(5)
    train, test = ["user_id,item_id,rating"], ["user_id,item_id,rating"]
    for user in range(1, 13):
        for item in rng.choice(10, 6, replace=False):
            part = test if rng.random() < 0.4 else train
            part.append(f"{user},{item + 1},{rng.integers(1, 6)}")
    train.append("1,99,4")
    test.append("2,77,5")
    (tmp_path / "train.csv").write_text("\n".join(train) + "\n")
    (tmp_path / "test.csv").write_text("\n".join(test) + "\n")
    return tmp_path


def arguments(files: Path, *more: str, out: str = "run.tsv") -> list[str]:
    parts = ["--train", str(files / "train.csv"), "--test", str(files / "test.csv")]
    return ["rank", *parts, "--out", str(files / out), *more]


def complaint(
    capsys: pytest.CaptureFixture[str], files: Path, *more: str, out: str = "run.tsv"
) -> str:
    """What a command says that must fail in one line, leaving nothing behind."""
    before = sorted(files.iterdir())
    assert main(arguments(files, *more, out=out)) == 1
    said = capsys.readouterr().err
    assert said.startswith("cranfield: ")
    assert said.count("\n") == 1
    assert sorted(files.iterdir()) == before
    return said


def lists(path: Path) -> dict[int, list[int]]:
    table = pl.read_csv(path, separator="\t", has_header=False, new_columns=["u", "i", "s"])
    return {user[0]: part["i"].to_list() for user, part in table.group_by("u", maintain_order=True)}


def of_user(files: Path, part: str) -> dict[int, set[int]]:
    table = pl.read_csv(files / f"{part}.csv")
    return {user[0]: set(rows["item_id"]) for user, rows in table.group_by("user_id")}


def test_the_shortest_command_ranks_all_items_but_those_of_training(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(files, "--system", "Popularity")) == 0
    assert "Popularity" in capsys.readouterr().out
    found, train, test = lists(files / "run.tsv"), of_user(files, "train"), of_user(files, "test")
    everything = set().union(*train.values(), *test.values())
    assert set(found) == set(test)
    for user, items in found.items():
        assert set(items) == everything - train[user]


def test_several_systems_get_a_file_each(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    systems = ["--system", "Popularity", "--system", "user-kNN(k=3)", "--system", "Random"]
    assert main(arguments(files, *systems, out="runs.tsv.gz")) == 0
    written = sorted(path.name for path in files.glob("runs*"))
    assert written == ["runs-Popularity.tsv.gz", "runs-Random.tsv.gz", "runs-user-kNN_k_3.tsv.gz"]
    shown = capsys.readouterr().out
    assert all(name in shown for name in written)


def test_systems_may_be_named_and_their_files_are_called_so(files: Path) -> None:
    systems = ["--system", "near=user-kNN(k=3)", "--system", "Random"]
    assert main(arguments(files, *systems)) == 0
    assert main(arguments(files, "--system", "user-kNN(k=3)", out="alone.tsv")) == 0
    assert sorted(path.name for path in files.glob("run*")) == ["run-Random.tsv", "run-near.tsv"]
    assert (files / "run-near.tsv").read_bytes() == (files / "alone.tsv").read_bytes()


def test_two_systems_are_not_written_to_one_file(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = complaint(capsys, files, "--system", "a b=Random", "--system", "a_b=Popularity")
    assert "a b and a_b would both be written to" in said


def test_a_system_ranks_alike_alone_and_beside_others(files: Path) -> None:
    assert main(arguments(files, "--system", "Random", "--seed", "4", out="alone.tsv")) == 0
    both = ["--system", "Popularity", "--system", "Random"]
    assert main(arguments(files, *both, "--seed", "4", out="both.tsv")) == 0
    assert lists(files / "alone.tsv") == lists(files / "both-Random.tsv")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_holds_the_same_lists(suffix: str, files: Path) -> None:
    system = ["--system", "item-kNN(k=2)", "--unscored", "popularity"]
    assert main(arguments(files, *system)) == 0
    assert main(arguments(files, *system, out=f"other{suffix}")) == 0
    train, test = (read_ratings(files / f"{part}.csv") for part in ("train", "test"))
    users, items = train.user_ids.union(test.user_ids), train.item_ids.union(test.item_ids)
    one, two = (
        read_run(files / name, user_ids=users, item_ids=items, rules=RunRules(ties="file")).run
        for name in ("run.tsv", f"other{suffix}")
    )
    assert one.items.tolist() == two.items.tolist()
    assert one.offsets.tolist() == two.offsets.tolist()


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("AI", "all-items, all-relevant, all-nonrelevant"),
        ("TI, AR", "all-relevant, test-items"),
        ("NN(n=3)", "sampled(n=3)"),
        ("condensed", "judged-only"),
        ("AI(without_head=0.2)", "all-items(without_head=0.2)"),
    ],
)
def test_targets_may_be_spelled_in_several_ways(short: str, long: str, files: Path) -> None:
    for text, out in ((short, "short.tsv"), (long, "long.tsv")):
        more = ["--system", "Popularity", "--targets", text, "--relevance", "4"]
        assert main(arguments(files, *more, out=out)) == 0
    assert (files / "short.tsv").read_bytes() == (files / "long.tsv").read_bytes()


def test_targets_decide_what_is_ranked(files: Path) -> None:
    test = of_user(files, "test")
    for text, out in (("condensed", "condensed.tsv"), ("TI", "rated.tsv")):
        assert main(arguments(files, "--system", "Random", "--targets", text, out=out)) == 0
    assert {u: set(items) for u, items in lists(files / "condensed.tsv").items()} == test
    rated = set().union(*test.values())
    assert all(set(items) <= rated for items in lists(files / "rated.tsv").values())


def test_a_list_is_cut_at_the_depth(files: Path) -> None:
    assert main(arguments(files, "--system", "Popularity", "--depth", "2")) == 0
    assert {len(items) for items in lists(files / "run.tsv").values()} == {2}


@pytest.mark.parametrize("ties", ["random", "optimistic", "pessimistic", "trec_eval", "expected"])
def test_ties_are_a_decision(ties: str, files: Path) -> None:
    assert main(arguments(files, "--system", "Popularity", "--ties", ties, out="other.tsv")) == 0
    assert main(arguments(files, "--system", "Popularity")) == 0
    other, usual = lists(files / "other.tsv"), lists(files / "run.tsv")
    assert {u: sorted(items) for u, items in other.items()} == {
        u: sorted(items) for u, items in usual.items()
    }
    assert (other == usual) == (ties == "expected")


@pytest.mark.parametrize("unscored", ["random", "popularity", "average-rating"])
def test_items_without_a_prediction_are_dropped_or_appended(unscored: str, files: Path) -> None:
    system = ["--system", "item-kNN(k=1)"]
    assert main(arguments(files, *system)) == 0
    assert main(arguments(files, *system, "--unscored", unscored, out="all.tsv")) == 0
    short, whole = lists(files / "run.tsv"), lists(files / "all.tsv")
    assert all(whole[user][: len(items)] == items for user, items in short.items())
    # Item 77 has no training rating: never scored, and last by popularity.
    assert all(77 not in items for items in short.values())
    assert all(77 in items for items in whole.values())
    if unscored == "popularity":
        assert {items[-1] for items in whole.values()} == {77}


def test_only_users_with_enough_training_are_asked_for(files: Path) -> None:
    counts = {user: len(items) for user, items in of_user(files, "train").items()}
    assert main(arguments(files, "--system", "Popularity", "--least-train", "4")) == 0
    assert set(lists(files / "run.tsv")) == {
        user for user in of_user(files, "test") if counts[user] >= 4
    }


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--system", "Populrity"], 'Did you mean "Popularity"?'),
        (["--system", "SLIM(l1=-1)"], "SLIM, l1: -1 is not a number of at least 0"),
        (["--system", "SLIM(l3=1)"], 'SLIM has no parameter "l3". Its parameters are: l1'),
        (["--system", "SLIM(l1="], 'cannot read "SLIM(l1=" as an option'),
        (["--system", "RW", "--system", "RW(k=50)"], "the same system is given twice"),
        (["--system", "RW", "--targets", "all-itms"], 'Did you mean "all-items"?'),
        (["--system", "RW", "--targets", "AI, TI"], "answers the same question"),
        (["--system", "RW", "--targets", "NN(n=0)"], "sampled, n: 0 is not a whole number"),
        (["--system", "RW", "--targets", "NN"], "say with --relevance which"),
        (["--system", "RW", "--users", "relevant"], "say with --relevance which"),
        (["--system", "RW", "--targets", "1R"], "several lists per user"),
        (["--system", "RW", "--targets", "P1R, NN(n=2)", "--relevance", "4"], "several lists"),
        (["--system", "RW", "--users", "relevant", "--relevance", "9"], "relevant test ratings"),
        (["--system", "RW", "--least-train", "99"], "no users with 99 or more training ratings"),
        (["--system", "EASE(most_items=5)"], "12 items would take"),
        (["--system", "oracle"], "oracle needs source: The simulated source"),
    ],
)
def test_what_cannot_be_done_is_said(
    more: list[str], said: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in complaint(capsys, files, *more)


def test_training_and_test_without_a_common_user_are_refused(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "test.csv").write_text("user_id,item_id,rating\n500,1,5\n")
    said = complaint(capsys, files, "--system", "Popularity")
    assert "test ratings: there are no users with 1 or more training ratings" in said


@pytest.mark.parametrize("part", ["train", "test"])
def test_an_empty_file_is_named(part: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / f"{part}.csv").write_text("user_id,item_id,rating\n")
    said = complaint(capsys, files, "--system", "Popularity")
    assert f"{part}.csv: there are no ratings" in said


def test_ratings_that_a_recommender_cannot_learn_from_are_refused(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files / "train.csv"
    path.write_text(path.read_text().replace("1,99,4", "1,99,-4"))
    said = complaint(capsys, files, "--system", "SLIM")
    assert "ratings above 0, and the lowest is -4" in said
    assert "binarised=true" in said


def test_an_unknown_suffix_is_refused_before_anything_is_fitted(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "rank_systems", _interrupted)
    assert "the suffix must be one of .run" in complaint(
        capsys, files, "--system", "Popularity", out="run.xyz"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="everything can be written by the superuser")
def test_a_folder_without_permission_is_named(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "closed").mkdir(mode=0o500)
    assert "closed" in complaint(capsys, files, "--system", "Popularity", out="closed/run.tsv")


def test_a_file_in_the_way_of_a_folder_is_named(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = complaint(capsys, files, "--system", "Popularity", out="train.csv/run.tsv")
    assert "cannot be written" in said


def test_an_interruption_leaves_no_half_written_file(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(files.iterdir())
    monkeypatch.setattr(pl.DataFrame, "write_csv", _interrupted)
    assert main(arguments(files, "--system", "Popularity")) == 130
    assert "interrupted" in capsys.readouterr().err
    assert sorted(files.iterdir()) == before


def _interrupted(*given: object, **more: object) -> None:
    raise KeyboardInterrupt
