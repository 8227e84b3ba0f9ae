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

from cranfield.base.errors import InfeasibleSplit
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import split
from cranfield.collection.splits.uniform import Uniform
from strategies import SEEDS, random_ratings, ratings

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
@settings(deadline=None, max_examples=80)
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
