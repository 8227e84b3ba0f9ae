"""Markdown in which what comes from data stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.view.tables.markdown import markdown_row, markdown_table, markdown_text

_MARKUP = re.compile(r"(?<!\\)(?:\\\\)*[`*_<>|\[\]#~]")
"""A sign that Markdown would act on, as it is not escaped."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a|b", r"a\|b"),
        ("<script>", r"\<script\>"),
        ("[a](b)", r"\[a\](b)"),
        ("two\nlines", "two lines"),
        ("- no list", r"\- no list"),
        ("1. no list", r"1\. no list"),
        ("-1.5 to 2", "-1.5 to 2"),
    ],
)
def test_signs_are_escaped(text: str, shown: str) -> None:
    assert markdown_text(text) == shown


@given(st.text())
def test_no_text_is_markup(text: str) -> None:
    shown = markdown_text(text)
    assert not _MARKUP.search(shown)
    assert "\n" not in shown
    plain = re.sub(r"\\([\\`*_<>|\[\]#~.)+-])", r"\1", shown)
    assert plain == " ".join(text.split())


def test_a_table_has_as_many_cells_in_every_row() -> None:
    made = markdown_table(("a", "b|c"), [("1", "2|3"), ("4\n5", "*6*")]).splitlines()
    assert made == ["| a | b\\|c |", "| :-- | :-- |", "| 1 | 2\\|3 |", r"| 4 5 | \*6\* |"]


def test_a_row_keeps_its_markup_but_for_bars() -> None:
    assert markdown_row(["**a**", "b|c"]) == "| **a** | b\\|c |"
