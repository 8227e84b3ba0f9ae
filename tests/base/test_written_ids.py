"""Ids written as text: which of them are integers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.written_ids import ids_from_text, integers_of

ODD = ["007", "+7", "-0", " 7", "7 ", "7.0", "1e3", "x", "1_0", "-", "--1", "-01", "0-", "00"]


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.integers(-(10**19), 10**19).map(str) | st.sampled_from(["0", "-0", "007", "+1"]))
)
def test_text_becomes_integers_only_if_it_can_be_written_back(texts: list[str]) -> None:
    column = pl.Series(texts, dtype=pl.String)
    made = ids_from_text(column)
    fits = all(t == str(int(t)) and -(2**63) <= int(t) < 2**63 for t in texts)
    assert (made.dtype == pl.Int64) == (fits and bool(texts))
    assert made.cast(pl.String).to_list() == texts


@pytest.mark.parametrize("text", ["007", "+7", "-0", " 7", "7 ", "7.0", "1e3", "", "x", "٣", "1_0"])
@pytest.mark.parametrize("place", [0, 1500])
def test_one_odd_id_keeps_the_column_text_wherever_it_stands(text: str, place: int) -> None:
    texts = [str(number) for number in range(2000)]
    texts[place] = text
    assert ids_from_text(pl.Series(texts)).to_list() == texts


@pytest.mark.parametrize("place", [0, 1500])
def test_a_long_integer_is_read_wherever_it_stands(place: int) -> None:
    texts = ["1"] * 2000
    texts[place] = str(2**63 - 1)
    assert ids_from_text(pl.Series(texts)).dtype == pl.Int64


def test_columns_that_are_not_text_stay_as_they_are() -> None:
    column = pl.Series([1, 2])
    assert ids_from_text(column) is column


def words_of(texts: list[str]) -> np.typing.NDArray[np.uint64]:
    return np.array([int.from_bytes(text.encode(), "little") for text in texts], np.uint64)


@settings(deadline=None, max_examples=500)
@given(
    st.lists(
        st.integers(-9_999_999, 99_999_999).map(str)
        | st.sampled_from(ODD)
        | st.text("-0123456789+. x", min_size=1, max_size=8),
        min_size=1,
    )
    | st.lists(st.integers(-9_999_999, 99_999_999).map(str), min_size=1)
)
def test_words_are_the_integers_that_their_texts_are(texts: list[str]) -> None:
    made, expected = integers_of(words_of(texts)), ids_from_text(pl.Series(texts))
    assert (made is None) == (expected.dtype == pl.String)
    if made is not None:
        assert made.tolist() == expected.to_list()


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("place", [0, 7])
def test_one_odd_word_keeps_all_text(text: str, place: int) -> None:
    texts = [str(number) for number in range(10)]
    texts[place] = text
    assert integers_of(words_of(texts)) is None
