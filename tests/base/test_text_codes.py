"""Texts numbered by a compiled loop get the codes that Polars would give them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base import text_codes
from cranfield.base.compiled_columns import coded_column
from cranfield.base.ids import Ids
from cranfield.base.kernels.text_codes import is_held
from cranfield.base.ragged import runs_of
from cranfield.base.text_codes import find_texts, number_texts
from cranfield.base.text_views import text_views

short = st.text("ab\u00e90\0", max_size=12).filter(lambda text: len(text.encode()) <= 12)

pytestmark = pytest.mark.usefixtures("few_ids_are_worth_it")


@settings(deadline=None, max_examples=200)
@given(texts=st.lists(short, min_size=1, max_size=40), cut=st.integers(0, 40))
def test_codes_are_places_among_the_distinct_texts(texts: list[str], cut: int) -> None:
    pieces = [part for part in (texts[:cut], texts[cut:]) if part]
    column = pl.concat([pl.Series(part, dtype=pl.String) for part in pieces], rechunk=False)
    coded = coded_column(column)
    assert coded is not None
    assert coded[0].to_list() == sorted(set(texts))
    assert coded[1].tolist() == Ids(coded[0]).encode(column).tolist()


@settings(deadline=None, max_examples=200)
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


@settings(deadline=None, max_examples=200)
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


@settings(deadline=None, max_examples=50)
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


@settings(deadline=None, max_examples=300)
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
    whole = coded_column(column)
    monkeypatch.setattr(text_codes, "_FEWEST_SLOTS", 16)
    grown, numbered = coded_column(column), number_texts(column)
    assert numbered is not None
    assert numbered[3] is None  # changes are more than there is room for
    assert whole is not None
    assert grown is not None
    assert whole[0].equals(grown[0])
    assert np.array_equal(whole[1], grown[1])
    monkeypatch.setattr(text_codes, "_MOST_SLOTS", 64)
    assert coded_column(column) is None
