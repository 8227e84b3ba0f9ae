"""Reproduced papers, as a page and as Markdown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from cranfield.view.page.reproductions import (
    ClaimRow,
    Item,
    counted_states,
    items_markdown,
    items_page,
    plots_of,
    write_item_charts,
)
from page_reader import read_page

FIGURES = pl.DataFrame({"system": ["a|b", "<c>"], "value": [0.5, None], "holds": [True, False]})
CURVE = pl.DataFrame({"x": [1, 2, 1, None], "y": [0.1, 0.2, 0.3, 9.0], "s": ["p", "p", "q", "q"]})


def item_of(*states: str) -> Item:
    return Item(
        name="p1999-figure-1",
        title="p1999, Figure 1: What <is>",
        data="ml-1m",
        shows=(("A table", "table", "", "", FIGURES), ("A curve", "lines", "k", "τ", CURVE)),
        claims=tuple(
            ClaimRow(f"Claim | {number}", state, "1 of 2", FIGURES)
            for number, state in enumerate(states)
        ),
        notes=("A note.",),
        seconds=2.4,
    )


@pytest.mark.parametrize(
    ("states", "said"),
    [
        (["holds"], "1 holds"),
        (["holds", "holds"], "2 hold"),
        (["holds in some draws", "holds"] * 2, "2 hold in some draws, 2 hold"),
        (["does not hold, reason unknown"] * 2, "2 do not hold, reason unknown"),
        (
            ["contradicted by the authors' own figures"],
            "1 contradicted by the authors' own figures",
        ),
        (["cannot be tested here"] * 3, "3 cannot be tested here"),
        ([], ""),
    ],
)
def test_states_are_counted_in_good_english(states: list[str], said: str) -> None:
    assert counted_states(states) == said


def test_the_markdown_has_a_row_per_claim_that_no_cell_can_break() -> None:
    lines = items_markdown([item_of("holds", "cannot be tested here")]).splitlines()
    assert lines[0] == "2 claims of 1 table or figure: 1 holds, 1 cannot be tested here."
    assert lines[4] == r"| p1999, Figure 1 | Claim \| 0 | holds | 1 of 2 |"
    assert r"| a\|b | 0.5000 | yes |" in lines
    assert "| <c> | – | no |" in lines
    assert "## p1999, Figure 1: What <is>" in lines


def test_curves_are_tables_by_x_in_markdown() -> None:
    lines = items_markdown([item_of("holds")]).splitlines()
    start = lines.index("**A curve**") + 2
    assert lines[start : start + 3] == [
        "| x | p | q |", "| --: | --: | --: |", "| 1 | 0.1000 | 0.3000 |",
    ]  # fmt: skip


def test_bars_are_drawn_on_the_page_and_tables_by_group_in_markdown() -> None:
    rows = pl.DataFrame(
        {"protocol": ["AR", "AR", "1R"], "P": [0.1, 0.2, 0.3], "s": ["p", "q", "p"]}
    )
    made = replace(item_of("holds"), shows=(("Some bars", "bars", "protocol", "P", rows),))
    assert list(plots_of(made)) == ["p1999-figure-1-1"]
    assert "Some bars" in items_page([made])
    lines = items_markdown([made]).splitlines()
    start = lines.index("**Some bars**") + 2
    assert lines[start : start + 4] == [
        "| protocol | p | q |", "| :-- | --: | --: |", "| AR | 0.1000 | 0.2000 |",
        "| 1R | 0.3000 | – |",
    ]  # fmt: skip


def test_a_first_column_of_numbers_stands_below_its_heading() -> None:
    claim = ClaimRow("A claim", "holds", "1 of 1", pl.DataFrame({"first": [0.5], "second": [0.6]}))
    page = read_page(items_page([replace(item_of("holds"), claims=(claim,))]))
    classes = {e.text: e.attributes.get("class") for e in page.all("th")}
    assert (classes["first"], classes["0.5000"], classes["second"]) == (None, None, "n")


def test_a_curve_has_a_line_per_series_without_what_is_unknown() -> None:
    [(name, plot)] = plots_of(item_of("holds")).items()
    assert name == plot.name == "p1999-figure-1-2"
    assert [(mark.name, list(mark.x), list(mark.y)) for mark in plot.panels[0].marks] == [  # type: ignore[union-attr]
        ("p", [1.0, 2.0], [0.1, 0.2]),
        ("q", [1.0], [0.3]),
    ]
    assert (plot.panels[0].x.title, plot.panels[0].y.title) == ("k", "τ")


def test_the_page_is_whole_and_has_every_claim_and_chart() -> None:
    page = read_page(items_page([item_of("holds", "holds in part")]))
    text = page.elements[0].text
    assert "2 claims of 1 table or figure: 1 holds, 1 holds in part." in text
    assert "Data: ml-1m. 2 s." in text
    assert [each.text for each in page.all("h2")] == [
        "Claims", "p1999, Figure 1: What <is>", "Glossary",
    ]  # fmt: skip
    assert [each.attributes["id"] for each in page.all("figure")] == ["p1999-figure-1-2"]


def test_of_very_many_rows_some_are_shown_and_that_is_said() -> None:
    rows = pl.DataFrame({"n": list(range(100))})
    many = Item(
        name="i", title="i: t", data="d", shows=(("T", "table", "", "", rows),), claims=(),
        notes=(), seconds=0,
    )  # fmt: skip
    text = items_markdown([many])
    assert "60 of 100 rows; the JSON has all." in text
    assert "\n| 0 |\n" in text
    assert "\n| 99 |\n" in text
    assert "T (the first 60 of 100 rows)" in items_page([many])


def test_charts_are_written_as_svg_and_pdf(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_item_charts([item_of("holds")], tmp_path / "charts")
    assert sorted(path.name for path in (tmp_path / "charts").iterdir()) == [
        "p1999-figure-1-2.pdf", "p1999-figure-1-2.svg",
    ]  # fmt: skip


def test_items_without_a_chart_leave_no_files(tmp_path: Path) -> None:
    empty = replace(item_of(), shows=(("A curve", "lines", "k", "τ", CURVE.clear()),))
    assert plots_of(empty) == {}
    write_item_charts([empty], tmp_path / "charts")
    assert not (tmp_path / "charts").exists()


def test_an_item_without_claims_is_counted_as_an_item() -> None:
    lines = items_markdown([item_of(), item_of()]).splitlines()
    assert lines[0] == "0 claims of 2 tables and figures."
    assert "A note." in lines
