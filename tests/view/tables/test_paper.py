"""The table for a paper: bold, marks and intervals in one, whatever systems are called."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.collection.topics import DroppedUsers, UserCounts
from cranfield.scoring.summary import summarise
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests import StudentT
from cranfield.view.tables.paper import PaperTable
from latex_reader import printed, rows_of
from score_cases import scores_of
from suites import tries

GOOD, BAD = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], [0.5, 0.5, 0.4, 0.4, 0.1, 0.4]


def table_of(*names: str, **more: object) -> PaperTable:
    """Two systems, the first significantly better."""
    scores = scores_of(dict(zip(names, (GOOD, BAD), strict=True)))
    compared = compare(scores, ComparisonChoice(test=StudentT()))
    return PaperTable(summary=summarise(scores), comparison=compared, **more)  # type: ignore[arg-type]


def test_the_best_is_bold_and_carries_the_marks_of_those_it_beats() -> None:
    # 4.7/6 and 2.3/6
    assert rows_of(table_of("good", "bad").latex())[1:] == [
        ["$a$", "good", r"\textbf{0.7833}$^{b}$"],
        ["$b$", "bad", "0.3833"],
    ]


def test_intervals_stand_beside_the_values_on_request() -> None:
    made = table_of("good", "bad", intervals=True)
    row = made.summary.row("bad", "P@10")
    cell = rf"0.3833 {{\scriptsize ({row.low:.4f} to {row.high:.4f})}}"
    assert rows_of(made.latex())[2] == ["$b$", "bad", cell]
    assert "In small print: 95 % intervals over users." in made.caption
    assert "interval" not in table_of("good", "bad").caption


def test_the_caption_says_who_enters_and_what_marks_mean() -> None:
    users = UserCounts(109, 2953, (DroppedUsers("no training rating", 192, 17048),))
    assert table_of("good", "bad", users=users, title="Mine").caption == (
        "Mine. The best value of each metric is bold. A raised mark: significantly above that "
        "system (paired t test, Holm correction, level 0.05). 109 of 301 test users enter; 192 "
        "have no training rating (85 % of test ratings)."
    )


@pytest.mark.parametrize("name", ["[1] BPR", "*x", "&%$#_{}~^\\", "é 推荐 ½", "a\\\\[2em]"])
def test_any_name_makes_a_table_of_plain_ascii(name: str) -> None:
    made = table_of(name, "other", title=name, intervals=True).latex()
    assert made.isascii()
    rows = rows_of(made)
    assert [len(row) for row in rows] == [3, 3, 3]
    if name.isascii():
        assert printed(rows[1][1]) == name


@pytest.mark.skipif(which("pdflatex") is None, reason="needs pdflatex with booktabs")
def test_latex_itself_sets_the_table_whatever_systems_are_called(tmp_path: Path) -> None:
    names = ["[1] BPR", "*x", "&%$#_{}~^\\", "é ę 推荐 ½", "a\\\\[2em]", "--''``?`", '|<>"', "αΩ−≥"]
    pairs = [table_of(one, f"{one} again", title=one, intervals=True).latex() for one in names]
    start = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "a.tex").write_text("\n".join([start, *pairs, "\\end{document}\n"]))
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-800:]


@settings(deadline=None, max_examples=tries(60))
@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=2, unique=True))
def test_no_name_breaks_the_table(names: list[str]) -> None:
    made = table_of(*names, title=names[0]).latex()
    assert [len(row) for row in rows_of(made)] == [3, 3, 3]
    label = re.search(r"\\label\{(.*?)\}", made)
    assert label is not None
    assert re.fullmatch("tab:[a-z0-9-]+", label[1])
