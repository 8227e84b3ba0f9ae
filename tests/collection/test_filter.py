"""What `filter_ratings` adds to the option: order, sizes, refusal of nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import cranfield.collection.filters  # noqa: F401 - the options to be tested
from cranfield.base.errors import CranfieldError, NothingLeft
from cranfield.base.options import parse
from cranfield.collection.filter import FilterStep, Size, filter_ratings, size_of
from cranfield.collection.ratings import Ratings
from law_cases import SPELLINGS as LAW_CASES
from strategies import random_ratings, ratings
from suites import tries

SPELLINGS = LAW_CASES["filter"]
IDEMPOTENT = [s for s in SPELLINGS if not s.startswith(("drop-head", "sample"))]
every_filter = pytest.mark.parametrize("spelling", SPELLINGS)
LARGE = random_ratings(60, 40, 0.3, seed=5)


def filtered(data: Ratings, *spellings: str, seed: int = 1) -> Ratings | str:
    """What is left, or the error."""
    try:
        return filter_ratings(data, [parse("filter", s) for s in spellings], seed).ratings
    except CranfieldError as error:
        return str(error)


def prints(result: Ratings | str) -> str:
    return result if isinstance(result, str) else result.fingerprint


@every_filter
def test_what_stays_is_a_part_of_what_was_there(spelling: str) -> None:
    left = filtered(LARGE, spelling)
    assert isinstance(left, Ratings)
    assert 0 < len(left) <= len(LARGE)
    assert set(left.to_polars().rows()) <= set(LARGE.to_polars().rows())
    assert (left.user_counts > 0).all()
    assert (left.item_counts > 0).all()


@pytest.mark.parametrize("spelling", IDEMPOTENT)
@given(data=ratings(times=True))
@settings(deadline=None, max_examples=tries(20))
def test_a_second_pass_changes_nothing(spelling: str, data: Ratings) -> None:
    once = filtered(data, spelling)
    if isinstance(once, Ratings):
        assert prints(filtered(data, spelling, spelling)) == prints(once)


def test_filters_apply_in_the_order_given() -> None:
    # Item 3 has one rating; without it user 2 has one rating.
    data = Ratings.from_triples([1, 1, 2, 2], [1, 2, 1, 3])
    items_first = filtered(
        data, "min-ratings(per=item, at_least=2)", "min-ratings(per=user, at_least=2)"
    )
    users_first = filtered(
        data, "min-ratings(per=user, at_least=2)", "min-ratings(per=item, at_least=2)"
    )
    assert items_first == (
        "filter min-ratings(at_least=2): it removes every rating (2). Use a weaker filter."
    )
    assert isinstance(users_first, Ratings)
    assert users_first.to_polars().rows() == [(1, 1, 1.0), (2, 1, 1.0)]


def test_each_step_reports_sizes_before_and_after() -> None:
    data = Ratings.from_triples([1, 1, 2, 2, 3], [1, 2, 1, 3, 4], [5, 1, 5, 5, 5])
    made = filter_ratings(
        data, [parse("filter", "rating-range(at_least=2)"), parse("filter", "drop-head(share=0.4)")]
    )
    assert made.steps == (
        FilterStep("rating-range(at_least=2, at_most=none)", Size(3, 4, 5), Size(3, 3, 4)),
        FilterStep("drop-head(share=0.4, of=items)", Size(3, 3, 4), Size(2, 2, 2)),
    )
    assert size_of(made.ratings) == Size(2, 2, 2)


def test_two_samples_in_a_row_are_drawn_apart() -> None:
    once = filtered(LARGE, "sample")
    twice = filtered(LARGE, "sample", "sample")
    assert isinstance(once, Ratings)
    assert isinstance(twice, Ratings)
    again = filtered(once, "sample")
    assert len(twice) == len(once) - len(once) // 2
    assert prints(twice) != prints(again)


def test_no_filter_leaves_the_ratings_as_they_are() -> None:
    assert filter_ratings(LARGE, []).ratings is LARGE


def test_nothing_left_is_refused() -> None:
    with pytest.raises(NothingLeft, match="it removes every rating"):
        filter_ratings(LARGE, [parse("filter", "rating-range(at_least=99)")])
