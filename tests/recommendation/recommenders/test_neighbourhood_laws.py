"""What holds for recommenders of neighbours, co-ratings, popularity and chance, beyond the
laws of every recommender.
"""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.recommendation.recommenders  # noqa: F401
from cranfield.base.errors import CranfieldError
from cranfield.base.options import options, parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from neighbourhood_cases import Floats, predictions, table_of, training, training_sets
from suites import tries

NAN = float("nan")

OF_NEIGHBOURS = [
    "user-kNN(k=3)",
    "item-kNN(k=3)",
    "user-kNN(k=3, shrinkage=2, alpha=0.3, length_exponent=1, inverted=true)",
    "item-kNN(k=3, shrinkage=2, alpha=0.3, length_exponent=1, inverted=true)",
    "P3alpha(k=3)",
    "RP3beta(k=3, normalised=true)",
    "RW(k=3)",
    "RSV(k=3)",
    "CHI2(k=3)",
    "KLD(k=3)",
    "LM-WSR-UB(k=3)",
    "LM-WSR-IB(k=3)",
    "NNCosNgbr-UB(k=3)",
    "NNCosNgbr-IB(k=3)",
    "RM1(k=3)",
    "RM2(k=3)",
]
PERSONAL = [*OF_NEIGHBOURS, "UIR-Item(lambda=0.7)"]
WITHOUT_CHANCE = [*PERSONAL, "Popularity", "AverageRating", "MedianRating"]
ALL = [*WITHOUT_CHANCE, "Random"]


def crowd(users: int = 300, items: int = 40) -> Ratings:
    """Ratings of more users than are searched at a time."""
    generator = np.random.default_rng(4)
    values = generator.integers(1, 6, (users, items)).astype(float)
    values[generator.random((users, items)) < 0.7] = np.nan
    return training(values.tolist())


def same(a: Floats, b: Floats) -> bool:
    return bool(np.array_equal(a, b, equal_nan=True))


@pytest.mark.parametrize("spelled", OF_NEIGHBOURS)
def test_the_size_of_chunks_changes_nothing(spelled: str) -> None:
    whole = predictions(spelled, crowd())
    with patch("cranfield.recommendation.recommenders.neighbours._CHUNK", 7):
        assert same(predictions(spelled, crowd()), whole)


@pytest.mark.parametrize("spelled", WITHOUT_CHANCE)
def test_the_seed_does_not_matter_without_chance(spelled: str) -> None:
    train, users = crowd(), np.arange(20, dtype=np.int32)
    chosen = parse("recommender", spelled)
    assert same(
        chosen.fit(train, Seeds(1)).predict(users), chosen.fit(train, Seeds(2)).predict(users)
    )


@pytest.mark.parametrize("spelled", WITHOUT_CHANCE)
@given(data=st.data())
@settings(deadline=None, max_examples=tries(10))
def test_other_labels_change_nothing(spelled: str, data: st.DataObject) -> None:
    # Every neighbour counts, since equally near ones are told apart by label.
    spelled = spelled.replace("k=3", "k=99")
    train = data.draw(training_sets())
    users = data.draw(st.permutations(range(train.n_users)))
    items = data.draw(st.permutations(range(train.n_items)))
    table = np.where(table_of(train) > 0, table_of(train), np.nan)
    found = predictions(spelled, training(table[users][:, items].tolist()))
    wanted = predictions(spelled, train)[users][:, items]
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("spelled", PERSONAL)
def test_new_users_and_new_items_are_not_computable(spelled: str) -> None:
    train = training([[5, 3, NAN, 2], [4, NAN, NAN, 3], [NAN] * 4, [2, 4, NAN, 5]])
    found = predictions(spelled, train)
    assert np.isnan(found[2]).all()
    assert np.isnan(found[:, 2]).all()
    assert not np.isnan(found[np.ix_([0, 1, 3], [0, 3])]).any()


@pytest.mark.parametrize("spelled", OF_NEIGHBOURS)
def test_more_neighbours_than_there_are_is_all_of_them(spelled: str) -> None:
    train = crowd(20, 15)
    all_others, more = spelled.replace("k=3", "k=19"), spelled.replace("k=3", "k=5000")
    assert same(predictions(all_others, train), predictions(more, train))


@pytest.mark.parametrize("spelled", ["user-kNN", "RW", "KLD", "LM-WSR-UB", "RM1", "RM2"])
def test_a_single_user_has_no_neighbours(spelled: str) -> None:
    assert np.isnan(predictions(spelled, training([[4, 5, NAN]]))).all()


@pytest.mark.parametrize("spelled", ALL)
def test_an_empty_training_set_is_refused_in_words(spelled: str) -> None:
    empty = training([[4.0]]).take(np.array([], dtype=np.int64))
    with pytest.raises(CranfieldError, match=r"there are no ratings"):
        predictions(spelled, empty)


@pytest.mark.parametrize(
    "spelled", ["user-kNN", "item-kNN", "RP3beta", "RW", "NNCosNgbr-UB", "UIR-Item"]
)
def test_ratings_of_zero_or_below_are_ratings_where_none_is_a_share(spelled: str) -> None:
    assert not np.isnan(predictions(spelled, training([[4, 0, -2], [3, 1, 5]]))).all()


@pytest.mark.parametrize("name", ["k=0", "k=-3", "k=2.5"])
def test_bad_numbers_of_neighbours_are_refused_in_words(name: str) -> None:
    for recommender in ("user-kNN", "RW", "RM2", "LM-WSR-IB", "NNCosNgbr-UB"):
        with pytest.raises(CranfieldError, match="whole number of at least 1"):
            parse("recommender", f"{recommender}({name})")


def test_every_recommender_of_this_kind_is_on_the_list() -> None:
    modules = {"knn", "feedback", "lm_wsr", "nncos", "relevance_models", "rp3beta", "uir_item"}
    modules |= {"popularity", "random"}
    shipped = {
        name
        for name, cls in options("recommender").items()
        if cls.__module__.rpartition(".")[2] in modules
    }
    assert shipped == {spelled.partition("(")[0] for spelled in ALL}
