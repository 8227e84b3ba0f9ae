"""Predictors are asked in whole batches, and those of pairs for targets only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking import passing
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.passing import whole_batches
from cranfield.recommendation.ranking.rank import Ranked, rank
from cranfield.recommendation.recommender import Predictions, batch_size_of
from ranking_cases import UNSCORED, Fixed, cases, targets_of
from suites import tries

FEW = settings(deadline=None, max_examples=tries(25))


class ByPairs(Fixed):
    """Predicts pair by pair, and notes which pairs it was asked for."""

    def __init__(self, table: Predictions) -> None:
        super().__init__(table)
        self.asked = np.zeros(table.shape, dtype=bool)

    def predict_pairs(self, users: Codes, wanted: npt.NDArray[np.bool_]) -> Predictions:
        self.asked[users] |= wanted
        return np.where(wanted, self.table[users], np.nan)


class InBatches(Fixed):
    """Notes for which users it was asked together."""

    batch_size = 2

    def __init__(self, table: Predictions) -> None:
        super().__init__(table)
        self.calls: list[list[int]] = []

    def predict(self, users: Codes) -> Predictions:
        self.calls.append(users.tolist())
        return super().predict(users)


def as_rows(ranked: list[Ranked]) -> list[list[object]]:
    parts = ("offsets", "items", "ranks", "lengths", "unscored")
    return [[getattr(each.hits, name).tolist() for name in parts] for each in ranked]


@FEW
@given(case=cases(), unscored=st.sampled_from(UNSCORED))
def test_pairs_alone_give_the_same_rankings(
    case: tuple[Ratings, Ratings, float, Predictions], unscored: str
) -> None:
    train, test, relevance, table = case
    targets = targets_of(train, test, relevance)
    choice = RankingChoice(unscored=unscored, depth=5)  # type: ignore[arg-type]
    whole, pairs = rank(Fixed(table), targets, choice), rank(ByPairs(table), targets, choice)
    assert as_rows(whole) == as_rows(pairs)
    for one, other in zip(whole, pairs, strict=True):
        np.testing.assert_array_equal(one.run.items, other.run.items)
        np.testing.assert_array_equal(one.run.predictions, other.run.predictions)


@FEW
@given(case=cases())
def test_pairs_are_the_targets_and_nothing_else(
    case: tuple[Ratings, Ratings, float, Predictions],
) -> None:
    train, test, relevance, table = case
    for targets in targets_of(train, test, relevance):
        predictor = ByPairs(table)
        rank(predictor, [targets])
        np.testing.assert_array_equal(predictor.asked, mask_of(targets, table.shape))


def mask_of(targets: Targets, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Users × items, true for what the definition of targets names."""
    mask = np.zeros(shape, dtype=bool)
    for topic, user in enumerate(targets.topics.users):
        mask[user, targets.of_topic(topic)] = True
    return mask


@given(
    codes=st.sets(st.integers(0, 60)).map(sorted), most=st.integers(1, 20), size=st.integers(1, 30)
)
def test_slices_cut_no_batch_and_hold_as_many_as_fit(
    codes: list[int], most: int, size: int
) -> None:
    users = np.array(codes, dtype=np.int32)
    parts = [users[each] for each in whole_batches(users, most, size)]
    assert [code for part in parts for code in part.tolist()] == codes
    batches = [set((part // size).tolist()) for part in parts]
    assert sum(map(len, batches)) == len(set((users // size).tolist()))
    assert all(len(part) <= max(most, size) for part in parts)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_no_batch_is_asked_for_twice(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    monkeypatch.setattr(passing, "_BYTES_AT_ONCE", 8 * 4 * 3)  # three users of four items
    users, items = np.nonzero(np.ones((7, 4)))
    ratings = Ratings.from_triples(users, items, (users + items) % 5 + 1.0)
    test = items == 3
    targets = targets_of(ratings.take(~test), ratings.take(test), 1)[:1]
    predictor = InBatches(np.tile(np.arange(4.0), (7, 1)))
    rank(predictor, targets)
    assert sorted(predictor.calls) == [[0, 1], [2, 3], [4, 5], [6]]


class Noting(Fixed):
    """Notes how many users it was asked for at a time."""

    def __init__(self, table: Predictions) -> None:
        super().__init__(table)
        self.sizes: list[int] = []

    def predict(self, users: Codes) -> Predictions:
        self.sizes.append(len(users))
        return super().predict(users)


@pytest.mark.parametrize(("threads", "sizes"), [("1", [7]), ("3", [3, 3, 1])])
def test_few_users_are_shared_among_threads(
    threads: str, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", threads)
    monkeypatch.setattr(passing, "_LEAST_USERS", 2)
    users, items = np.nonzero(np.ones((7, 4)))
    ratings = Ratings.from_triples(users, items, (users + items) % 5 + 1.0)
    test = items == 3
    predictor = Noting(np.tile(np.arange(4.0), (7, 1)))
    rank(predictor, targets_of(ratings.take(~test), ratings.take(test), 1)[:1])
    assert sorted(predictor.sizes, reverse=True) == sizes


def test_a_predictor_without_a_batch_size_computes_each_user_alone() -> None:
    assert batch_size_of(Fixed(np.zeros((1, 1)))) == 1
    assert batch_size_of(InBatches(np.zeros((1, 1)))) == 2
