"""Leave-ℓ-out."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import InfeasibleSplit, MissingTimestamps
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.splits.leave_out import LeaveOut
from strategies import SEEDS, random_ratings, ratings
from suites import tries

Pick = Literal["random", "latest"]
PICKS: st.SearchStrategy[Pick] = st.sampled_from(("random", "latest"))


def with_at_least(data: Ratings, least: int) -> Ratings:
    return data.take((data.user_counts >= least)[data.users])


@given(data=ratings(times=True), seed=SEEDS, count=st.integers(1, 3), pick=PICKS)
@settings(deadline=None, max_examples=tries(80))
def test_every_user_has_exactly_the_wanted_test_ratings(
    data: Ratings, seed: int, count: int, pick: Pick
) -> None:
    data = with_at_least(data, count + 1)
    if not len(data):
        return
    (test,) = LeaveOut(count=count, pick=pick).split(data, Seeds(seed)).tests
    found = np.bincount(data.users[test], minlength=data.n_users)
    assert found.tolist() == np.where(data.user_counts > 0, count, 0).tolist()


@given(data=ratings(times=True), seed=SEEDS)
@settings(deadline=None, max_examples=tries(80))
def test_the_latest_are_no_earlier_than_the_rest(data: Ratings, seed: int) -> None:
    data = with_at_least(data, 3)
    if not len(data):
        return
    (test,) = LeaveOut(count=2, pick="latest").split(data, Seeds(seed)).tests
    assert data.timestamps is not None
    for user in np.unique(data.users):
        own = data.users == user
        assert data.timestamps[own & test].min() >= data.timestamps[own & ~test].max()


def test_chance_decides_among_equal_times() -> None:
    data = Ratings.from_triples([1] * 4, [1, 2, 3, 4], [1] * 4, timestamps=[7, 7, 7, 3])
    option = LeaveOut(pick="latest")
    chosen = {int(np.flatnonzero(option.split(data, Seeds(s)).tests[0])[0]) for s in range(40)}
    assert chosen == {0, 1, 2}


def test_users_without_ratings_do_not_count() -> None:
    data = random_ratings(20, 20, 0.4)
    rest = data.take(data.users != 3)
    assert LeaveOut().split(rest, Seeds(1)).tests[0].sum() == np.count_nonzero(rest.user_counts)


def test_small_users_are_refused_with_the_filter_that_helps() -> None:
    data = Ratings.from_triples(["a", "b", "b", "b", "c", "c"], [1, 1, 2, 3, 1, 2])
    with pytest.raises(InfeasibleSplit) as error:
        LeaveOut(count=2).split(data, Seeds(1))
    assert str(error.value) == (
        "leave-out split: 2 users have fewer than 3 ratings, first a with 1. "
        "Apply the filter min-ratings(per=user, at_least=3) before, or lower count."
    )


def test_the_latest_need_times() -> None:
    data = Ratings.from_triples([1, 1], [1, 2])
    with pytest.raises(MissingTimestamps, match=r"leave-out\(pick=latest\)"):
        LeaveOut(pick="latest").split(data, Seeds(1))
