"""The rolling split against plain loops, on generated data and on MovieLens 1M."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter, InfeasibleSplit, MissingTimestamps, OptionError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import UNUSED
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import split
from cranfield.collection.splits.rolling import Rolling
from strategies import ratings
from suites import tries

Parts = list[tuple[list[int], list[int]]]
"""For each window, the times of training and of test."""


def at_times(*times: int) -> Ratings:
    """One user's ratings at the given times."""
    return Ratings.from_triples([1] * len(times), list(range(len(times))), None, list(times))


def parts_of(option: Rolling, data: Ratings) -> Parts:
    made = split(data, option)
    return [
        (sorted(fold.train.timestamps.tolist()), sorted(fold.test.timestamps.tolist()))
        for fold in made.folds
        if fold.train.timestamps is not None
        if fold.test.timestamps is not None
    ]


def slow_by_count(times: list[int], windows: int, moving: bool) -> Parts | None:
    """Windows of equal numbers of ratings by plain loops over the sorted times."""
    ordered = sorted(times)
    n, half = len(ordered), len(ordered) // 2
    changes = [at for at in range(1, n) if ordered[at - 1] < ordered[at]]
    starts = []
    for window in range(windows):
        exact = n - half + half * window / windows
        wanted = int(np.floor(exact + 0.5 + 1e-9))
        nearest = [(abs(at - wanted), -at) for at in changes]
        if not nearest:
            return None
        starts.append(-min(nearest)[1])
    if any(one >= other for one, other in pairwise(starts)):
        return None
    found = []
    for start, end in zip(starts, [*starts[1:], n], strict=True):
        first = 0
        if moving:
            first = start - starts[0]
            while first > 0 and ordered[first - 1] == ordered[first]:
                first -= 1  # equal times stay together
        found.append((ordered[first:start], ordered[start:end]))
    return found


def slow_by_time(times: list[int], windows: int, horizon: int, step: int, moving: bool) -> Parts:
    """Windows of equal lengths by a loop over all ratings, from the last window back."""
    found: Parts = []
    first = max(times) + 1 - horizon - (windows - 1) * step
    for window in range(windows):
        start = max(times) + 1 - horizon - (windows - 1 - window) * step
        since = start - (first - min(times)) if moving else min(times)
        train = sorted(t for t in times if since <= t < start)
        test = sorted(t for t in times if start <= t < start + horizon)
        found.append((train, test))
    return found


@given(data=ratings(times=True), windows=st.integers(1, 4), moving=st.booleans())
@settings(deadline=None, max_examples=tries(150))
def test_equal_numbers_of_ratings_by_plain_loops(data: Ratings, windows: int, moving: bool) -> None:
    assert data.timestamps is not None
    option = Rolling(windows=windows, train="window" if moving else "all")
    expected = slow_by_count(data.timestamps.tolist(), windows, moving)
    if expected is None:
        with pytest.raises(InfeasibleSplit):
            option.split(data, Seeds(1))
        return
    assert parts_of(option, data) == expected


@given(
    times=st.lists(st.integers(-50, 50), min_size=2, max_size=30),
    windows=st.integers(1, 4),
    horizon=st.integers(1, 20),
    step=st.one_of(st.none(), st.integers(1, 25)),
    moving=st.booleans(),
)
@settings(deadline=None, max_examples=tries(200))
def test_equal_lengths_by_plain_loops(
    times: list[int], windows: int, horizon: int, step: int | None, moving: bool
) -> None:
    option = Rolling(
        windows=windows, horizon=horizon, step=step, train="window" if moving else "all"
    )
    expected = slow_by_time(times, windows, horizon, step or horizon, moving)
    data = at_times(*times)
    if not all(train and test for train, test in expected):
        with pytest.raises(InfeasibleSplit):
            split(data, option)
        return
    assert parts_of(option, data) == expected


@pytest.mark.parametrize("spelling", ["rolling", "rolling(windows=4, train=window)"])
def test_movielens_is_cut_as_plain_loops_do(spelling: str) -> None:
    folder = os.environ.get("CRANFIELD_DATA")
    if not folder or not (Path(folder) / "movielens-1m").exists():
        pytest.skip("MovieLens 1M is not there")
    from cranfield.collection.source import read_ratings
    from cranfield.workbench import inventory

    inventory.load("source")
    data, option = read_ratings("ml-1m"), parse("split", spelling)
    assert data.timestamps is not None
    moving = option.train == "window"
    expected = slow_by_count(data.timestamps.tolist(), option.windows, moving)
    assert expected is not None
    made = split(data, option)
    for fold, (train, test) in zip(made.folds, expected, strict=True):
        for part, wanted in ((fold.train, train), (fold.test, test)):
            assert part.timestamps is not None
            assert np.array_equal(np.sort(part.timestamps), wanted)
        assert fold.leakage is not None
        assert (fold.leakage.per_user, fold.leakage.overall) == (0.0, 0.0)


