"""The order of one ranking, by hand: predictions, then fallbacks, then ties, then ids."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

import cranfield.collection.targets  # noqa: F401  (makes the options known)
from cranfield.base.ids import Ids
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.order import order_of, share, tie_keys

NAN = float("nan")
ITEMS = ["10", "2", "30", "4", "5"]
"""As text these stand 10, 2, 30, 4, 5: the codes 0 to 4 are in that order."""


@cache
def targets() -> Targets:
    """User u rated item 30 with 5 and item 5 with 1 in test; training is of user v alone.

    Of v, item 2 has a rating of 3, and 4 one of 5; item 4 has one more of w, of 1.
    """
    users, items = Ids(pl.Series(["u", "v", "w"])), Ids(pl.Series(ITEMS))
    train = Ratings.from_triples(["v", "v", "w"], ["2", "4", "4"], [3, 5, 1]).reindex(users, items)
    test = Ratings.from_triples(["u", "u"], ["30", "5"], [5, 1]).reindex(users, items)
    judgments = judge(test, 4, (1, 5))
    chosen = choose_users(train, judgments, UserChoice(least_train=0, topics="judged"))
    return parse_targets("all-items").choose(chosen, TestCollection(train, judgments))


def order(predictions: list[float], **how: str) -> list[str]:
    choice = RankingChoice(**how)  # type: ignore[arg-type]
    codes, _ = order_of(np.array(predictions), targets(), 0, choice)
    return [ITEMS[code] for code in codes]


def test_higher_predictions_come_first_also_below_zero() -> None:
    assert order([-3.0, 0.0, 7.5, -1.0, 7.0]) == ["30", "5", "2", "4", "10"]


@pytest.mark.parametrize(
    ("ties", "wanted"),
    [
        ("item-id", ["10", "2", "30", "4", "5"]),
        ("expected", ["10", "2", "30", "4", "5"]),
        ("trec_eval", ["5", "4", "30", "2", "10"]),
        ("optimistic", ["30", "5", "10", "2", "4"]),
        ("pessimistic", ["10", "2", "4", "5", "30"]),
    ],
)
def test_equal_items_stand_by_the_rule_for_ties(ties: str, wanted: list[str]) -> None:
    assert order([1.0] * 5, ties=ties) == wanted


def test_items_without_a_prediction_are_left_out_or_follow_the_others() -> None:
    gaps = [NAN, NAN, -9.0, NAN, NAN]
    assert order(gaps) == ["30"]
    # ratings in training: item 2 one, item 4 two
    assert order(gaps, unscored="popularity") == ["30", "4", "2", "10", "5"]
    # both have a mean of 3, and ids decide; those without any come last
    assert order(gaps, unscored="average-rating") == ["30", "2", "4", "10", "5"]


def test_items_without_a_prediction_follow_at_random_by_seed() -> None:
    gaps = [NAN, NAN, -9.0, NAN, NAN]
    found = {tuple(order(gaps, unscored="random", seed=seed)) for seed in range(60)}  # type: ignore[arg-type]
    assert all(one[0] == "30" for one in found)
    assert len(found) > 15  # of 24 orders of the other four


def test_random_ties_put_every_item_first_now_and_then() -> None:
    firsts = [order([1.0] * 5, ties="random", seed=seed)[0] for seed in range(100)]  # type: ignore[arg-type]
    counts = np.unique(firsts, return_counts=True)[1]
    assert len(counts) == 5
    assert np.abs(counts - 20).max() < 5 * np.sqrt(100 * 1 / 5 * 4 / 5)


def test_numbers_as_ids_are_compared_as_text_by_trec_eval() -> None:
    ratings = Ratings.from_triples([1] * 4, [9, 10, 100, 2])
    users = choose_users(ratings, judge(ratings, 1), UserChoice(topics="all"))
    made = parse_targets("all-items").choose(users, TestCollection(ratings, judge(ratings, 1)))
    keys = tie_keys(RankingChoice(ties="trec_eval"), made)
    # codes are 2, 9, 10, 100; descending as text: 9, 2, 100, 10
    assert np.argsort(keys).tolist() == [1, 0, 3, 2]


def test_draws_are_from_zero_to_below_one() -> None:
    drawn = np.array([share(3, counter) for counter in range(2000)])
    assert (drawn >= 0).all()
    assert (drawn < 1).all()
    assert abs(drawn.mean() - 0.5) < 5 * np.sqrt(1 / 12 / 2000)
