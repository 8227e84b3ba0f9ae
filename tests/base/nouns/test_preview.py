from __future__ import annotations

from math import nan

from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.nouns.preview import number, preview


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    rows = [["kNN", "yes", "0.25", "<0.0001"], ["a", "no", "–", "0.1"]]
    assert preview("Table", ["2 rows"], rows, ["", "word", "value", "p"]).splitlines() == [
        "Table(2 rows)",
        "     word  value        p",
        "kNN  yes    0.25  <0.0001",
        "a    no        –      0.1",
    ]


def test_without_rows_a_preview_is_one_line() -> None:
    assert preview("Run", ["mine", "3 lists"]) == "Run(mine, 3 lists)"


def test_many_rows_and_columns_are_cut_and_counted() -> None:
    rows = [[f"row {n}", *(["1"] * 30)] for n in range(1000)]
    shown = preview("Table", [], rows).splitlines()
    assert shown[-1] == "… and 993 more"
    assert shown[1] == "row 0  1  1  1  1  1  …"


def test_what_is_not_known_is_a_dash() -> None:
    assert (number(nan), number(0.5), number(0.5, 1)) == ("–", "0.5000", "0.5")


@given(st.lists(st.text(), min_size=1), st.lists(st.lists(st.text(), min_size=3, max_size=3)))
def test_no_text_makes_a_preview_long_or_steers_a_terminal(
    facts: list[str], rows: list[list[str]]
) -> None:
    shown = preview("Table", facts[:3], rows, ["a", "b", "c"])
    assert len(shown.splitlines()) <= 10
    assert all(letter.isprintable() for letter in shown if letter != "\n")
    assert max(map(len, shown.splitlines())) <= 620
