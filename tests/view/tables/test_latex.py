"""Text for LaTeX: what comes from data stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.view.tables.latex import escaped, label_of, latex_table
from latex_reader import printed, rows_of
from suites import tries


@settings(deadline=None, max_examples=tries(200))
@given(st.text(st.sampled_from("ab 1&%$#_{}~^<>|\\[]*-'`,?!+=@/.:;()"), max_size=12))
def test_latex_prints_what_was_written(text: str) -> None:
    assert printed(escaped(text)) == text


@settings(deadline=None, max_examples=tries(200))
@given(st.text(max_size=10))
def test_nothing_ends_a_cell_a_row_or_a_line(text: str) -> None:
    made = escaped(text)
    assert made.isascii()
    assert made.isprintable()
    assert not re.search(r"(?<!\\)[&%#_]", made)


@pytest.mark.parametrize("name", ["[1] BPR", "*x", "[", "*", "&%$#_{}~^\\", "a\\\\", "--", "%"])
def test_a_row_can_begin_with_any_name(name: str) -> None:
    made = latex_table(
        "lr", ["", "P@10"], [["a", "1"], [escaped(name), "2"]], [[escaped(name), ""]]
    )
    cells = rows_of(made)
    assert [printed(row[0]) for row in cells[1:]] == ["a", name, name]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Järvelin & Kekäläinen", r"J\"{a}rvelin \& Kek\"{a}l\"{a}inen"),
        ("α ≤ 0.05, −1", r"$\alpha$ $\leq$ 0.05, $-$1"),
        ("x², ﬁ, ½", "x2, fi, 1/2"),
        ("推荐", "(U+63A8)(U+8350)"),
        ("a--b ''c''", "a-{}-b '{}'c'{}'"),
        ("Ångström, Łódź", r"\r{A}ngstr\"{o}m, \L{}\'{o}d\'{z}"),
        ("\x1b", "?"),
    ],
)  # fmt: skip
def test_letters_beyond_ascii_are_spelled(text: str, latex: str) -> None:
    assert escaped(text) == latex


def test_a_table_has_a_rule_before_every_part() -> None:
    made = latex_table("lr", ["", "50 %"], [["A", "1"], ["B", "2"]], [["C", "3"]])
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
    ]


def test_a_table_with_a_caption_floats_and_can_be_referred_to() -> None:
    made = latex_table("l", ["a"], [["b"]], caption="50 % of α", label="My run: é")
    assert made.splitlines()[:5] == [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{50 \% of $\alpha$}",
        r"\label{tab:my-run-e}",
    ]
    assert made.endswith("\\end{tabular}\n\\end{table}")
    assert label_of("日本") == "results"
