from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings

from cranfield.base.errors import (
    InputError,
    MissingLibrary,
)
from cranfield.collection.ratings import Ratings
from rating_rows import DISTINCT, SMALL, Row, ratings_of, rows_in, small, triples_of
from suites import tries


@settings(deadline=None)
@given(DISTINCT)
def test_ids_and_values_survive_in_ascending_order_of_user_and_item(rows: list[Row]) -> None:
    assert rows_in(ratings_of(rows)) == sorted(rows)


@settings(deadline=None, max_examples=tries(50))
@given(DISTINCT)
def test_every_library_gives_and_takes_the_same_ratings(rows: list[Row]) -> None:
    ratings = ratings_of(rows)
    table = ratings.to_polars()
    given: list[Any] = [table, table.lazy(), ratings.to_pandas(), ratings.to_arrow()]
    given += [table.to_dict(), table.to_dict(as_series=False)]
    for other in given:
        again = Ratings.from_frame(other)
        assert again.fingerprint == ratings.fingerprint
        assert rows_in(again) == rows_in(ratings)


@settings(deadline=None, max_examples=tries(50))
@given(DISTINCT)
def test_triples_give_and_take_the_same_ratings(rows: list[Row]) -> None:
    ratings = Ratings.from_triples(*triples_of(rows))
    again = Ratings.from_triples(*ratings.to_triples())
    assert again.fingerprint == ratings.fingerprint
    timed = Ratings.from_triples(*ratings.to_triples(), timestamps=range(len(ratings)))
    assert timed.timestamps is not None
    assert timed.timestamps.tolist() == list(range(len(ratings)))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_sparse_matrices_of_every_form_are_read(form: str, kind: str) -> None:
    dense = np.array([[0, 5, 0], [0, 0, 0], [1, 2, 0]])
    matrix = getattr(scipy.sparse, f"{form}_{kind}")(dense)
    assert rows_in(Ratings.from_matrix(matrix)) == [(0, 1, 5.0), (2, 0, 1.0), (2, 1, 2.0)]
    named = Ratings.from_matrix(matrix, user_ids=["x", "y", "z\x00"], item_ids=[30, 20, 10])
    assert rows_in(named) == [("x", 20, 5.0), ("z\x00", 20, 2.0), ("z\x00", 30, 1.0)]


def test_a_stored_zero_is_a_rating() -> None:
    matrix = scipy.sparse.csr_array(([0.0, 4.0], ([0, 1], [1, 0])), shape=(2, 2))
    assert rows_in(Ratings.from_matrix(matrix)) == [(0, 1, 0.0), (1, 0, 4.0)]


def test_a_matrix_needs_an_id_for_each_row_and_column() -> None:
    matrix = scipy.sparse.csr_array(np.ones((2, 3)))
    with pytest.raises(InputError, match="matrix: 3 user_ids are given for 2 of them"):
        Ratings.from_matrix(matrix, user_ids=[1, 2, 3])
    with pytest.raises(InputError, match="matrix: 1 item_ids are given for 3 of them"):
        Ratings.from_matrix(matrix, item_ids=[1])


@settings(deadline=None)
@given(DISTINCT)
def test_a_matrix_gives_and_takes_the_same_ratings(rows: list[Row]) -> None:
    ratings = Ratings.from_triples(*triples_of(rows))
    ids = ratings.user_ids.values, ratings.item_ids.values
    assert ratings.matrix().shape == (ratings.n_users, ratings.n_items)
    assert Ratings.from_matrix(ratings.matrix(), *ids).fingerprint == ratings.fingerprint


def test_without_ratings_every_pair_counts_one() -> None:
    ratings = Ratings.from_triples([1, 2], [3, 4])
    assert ratings.values.tolist() == [1.0, 1.0]
    assert ratings.timestamps is None


def test_columns_can_be_named() -> None:
    table = {"who": [1], "what": [2], "how": [3], "rating": [9]}
    named = {"user_id": "who", "item_id": "what", "rating": "how"}
    assert rows_in(Ratings.from_frame(table, columns=named)) == [(1, 2, 3.0)]


def test_libraries_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingLibrary, match="pip install pandas"):
        SMALL.to_pandas()
    with pytest.raises(MissingLibrary, match="pip install pyarrow"):
        SMALL.to_arrow()


def test_tables_have_the_conventional_columns() -> None:
    names = ["user_id", "item_id", "rating", "timestamp"]
    assert SMALL.to_polars().columns == names
    assert list(SMALL.to_pandas().columns) == names
    assert SMALL.to_arrow().column_names == names
    assert isinstance(SMALL.to_arrow(), pa.Table)
    assert small().to_polars().columns == names[:3]
