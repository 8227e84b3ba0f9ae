"""What holds for recommenders that learn factors, weights, topics or walks, beyond the laws
of every recommender.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import EmptyInput, UnsuitableRatings
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation import recommenders  # noqa: F401  (registers the options)
from law_cases import SPELLINGS as LAW_CASES
from learnable import everyone, grouped, mean_rank, with_strangers

POSITIVE = ["SLIM", "HT", "WRMF", "MF", "LDA", "PLSA"]
LEARNING = ["EASE", "SVD", "PureSVD", "BPRMF"]
SPELLINGS = [
    spelling
    for spelling in LAW_CASES["recommender"]
    if spelling.partition("(")[0] in {*LEARNING, *POSITIVE}
]
RANDOM = ["SVD", "BPRMF", "WRMF", "LDA", "PLSA"]

each = pytest.mark.parametrize("spelling", SPELLINGS)


def predicted(spelling: str, train: Ratings, seed: int = 1) -> Any:
    return parse("recommender", spelling).fit(train, Seeds(seed)).predict(everyone(train))


@each
def test_spelling_reads_back(spelling: str) -> None:
    chosen = parse("recommender", spelling)
    assert parse("recommender", str(chosen)) == chosen
    assert str(chosen) == spelling


@pytest.mark.parametrize("spelling", RANDOM)
def test_another_seed_gives_other_predictions(spelling: str) -> None:
    train, _ = grouped()
    assert (predicted(spelling, train, 1) != predicted(spelling, train, 2)).any()


@each
def test_held_out_items_rank_high(spelling: str) -> None:
    train, held = grouped()
    assert mean_rank(predicted(spelling, train), train, held) < 0.3


@each
def test_strangers_are_not_computable_and_change_nothing(spelling: str) -> None:
    train, _ = grouped()
    wider = with_strangers(train)
    predictions = predicted(spelling, wider)
    assert np.isnan(predictions[-1]).all()
    assert np.isnan(predictions[:, -1]).all()
    known = np.isnan(predicted(spelling, train))
    np.testing.assert_array_equal(np.isnan(predictions[:-1, :-1]), known)


@each
def test_nothing_to_learn_from_is_refused(spelling: str) -> None:
    train, _ = grouped()
    with pytest.raises(EmptyInput, match="no ratings"):
        predicted(spelling, train.take(np.zeros(len(train), dtype=bool)))


@each
def test_a_single_rating_is_enough(spelling: str) -> None:
    train = Ratings.from_triples(["only"], ["one"], [4])
    assert np.isfinite(predicted(spelling, train)).all()


@each
def test_a_single_user_with_every_item_is_enough(spelling: str) -> None:
    train = Ratings.from_triples(["only"] * 4, ["a", "b", "c", "d"], [1, 2, 5, 5])
    assert np.isfinite(predicted(spelling, train)).all()


@pytest.mark.parametrize("name", ["SVD", "PureSVD", "BPRMF", "WRMF", "LDA", "PLSA"])
def test_more_factors_than_items_are_accepted(name: str) -> None:
    train = grouped(12, 8)[0].compact()
    assert np.isfinite(predicted(f"{name}(factors=30)", train)).all()


@pytest.mark.parametrize("name", POSITIVE)
def test_ratings_that_cannot_be_counts_are_refused(name: str) -> None:
    train = Ratings.from_triples([1, 1, 2], [1, 2, 2], [3.0, -0.5, 2.0])
    with pytest.raises(UnsuitableRatings, match=r"ratings above 0, and the lowest is -0\.5"):
        predicted(name, train)


@pytest.mark.parametrize("name", POSITIVE)
def test_ratings_that_cannot_be_counts_are_accepted_once_binarised(name: str) -> None:
    users, items = [1, 1, 2], [1, 2, 2]
    odd = predicted(f"{name}(binarised=true)", Ratings.from_triples(users, items, [3, -0.5, 0]))
    ones = predicted(name, Ratings.from_triples(users, items))
    np.testing.assert_array_equal(odd, ones)


@pytest.mark.parametrize("name", ["SVD", "PureSVD", "BPRMF", "EASE"])
def test_ratings_below_zero_are_fine_where_they_mean_something(name: str) -> None:
    train = Ratings.from_triples([1, 1, 2, 3], [1, 2, 2, 1], [3.0, -9.5, 2.0, 0.0])
    assert np.isfinite(predicted(name, train)).all()
