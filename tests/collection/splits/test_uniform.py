"""The uniform split."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import split
from cranfield.collection.splits.uniform import Uniform
from strategies import SEEDS, random_ratings, ratings
from suites import tries

DATA = os.environ.get("CRANFIELD_DATA")
needs_data = pytest.mark.skipif(not DATA, reason="set CRANFIELD_DATA to the folder of data sets")


def items_of(*counts: int) -> Ratings:
    """Item k rated by users 1 … counts[k]."""
    users = [user for count in counts for user in range(1, count + 1)]
    items = [item for item, count in enumerate(counts, 1) for _ in range(count)]
    return Ratings.from_triples(users, items)


@needs_data
def test_movielens_1m_gets_the_published_figures() -> None:
    table = pl.read_parquet(Path(DATA or "") / "movielens-1m" / "ratings.parquet")
    made = split(Ratings.from_frame(table), Uniform(test_share=0.2, epsilon=0.2), seed=1)
    counts = made.test.item_counts
    assert np.count_nonzero(counts) == 1703
    assert set(counts.tolist()) == {0, 118}
    assert made.facts == {
        "target_items": 1703,
        "ratings_per_item": 118,
        "test_share": 1703 * 118 / 1_000_209,
    }
    assert made.folds[0].test_share == pytest.approx(0.2009, abs=5e-5)


def test_target_items_are_as_many_as_the_share_allows() -> None:
    # |R| = 20; (1 - 0.5)·|R(i_k)|·k/20: 10·1/40 = 0.25, 6·2/40 = 0.3, 4·3/40 = 0.3.
    data = items_of(4, 10, 6)
    assert Uniform(test_share=0.3, epsilon=0.5).split(data, Seeds(1)).facts == {
        "target_items": 3,
        "ratings_per_item": 2,
        "test_share": 6 / 20,
    }


def test_the_rarest_items_are_left_out_if_they_would_cost_the_share() -> None:
    # |R| = 21; 10·1/42 = 0.238, 10·2/42 = 0.476, 1·3/42 = 0.071.
    data = items_of(1, 10, 10)
    division = Uniform(test_share=0.3, epsilon=0.5).split(data, Seeds(1))
    assert np.bincount(data.items[division.tests[0]], minlength=3).tolist() == [0, 5, 5]


@given(
    data=ratings(), seed=SEEDS, share=st.sampled_from([0.01, 0.1, 0.3]), epsilon=st.floats(0, 0.6)
)
@settings(deadline=None, max_examples=tries(80))
def test_every_target_item_has_the_same_number(
    data: Ratings, seed: int, share: float, epsilon: float
) -> None:
    try:
        division = Uniform(test_share=share, epsilon=epsilon).split(data, Seeds(seed))
    except InfeasibleSplit:
        return
    counts = np.bincount(data.items[division.tests[0]], minlength=data.n_items)
    targets = counts > 0
    assert targets.sum() == division.facts["target_items"]
    assert set(counts[targets].tolist()) == {division.facts["ratings_per_item"]}
    # No item outside is more popular than one inside.
    assert data.item_counts[~targets].max(initial=0) <= data.item_counts[targets].min()


def test_a_share_just_reached_is_not_lost_to_rounding() -> None:
    for count in range(1, 30):
        data = items_of(*[10] * count)
        facts = Uniform(test_share=0.8, epsilon=0.2).split(data, Seeds(1)).facts
        assert facts["ratings_per_item"] == 8


def by_hand(data: Ratings, option: Uniform, seed: int) -> list[set[int]]:
    """The test rows of each fold, by loops over the circle of each target item's ratings."""
    plain = Uniform(test_share=option.test_share, epsilon=option.epsilon)
    facts = plain.split(data, Seeds(seed)).facts
    each, folds = int(facts["ratings_per_item"]), option.folds
    words = Seeds(seed).words("uniform", size=len(data)).tolist()
    tests: list[set[int]] = [set() for _ in range(folds)]
    by_popularity = sorted(range(data.n_items), key=lambda item: -int(data.item_counts[item]))
    for item in by_popularity[: int(facts["target_items"])]:
        circle = sorted(np.flatnonzero(data.items == item).tolist(), key=words.__getitem__)
        for fold, test in enumerate(tests):
            start = fold * len(circle) // folds
            test |= {circle[(start + step) % len(circle)] for step in range(each)}
    return tests


