"""Reviews as they are shown: in a terminal of any width, in notebooks, on pages, in files."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import OptionError, OutputError
from cranfield.workbench.review.checklist import WORDS, Checklist, make_checklist
from cranfield.workbench.review.comparison import ResultsComparison
from cranfield.workbench.review.item import ChecklistItem
from cranfield.workbench.review.results_difference import ValueDifference, difference_tables
from cranfield.workbench.review.views import checklist_text, comparison_text
from cranfield.workbench.review.writing import SUFFIXES, refuse_suffix, write_review
from experiment_cases import table_of

HOSTILE = '<img src=x onerror="alert(1)"> & | \\input{x} \x1b[31m'


@cache
def results(**changes: Any) -> cf.Results:
    return cf.run(table_of(**changes))


@cache
def checklist() -> Checklist:
    return make_checklist(results())


@cache
def comparison() -> ResultsComparison:
    return cf.compare_results(results(), results(relevance=3), results(seed=2))


def item(**changes: Any) -> ChecklistItem:
    given = {
        "name": "x", "topic": "T", "asks": "Why?", "state": "partly", "answer": "So.",
        "advice": "Do it.", "by_authors": False, "sources": ("s",),
    }  # fmt: skip
    return ChecklistItem(**{**given, **changes})


@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_fits_a_terminal(width: int) -> None:
    said = checklist_text(checklist(), width)
    assert max(map(len, said.splitlines())) <= width
    for line in comparison_text(comparison(), width).splitlines():
        assert len(line) <= width or "─" in line or "  " in line


def test_every_width_says_the_same() -> None:
    narrow, wide = ("".join(checklist_text(checklist(), w).split()) for w in (50, None))
    assert narrow == wide


def test_without_a_width_every_answer_is_one_line() -> None:
    lines = checklist_text(checklist(), None).splitlines()
    for each in checklist().items:
        assert f"    {each.answer}" in lines or not each.answer
        assert f"    → {each.advice}" in lines or not each.advice


@pytest.mark.parametrize("state", WORDS)
def test_states_are_told_apart_in_every_form(state: Any) -> None:
    made = Checklist("Ours", "Mine", (item(state=state),), {"s": "Source"})
    word = WORDS[state]
    assert f"1 {word}" in made.heading
    assert f"({word})" in made.to_markdown()
    assert rf"(\emph{{{word}}})" in made.to_latex()
    assert f">{word}</td>" in made._repr_html_()


def test_an_item_without_answer_or_advice_leaves_no_empty_line() -> None:
    made = Checklist("Ours", "Mine", (item(answer="", advice=""),), {})
    assert "\n\n\n" not in made.to_markdown()
    assert checklist_text(made, None).splitlines()[-1] == "[~] Why?"


def test_topics_are_in_the_order_of_their_first_item() -> None:
    rows = [item(topic=topic, name=str(n)) for n, topic in enumerate("BABCA")]
    made = Checklist("Ours", "Mine", tuple(rows), {})
    assert {topic: [each.name for each in items] for topic, items in made.by_topic.items()} == {
        "B": ["0", "2"], "A": ["1", "4"], "C": ["3"],
    }  # fmt: skip


def test_an_empty_checklist_is_a_table_of_no_rows() -> None:
    made = Checklist("Ours", "Mine", (), {})
    assert made.to_polars().shape == (0, 6)
    assert made.heading == "Mine. 0 items: ."


@pytest.mark.parametrize("field", ["asks", "answer", "advice", "topic"])
def test_whatever_stands_in_an_item_stays_text(field: str, tmp_path: Path) -> None:
    made = Checklist(HOSTILE, HOSTILE, (item(**{field: HOSTILE}),), {"s": HOSTILE})
    made.write(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<img" not in page
    assert "<img" not in made._repr_html_()
    assert "<img" not in made.to_markdown().replace("\\<", "")
    assert "\\input{x}" not in made.to_latex()
    assert "\x1b" not in checklist_text(made, None)


def test_names_of_folders_stay_text(tmp_path: Path) -> None:
    made = replace(comparison(), first=HOSTILE)
    made.write(tmp_path / "a.html")
    assert "<img" not in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<img" not in made.to_markdown().replace("\\<", "")
    assert "\\input{x}" not in made.to_latex()
    assert "\x1b" not in comparison_text(made, None)


def test_a_comparison_says_of_each_result_what_differs() -> None:
    said = comparison_text(comparison(), None)
    for each in comparison().differences:
        assert each.sentence in said
        assert f"results 1 and {each.name}" in said
        for found in each.decisions:
            assert f"{found.path}   {found.first}" in said or found.path in said
    assert comparison().sentence.startswith("results 2: ")
    assert " results 3: " in comparison().sentence


def test_nothing_that_is_equal_has_a_table() -> None:
    made = cf.compare_results(results(), results())
    (found,) = made.differences
    assert list(difference_tables([found], "first")) == []
    assert made.to_markdown().count("|") == 0
    assert len(made.to_polars()) == 0
    assert made.to_latex() == found.sentence


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [(0.25, 0.5, 0.25), (0.5, 0.25, -0.25), (None, 0.5, None), (0.5, None, None)],
)
def test_a_difference_is_second_minus_first(
    first: float | None, second: float | None, difference: float | None
) -> None:
    assert ValueDifference("A", "P", first, second).difference == difference


def test_values_that_are_not_known_are_dashes() -> None:
    (found, _) = comparison().differences
    odd = replace(found, values=(ValueDifference("A", "P@5", None, 0.123456789),))
    *_, table = difference_tables([odd], "one")
    assert table.rows == [("A", "P@5", "–", "0.123457", "–")]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_suffix_is_written_whole_or_not_at_all(suffix: str, tmp_path: Path) -> None:
    for made in (checklist(), comparison()):
        path = tmp_path / f"review{suffix.upper()}"
        write_review(made, path)
        assert path.read_text(encoding="utf-8").endswith("\n") or suffix == ".html"
        assert [each.name for each in tmp_path.iterdir()] == [path.name]
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(OutputError, match="a folder of that name is in the way"):
        write_review(checklist(), tmp_path / "folder.md")


def test_json_is_what_to_dict_gives(tmp_path: Path) -> None:
    for made in (checklist(), comparison()):
        made.write(tmp_path / "a.json")
        assert json.loads((tmp_path / "a.json").read_text()) == json.loads(
            json.dumps(made.to_dict())
        )


@pytest.mark.parametrize("name", ["a", "a.txt", "a.md.gz", ".md", "md"])
def test_other_suffixes_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match=r"it can be written as \.md, \.html, \.tex, \.json"):
        refuse_suffix(name)


def test_one_result_read_twice_is_written_the_same() -> None:
    one, two = (make_checklist(results()) for _ in range(2))
    assert one.to_dict() == two.to_dict()
    assert one.to_latex() == two.to_latex()
