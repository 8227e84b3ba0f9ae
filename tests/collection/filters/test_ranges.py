"""The filters by count, share, rating and time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from cranfield.base.errors import BadParameter, MissingTimestamps, OptionError
from cranfield.base.seeds import Seeds
from cranfield.collection.filters.min_ratings import MinRatings
from cranfield.collection.filters.rating_range import RatingRange
from cranfield.collection.filters.sample import Sample
from cranfield.collection.filters.time_range import TimeRange
from cranfield.collection.ratings import Ratings
from strategies import SEEDS, SHARES, ratings
from suites import tries

DATA = Ratings.from_triples(
    [1, 1, 1, 2, 2], [1, 2, 3, 1, 2], [1, 2, 3, 4, 5], timestamps=[0, 86_399, 86_400, 7, 172_800]
)


def test_small_users_and_small_items_go() -> None:
    assert MinRatings(at_least=3).keep(DATA, Seeds()).tolist() == [True] * 3 + [False] * 2
    by_item = MinRatings(per="item", at_least=2).keep(DATA, Seeds())
    assert by_item.tolist() == [True, True, False, True, True]


@given(data=ratings(), share=SHARES, seed=SEEDS)
@settings(deadline=None, max_examples=tries(50))
def test_a_sample_has_the_exact_size(data: Ratings, share: float, seed: int) -> None:
    kept = int(Sample(share=share).keep(data, Seeds(seed)).sum())
    assert abs(kept - share * len(data)) <= 0.5 + 1e-6


def test_samples_of_other_seeds_differ() -> None:
    found = {tuple(Sample(share=0.4).keep(DATA, Seeds(seed)).tolist()) for seed in range(60)}
    assert len(found) == 10  # all pairs of five


def test_both_ends_of_a_rating_range_stay() -> None:
    found = RatingRange(at_least=2, at_most=4).keep(DATA, Seeds())
    assert found.tolist() == [False, True, True, True, False]


def test_one_end_of_a_rating_range_is_enough() -> None:
    assert RatingRange(at_most=1).keep(DATA, Seeds()).tolist() == [True] + [False] * 4
    assert RatingRange(at_least=5).keep(DATA, Seeds()).tolist() == [False] * 4 + [True]


@pytest.mark.parametrize("day", ["1970-01-02", 86_400, "1970-01-02T00:00:00", "1970-01-02T00:00Z"])
def test_times_from_since_up_to_until_stay(day: int | str) -> None:
    since = TimeRange(since=day).keep(DATA, Seeds())
    until = TimeRange(until=day).keep(DATA, Seeds())
    assert since.tolist() == [False, False, True, False, True]
    assert until.tolist() == [True, True, False, True, False]
    both = TimeRange(since=day, until="1970-01-03").keep(DATA, Seeds())
    assert both.tolist() == [False, False, True, False, False]


@pytest.mark.parametrize("cls", [RatingRange, TimeRange])
def test_a_range_without_ends_is_refused(cls: type) -> None:
    with pytest.raises(OptionError, match="or both"):
        cls()


def test_a_range_upside_down_is_refused() -> None:
    with pytest.raises(OptionError, match=r"rating-range: at_least = 4 is above at_most = 2"):
        RatingRange(at_least=4, at_most=2)
    with pytest.raises(OptionError, match=r"time-range: since = 1970-01-02 is not before until"):
        TimeRange(since="1970-01-02", until=5)


def test_a_word_is_no_time() -> None:
    with pytest.raises(BadParameter, match='time-range, until: "later" is not a number or a date'):
        TimeRange(until="later")


def test_times_are_needed() -> None:
    with pytest.raises(MissingTimestamps, match="time-range"):
        TimeRange(since=1).keep(Ratings.from_triples([1], [1]), Seeds())