@given(
    data=ratings(),
    seed=SEEDS,
    share=st.sampled_from([0.01, 0.1, 0.3]),
    folds=st.integers(1, 7),
    more=st.sampled_from([0.0, 0.1, 0.3]),
)
@settings(deadline=None, max_examples=tries(80))
def test_folds_follow_each_other_round_the_ratings_of_an_item(
    data: Ratings, seed: int, share: float, folds: int, more: float
) -> None:
    epsilon = min(1 / folds + more, 0.9) if folds > 1 else more
    option = Uniform(test_share=share, epsilon=epsilon, folds=folds)
    try:
        division = option.split(data, Seeds(seed))
    except InfeasibleSplit:
        return
    found = [set(np.flatnonzero(test).tolist()) for test in division.tests]
    assert found == by_hand(data, option, seed)
    times = np.sum(division.tests, axis=0)
    each = division.facts["ratings_per_item"]
    for item in np.unique(data.items[division.tests[0]]):
        mean = folds * each / data.item_counts[item]
        assert set(times[data.items == item]) <= {np.floor(mean), np.ceil(mean)}


def test_every_rating_of_the_rarest_target_is_training_once_with_the_least_epsilon() -> None:
    # (1 − 1/5)·10 = 8 of 10 ratings are test: 5·8/10 = 4 times each, training once.
    data = items_of(10, 20)
    division = Uniform(test_share=0.5, epsilon=0.2, folds=5).split(data, Seeds(3))
    times = np.sum(division.tests, axis=0)
    assert set(times[data.items == 0].tolist()) == {4}
    assert set(times[data.items == 1].tolist()) == {2}


def test_no_rating_is_test_twice_if_epsilon_leaves_each_fold_its_own() -> None:
    # (1 − 0.8)·10 = 2 of the rarest item's 10 ratings are test in each of 5 folds.
    data = items_of(10, 20, 35)
    division = Uniform(test_share=0.05, epsilon=0.8, folds=5).split(data, Seeds(3))
    times = np.sum(division.tests, axis=0)
    assert times.max() == 1
    assert np.bincount(data.items, times).tolist() == [10, 10, 10]


def test_one_fold_is_the_first_of_several() -> None:
    data = random_ratings(50, 30, 0.4)
    one, several = (
        Uniform(test_share=0.1, epsilon=0.5, folds=folds).split(data, Seeds(1)) for folds in (1, 4)
    )
    assert (one.tests[0] == several.tests[0]).all()
    assert one.facts == several.facts


@pytest.mark.parametrize(
    ("folds", "epsilon", "said"),
    [
        (3, 0.3, "at least 1/3, .* it is 0.3. Raise epsilon to 0.3334, or choose at least 4 folds"),
        (5, 0.0, "at least 1/5, .* it is 0. Raise epsilon to 0.2.$"),
        (2, 1e-5, "at least 1/2, .* it is 1e-05. Raise epsilon to 0.5.$"),
    ],
)
def test_too_small_an_epsilon_for_so_many_folds_is_refused(
    folds: int, epsilon: float, said: str
) -> None:
    with pytest.raises(OptionError, match=said):
        Uniform(epsilon=epsilon, folds=folds)


@pytest.mark.parametrize("folds", range(2, 60))
def test_the_epsilon_that_a_refusal_names_is_enough(folds: int) -> None:
    with pytest.raises(OptionError) as error:
        Uniform(epsilon=0.001, folds=folds)
    named = re.search(r"Raise epsilon to ([0-9.]+\d)", str(error.value))
    assert named
    assert Uniform(epsilon=float(named[1]), folds=folds).folds == folds
    assert Uniform(epsilon=1 / folds, folds=folds).folds == folds


@needs_data
def test_movielens_1m_in_five_folds_keeps_the_published_figures() -> None:
    table = pl.read_parquet(Path(DATA or "") / "movielens-1m" / "ratings.parquet")
    made = split(Ratings.from_frame(table), Uniform(folds=5), seed=1)
    assert [set(fold.test.item_counts.tolist()) for fold in made.folds] == [{0, 118}] * 5
    assert [np.count_nonzero(fold.test.item_counts) for fold in made.folds] == [1703] * 5


def test_an_unreachable_share_names_one_that_can_be_reached() -> None:
    data = random_ratings(50, 30, 0.4)
    with pytest.raises(InfeasibleSplit) as error:
        Uniform(test_share=0.7, epsilon=0.2).split(data, Seeds(1))
    found = re.fullmatch(
        r"uniform split: a test share of 0.7 cannot be reached with epsilon = 0.2; "
        r"the most is (0\.\d+). Lower test_share or epsilon.",
        str(error.value),
    )
    assert found
    most = float(found[1])
    Uniform(test_share=most, epsilon=0.2).split(data, Seeds(1))
    with pytest.raises(InfeasibleSplit):
        Uniform(test_share=most + 1e-4, epsilon=0.2).split(data, Seeds(1))


def test_less_than_half_a_rating_per_item_is_refused() -> None:
    with pytest.raises(InfeasibleSplit, match="less than half a rating of each of 3 items"):
        Uniform(test_share=0.2, epsilon=0.7).split(items_of(1, 1, 1), Seeds(1))
