"""Tables for a terminal: aligned, whole when redirected, and harmless."""

from __future__ import annotations

import io
import os
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.view.tables.terminal import printable, render, show, strong, terminal_width, wrapped
from suites import tries


def test_numbers_stand_right_and_names_left() -> None:
    made = render([("a", "1.5"), ("longer", "10.25")], ("name", "value"))
    assert made.splitlines() == [
        "name     value",
        "──────────────",
        "a          1.5",
        "longer   10.25",
    ]


def test_a_table_without_headings_has_no_rule_and_may_have_a_title() -> None:
    assert render([("a", "1"), ("b", "22")], title="T") == "T\na   1\nb  22"


def test_redirected_tables_are_never_cut() -> None:
    long = "x" * 3000
    assert long in render([(long, "1")], ("name", "value"))


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[red]", "a[0]", ":smile:", "\\[x]"])
def test_brackets_in_names_are_no_markup(text: str) -> None:
    assert text in render([(text, "1")], (text, "value"))


@settings(deadline=None, max_examples=tries(40))
@given(st.text(max_size=12), st.text(max_size=12))
def test_nothing_from_data_can_steer_the_terminal(name: str, heading: str) -> None:
    made = render([(name, "1")], (f"x{heading}", "y"), title=f"t{name}")
    assert all(c == "\n" or c.isprintable() for c in made)
    assert len(made.split("\n")) == 4


def test_control_characters_are_shown_as_such() -> None:
    assert printable("a\x1b[31mb\n\u202e") == "a�[31mb��"


def test_what_an_encoding_lacks_is_replaced() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    show("τ = 0.5", stream)
    stream.flush()
    assert raw.getvalue() == b"? = 0.5\n"


@settings(deadline=None, max_examples=tries(60))
@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1), st.integers(14, 40))
def test_wrapped_lines_keep_their_words_and_their_width(words: list[str], width: int) -> None:
    lines = wrapped(" ".join(words), width, mark="· ").splitlines()
    assert all(len(line) <= width for line in lines)
    assert lines[0].startswith("· ")
    assert all(line.startswith("  ") for line in lines[1:])
    assert " ".join(lines).replace("·", " ").split() == words


def test_without_a_width_a_sentence_is_one_line() -> None:
    assert wrapped("one two " * 40, None, mark="- ") == "- " + "one two " * 40


def test_text_is_bold_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert strong("x", io.StringIO()) == "x"
    assert strong("x", Terminal()) == "\x1b[1mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert strong("x", Terminal()) == "x"


def test_redirected_output_has_no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert terminal_width() is None
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(os, "get_terminal_size", lambda: os.terminal_size((72, 20)))
    assert terminal_width() == 72


def test_a_narrow_table_stays_within_its_width() -> None:
    made = render([("a name of many words", "1.5")], ("name", "value"), width=20)
    assert all(len(line) <= 20 for line in made.splitlines())
    assert set(made.split()) >= {"a", "name", "of", "many", "words", "1.5"}


def test_a_table_that_fits_is_drawn_as_without_a_bound() -> None:
    rows, headings = [("a system", "0.5", "12"), ("b", "0.25", "3")], ("name", "P@10", "users")
    whole = render(rows, headings)
    widest = max(map(len, whole.splitlines()))
    assert render(rows, headings, width=widest) == whole
    assert render(rows, headings, width=widest - 1) != whole


def test_columns_named_as_left_are_aligned_left() -> None:
    made = render([("a", "x"), ("b", "long")], ("n", "word"), left=(0, 1))
    assert made.splitlines()[2:] == ["a   x", "b   long"]


def test_a_table_of_nothing_has_only_its_headings() -> None:
    assert render([], ("name", "value")).splitlines()[0].split() == ["name", "value"]
