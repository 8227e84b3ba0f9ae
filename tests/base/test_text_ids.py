"""Text ids: numbered by a compiled loop as Polars would, and those that are integers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base import ids, text_ids
from cranfield.base.ids import encode_ids
from cranfield.base.kernels.ids import is_held
from cranfield.base.ragged import runs_of
from cranfield.base.text_ids import (
    find_texts,
    ids_from_text,
    integers_of,
    number_texts,
    text_views,
)
from suites import tries

short = st.text("ab\u00e90\0", max_size=12).filter(lambda text: len(text.encode()) <= 12)

pytestmark = pytest.mark.usefixtures("few_ids_are_worth_it")


@settings(deadline=None, max_examples=tries(200))
@given(texts=st.lists(short, min_size=1, max_size=40), cut=st.integers(0, 40))
def test_codes_are_places_among_the_distinct_texts(texts: list[str], cut: int) -> None:
    pieces = [part for part in (texts[:cut], texts[cut:]) if part]
    column = pl.concat([pl.Series(part, dtype=pl.String) for part in pieces], rechunk=False)
    coded = encode_ids(column)
    assert coded.ids.values.to_list() == sorted(set(texts))
    assert coded.ids.take(coded.rows).to_list() == texts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "COMPILED_ROWS", len(column) + 1)
        without = encode_ids(column)
    assert coded.ids == without.ids
    assert coded.rows.tolist() == without.rows.tolist() == coded.ids.encode(column).tolist()


@settings(deadline=None, max_examples=tries(200))
@given(texts=st.lists(short, min_size=1, max_size=40), cut=st.integers(0, 40))
def test_numbers_are_those_of_first_occurrence_and_know_their_places(
    texts: list[str], cut: int
) -> None:
    pieces = [pl.Series(part, dtype=pl.String) for part in (texts[:cut], texts[cut:])]
    numbered = number_texts(pl.concat(pieces, rechunk=False))
    assert numbered is not None
    distinct, numbers, places, changes = numbered
    assert changes is not None
    assert changes.tolist() == runs_of(numbers)[:-1].tolist()
    once = list(dict.fromkeys(texts))
    assert distinct.to_list() == sorted(once)
    assert numbers.tolist() == [once.index(text) for text in texts]
    assert [distinct[place] for place in places.tolist()] == once


@settings(deadline=None, max_examples=tries(200))
@given(known=st.sets(short, min_size=1), wanted=st.lists(short, max_size=30))
def test_texts_are_found_where_they_stand(known: set[str], wanted: list[str]) -> None:
    places = {text: place for place, text in enumerate(known)}
    found = find_texts(pl.Series(list(known)), pl.Series(wanted, dtype=pl.String))
    assert found is not None
    assert found.tolist() == [places.get(text, -1) for text in wanted]


@pytest.mark.parametrize("texts", [["a", None], ["a" * 13]])
def test_texts_that_are_missing_or_long_are_left_to_polars(texts: list[str | None]) -> None:
    assert find_texts(pl.Series(texts), pl.Series(["a"])) is None
    assert find_texts(pl.Series(["a"]), pl.Series(texts)) is None


@settings(deadline=None, max_examples=tries(50))
@given(texts=st.lists(st.text(max_size=30), min_size=1, max_size=20), start=st.integers(0, 20))
def test_views_hold_short_texts(texts: list[str], start: int) -> None:
    column = pl.Series(texts, dtype=pl.String).slice(start)
    with text_views(column) as pieces:
        views = [view for piece in pieces for view in piece.view(np.uint8).tolist()]
    assert len(views) == len(column)
    for view, text in zip(views, column, strict=True):
        plain = text.encode()
        assert int.from_bytes(view[:4], "little") == len(plain)
        if len(plain) <= 12:
            assert bytes(view[4:]) == plain.ljust(12, b"\0")


def test_columns_of_other_kinds_have_no_views() -> None:
    with text_views(pl.Series([1, 2])) as pieces:
        assert pieces == []


@pytest.mark.parametrize("texts", [["a", None], ["a" * 13], [1, 2]])
def test_other_columns_are_left_to_others(texts: list[object]) -> None:
    assert number_texts(pl.Series(texts)) is None


@settings(deadline=None, max_examples=tries(300))
@given(text=st.text(max_size=14), behind=st.integers(0, 15))
def test_a_view_is_held_if_nothing_is_behind_its_text(text: str, behind: int) -> None:
    plain = text.encode()
    view = bytearray(len(plain).to_bytes(4, "little") + plain[:12].ljust(12, b"\0"))
    words = np.frombuffer(bytes(view), np.uint64)
    assert is_held(words[0], words[1]) == (len(plain) <= 12)
    if 4 + len(plain) <= behind:
        view[behind] = 1
        words = np.frombuffer(bytes(view), np.uint64)
        assert not is_held(words[0], words[1])


def test_growing_tables_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pl.Series([f"i{k * 7919 % 911}" for k in range(6000)])
    whole = encode_ids(column)
    monkeypatch.setattr(text_ids, "_FEWEST_SLOTS", 16)
    grown, numbered = encode_ids(column), number_texts(column)
    assert numbered is not None
    assert numbered[3] is None  # changes are more than there is room for
    assert whole.ids == grown.ids
    assert np.array_equal(whole.rows, grown.rows)
    monkeypatch.setattr(text_ids, "_MOST_SLOTS", 64)
    assert number_texts(column) is None


ODD = ["007", "+7", "-0", " 7", "7 ", "7.0", "1e3", "x", "1_0", "-", "--1", "-01", "0-", "00"]


@settings(deadline=None, max_examples=tries(200))
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


@settings(deadline=None, max_examples=tries(500))
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
