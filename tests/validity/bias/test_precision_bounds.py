"""1R precision never leaves the bounds that AR sets to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.ranking.choice import RankingChoice, Ties, Unscored
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.rank import rank
from cranfield.recommendation.recommender import Predictions
from cranfield.validity.bias.precision_bounds import (
    PrecisionBounds,
    bounds_of_one_relevant,
    bounds_table,
    precision_bounds,
)
from ranking_cases import Fixed, cases
from suites import tries

ORDERS: tuple[Ties, ...] = ("item-id", "trec_eval", "optimistic", "pessimistic")
"""Rules by which the same items are in the same order in every target set."""
POLICIES: tuple[Unscored, ...] = ("drop", "random", "popularity", "average-rating")


CANDIDATES = st.sampled_from(
    ["all-items", "test-items", "sampled(n=3)", "test-items, sampled(n=2)"]
)


def hits_of(
    case: tuple[Ratings, Ratings, float, Predictions], candidates: str, choice: RankingChoice
) -> tuple[Hits, Hits]:
    """The hits of a system in AR and in 1R, on the same candidates."""
    train, test, relevance, table = case
    judgments = judge(test, relevance, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    ar, one = (
        parse_targets(f"{candidates}, {relevant}").choose(
            users, TestCollection(train, judgments), seed=3
        )
        for relevant in ("all-relevant", "one-relevant")
    )
    together, apart = rank(Fixed(table), [ar, one], choice, "A")
    return together.hits, apart.hits


def bounds_of(
    case: tuple[Ratings, Ratings, float, Predictions],
    candidates: str,
    cutoff: int,
    choice: RankingChoice,
) -> PrecisionBounds:
    return precision_bounds(*hits_of(case, candidates, choice), cutoff)


@given(
    cases(),
    CANDIDATES,
    st.integers(1, 5),
    st.sampled_from(ORDERS),
    st.sampled_from(POLICIES),
)
@settings(deadline=None, max_examples=tries(300))
def test_the_bounds_are_never_violated(
    case: tuple[Ratings, Ratings, float, Predictions],
    candidates: str,
    cutoff: int,
    ties: Ties,
    unscored: Unscored,
) -> None:
    choice = RankingChoice(ties=ties, unscored=unscored, depth=1, seed=3)
    bounds = bounds_of(case, candidates, cutoff, choice)
    assert bounds.holds
    assert bounds.relevant == 0 or bounds.lower <= bounds.value <= bounds.upper <= 1 / cutoff


@given(cases(), CANDIDATES, st.integers(1, 5), st.sampled_from(ORDERS), st.sampled_from(POLICIES))
@settings(deadline=None, max_examples=tries(100))
def test_rankings_of_one_relevant_item_suffice_for_the_bounds(
    case: tuple[Ratings, Ratings, float, Predictions],
    candidates: str,
    cutoff: int,
    ties: Ties,
    unscored: Unscored,
) -> None:
    choice = RankingChoice(ties=ties, unscored=unscored, depth=1, seed=3)
    together, apart = hits_of(case, candidates, choice)
    alone = bounds_of_one_relevant(apart, cutoff)
    assert alone == precision_bounds(together, apart, cutoff)


@given(cases(), CANDIDATES, st.integers(1, 5))
@settings(deadline=None, max_examples=tries(50))
def test_a_deeper_cutoff_never_finds_fewer(
    case: tuple[Ratings, Ratings, float, Predictions], candidates: str, cutoff: int
) -> None:
    together, apart = hits_of(case, candidates, RankingChoice(depth=1, seed=3))
    one, two = (precision_bounds(together, apart, n) for n in (cutoff, cutoff + 1))
    assert one.relevant == two.relevant
    assert one.fewest <= two.fewest
    assert one.found <= two.found
    assert one.most <= two.most


def test_bounds_by_hand() -> None:
    """T_u = 2 1 3 0 4 by prediction; 1, 3 and 4 are relevant, n = 2.

    Of T_u, the top 2 hold 1 and the top 2 + 3 − 1 = 4 hold 1 and 3. Of the T_u^r, {0, 2, r},
    1 and 3 are second, and 4 is third.
    """
    ratings = Ratings.from_triples([0] * 5 + [1], [0, 1, 2, 3, 4, 0], [1, 5, 1, 5, 5, 3])
    test = np.array([True] * 5 + [False])
    table = np.array([[1.0, 4.0, 5.0, 3.0, 0.0], [0.0] * 5])
    case = (ratings.take(~test), ratings.take(test), 4.0, table)
    bounds = bounds_of(case, "all-items", 2, RankingChoice(depth=1))
    assert bounds == PrecisionBounds(2, relevant=3, fewest=1, found=2, most=2)
    assert bounds.lower == pytest.approx(1 / (2 * 3))
    assert bounds.value == bounds.upper == pytest.approx(2 / (2 * 3))
    assert bounds.width == pytest.approx(1 / 6)


def test_bounds_of_folds_add_up() -> None:
    one, two = PrecisionBounds(10, 4, 1, 2, 3), PrecisionBounds(10, 6, 0, 5, 5)
    assert one + two == PrecisionBounds(10, 10, 1, 7, 8)


def test_a_value_outside_its_bounds_is_reported() -> None:
    assert not PrecisionBounds(10, 4, fewest=2, found=1, most=3).holds
    assert not PrecisionBounds(10, 4, fewest=2, found=4, most=3).holds


def test_without_relevant_items_there_are_no_bounds() -> None:
    assert np.isnan(PrecisionBounds(10, 0, 0, 0, 0).width)


def test_a_table_of_bounds_has_a_row_per_system_and_says_what_is_outside() -> None:
    table = bounds_table(
        {"kNN": PrecisionBounds(2, 3, 1, 2, 2), "MF": PrecisionBounds(10, 4, 2, 1, 3)}
    )
    assert table.columns == [
        "system",
        "lower_bound",
        "one_relevant",
        "upper_bound",
        "width",
        "holds",
    ]
    assert table.row(0) == ("kNN", 1 / 6, 2 / 6, 2 / 6, pytest.approx(1 / 6), "yes")
    assert table.row(1)[:4] == ("MF", 2 / 40, 1 / 40, 3 / 40)
    assert table["holds"].to_list() == ["yes", "no"]
