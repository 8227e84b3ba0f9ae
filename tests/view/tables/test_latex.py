"""Text for LaTeX: what comes from data stays text."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.view.tables.latex import escaped, latex_table

_COMMAND = re.compile(r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater)\{\}")
_BACK = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textless": "<",
    "textgreater": ">",
}  # fmt: skip


def printed(text: str) -> str:
    """What LaTeX would print."""
    return re.sub(r"\\([&%$#_{}])", r"\1", _COMMAND.sub(lambda found: f"\0{found[1]}\0", text))


@settings(deadline=None, max_examples=150)
@given(st.text(st.sampled_from("ab 1&%$#_{}~^<>\\é日"), max_size=12))
def test_latex_prints_what_was_written(text: str) -> None:
    shown = printed(escaped(text))
    for name, letter in _BACK.items():
        shown = shown.replace(f"\0{name}\0", letter)
    assert shown == text


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=10))
def test_nothing_ends_a_cell_a_row_or_a_line(text: str) -> None:
    made = escaped(text)
    assert made.isprintable()
    assert not re.search(r"(?<!\\)[&%$#_]", made)


def test_a_table_has_a_rule_before_every_part_and_its_note_as_a_comment() -> None:
    made = latex_table("lr", ["", "50 %"], [["A", "1"], ["B", "2"]], [["C", "3"]], note="why")
    assert made.splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r" & 50 \% \\",
        r"\midrule",
        r"A & 1 \\",
        r"B & 2 \\",
        r"\midrule",
        r"C & 3 \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% why",
    ]
    assert "%" not in latex_table("l", ["a"], [["b"]])
