"""Repeated consumption: with training_items = keep, training items stay among the targets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.recommendation.runs.report import Kept
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.results.methods.methods import methods_of
from experiment_cases import experiment_of


def plays(rows: int = 900, users: int = 25, items: int = 30) -> pl.DataFrame:
    """A log without ratings in which users play again what they know."""
    rng = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "user": rng.integers(1, users + 1, rows),
            "item": np.minimum(rng.geometric(0.1, rows), items),
            "timestamp": rng.permutation(rows),
        }
    )


PLAYS = plays()
CUT = 600


def parts() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Plays before the cut and after it, counted for each user and item."""
    early = pl.col("timestamp") < CUT
    return tuple(  # type: ignore[return-value]
        PLAYS.filter(chosen).group_by("user", "item").len("rating").sort("user", "item")
        for chosen in (early, ~early)
    )


def precision_by_hand(depth: int, keep: bool) -> dict[int, float]:
    """P@n of the most played items, by loops; an item of training is left out unless kept."""
    train, test = parts()
    played = Counter(train["item"].to_list())  # how many users played it
    catalogue = sorted(set(PLAYS["item"]), key=lambda item: (-played[item], item))
    known = set(train.select("user", "item").rows())
    judged = [pair for pair in test.select("user", "item").rows() if keep or pair not in known]
    found = {}
    for user in sorted({user for user, _ in judged} & {user for user, _ in known}):
        top = [item for item in catalogue if keep or (user, item) not in known][:depth]
        found[user] = sum((user, item) in judged for item in top) / depth
    return found


@pytest.mark.parametrize("keep", [True, False])
def test_run_rank_and_evaluate_agree_with_plain_loops(keep: bool, tmp_path: Path) -> None:
    answer: Kept = "keep" if keep else "drop"
    expected = precision_by_hand(5, keep)
    made = execute(experiment_of(
        data=PLAYS, split=f"temporal(at={CUT})", relevance=1, metrics=["P@5"],
        systems={"Popularity": "Popularity"}, training_items=answer,
    ))  # fmt: skip
    users = made.scores.user_ids.take(made.scores.topics.users).to_list()
    assert dict(zip(users, made.scores.values[0, 0].tolist(), strict=True)) == pytest.approx(
        expected
    )
    train, test = parts()
    ranked = cf.rank(
        train, cf.judge(test, 1), ["Popularity"], depth=5, training_items=answer,
        catalogue=sorted(set(PLAYS["item"])),
    )["Popularity"]  # fmt: skip
    files = {name: tmp_path / f"{name}.csv" for name in ("train", "test")}
    train.write_csv(files["train"])
    test.write_csv(files["test"])
    run, given = tmp_path / "Popularity.tsv", ["--train", str(files["train"])]
    flags = ["--training-items", answer, "--system", "Popularity", "--depth", "5"]
    assert main(["rank", *given, "--test", str(files["test"]), *flags, "--out", str(run)]) == 0
    for lists in (ranked.run, str(run)):
        scored = cf.evaluate(
            test, {"P": lists}, ["P@5"], relevance=1, train=train, training_items=answer
        )
        assert scored.summary.row("P", "P@5").value == pytest.approx(
            np.mean(list(expected.values()))
        )
    said = "including" if keep else "except"
    assert f"We ranked all items, {said} those of the user's training ratings" in methods_of(made)


def test_what_is_kept_are_targets_that_may_be_relevant() -> None:
    made = execute(experiment_of(
        data=PLAYS, split=f"temporal(at={CUT})", relevance=1, metrics=["P@5"],
        systems={"Popularity": "Popularity"}, training_items="keep",
    ))  # fmt: skip
    [targets] = made.target_sets
    again = 0
    for number, user in enumerate(targets.topics.users.tolist()):
        train = set(targets.train.items[targets.train.users == user].tolist())
        assert train <= set(targets.of_topic(number).tolist())
        again += len(train & set(targets.relevant_of(number).tolist()))
    assert again == made.data["folds"][0]["in_both_parts"] > 0


def test_a_log_without_ratings_is_noted() -> None:
    made = cf.run({
        "data": {"source": PLAYS, "duplicates": "auto"}, "split": f"temporal(at={CUT})",
        "relevance": 1, "metrics": ["P@5"], "systems": {"P": "Popularity"},
    })  # fmt: skip
    assert made.data["split"]["facts"]["events"] == len(PLAYS)
    assert "a log of events that were divided one by one" in methods_of(made)


def test_a_file_of_a_log_says_that_it_is_one(tmp_path: Path) -> None:
    path = tmp_path / "plays.csv"
    PLAYS.write_csv(path)
    asked = {"split": f"temporal(at={CUT})", "relevance": 1, "metrics": ["P@5"]}
    made, said = (
        execute(experiment_of(data=data, systems={"P": "Popularity"}, **asked))
        for data in (str(path), f"file(path={path}, duplicates=events)")
    )
    assert made.scores.values.tobytes() == said.scores.values.tobytes()
    [note] = [each for each in made.notes if "are a log" in each]
    assert note.startswith("The data are a log of 900 events: they have times and no ratings")
    assert not any("are a log" in each for each in said.notes)
    assert methods_of(made) == methods_of(said)
