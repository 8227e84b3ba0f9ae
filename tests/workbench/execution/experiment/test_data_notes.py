"""Notes on data: what a split leaks, in numbers, and what filters of parts leave."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import cranfield
from cranfield.view.numbers import percent
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.methods.methods import methods_of
from experiment_cases import experiment_of

POPULAR = {"systems": {"Popularity": "Popularity"}}


def leaks(results: Any) -> list[str]:
    return [note for note in results.notes if "leaks" in note]


@pytest.mark.parametrize("split", ["leave-out(pick=latest)", "temporal-per-user"])
def test_a_split_by_each_users_time_leaks_and_says_how_much(split: str) -> None:
    asked = experiment_of(**POPULAR, split=split)
    made = execute(asked)
    [fold] = Pipeline().prepare(asked).folds
    train, test = (part.to_polars()["timestamp"] for part in (fold.train, fold.test))
    share = sum(time > min(test) for time in train) / len(train)  # by the definition
    assert share > 0
    [note] = leaks(made)
    assert note.startswith("Warning: the split leaks.")
    assert f"yet {percent(share)} of the training ratings are later" in note
    assert made.data["folds"][0]["leakage"] == {"per_user": 0.0, "overall": share}
    assert (
        f"; {percent(share)} of the training ratings are later than the first test"
        in methods_of(made)
    )


@pytest.mark.parametrize("split", ["temporal", "rolling", "random", "k-fold(folds=2)"])
def test_no_other_split_is_warned_of(split: str) -> None:
    made = execute(experiment_of(**POPULAR, split=split))
    assert leaks(made) == []
    figures = [fold["leakage"]["overall"] for fold in made.data["folds"]]
    assert all(figures) == (split in ("random", "k-fold(folds=2)"))


def test_given_parts_are_warned_of_too() -> None:
    ratings = cranfield.read("simulated(size=tiny)")
    parts = cranfield.split(ratings, "leave-out(pick=latest)")
    run = {"user": parts.test.to_triples()[0], "item": parts.test.to_triples()[1]}
    scored = pl.DataFrame(run).with_columns(score=1.0)
    made = cranfield.evaluate(parts, {"mine": scored}, ["RR"], relevance=4)
    assert len(leaks(made)) == 1
    plain = [part.to_polars().drop("timestamp") for part in (parts.test, parts.train)]
    timeless = cranfield.evaluate(plain[0], {"mine": scored}, ["RR"], relevance=4, train=plain[1])
    assert leaks(timeless) == []


def test_every_filter_of_a_part_says_what_it_leaves() -> None:
    asked = experiment_of(
        **POPULAR,
        train_filters=["min-ratings(per=user, at_least=6)", "k-core(k=2)"],
        test_filters=["rating-range(at_least=3)"],
    )
    made = execute(asked)
    notes = [note for note in made.notes if "_filters, " in note]
    steps = made.data["folds"][0]["filters"]
    assert [step["part"] for step in steps] == ["train", "train", "test"]
    for note, step, name in zip(
        notes, steps, ("min-ratings(at_least=6)", "k-core(k=2)", "rating-range(at_least=3)"),
        strict=True,
    ):  # fmt: skip
        part = "training" if step["part"] == "train" else "test"
        assert note == (
            f"{step['part']}_filters, {name}: {step['after']['ratings']:,} of "
            f"{step['before']['ratings']:,} {part} ratings stay; {step['test_users']} users with "
            f"{step['test_ratings']} test ratings can be judged, as training knows them."
        )
    [fold] = Pipeline().prepare(asked).folds
    known = set(fold.train.users.tolist())
    judged = [user for user in fold.test.users.tolist() if user in known]
    assert (steps[2]["test_users"], steps[2]["test_ratings"]) == (len(set(judged)), len(judged))
    assert made.users.users == len(set(judged))
    said = methods_of(made)
    assert " Of the training ratings we took users with at least 6 ratings (" in said
    assert "), then the 2-core (" in said
    assert "; of the test ratings we took ratings from 3 (" in said
    left = f"{len(set(judged))} users with {len(judged)} test ratings whom training knows."
    assert f", which leaves {left}" in said


def test_folds_are_told_together() -> None:
    made = execute(
        experiment_of(**POPULAR, split="k-fold(folds=2)", test_filters=["sample(share=0.4)"])
    )
    [note] = [note for note in made.notes if "_filters, " in note]
    before, after = (
        sum(fold["filters"][0][when]["ratings"] for fold in made.data["folds"])
        for when in ("before", "after")
    )
    assert note.startswith(f"test_filters, sample(share=0.4): {after} of {before} test ratings ")
    assert "stay over all folds; " in note
