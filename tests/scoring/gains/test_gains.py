"""Gains: values by hand, and ratings that they refuse."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield.scoring.gains  # noqa: F401
from cranfield.base.errors import BadParameter, UnmappableRating
from cranfield.base.options import parse
from cranfield.scoring.gain import RatingScale

FIVE = RatingScale(1, 5, 4)
JESTER = RatingScale(-10, 10, 5)
SPELLINGS = ["rating", "binary", "exponential", "chapelle", "chapelle-scaled", "stopping"]
TABLE = "table(gains={1: 0, 2: 0, 3: 0.5, 4: 1, 5: 1})"


def gains(name: str, ratings: list[float], scale: RatingScale = FIVE) -> list[float]:
    return list(parse("gain", name).of_rating(np.array(ratings, dtype=np.float64), scale))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rating", [1, 3, 5]),
        ("binary", [0, 0, 1]),
        ("exponential", [1 / 31, 7 / 31, 31 / 31]),
        ("chapelle", [0 / 16, 3 / 16, 15 / 16]),
        ("chapelle-scaled", [0 / 15, 3 / 15, 15 / 15]),
        ("relevant-rating", [0, 0, 5]),
        ("stopping", [1 / 32, 7 / 32, 31 / 32]),
        (TABLE, [0, 0.5, 1]),
    ],
)
def test_the_gains_of_one_three_and_five_stars(name: str, values: list[float]) -> None:
    assert gains(name, [1, 3, 5]) == pytest.approx(values)


@pytest.mark.parametrize("name", ["rating", "exponential", "stopping", "chapelle"])
def test_negative_ratings_are_refused_in_words(name: str) -> None:
    with pytest.raises(UnmappableRating, match=rf"gain {name}: cannot map the rating -9\.5"):
        gains(name, [-9.5, 3], JESTER)


def test_binary_gains_map_negative_ratings() -> None:
    assert gains("binary", [-9.5, 5], JESTER) == [0, 1]


def test_relevant_ratings_are_grades_where_only_others_are_negative() -> None:
    assert gains("relevant-rating", [-9.5, 4.9, 5, 7.5], JESTER) == [0, 0, 5, 7.5]
    with pytest.raises(UnmappableRating, match="cannot map the rating -3"):
        gains("relevant-rating", [-9.5, -3], RatingScale(-10, 10, -5))


def test_half_a_star_is_below_the_lowest_grade_of_chapelle() -> None:
    with pytest.raises(UnmappableRating, match="ratings of at least 1"):
        gains("chapelle", [0.5], RatingScale(0.5, 5, 4))


def test_a_scale_of_one_grade_leaves_chapelle_scaled_nothing_to_divide_by() -> None:
    with pytest.raises(UnmappableRating, match="a highest rating above 1"):
        gains("chapelle-scaled", [1], RatingScale(1, 1, 1))


def test_play_counts_are_too_high_for_powers_of_two() -> None:
    with pytest.raises(UnmappableRating, match="at most 1000"):
        gains("exponential", [3], RatingScale(1, 5000, 1))


def test_a_rating_that_is_not_in_the_table_is_named() -> None:
    with pytest.raises(
        UnmappableRating, match=r"cannot map the rating 3; .* one of the ratings 1, 5"
    ):
        gains("table(gains={1: 0, 5: 1})", [5, 3])


def test_a_table_whose_gains_fall_is_refused() -> None:
    with pytest.raises(BadParameter, match="rising with the rating"):
        gains("table(gains={1: 1, 5: 0})", [5])


def test_a_negative_gain_is_refused() -> None:
    with pytest.raises(BadParameter, match="of at least 0"):
        parse("gain", "table(gains={1: -1})")
