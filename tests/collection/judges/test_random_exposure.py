"""A random part judges in place of the test ratings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import CranfieldError, EmptyInput, MissingFile, OptionError
from cranfield.base.options import from_table
from cranfield.collection.ratings import Ratings
from cranfield.workbench import inventory
from cranfield.workbench.definition.files import toml_text
from experiment_cases import table_of

inventory.load("judged_by", "source", "split")

DATA = pytest.mark.skipif("CRANFIELD_DATA" not in os.environ, reason="needs $CRANFIELD_DATA")
TRAIN = Ratings.from_triples([1, 1, 2, 3], [1, 2, 1, 3], [5, 4, 3, 2])
TEST = TRAIN.take(np.array([3]))


def judging(part: Ratings, **more: Any) -> Ratings:
    """What a part judges where everything but the last rating is training."""
    judge: Any = from_table("judged_by", {"name": "random", "file": part, **more})
    found: Ratings = judge.ratings(None, TRAIN.take(np.arange(3)), TEST)
    return found


PAIRS = st.dictionaries(
    st.tuples(st.integers(1, 3), st.integers(1, 3)), st.integers(1, 5), min_size=1
)


@given(PAIRS)
def test_all_pairs_judge_that_are_not_in_training(pairs: dict[tuple[int, int], int]) -> None:
    users, items = ([pair[at] for pair in pairs] for at in (0, 1))
    part = Ratings.from_triples(users, items, list(pairs.values()))
    trained = {(1, 1), (1, 2), (2, 1)}
    wanted = sorted((*pair, float(r)) for pair, r in pairs.items() if pair not in trained)
    if not wanted:
        with pytest.raises(EmptyInput, match="outside training"):
            judging(part)
    else:
        assert judging(part).to_polars().rows() == wanted


def test_users_and_items_that_the_data_lack_are_refused_by_name_or_dropped() -> None:
    part = Ratings.from_triples([1, 9, 1, 3], [3, 1, 8, 1], [5, 5, 5, 1])
    with pytest.raises(OptionError, match=r"lack 1 user \(first 9\) and 1 item \(first 8\)"):
        judging(part)
    assert judging(part, unknown="drop").to_polars().rows() == [(1, 3, 5.0), (3, 1, 1.0)]
    strangers = Ratings.from_triples([8, 9], [1, 2], [5, 5])
    with pytest.raises(OptionError, match=r"lack 2 users \(first 8\) of the random part"):
        judging(strangers)
    with pytest.raises(EmptyInput, match="known users and items"):
        judging(strangers, unknown="drop")


@pytest.mark.parametrize(
    ("given_as", "error", "said"),
    [
        ("random", CranfieldError, "judged_by: random needs file"),
        ('random(file="")', CranfieldError, "there is no random part"),
        ("random(file=nowhere.csv)", MissingFile, "nowhere.csv"),
        ("random(file=7)", CranfieldError, "judged_by"),
        ('random(file="simulated(size=small)")', OptionError, "160 users"),
    ],
)
def test_what_is_no_random_part_is_refused(
    given_as: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        cf.run(table_of(judged_by=given_as))


def test_every_door_judges_alike(tmp_path: Path) -> None:
    """A table in Python, a file of a keyword, a file beside a TOML, and its table."""
    part = cf.read("simulated(size=tiny, mnar=0, skew=0)").to_polars()
    file = tmp_path / "shown.csv"
    part.write_csv(file)
    by_hand = cf.run(table_of(judged_by={"name": "random", "file": part}))
    definition = tmp_path / "experiment.toml"
    definition.write_text(toml_text(table_of(judged_by="random(file=shown.csv)")))
    inner = tmp_path / "inner.toml"
    inner.write_text(toml_text(table_of(judged_by={"name": "random", "file": "shown.csv"})))
    named = cf.run(table_of(judged_by=f'random(file="{file}")'))
    for other in (named, cf.run(definition), cf.run(inner)):
        assert other.scores.values.tobytes() == by_hand.scores.values.tobytes()


def test_the_ranking_is_judged_by_the_part_alone() -> None:
    """Only users of the part are topics, and a lone relevant item has a precision of 1."""
    known = cf.read("simulated(size=tiny)")
    users, items = known.user_ids.values, known.item_ids.values
    pairs = {(1, 0), (2, 0), (3, 1)} - set(zip(known.users, known.items, strict=True))
    part = pl.DataFrame({"user": [users[u] for u, _ in pairs], "item": [items[i] for _, i in pairs],
                         "rating": 5.0})  # fmt: skip
    made = cf.run(table_of(judged_by={"name": "random", "file": part}, targets="condensed",
                           metrics=["P@1"], systems={"a": "Popularity"}))  # fmt: skip
    judged = made.scores.user_ids.take(made.scores.topics.users).to_list()
    assert sorted(judged) == sorted(users[u] for u, _ in pairs)
    assert made.scores.values.ravel().tolist() == [1.0] * len(pairs)


def test_what_is_dropped_is_noted() -> None:
    file = 'random(file="simulated(users=60, items=50, ratings=900)", unknown=drop)'
    made = cf.run(table_of(judged_by=file))
    said = [note for note in made.notes if "random part" in note]
    assert len(said) == 1
    assert said[0].startswith("20 users and 0 items of the random part are not in the data")


@DATA
def test_cm100k_judges_what_people_knew_by_what_they_were_shown() -> None:
    asked = {
        "data": "subset(source=cm100k, column=known)", "split": "random", "relevance": 3,
        "systems": {"Popularity": "Popularity", "Random": "Random"}, "metrics": ["P@10"],
        "targets": "condensed", "judged_by": "random(file=cm100k, unknown=drop)",
    }  # fmt: skip
    found = cf.run(asked).summary
    liked = (cf.read("cm100k").values >= 3).mean()
    assert found.row("Random", "P@10").value == pytest.approx(liked, abs=0.03)
    assert found.row("Popularity", "P@10").value > found.row("Random", "P@10").value + 0.04
