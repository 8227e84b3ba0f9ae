"""The temporal splits: one cut for all, and one for each user."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.base.errors import BadParameter, InfeasibleSplit, MissingTimestamps, OptionError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.splits.temporal import Temporal
from cranfield.collection.splits.temporal_per_user import TemporalPerUser
from strategies import SHARES, ratings
from suites import tries


def at_times(*times: int) -> Ratings:
    """One user's ratings at the given times."""
    return Ratings.from_triples([1] * len(times), list(range(len(times))), None, list(times))


def late_ones(option: Temporal | TemporalPerUser, data: Ratings) -> list[int]:
    (test,) = option.split(data, Seeds(1)).tests
    assert data.timestamps is not None
    return sorted(data.timestamps[test].tolist())


@given(data=ratings(times=True), share=SHARES)
@settings(deadline=None, max_examples=tries(80))
def test_all_test_is_later_than_all_training(data: Ratings, share: float) -> None:
    assert data.timestamps is not None
    try:
        division = Temporal(test_share=share).split(data, Seeds(1))
    except InfeasibleSplit:
        assert len(np.unique(data.timestamps)) == 1
        return
    (test,) = division.tests
    assert data.timestamps[test].min() > data.timestamps[~test].max()
    assert data.timestamps[test].min() == division.facts["cut"]


@given(data=ratings(times=True), share=SHARES)
@settings(deadline=None, max_examples=tries(80))
def test_no_other_cut_comes_nearer_to_the_share(data: Ratings, share: float) -> None:
    assert data.timestamps is not None
    cuts = np.unique(data.timestamps)[1:]
    if not len(cuts):
        return
    wanted = len(data) - np.floor((1 - share) * len(data) + 0.5 + 1e-9)
    found = len(late_ones(Temporal(test_share=share), data))
    sizes = [int((data.timestamps >= cut).sum()) for cut in cuts]
    assert abs(found - wanted) == min(abs(size - wanted) for size in sizes)


def test_of_two_cuts_equally_near_the_later_is_taken() -> None:
    # Two of four are wanted; one or three are possible.
    assert late_ones(Temporal(test_share=0.5), at_times(1, 2, 2, 3)) == [3]


@pytest.mark.parametrize("at", [5, 5.0, 4.5, "1970-01-01T00:00:05", "1970-01-01T01:00:05+01:00"])
def test_what_came_at_the_cut_is_test(at: float | str) -> None:
    assert late_ones(Temporal(at=at), at_times(3, 4, 5, 6)) == [5, 6]


def test_a_date_is_spelled_without_quotes() -> None:
    option = parse("split", "temporal(at=2001-12-31)")
    assert option == Temporal(at="2001-12-31")
    assert str(option) == "temporal(at=2001-12-31)"


def test_large_times_are_cut_to_the_unit() -> None:
    late = 2**60
    assert late_ones(Temporal(at=late + 1), at_times(late, late + 1)) == [late + 1]


@pytest.mark.parametrize(("at", "part"), [(3, "training"), (7, "test"), ("2020-01-01", "test")])
def test_a_cut_outside_the_times_is_refused(at: int | str, part: str) -> None:
    with pytest.raises(InfeasibleSplit, match=f"no rating for {part}; .* run from 3 to 6"):
        Temporal(at=at).split(at_times(3, 4, 6), Seeds(1))


def test_equal_times_cannot_be_cut() -> None:
    with pytest.raises(InfeasibleSplit, match="all 3 ratings have the same time, 8"):
        Temporal().split(at_times(8, 8, 8), Seeds(1))


def test_a_word_is_no_time() -> None:
    with pytest.raises(BadParameter, match='temporal, at: "soon" is not a number or a date'):
        Temporal(at="soon")


def test_time_and_share_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="not both"):
        Temporal(at=5, test_share=0.2)


@pytest.mark.parametrize("option", [Temporal(), TemporalPerUser()])
def test_times_are_needed(option: Temporal | TemporalPerUser) -> None:
    with pytest.raises(MissingTimestamps, match="temporal"):
        option.split(Ratings.from_triples([1, 1], [1, 2]), Seeds(1))


@given(data=ratings(times=True), share=SHARES)
@settings(deadline=None, max_examples=tries(80))
def test_each_users_cut_is_the_nearest_change_of_time(data: Ratings, share: float) -> None:
    (test,) = TemporalPerUser(test_share=share).split(data, Seeds(1)).tests
    assert data.timestamps is not None
    for user in np.unique(data.users):
        own = data.users == user
        times, late = data.timestamps[own], data.timestamps[own & test]
        sizes = [int((times >= cut).sum()) for cut in np.unique(times)] + [0]
        wanted = len(times) - np.floor((1 - share) * len(times) + 0.5 + 1e-9)
        nearest = min(sizes, key=lambda size: (abs(size - wanted), size))
        assert sorted(late) == sorted(times)[len(times) - nearest :]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ((1, 2, 3, 4, 5), [5]),  # a fifth
        ((1, 2, 3, 5, 5), []),  # none is as near as two, so the later cut
        ((1, 1, 1, 1, 1), []),  # none is nearer than five
        ((1, 2, 3, 4, 5, 6, 7, 9, 9, 9), [9, 9, 9]),  # three is nearer to two than none
    ],
)
def test_equal_times_of_a_user_stay_on_one_side(
    times: tuple[int, ...], expected: list[int]
) -> None:
    assert late_ones(TemporalPerUser(test_share=0.2), at_times(*times)) == expected
