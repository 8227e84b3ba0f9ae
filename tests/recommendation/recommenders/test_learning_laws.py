"""Laws that every recommender that learns factors, weights, topics or walks obeys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import EmptyInput, UnsuitableRatings
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.base.threads import VARIABLE
from cranfield.collection.ratings import Ratings
from cranfield.recommendation import recommenders  # noqa: F401  (registers the options)
from learnable import everyone, grouped, mean_rank, with_strangers

SPELLINGS = [
    "SLIM(l1=0.5, l2=5)",
    "EASE(regularisation=10)",
    "HT",
    "HT(steps=4, most_items=12)",
    "SVD(factors=5, epochs=200)",
    "PureSVD(factors=3)",
    "BPRMF(factors=6, epochs=40)",
    "WRMF(factors=4, regularisation=1)",
    "MF(factors=4)",
    "LDA(topics=3, burn_in=10, sweeps=10)",
    "PLSA(topics=3, iterations=20)",
]
POSITIVE = ["SLIM", "HT", "WRMF", "MF", "LDA", "PLSA"]
RANDOM = ["SVD", "BPRMF", "WRMF", "LDA", "PLSA"]

each = pytest.mark.parametrize("spelling", SPELLINGS)


def predicted(spelling: str, train: Ratings, seed: int = 1) -> Any:
    return parse("recommender", spelling).fit(train, Seeds(seed)).predict(everyone(train))


@each
def test_spelling_reads_back(spelling: str) -> None:
    chosen = parse("recommender", spelling)
    assert parse("recommender", str(chosen)) == chosen
    assert str(chosen) == spelling


@each
def test_a_row_depends_on_its_user_alone(spelling: str) -> None:
    train, _ = grouped()
    fitted = parse("recommender", spelling).fit(train, Seeds(1))
    whole = fitted.predict(everyone(train))
    for users in ([7], [3, 59, 7], list(range(59, -1, -2))):
        some = fitted.predict(np.array(users, dtype=np.int32))
        np.testing.assert_array_equal(some, whole[users])


@each
def test_threads_change_no_bit(spelling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    train, _ = grouped(400, 90)
    monkeypatch.setenv(VARIABLE, "1")
    alone = predicted(spelling, train)
    monkeypatch.setenv(VARIABLE, "3")
    np.testing.assert_array_equal(predicted(spelling, train), alone)


@each
def test_the_order_of_rows_changes_no_bit(spelling: str) -> None:
    train, _ = grouped()
    rows = np.random.default_rng(0).permutation(len(train))
    again = Ratings.from_frame(train.to_polars()[rows]).reindex(train.user_ids, train.item_ids)
    np.testing.assert_array_equal(predicted(spelling, again), predicted(spelling, train))


@each
def test_the_same_seed_gives_the_same_predictions(spelling: str) -> None:
    train, _ = grouped()
    np.testing.assert_array_equal(predicted(spelling, train), predicted(spelling, train))


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
