"""What a reader should know: who was dropped, and ratings that look like counts."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield
from cranfield.collection.topics import DroppedUsers
from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.experiment.notes import notes_of_comparing
from experiment_cases import experiment_of

inventory.load()

TRAIN = {"user": [1, 1, 2], "item": [7, 8, 7], "rating": [5, 3, 4]}
# User 3 has no training rating, and 3 of the 5 test ratings.
TEST = {"user": [1, 2, 3, 3, 3], "item": [9, 8, 7, 8, 9], "rating": [5, 2, 4, 4, 1]}
LISTS = {"user": [1, 2, 3], "item": [9, 8, 7], "score": [0.9, 0.5, 0.2]}
PLAYS = {"user": [1, 1, 2, 3], "item": [7, 8, 7, 9], "rating": [1, 3, 2, 4000]}


def experiment_on(train: Any, test: Any, **more: Any) -> Experiment:
    decisions = {"runs": {"mine": LISTS}, "metrics": ["nDCG@2"], "relevance": 4, **more}
    return Experiment(split=given_parts(test, train), **decisions)


def test_users_without_training_are_counted_the_same_by_evaluate_and_by_run() -> None:
    evaluated = cranfield.evaluate(TEST, {"mine": LISTS}, ["nDCG@2"], relevance=4, train=TRAIN)
    executed = execute(experiment_on(TRAIN, TEST))
    assert evaluated.users == executed.users
    assert evaluated.users.dropped == (DroppedUsers("no training rating", 1, 3),)
    assert (evaluated.users.users, evaluated.users.ratings) == (2, 2)
    assert executed.to_dict()["users"]["dropped"] == [
        {"reason": "no training rating", "users": 1, "ratings": 3}
    ]


def test_under_one_relevant_users_without_a_relevant_rating_are_counted_too() -> None:
    made = execute(experiment_on(TRAIN, TEST, targets="1R"))
    assert [(each.reason, each.users) for each in made.users.dropped] == [
        ("no training rating", 1), ("no relevant test rating", 1),
    ]  # fmt: skip


def counts_notes(experiment: Experiment) -> list[str]:
    return [note for note in execute(experiment).notes if "look like counts" in note]


def test_ratings_that_look_like_counts_are_noted_with_what_can_be_done() -> None:
    [note] = counts_notes(experiment_on(PLAYS, TEST))
    assert note == (
        "Warning: the ratings look like counts, whole numbers of up to 4,000. They are used as "
        "ratings and gains as they stand. Read them with values=plays to map each user's counts to "
        "ratings from 1 to 5."
    )


def test_where_a_recommender_can_count_every_rating_as_one_that_is_named_too() -> None:
    systems = {"kNN": "user-kNN(k=2)"}
    [note] = counts_notes(experiment_on(PLAYS, TEST, systems=systems, metrics=["P@2"]))
    assert "used as ratings as they stand" in note
    assert note.endswith("or let recommenders count every rating as 1 with binarised=true.")


@pytest.mark.parametrize("train", [TRAIN, None])
def test_ratings_on_a_scale_are_not_noted(train: Any) -> None:
    assert counts_notes(experiment_on(train, TEST)) == []


def resolved_notes(experiment: Experiment) -> list[str]:
    return [note for note in execute(experiment).notes if "chosen by" in note]


def test_numbers_that_the_training_ratings_gave_are_noted() -> None:
    systems = {"W": "WRMF(factors=2)", "S": "SLIM(l2=3)", "P": "Popularity", "MF": "MF(factors=2)"}
    made = execute(experiment_on(TRAIN, TEST, systems=systems))
    notes = [note for note in made.notes if "chosen by" in note]
    assert notes == [
        "W: regularisation = 60 and alpha = 1, chosen by the training ratings.",
        "S: l1 = 10, chosen by the training ratings.",
    ]
    assert set(notes) <= set(made.to_dict()["notes"])
    assert not resolved_notes(experiment_on(TRAIN, TEST, systems={"S": "SLIM(l1=1, l2=3)"}))


def test_numbers_that_differ_between_folds_are_noted_for_each() -> None:
    made = experiment_of(split="k-fold(folds=2)", seed=3, systems={"S": "SLIM", "P": "Popularity"})
    [note] = resolved_notes(made)
    # The median training rating is 4 in the first fold, and 3 in the second.
    assert note == ("S: l1 = 10 / 5.625 and l2 = 300 / 168.8, chosen by the training ratings.")


@pytest.mark.parametrize(
    ("systems", "failed", "said"),
    [
        (2, ["B"], "without B, the baseline, nothing is compared"),
        (3, ["B"], "without B, the baseline, all pairs are compared"),
        (2, ["A"], "only one system is left, so that nothing is compared"),
        (3, ["A"], ""),
    ],
)
def test_what_is_compared_without_systems_that_failed(
    systems: int, failed: list[str], said: str
) -> None:
    experiment = experiment_of(
        systems=dict.fromkeys("BAC"[:systems], "Random"), comparison={"baseline": "B"}
    )
    assert " ".join(notes_of_comparing(experiment, failed)) == (f"Warning: {said}." if said else "")
