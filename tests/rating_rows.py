"""Rows of ratings as plain tuples, to be read beside what `Ratings` makes of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from cranfield.collection.ratings import Duplicates, Ratings

Row = tuple[Any, Any, float, int]

VALUES = st.floats(-1e6, 1e6).map(lambda value: value + 0.0)  # −0 is 0, as in whole numbers
IDS = st.integers(-3, 3) | st.sampled_from([10**6, 2**62, -(2**63)])
TEXTS = st.sampled_from(["", "a", "b", "007", "7", "é", "a\x00b", "日本", "none"])

PIECES = (
    *("a", "b", "7", "0", "1.5", "Q0", "user_id", "item_id", "é", "日", "\U0001f600", "nan"),
    *(" ", "\t", "\n", "\r", "\x00", "\x01", "\x0b", "\x1c", "\x85", "\xa0", "\u2028", "\ufeff"),
    *('"', '""', "'", ",", ";", "|", ":", "::", "#", "\\", "-", "="),
)
AWKWARD = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
"""Ids that hold what separates, encloses, ends or begins something in a text file."""


def rows_of(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Row]]:
    row = st.tuples(ids, ids, VALUES, st.integers(0, 3))
    return st.lists(row, min_size=1, max_size=25)


ROWS = rows_of(IDS) | rows_of(TEXTS)
DISTINCT = ROWS.map(lambda rows: list({row[:2]: row for row in rows}.values()))


def frame(rows: list[Row]) -> dict[str, list[Any]]:
    names = ("user_id", "item_id", "rating", "timestamp")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def triples_of(rows: list[Row]) -> tuple[list[Any], list[Any], list[Any]]:
    """Users, items and ratings, each in a list."""
    users, items, values, _ = zip(*rows, strict=True)
    return list(users), list(items), list(values)


def ratings_of(rows: list[Row], duplicates: Duplicates = "refuse") -> Ratings:
    return Ratings.from_frame(frame(rows), duplicates=duplicates)


def rows_in(ratings: Ratings) -> list[Any]:
    return ratings.to_polars().rows()


def small(**columns: Any) -> Ratings:
    """Two ratings, with some columns put in place of the usual ones."""
    return Ratings.from_frame({"user": [1, 2], "item": [5, 6], "rating": [3, 4]} | columns)


SMALL = small(user=["b", "a"], timestamp=[20, 10])
