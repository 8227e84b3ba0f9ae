"""Numbers of users from a table: which columns they are, and what is missing in them."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadValue, OptionError
from cranfield.base.ids import Ids
from cranfield.workbench.definition.side_tables import user_columns_of

USERS = Ids(pl.Series(["a", "b", "c"]))


def columns(**given: Any) -> dict[str, list[float]]:
    found = user_columns_of({"user": ["c", "q", "a"], **given}, USERS)
    return {name: numbers.tolist() for name, numbers in found.items()}


def test_numbers_find_their_user_and_others_have_none() -> None:
    np.testing.assert_array_equal(columns(spend=[3.0, 9.0, 1.0])["spend"], [1.0, nan, 3.0])


def test_whole_numbers_are_numbers_and_empty_cells_are_none() -> None:
    np.testing.assert_array_equal(columns(age=[None, 40, 20])["age"], [20.0, nan, nan])


def test_columns_of_text_are_passed_over() -> None:
    assert list(columns(age=[1, 2, 3], country=["x", "y", "z"], spend=[1.5, 2, 3])) == [
        "age",
        "spend",
    ]


def test_there_are_none_without_a_table() -> None:
    assert user_columns_of(None, USERS) == {}


def test_a_user_with_two_rows_is_refused_by_id() -> None:
    with pytest.raises(BadValue, match=r'"b".*a user once'):
        user_columns_of({"user": ["a", "b", "b"], "age": [1, 2, 3]}, USERS)


@pytest.mark.parametrize("name", ["system", "metric", "judged"])
def test_a_name_that_tables_of_scores_use_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match=f'a column "{name}" already'):
        columns(**{name: [1, 2, 3]})
