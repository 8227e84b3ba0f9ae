"""Laws of candidates, relevant and non-relevant targets: no training item, no system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.base.ids import Codes
from cranfield.collection.judgments import judge
from cranfield.collection.target import Targets, items_of
from cranfield.collection.target_choice import TargetChoice, parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics, UserChoice, choose_users
from cranfield.testing.law import Body, law, require, threads
from cranfield.testing.strategies import SEEDS, collections, random_ratings, renamed

DECISIONS = ("candidates", "relevant", "nonrelevant")
"""Together they choose the targets; the laws are those of all three."""


def choice_of(chosen: Any) -> TargetChoice:
    """A whole choice; where one of its three parts is given, the others are all."""
    return chosen if isinstance(chosen, TargetChoice) else parse_targets(str(chosen))


def _law_of_targets(**cases: Any) -> Callable[[Body], Body]:
    """Make a function a law of all three decisions, and of whole choices."""

    def state(body: Body) -> Body:
        for decision in (*DECISIONS, "targets"):
            law(decision, **cases)(body)
        return body

    return state


def _everyone(collection: TestCollection) -> Topics:
    everyone = UserChoice(least_train=0, topics="all")
    return choose_users(collection.train, collection.judgments, everyone)


def _chosen(
    chosen: Any, collection: TestCollection, seed: int = 1, users: Topics | None = None
) -> Targets:
    return choice_of(chosen).choose(users or _everyone(collection), collection, seed)


def _lists(targets: Targets) -> list[tuple[int, list[int], list[int]]]:
    """User, relevant targets and all targets of every topic."""
    return [
        (int(user), targets.relevant_of(topic).tolist(), targets.of_topic(topic).tolist())
        for topic, user in enumerate(targets.topics.users)
    ]


def _large() -> TestCollection:
    ratings = random_ratings(50, 40, 0.3)
    test = np.random.default_rng(0).random(len(ratings)) < 0.4
    return TestCollection(ratings.take(~test), judge(ratings.take(test), 4))


@_law_of_targets(collection=collections(keeps_training=False), seed=SEEDS)
def targets_hold_no_training_item(chosen: Any, collection: TestCollection, seed: int) -> None:
    """No target of a topic is in its user's training, unless training items are kept."""
    targets = _chosen(chosen, collection, seed)
    for topic, user in enumerate(targets.topics.users):
        seen = np.intersect1d(targets.of_topic(topic), items_of(collection.train, user))
        require(not len(seen), f"user {user} has rated the targets {seen} in training")


@_law_of_targets(collection=collections(), seed=SEEDS)
def targets_are_candidates(chosen: Any, collection: TestCollection, seed: int) -> None:
    """Every target is a candidate, relevant or not, and stands once, in ascending order."""
    targets = _chosen(chosen, collection, seed)
    for topic in range(len(targets.topics)):
        items = targets.of_topic(topic)
        require((np.diff(items) > 0).all(), f"the targets {items} do not ascend")
        require(targets.eligible.candidates[items].all(), f"{items} are not all candidates")


@_law_of_targets(collection=collections(), seed=SEEDS)
def no_other_target_is_relevant(chosen: Any, collection: TestCollection, seed: int) -> None:
    """The relevant targets of a topic are relevant to its user; no other target is."""
    targets = _chosen(chosen, collection, seed)
    for topic, user in enumerate(targets.topics.users):
        relevant = targets.relevant_of(topic)
        positives = items_of(collection.judgments.positives, user)
        require(np.isin(relevant, positives).all(), f"{relevant} are not relevant to {user}")
        others = np.setdiff1d(targets.of_topic(topic), relevant)
        wrong = np.intersect1d(others, positives)
        require(not len(wrong), f"{wrong} are relevant to {user} and should not be here")


@_law_of_targets(collection=collections(), seed=SEEDS)
def the_same_seed_gives_the_same_targets(
    chosen: Any, collection: TestCollection, seed: int
) -> None:
    """Targets follow from the collection, the option and the seed alone."""
    one, other = (_lists(_chosen(chosen, collection, seed)) for _ in range(2))
    require(one == other, f"asked again, the targets are {other}, not {one}")


@_law_of_targets()
def the_number_of_threads_changes_no_target(chosen: Any) -> None:
    """Targets are the same with any number of threads."""
    found = []
    for count in (1, 2, 3):
        with threads(count):
            found.append(_chosen(chosen, _large()).fingerprint)
    require(len(set(found)) == 1, "targets differ between 1, 2 and 3 threads")


@_law_of_targets(collection=collections(), seed=SEEDS)
def the_targets_of_a_user_do_not_depend_on_others(
    chosen: Any, collection: TestCollection, seed: int
) -> None:
    """A topic has the same targets regardless of which other users take part."""
    everyone = _everyone(collection)
    whole = _lists(_chosen(chosen, collection, seed, everyone))
    half: Codes = everyone.users[::2]
    few = _lists(_chosen(chosen, collection, seed, Topics(half)))
    wanted = [each for each in whole if each[0] in half.tolist()]
    require(few == wanted, f"of every other user the targets are {few}, not {wanted}")


@_law_of_targets(collection=collections(), seed=SEEDS)
def other_ids_in_the_same_order_change_no_target(
    chosen: Any, collection: TestCollection, seed: int
) -> None:
    """Ids have no meaning: under other names the same items are targets."""
    judged = collection.judgments
    other = replace(
        collection,
        train=renamed(collection.train),
        judgments=replace(judged, ratings=renamed(judged.ratings)),
    )
    one, two = (_lists(_chosen(chosen, each, seed)) for each in (collection, other))
    require(one == two, f"under other ids the targets are {two}, not {one}")
