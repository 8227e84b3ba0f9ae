"""Split curves: test ratings of items by popularity, and what percentiles leave of it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import split
from cranfield.validity.bias.split_curves import MOST_PLACES, split_curve
from cranfield.workbench import inventory
from strategies import ratings

inventory.load("split")

# x has 3 ratings, y 2, z 1; liked (4 and more): x by a and c, y by a.
SMALL = Ratings.from_triples(
    ["a", "a", "a", "b", "b", "c"], ["x", "y", "z", "x", "y", "x"], [5, 4, 1, 3, 2, 5]
)


def part(*rows: int) -> Ratings:
    return SMALL.take(np.isin(np.arange(len(SMALL)), rows))


def test_items_are_in_the_order_of_popularity_with_their_test_ratings() -> None:
    curve = split_curve(SMALL, [part(0, 1)], relevance=4)  # a's x and y
    assert curve.to_polars().to_dict(as_series=False) == {
        "rank": [1, 2, 3],
        "ratings": [3, 2, 1],
        "positive": [2, 1, 0],
        "tested": [1, 1, 0],
        "tested_positive": [1, 1, 0],
        "expected": pytest.approx([1, 2 / 3, 1 / 3]),
    }
    assert curve.share == 2 / 6


def test_the_folds_are_averaged() -> None:
    curve = split_curve(SMALL, [part(0, 1), part(3, 4)], relevance=4)
    assert curve.tested.tolist() == [1, 1, 0]
    assert curve.tested_positive.tolist() == [0.5, 0.5, 0]


def test_percentiles_say_what_popularity_can_gain() -> None:
    table = split_curve(SMALL, [part(0, 1)], relevance=4).percentiles(2)
    assert table["percentile"].to_list() == ["1", "2", "all"]
    assert table["items"].to_list() == [2, 1, 3]
    assert table["most_ratings"].to_list() == [3, 1, 3]
    assert table["fewest_ratings"].to_list() == [2, 1, 1]
    assert table["test_ratings"].to_list() == [2, 0, 2]
    assert table["delta"].to_list() == pytest.approx([(2 - 1) / 3, 0, 2 / 3])


def test_more_percentiles_than_items_leave_one_item_to_each() -> None:
    table = split_curve(SMALL, [part(0)], relevance=4).percentiles(10)
    assert table["items"].to_list() == [1, 1, 1, 3]
    assert table["delta"].to_list()[:-1] == [0, 0, 0]


def test_long_curves_are_thinned_and_keep_their_ends() -> None:
    many = Ratings.from_triples(np.zeros(3000, dtype=int), np.arange(3000), np.full(3000, 5))
    curve = split_curve(many, [many], relevance=4)
    shown = curve.to_polars(MOST_PLACES)
    assert len(shown) == MOST_PLACES
    assert (shown["rank"][0], shown["rank"][-1]) == (1, 3000)
    rated, tested = curve.lines("ratings", "tested")
    assert (rated.name, tested.name) == ("ratings", "test ratings")
    assert len(rated.x) == MOST_PLACES


@given(ratings(), st.integers(1, 5))
def test_a_curve_holds_all_ratings_once(data: Ratings, m: int) -> None:
    curve = split_curve(data, [data], relevance=3)
    assert curve.ratings.sum() == len(data)
    assert (np.diff(curve.ratings) <= 0).all()
    assert (curve.tested == curve.ratings).all()
    assert curve.expected == pytest.approx(curve.tested)
    assert curve.percentiles(m)["items"][:-1].sum() == len(curve.ratings)


def test_the_uniform_split_tests_as_many_of_each_item() -> None:
    """The first ζ items have η test ratings each, the others none (bellogin2017 Fig. 6b)."""
    counts = np.array([40, 30, 20, 10, 5])
    items = np.repeat(np.arange(5), counts)
    users = np.concatenate([np.arange(count) for count in counts])
    data = Ratings.from_triples(users, items, np.full(len(items), 4))
    made = split(data, parse("split", "uniform(test_share=0.3, epsilon=0.2)"), seed=1)
    curve = split_curve(data, [made.test], relevance=4)
    tested = curve.to_polars().filter(pl.col("tested") > 0)
    assert tested["tested"].n_unique() == 1
    assert tested["rank"].to_list() == list(range(1, len(tested) + 1))
    assert (curve.tested_positive == curve.tested).all()
