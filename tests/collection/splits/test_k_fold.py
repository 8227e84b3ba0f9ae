"""Cross-validation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter, InfeasibleSplit
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.splits.k_fold import KFold
from strategies import SEEDS, ratings
from suites import tries

PER = st.sampled_from(["rating", "user"])


@given(data=ratings(), per=PER, seed=SEEDS, share=st.floats(0, 1))
@settings(deadline=None, max_examples=tries(80))
def test_folds_partition_the_ratings_and_are_of_equal_size(
    data: Ratings, per: str, seed: int, share: float
) -> None:
    folds = 2 + int(share * (len(data) - 2))
    if len(data) < 2:
        return
    division = KFold(folds=folds, per=per).split(data, Seeds(seed))  # type: ignore[arg-type]
    times_in_test = np.sum(division.tests, axis=0)
    assert (times_in_test == 1).all()
    sizes = [int(test.sum()) for test in division.tests]
    assert len(sizes) == folds
    assert max(sizes) - min(sizes) <= 1


@given(data=ratings(), seed=SEEDS)
@settings(deadline=None, max_examples=tries(60))
def test_each_user_is_spread_over_the_folds(data: Ratings, seed: int) -> None:
    if len(data) < 3:
        return
    division = KFold(folds=3, per="user").split(data, Seeds(seed))
    counts = np.array(
        [np.bincount(data.users[test], minlength=data.n_users) for test in division.tests]
    )
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()


def test_the_fold_of_a_single_rating_is_random() -> None:
    data = Ratings.from_triples([1, 2], [1, 1])
    firsts = [bool(KFold(folds=2, per="user").split(data, Seeds(s)).tests[0][0]) for s in range(20)]
    assert len(set(firsts)) == 2


def test_more_folds_than_ratings_are_refused() -> None:
    data = Ratings.from_triples([1, 2, 3], [1, 1, 1])
    with pytest.raises(InfeasibleSplit, match=r"3 ratings cannot fill 5 folds. Choose at most 3"):
        KFold().split(data, Seeds(1))


def test_one_fold_is_refused() -> None:
    with pytest.raises(BadParameter, match="of at least 2"):
        KFold(folds=1)
