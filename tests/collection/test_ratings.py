from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.collection.ratings import Ratings
from rating_rows import DISTINCT, ROWS, SMALL, Row, ratings_of, rows_in, small


@settings(deadline=None)
@given(DISTINCT, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows: list[Row], random: Any) -> None:
    one, other = ratings_of(rows), ratings_of(random.sample(rows, len(rows)))
    assert one.fingerprint == other.fingerprint
    assert one.user_ids == other.user_ids
    assert (one.users == other.users).all()
    assert (one.items == other.items).all()


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(1).permutation(40_000)
    prints = set()
    for threads in ("1", "2", "4"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        ratings = Ratings.from_triples(rows // 200, rows % 200, rows.astype(float), rows)
        prints.add(ratings.fingerprint)
        assert ratings.values.tolist() == list(range(40_000))
    assert len(prints) == 1


@settings(deadline=None)
@given(DISTINCT)
def test_counts_and_offsets_agree_with_the_rows(rows: list[Row]) -> None:
    ratings = ratings_of(rows)
    users, items = [row[0] for row in rows], [row[1] for row in rows]
    known_users, known_items = ratings.user_ids.values, ratings.item_ids.values
    assert ratings.user_counts.tolist() == [users.count(user) for user in known_users]
    assert ratings.item_counts.tolist() == [items.count(item) for item in known_items]
    offsets = ratings.user_offsets
    for user in range(ratings.n_users):
        assert (ratings.users[offsets[user] : offsets[user + 1]] == user).all()
    assert offsets[-1] == len(ratings) == len(rows)


@settings(deadline=None)
@given(DISTINCT, st.data())
def test_a_part_keeps_its_rows_and_all_ids(rows: list[Row], data: st.DataObject) -> None:
    ratings = ratings_of(rows)
    chosen = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    mask = np.array(chosen)
    part = ratings.take(mask)
    expected = [row for row, stays in zip(rows_in(ratings), chosen, strict=True) if stays]
    assert rows_in(part) == expected
    assert part.user_ids is ratings.user_ids
    assert rows_in(ratings.take(np.flatnonzero(mask))) == expected
    assert rows_in(part.compact()) == expected
    assert part.compact().user_ids.values.to_list() == sorted({row[0] for row in expected})
    assert part.compact().item_ids.values.to_list() == sorted({row[1] for row in expected})
    assert part.compact().fingerprint == part.fingerprint
    if expected:
        assert ratings_of(expected).fingerprint == part.fingerprint


@settings(deadline=None)
@given(DISTINCT, ROWS)
def test_ratings_under_wider_ids_are_the_same_ratings(rows: list[Row], more: list[Row]) -> None:
    ratings, other = ratings_of(rows), ratings_of(more, "last")
    users, items = ratings.user_ids.union(other.user_ids), ratings.item_ids.union(other.item_ids)
    wider = ratings.reindex(users, items)
    assert (wider.n_users, wider.n_items) == (len(users), len(items))
    found = [tuple(map(str, row[:2])) + row[2:] for row in rows_in(wider)]
    expected = [tuple(map(str, row[:2])) + row[2:] for row in rows_in(ratings)]
    assert sorted(found) == sorted(expected)
    if users.are_text == ratings.user_ids.are_text:
        assert wider.fingerprint == ratings.fingerprint


def test_codes_under_ids_of_another_type_stay_in_ascending_order() -> None:
    ratings = Ratings.from_triples([2, 10, 10], [2, 2, 10])
    text = Ids(pl.Series(["10", "2", "x"]))
    wider = ratings.reindex(text, text)
    assert wider.users.tolist() == [0, 0, 1]
    assert wider.items.tolist() == [0, 1, 1]


def test_fingerprints_are_the_same_for_ever() -> None:
    """Recorded splits are verified against these; a change of them is a change of format."""
    numbers = Ratings.from_triples([2, 1], [5, 6], [3.5, 4])
    assert numbers.fingerprint == "9376e02ab9e896d0f5451f191ff2e1bf"
    texts = Ratings.from_triples(["b", "é"], ["x", ""], [3.5, 4], [7, 8])
    assert texts.fingerprint == "a2bd2e214afc86bbc630d3a350076bfb"


def test_a_change_of_anything_changes_the_fingerprint() -> None:
    columns: dict[str, Any] = {"user": [1, 2], "item": [5, 6], "rating": [3, 4]}
    changes: list[dict[str, Any]] = [
        {},
        {"user": [1, 3]},
        {"user": ["1", "2"]},
        {"item": [5, 7]},
        {"item": [6, 5]},
        {"item": [5, 5]},
        {"rating": [4, 3]},
        {"rating": [3, 4.000001]},
        {"timestamp": [0, 0]},
        {"timestamp": [3, 4]},
        {"user": ["a\x00b", "c"]},
        {"user": ["a", "b\x00c"]},
        {"user": ["ab", "c"]},
        {"user": ["a", "bc"]},
    ]
    prints = {Ratings.from_frame(columns | change).fingerprint for change in changes}
    assert len(prints) == len(changes)


def test_zeros_of_either_sign_are_the_same_rating() -> None:
    assert small(rating=[0.0, 1]).fingerprint == small(rating=[-0.0, 1]).fingerprint


def test_no_ratings_can_still_be_asked() -> None:
    none = SMALL.take(np.zeros(2, dtype=bool))
    assert len(none) == 0
    assert none.matrix().nnz == 0
    assert none.to_polars().height == 0
    assert none.fingerprint == none.compact().fingerprint != SMALL.fingerprint
    assert repr(none) == "Ratings(0 users, 0 items, 0 ratings)"
    assert none.user_offsets.tolist() == [0, 0, 0]


def test_ratings_cannot_be_changed() -> None:
    for array in (SMALL.users, SMALL.items, SMALL.values, SMALL.timestamps):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        SMALL.values = np.zeros(2)  # type: ignore[misc]


def test_what_is_given_and_what_is_returned_can_be_changed_without_harm() -> None:
    users, items, values = np.array([1, 2]), np.array([1, 2]), np.array([3.0, 4.0])
    ratings = Ratings.from_triples(users, items, values)
    before = ratings.fingerprint
    matrix = ratings.matrix()
    matrix.data[:] = 9
    matrix.indices[:] = 0
    matrix.indptr[:] = 0
    table = ratings.to_pandas()
    table["rating"] *= 2
    del ratings.__dict__["fingerprint"]
    assert ratings.fingerprint == before
    assert ratings.user_offsets.tolist() == [0, 1, 2]


def test_given_arrays_stay_writable_and_apart() -> None:
    values = np.array([3.0, 4.0])
    ratings = Ratings.from_triples([1, 2], [1, 2], values)
    values[0] = 9
    assert ratings.values.tolist() == [3.0, 4.0]


def test_ratings_say_how_many_they_are() -> None:
    ratings = Ratings.from_triples(np.arange(2000) // 2, np.arange(2000) % 2)
    assert repr(ratings) == "Ratings(1,000 users, 2 items, 2,000 ratings)"
