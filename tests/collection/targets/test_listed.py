"""Listed targets: exactly what a file lists for each user, training items apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import CranfieldError, InputError, MissingObjects
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets, items_of
from cranfield.collection.target_choice import TargetChoice, parse_targets
from cranfield.collection.targets.listed import Listed
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.testing import Law, laws_of
from cranfield.testing.strategies import collections
from cranfield.workbench import inventory
from cranfield.workbench.cli.main import main
from cranfield.workbench.results.methods.methods import methods_of
from suites import tries

inventory.load()


def chosen(
    lists: Any, collection: TestCollection, more: str = "all-items", least: int = 0
) -> Targets:
    """The targets of all users, whose lists are a table."""
    base = parse_targets(more)
    choice = TargetChoice(base.candidates, base.relevant, Listed(file=lists))
    everyone = UserChoice(topics="all", least_train=least)
    users = choose_users(collection.train, collection.judgments, everyone)
    return choice.choose(users, collection)


def some_pairs(collection: TestCollection, seed: int) -> pl.DataFrame:
    """Random lists; at least one user has one."""
    shape = len(collection.user_ids), len(collection.item_ids)
    users, items = np.nonzero(np.random.default_rng(seed).random(shape) < 0.6)
    users, items = np.append(users, 0), np.append(items, 0)
    table = pl.DataFrame(
        {
            "user": collection.user_ids.take(users.astype(np.int32)),
            "item": collection.item_ids.take(items.astype(np.int32)),
        }
    )
    return table.unique(maintain_order=True)


def expected(lists: pl.DataFrame, collection: TestCollection, user: int) -> set[int]:
    """By definition: the listed items of a user, without those of training."""
    own = lists.filter(pl.col("user") == collection.user_ids[user])["item"]
    codes = set(collection.item_ids.encode(own).tolist())
    return codes - set(items_of(collection.excluded, user).tolist())


@settings(deadline=None, max_examples=tries(40))
@given(collection=collections(), seed=st.integers(0, 99))
def test_targets_are_the_listed_items_without_those_of_training(
    collection: TestCollection, seed: int
) -> None:
    lists = some_pairs(collection, seed)
    targets = chosen(lists, collection)
    for topic, user in enumerate(targets.topics.users.tolist()):
        assert set(targets.of_topic(topic).tolist()) == expected(lists, collection, user)


@settings(deadline=None, max_examples=tries(25))
@given(collection=collections(), seed=st.integers(0, 99))
def test_of_one_relevant_item_each_the_others_are_listed_and_not_relevant(
    collection: TestCollection, seed: int
) -> None:
    lists = some_pairs(collection, seed)
    targets = chosen(lists, collection, "one-relevant")
    relevant = collection.judgments.positives
    assert targets.topics.items is not None
    for topic, user in enumerate(targets.topics.users.tolist()):
        every, liked = expected(lists, collection, user), items_of(relevant, user).tolist()
        item = int(targets.topics.items[topic])
        assert item in every
        assert set(targets.of_topic(topic).tolist()) == every - set(liked) | {item}


@settings(deadline=None, max_examples=tries(20))
@given(collection=collections(keeps_training=False), seed=st.integers(0, 99))
def test_every_system_ranks_exactly_these_items(collection: TestCollection, seed: int) -> None:
    lists = some_pairs(collection, seed)
    choice = f"listed(file={Listed(file=lists).file})"
    made = cf.rank(
        collection.train,
        collection.judgments,
        {"pop": "Popularity", "random": "Random"},
        replace(parse_targets("all-items"), nonrelevant=Listed(file=lists)),
        topics="all",
        least_train=0,
        unscored="random",
        depth=100,
    )
    for name in ("pop", "random"):
        run = made[name].run
        for place, user in enumerate(run.topics.users.tolist()):
            ranked = run.items[run.offsets[place] : run.offsets[place + 1]]
            assert set(ranked.tolist()) == expected(lists, collection, user), choice


def small() -> TestCollection:
    train = Ratings.from_triples([1, 1, 2, 3], [7, 8, 9, 7])
    test = Ratings.from_triples([1, 1, 2], [9, 10, 7], [5.0, 2.0, 4.0])
    users, items = train.user_ids.union(test.user_ids), train.item_ids.union(test.item_ids)
    return TestCollection(train.reindex(users, items), judge(test.reindex(users, items), 4))


def test_a_relevant_item_that_is_not_listed_is_no_target() -> None:
    targets = chosen({"user": [1, 1, 2], "item": [10, 7, 7]}, small())
    names = [
        [targets.collection.item_ids[item] for item in targets.of_topic(topic)]
        for topic in range(3)
    ]
    assert names == [[10], [7], []]
    assert targets.restricted


def test_lists_that_differ_in_a_relevant_item_have_different_fingerprints() -> None:
    with_it = chosen({"user": [1, 1, 2], "item": [9, 10, 7]}, small())
    without = chosen({"user": [1, 2], "item": [10, 7]}, small())
    again = chosen({"user": [2, 1, 1], "item": [7, 10, 9]}, small())
    assert with_it.fingerprint != without.fingerprint
    assert with_it.fingerprint == again.fingerprint


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({"user": [1, 1], "item": [7, 99]}, "1 listed item is not in the collection: 99. Correct"),
        (
            {"user": [1, 1, 1, 1, 2], "item": [95, 96, 97, 98, 95]},
            "4 listed items are not in the collection: 95, 96, 97 and others",
        ),
        ({"user": [70], "item": [7]}, "no user of it is in the collection"),
        ({"user": ["a"], "item": [7]}, "it names users by text, the data by numbers"),
        ({"user": [1], "item": ["x"]}, "it names items by text, the data by numbers"),
    ],
)
def test_what_cannot_be_ranked_is_refused_by_name(lists: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        chosen(lists, small())


def test_lists_of_other_users_are_left_alone() -> None:
    targets = chosen({"user": [1, 70], "item": [10, 99]}, small())
    assert targets.of_topic(0).tolist() == [3]


TRAIN = "user,item,rating\n1,7,5\n1,8,4\n2,9,3\n2,10,5\n"
TEST = "user,item,rating\n1,9,5\n1,10,2\n2,7,4\n"
LISTS = "user,item\n1,9\n1,10\n2,8\n2,7\n"


def files(folder: Path) -> None:
    for name, text in (("train", TRAIN), ("test", TEST), ("lists", LISTS)):
        (folder / f"{name}.csv").write_text(text)


def test_a_definition_the_command_line_and_python_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files(tmp_path)
    text = 'relevance = 4\nmetrics = ["RR", "nDCG@5"]\nsystems = ["Popularity"]\n'
    text += 'split = "given(test=test.csv, train=train.csv)"\n'
    (tmp_path / "e.toml").write_text(text + 'targets = "listed(file=lists.csv), all-relevant"\n')
    one = cf.run(tmp_path / "e.toml")
    assert "lists.csv lists for the user" in methods_of(one)
    table = pl.read_csv(tmp_path / "lists.csv")
    choice = replace(parse_targets("all-items"), nonrelevant=Listed(file=table))
    other = cf.run(
        {
            "relevance": 4,
            "metrics": ["RR", "nDCG@5"],
            "systems": ["Popularity"],
            "split": {
                "name": "given",
                "test": str(tmp_path / "test.csv"),
                "train": str(tmp_path / "train.csv"),
            },
            "targets": choice,
        }
    )
    assert one.scores.values.tobytes() == other.scores.values.tobytes()
    cf.write_results(other, tmp_path / "out")
    with pytest.raises(MissingObjects, match="targets"):
        cf.run(tmp_path / "out" / "experiment.toml")
    parts = ["--train", str(tmp_path / "train.csv"), "--test", str(tmp_path / "test.csv")]
    wanted = ["--targets", f"listed(file={tmp_path / 'lists.csv'})", "--system", "Popularity"]
    out = str(tmp_path / "run.tsv")
    assert main(["rank", *parts, *wanted, "--unscored", "random", "--out", out]) == 0
    lines = Path(out).read_text().splitlines()
    assert sorted(tuple(map(int, line.split()[:2])) for line in lines) == sorted(table.rows())
    capsys.readouterr()


def test_a_given_run_is_limited_to_the_listed_items(tmp_path: Path) -> None:
    files(tmp_path)
    runs = {"mine": {1: [10, 8, 9], 2: [9, 10, 7]}}
    named = {name: str(tmp_path / f"{name}.csv") for name in ("train", "test", "lists")}
    made = cf.score(
        named["test"],
        runs,
        ["RR"],
        relevance=4,
        train=named["train"],
        targets=f"listed(file={named['lists']})",
    )
    assert made.of("mine", "RR").tolist() == [0.5, 1.0]


def test_a_missing_file_of_lists_is_refused(tmp_path: Path) -> None:
    files(tmp_path)
    with pytest.raises(CranfieldError, match=r"nowhere\.csv"):
        cf.score(
            str(tmp_path / "test.csv"),
            {"mine": {1: [9]}},
            ["RR"],
            relevance=4,
            targets="listed(file=nowhere.csv)",
        )


NAMES_IDS = "other_ids_in_the_same_order_change_no_target"
"""A file names ids, so that it says nothing of the same items under others."""


@pytest.mark.parametrize("more", ["all-relevant", "test-items, one-relevant", "percentiles(m=2)"])
@pytest.mark.parametrize(
    "law", [law for law in laws_of("targets") if law.name != NAMES_IDS], ids=lambda law: law.name
)
def test_it_obeys_the_laws_of_targets(law: Law, more: str) -> None:
    """Every generated collection has the items 0 and 1, the one large collection 1 and 2."""
    users, items = np.divmod(np.arange(100), 2)
    large = law.name == "the_number_of_threads_changes_no_target"
    lists = Listed(file={"user": users, "item": items + 1 if large else items})
    law.check(replace(parse_targets(more), nonrelevant=lists), examples=10)