def test_the_windows_of_ten_ratings() -> None:
    # Of ten ratings the last five are cut into 2 (from the sixth on), 1 and 2: at 5, 5 + 5/3
    # and 5 + 10/3 to the nearest.
    assert parts_of(Rolling(), at_times(*range(10))) == [
        ([0, 1, 2, 3, 4], [5, 6]),
        ([0, 1, 2, 3, 4, 5, 6], [7]),
        ([0, 1, 2, 3, 4, 5, 6, 7], [8, 9]),
    ]
    assert [train for train, _ in parts_of(Rolling(train="window"), at_times(*range(10)))] == [
        [0, 1, 2, 3, 4], [2, 3, 4, 5, 6], [3, 4, 5, 6, 7],
    ]  # fmt: skip


def test_windows_of_a_length_end_with_the_last_rating_and_may_overlap() -> None:
    times = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert parts_of(Rolling(windows=2, horizon=3), at_times(*times)) == [
        ([0, 1, 2, 3], [4, 5, 6]),
        ([0, 1, 2, 3, 4, 5, 6], [7, 8, 9]),
    ]
    tests = [test for _, test in parts_of(Rolling(windows=2, horizon=3, step=1), at_times(*times))]
    assert tests == [[6, 7, 8], [7, 8, 9]]
    moving = parts_of(Rolling(windows=2, horizon=3, train="window"), at_times(*times))
    assert [train for train, _ in moving] == [[0, 1, 2, 3], [3, 4, 5, 6]]


def test_starts_are_reported_and_what_comes_later_is_unused() -> None:
    made = split(at_times(*range(10)), Rolling())
    starts = {"window_1_start": 5, "window_2_start": 7, "window_3_start": 8}
    assert made.facts == starts
    unused = [fold.part(UNUSED).timestamps for fold in made.folds]
    assert [[] if each is None else each.tolist() for each in unused] == [[7, 8, 9], [8, 9], []]


def test_lengths_with_units_are_seconds() -> None:
    day = 86400
    data = at_times(0, day, 2 * day, 3 * day)
    assert parts_of(parse("split", "rolling(windows=1, horizon=2d)"), data) == parts_of(
        Rolling(windows=1, horizon=2 * day), data
    )
    assert str(parse("split", "rolling(horizon=2d)")) == "rolling(horizon=2d)"


def test_far_times_are_told_apart_to_the_unit() -> None:
    late = 2**62
    data = at_times(late, late + 1, late + 2)
    assert parts_of(Rolling(windows=2, horizon=1), data) == [
        ([late], [late + 1]),
        ([late, late + 1], [late + 2]),
    ]


@pytest.mark.parametrize(
    ("option", "times", "said"),
    [
        (Rolling(), (3, 3, 3, 3), "all 4 ratings have the same time, 3"),
        (Rolling(), (1, 1, 1, 2, 2, 2), "too few different times to be cut into 3 windows"),
        (Rolling(windows=9, horizon=4), (0, 5, 12), "the first window begins at -23"),
        (Rolling(windows=2, horizon=2), (0, 1, 11, 12), "window 1, from 9 to before 11, has no"),
    ],
)
def test_what_cannot_be_cut_is_refused(option: Rolling, times: tuple[int, ...], said: str) -> None:
    with pytest.raises(InfeasibleSplit, match=said):
        split(at_times(*times), option)


def test_times_are_needed_and_a_step_needs_a_horizon() -> None:
    with pytest.raises(MissingTimestamps):
        Rolling().split(Ratings.from_triples([1, 1], [1, 2]), Seeds(1))
    with pytest.raises(OptionError, match="a step needs a horizon"):
        Rolling(step=3)
    with pytest.raises(BadParameter, match="horizon"):
        parse("split", "rolling(horizon=month)")


def test_a_split_stands_for_itself_with_what_it_leaves_unused() -> None:
    data = at_times(*range(10))
    made = split(data, Rolling())
    again = split(data, made)
    parts: list[npt.NDArray[np.int8]] = [fold.parts for fold in again.folds]
    for one, other in zip(parts, made.folds, strict=True):
        assert np.array_equal(one, other.parts)
