from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import OptionError
from cranfield.base.ids import Ids
from cranfield.collection.simulation.truth import SimulatedTruth, simulate, truth_of
from cranfield.collection.sources.simulated import Simulated


@pytest.fixture
def by_hand() -> SimulatedTruth:
    """Two users and three items with tastes that can be worked out on paper."""
    return SimulatedTruth(
        user_ids=Ids(pl.Series(["a", "b"])),
        item_ids=Ids(pl.Series(["x", "y", "z"])),
        level=3.0,
        biases=np.array([0.5, -0.5]),
        qualities=np.array([0.0, 1.0, -1.0]),
        tastes=np.array([[1.0, 0.0], [0.0, 2.0]]),
        traits=np.array([[1.0, 1.0], [0.0, -1.0], [2.0, 0.0]]),
        noise=0.5,
        key=1,
    )


def test_appeal_is_level_bias_quality_and_taste(by_hand: SimulatedTruth) -> None:
    a = [3 + 0.5 + 0 + 1 * 1, 3 + 0.5 + 1 + 1 * 0, 3 + 0.5 - 1 + 1 * 2]
    b = [3 - 0.5 + 0 + 2 * 1, 3 - 0.5 + 1 - 2 * 1, 3 - 0.5 - 1 + 2 * 0]
    assert by_hand.appeal(np.array([0, 1])) == pytest.approx(np.array([a, b]))


def test_relevance_is_logistic_in_appeal(by_hand: SimulatedTruth) -> None:
    relevance = by_hand.relevance(np.array([1]))
    expected = [1 / (1 + np.exp((3.5 - appeal) / 0.5)) for appeal in (4.5, 1.5, 1.5)]
    assert relevance[0] == pytest.approx(np.array(expected))


def test_a_rating_is_relevant_as_often_as_relevance_says() -> None:
    truth = truth_of(Simulated(size="medium"))
    users = np.arange(400)
    relevance, relevant = truth.relevance(users), truth.rating(users) >= 4
    for low in np.arange(0, 1, 0.1):
        chosen = (relevance >= low) & (relevance < low + 0.1)
        share, expected = relevant[chosen].mean(), relevance[chosen].mean()
        assert abs(share - expected) < 4 * np.sqrt(0.25 / chosen.sum())


def test_ratings_are_whole_numbers_from_one_to_five() -> None:
    found = truth_of(Simulated(size="small")).rating(np.arange(200))
    assert set(np.unique(found)) == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("what", ["appeal", "relevance", "rating"])
def test_batches_change_not_a_bit(what: str) -> None:
    truth = truth_of(Simulated(size="small"))
    whole = getattr(truth, what)(np.arange(200))
    for users in (np.array([17]), np.array([199, 0, 5]), np.arange(90, 151)):
        assert (getattr(truth, what)(users) == whole[users]).all()
    items = np.array([250, 3])
    assert (getattr(truth, what)(np.arange(200), items) == whole[:, items]).all()


def test_ratings_of_pairs_are_those_of_the_whole() -> None:
    truth = truth_of(Simulated(size="tiny"))
    whole = truth.rating(np.arange(40))
    users, items = np.array([3, 39, 3]), np.array([0, 49, 7])
    assert (truth.rating_of_pairs(users, items) == whole[users, items]).all()


def test_the_truth_comes_again_from_the_option_alone() -> None:
    option = Simulated(size="small", seed=5)
    users = np.arange(200)
    again, first = truth_of(option), simulate(option).truth
    assert (again.rating(users) == first.rating(users)).all()
    assert (again.relevance(users) == first.relevance(users)).all()
    assert again.user_ids == first.user_ids


def test_another_seed_is_another_world() -> None:
    users = np.arange(40)
    first, other = (truth_of(Simulated(size="tiny", seed=seed)) for seed in (0, 1))
    assert (first.rating(users) != other.rating(users)).mean() > 0.3


def test_a_source_without_a_truth_is_refused_in_words() -> None:
    with pytest.raises(OptionError, match="the truth behind these ratings is not known"):
        truth_of("ml-1m")
