from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import cranfield.recommendation.recommenders.popularity  # noqa: F401
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import predictions, table_of, training, training_sets
from suites import tries

NAN = float("nan")


@given(training_sets())
@settings(deadline=None, max_examples=tries(30))
def test_popularity_counts_ratings_and_scores_every_item_for_everyone(train: Ratings) -> None:
    counts = (table_of(train) > 0).sum(axis=0)
    assert (predictions("Popularity", train) == counts).all()


def test_average_rating_is_the_mean_and_not_computable_without_ratings() -> None:
    train = training([[5, 1, NAN], [2, NAN, NAN]])
    for row in predictions("AverageRating", train):
        assert row == pytest.approx([(5 + 2) / 2, 1, NAN], nan_ok=True)


def test_the_median_is_that_of_numpy_and_missing_without_ratings() -> None:
    ratings = [[5, 1, NAN], [2, NAN, NAN], [3, 4, NAN], [3, NAN, NAN], [1, 5, NAN]]
    for row in predictions("MedianRating", training(ratings)):
        medians = [np.median([5, 2, 3, 3, 1]), np.median([1, 4, 5]), NAN]
        assert row == pytest.approx(medians, nan_ok=True)
    even = training([[5, 1], [2, NAN]])
    assert predictions("MedianRating", even)[0] == pytest.approx([(5 + 2) / 2, 1])


def test_rows_can_be_written_to_without_changing_the_next() -> None:
    train = training([[5, 1], [2, NAN]])
    predictions("Popularity", train)[0, 0] = np.nan
    assert (predictions("Popularity", train) == [2, 1]).all()
