"""The filter against the most popular items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from cranfield.base.seeds import Seeds
from cranfield.collection.filters.drop_head import DropHead
from cranfield.collection.ratings import Ratings
from strategies import SHARES, ratings
from suites import tries


def items_left(share: float, users: list[int], items: list[str]) -> list[object]:
    data = Ratings.from_triples(users, items)
    left = data.take(DropHead(share=share).keep(data, Seeds()))
    return left.compact().item_ids.values.to_list()


def test_the_most_popular_go_first() -> None:
    assert items_left(0.34, [1, 2, 3, 1, 2, 1], ["b", "b", "b", "a", "a", "c"]) == ["a", "c"]


def test_of_equally_popular_items_the_first_ids_go() -> None:
    assert items_left(0.5, [1, 1, 1, 1], ["d", "b", "c", "a"]) == ["c", "d"]


@pytest.mark.parametrize(
    ("share", "dropped"),
    [
        (0.05, 0),
        (0.1, 0),
        (0.29, 1),
        (0.3, 1),
        (0.4, 2),
        (0.99, 4),
    ],  # 0.25, 0.5, 1.45, 1.5, 2, 4.95
)
def test_the_number_is_rounded_down_so_that_something_stays(share: float, dropped: int) -> None:
    assert len(items_left(share, [1] * 5, list("abcde"))) == 5 - dropped


def test_a_share_of_the_ratings_may_be_few_items() -> None:
    """Counts 3, 2 and 1: half of six ratings are those of the first, three quarters too."""
    data = Ratings.from_triples([1, 2, 3, 1, 2, 1], ["b", "b", "b", "a", "a", "c"])
    for share, left in ((0.4, "abc"), (0.5, "ac"), (0.75, "ac"), (0.84, "c")):
        kept = data.take(DropHead(share=share, of="ratings").keep(data, Seeds()))
        assert kept.compact().item_ids.values.to_list() == list(left)


def test_items_without_ratings_do_not_count() -> None:
    data = Ratings.from_triples([1, 2, 1, 1], [1, 1, 2, 3])
    rest = data.take(data.items != 2)
    assert rest.take(DropHead(share=0.5).keep(rest, Seeds())).items.tolist() == [1]


@given(data=ratings(), share=SHARES)
@settings(deadline=None, max_examples=tries(50))
def test_no_item_that_stays_is_more_popular_than_one_that_goes(data: Ratings, share: float) -> None:
    stays = DropHead(share=share).keep(data, Seeds())
    kept, gone = np.unique(data.items[stays]), np.unique(data.items[~stays])
    assert not set(kept) & set(gone)
    if len(kept) and len(gone):
        assert data.item_counts[kept].max() <= data.item_counts[gone].min()
