"""Everything that comes from data stays text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.view.markup import Markup, element, embedded_json, joined, text
from page_reader import read_page
from report_cases import HOSTILE

PRINTABLE = st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=30)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_in_elements_and_attributes(name: str) -> None:
    page = read_page(element("p", name, title=name, class_="a"))
    [only] = page.elements
    assert only.text == name
    assert only.attributes == {"title": name, "class": "a"}


@given(PRINTABLE, PRINTABLE)
def test_what_goes_in_is_what_a_browser_reads(inner: str, title: str) -> None:
    [only] = read_page(element("p", inner, title=title)).elements
    assert (only.text, only.attributes["title"]) == (inner, title)


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", element("b", "a & b")) == "<p><b>a &amp; b</b></p>"
    assert joined("<", Markup("<br>")) == "&lt;<br>"


def test_an_attribute_that_is_none_is_left_out() -> None:
    assert element("td", "x", class_=None, colspan="2") == '<td colspan="2">x</td>'


def test_control_characters_and_turned_text_are_shown_as_such() -> None:
    assert text("a\x1b[31m\u202eb\x00") == "a\ufffd[31m\ufffdb\ufffd"
    assert text("نمی\u200cخواهم") == "نمی\u200cخواهم"


@given(
    st.recursive(st.text(max_size=9) | st.floats(allow_nan=False, allow_infinity=False), st.lists)
)
def test_embedded_json_reads_back_and_cannot_end_its_element(data: object) -> None:
    made = embedded_json(data)
    assert json.loads(made) == data
    assert not set("<>&\u2028\u2029") & set(made)
