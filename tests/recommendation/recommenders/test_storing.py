"""What ships is stored when it is fitted, and what was tampered with is never predicted from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cranfield.base.seeds import Seeds
from cranfield.base.storable import NotStorable, State, Undecodable, decode, encode
from cranfield.collection.ratings import Ratings
from cranfield.testing.strategies import random_ratings
from law_cases import CASES

LABELS = ("components",)
"""Integers that are only compared with each other: any will do."""


@pytest.fixture(scope="module")
def train() -> Ratings:
    return random_ratings(40, 25, 0.7)


def stored(recommender: Any, train: Ratings) -> State:
    return encode(recommender.fit(train, Seeds(1)))


def fits(state: State, train: Ratings) -> bool:
    try:
        found = decode(state)
    except Undecodable:
        return False
    fitting: bool = found.fits(train.n_users, train.n_items)
    return fitting


def tampered(name: str, array: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """The array shorter, longer, of other axes and types, and pointing elsewhere."""
    made = [
        np.array(array.flat[0]),
        array[:-1],
        np.concatenate([array, array[-1:]]),
        array[None],
        array.astype(np.float32),
    ]
    if array.dtype.kind == "i" and not name.endswith(LABELS):
        for value in (-1, -(2**30), 2**30, len(array) + 10**6):
            wrong = array.copy()
            wrong[len(array) // 2] = value
            made.append(wrong)
    return made


@pytest.mark.parametrize("recommender", CASES["recommender"], ids=str)
def test_all_that_ships_but_the_oracle_says_how_it_is_stored(
    recommender: Any, train: Ratings
) -> None:
    if recommender.option_name == "oracle":
        with pytest.raises(NotStorable):
            stored(recommender, train)
        return
    state = stored(recommender, train)
    assert fits(state, train)
    for name, array in state.arrays.items():
        for wrong in tampered(name, array):
            state_of_wrong = State({**state.arrays, name: wrong}, state.facts)
            assert not fits(state_of_wrong, train), name
