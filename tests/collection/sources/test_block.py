"""A complete block shows a part of itself by a known rule, and knows the rest."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from cranfield.base.errors import BadParameter
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import simulate, true_ratings, truth_of
from cranfield.collection.sources.block import Block

DATA = pytest.mark.skipif("CRANFIELD_DATA" not in os.environ, reason="needs $CRANFIELD_DATA")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """300 users who rated 40 items, and one who did not."""
    rng = np.random.default_rng(5)
    values = np.clip(np.rint(rng.normal(3, 1.2, (300, 40))), 1, 5)
    rows = [f"u{u},i{i:02},{values[u, i]:g}" for u in range(300) for i in range(40)]
    path = tmp_path / "all.csv"
    path.write_text("\n".join(["user,item,rating", *rows, "lazy,i00,5"]) + "\n")
    return str(path)


def test_so_much_of_the_block_is_shown_and_all_of_it_is_known(file: str) -> None:
    made = simulate(Block(source=file, density=0.25))
    assert made.ratings.user_counts.tolist() == [10] * 300
    assert "lazy" not in made.ratings.user_ids.values.to_list()
    truth = made.truth
    shown = truth.rating_of_pairs(made.ratings.users, made.ratings.items)
    assert (made.ratings.values == shown).all()
    assert made.ratings.timestamps is None


def test_what_is_not_in_training_is_judged_by_the_block(file: str) -> None:
    source = Block(source=file)
    train = source.read()
    hidden = true_ratings(source, train)
    assert len(hidden) + len(train) == 300 * 40
    both = Ratings.from_triples(
        np.concatenate([train.users, hidden.users]), np.concatenate([train.items, hidden.items])
    )
    assert len(both) == 300 * 40


def test_without_skew_every_item_is_shown_about_as_often(file: str) -> None:
    counts = Block(source=file).read().item_counts
    expected = 300 * 8 / 40
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)


def test_skew_makes_some_items_popular(file: str) -> None:
    counts = np.sort(Block(source=file, skew=3.0).read().item_counts)
    assert counts[-1] > 5 * counts[0]
    assert counts[0] >= 1


def test_popularity_says_nothing_of_ratings_unless_it_is_asked_to(file: str) -> None:
    means = truth_of(Block(source=file)).rating(np.arange(300)).mean(axis=0)

    def correlation(fame: float) -> float:
        seen = [
            np.corrcoef(means, Block(source=file, skew=2, fame=fame, seed=seed).read().item_counts)
            for seed in range(5)
        ]
        return float(np.mean([each[0, 1] for each in seen]))

    assert abs(correlation(0.0)) < 0.4
    assert correlation(1.0) > 0.7


def test_ratings_missing_not_at_random_are_higher_than_the_truth(file: str) -> None:
    truth = truth_of(Block(source=file)).rating(np.arange(300)).mean()
    at_random = Block(source=file).read().values.mean()
    liked = Block(source=file, mnar=6).read().values.mean()
    assert abs(at_random - truth) < 0.1
    assert liked > truth + 0.5


def test_seeds_show_other_ratings_of_the_same_block(file: str) -> None:
    first, same, other = (Block(source=file, seed=seed).read() for seed in (0, 0, 1))
    assert first.fingerprint == same.fingerprint != other.fingerprint


def test_a_block_of_fewer_items_can_be_taken(file: str) -> None:
    made = Block(source=file, items=10, density=0.5).read()
    assert repr(made) == "Ratings(300 users, 10 items, 1,500 ratings)"


def test_sources_are_named_as_anywhere() -> None:
    spelled = 'block(source="simulated(size=tiny)", density=0.5, items=2)'
    assert str(parse("source", spelled)) == spelled


def test_sources_without_a_complete_block_are_refused_in_words() -> None:
    with pytest.raises(BadParameter, match="most rated ones were all rated by"):
        Block(source="simulated(size=tiny)").read()


@DATA
def test_jester_has_7200_users_who_rated_all_100_jokes() -> None:
    truth = truth_of(Block(source="jester-1"))
    assert len(truth.user_ids) == 7_200
    assert len(truth.item_ids) == 100
