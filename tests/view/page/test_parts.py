"""Parts of a page: whole elements, escaped text, numbers apart from words."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.view.charts.plot import Plot, PlotPanel, Points
from cranfield.view.markup import Markup, element
from cranfield.view.page.parts import (
    Section,
    figure,
    folded,
    listed,
    notes,
    paragraph,
    small_figures,
    table,
)
from page_reader import read_page
from suites import tries

TEXT = st.text(st.sampled_from("ab <>&\"'/é"), max_size=8)
PLOT = Plot(
    name="p", title="T <1>", description="D.", panels=(PlotPanel(marks=(Points(x=[1], y=[1]),)),),
    headings=("a", "b"), rows=(("x", "1"),), rows_note="Some.",
)  # fmt: skip


@settings(deadline=None, max_examples=tries(60))
@given(st.lists(st.tuples(TEXT, TEXT), max_size=3), TEXT, TEXT)
def test_a_table_holds_every_cell_as_text(
    rows: list[tuple[str, str]], heading: str, caption: str
) -> None:
    page = read_page(table((heading, "n"), rows, caption=caption))
    cells = [each.text for each in page.elements if each.name in ("td", "th")]
    assert cells == [heading, "n", *(cell for row in rows for cell in row)]
    assert page.all("caption")[0].text == caption
    assert page.all("div")[0].attributes["aria-label"] == caption


def test_only_what_is_not_words_is_set_as_numbers() -> None:
    made = read_page(table(("a", "b", "c"), [("x", "y", "1")], caption="C", words=(0, 1), last="z"))
    assert [each.attributes.get("class") for each in made.all("td")] == [None, "n"]
    assert made.all("tr")[-1].attributes["class"] == "z"
    assert [each.attributes["scope"] for each in made.all("th")] == ["col"] * 3 + ["row"]


def test_a_section_is_labelled_by_its_heading() -> None:
    page = read_page(Section("s", "A & B", paragraph("x", kind="k")).render())
    [section], [heading] = page.all("section"), page.all("h2")
    assert section.attributes["aria-labelledby"] == heading.attributes["id"]
    assert heading.text == "A & B"


def test_a_figure_is_drawn_for_desks_and_phones_with_its_numbers_on_demand() -> None:
    page = read_page(figure(PLOT))
    assert [each.attributes["class"] for each in page.all("svg")] == ["chart wide", "chart narrow"]
    assert page.all("figure")[0].attributes["id"] == "p"
    assert page.all("caption")[0].text == "T <1>. Some."
    assert page.all("summary")[0].text == "The numbers of this chart"
    assert len(read_page(figure(PLOT, small=True)).all("svg")) == 1


def test_a_single_chart_takes_all_the_room() -> None:
    assert len(read_page(small_figures([PLOT])).all("svg")) == 2
    assert len(read_page(small_figures([PLOT, PLOT])).all("svg")) == 2
    assert read_page(small_figures([PLOT, PLOT])).elements[0].attributes["class"] == "figures"


def test_nothing_to_note_is_nothing() -> None:
    assert notes(()) == ""
    assert [each.text for each in read_page(notes(["<b>", "c"])).all("li")] == ["<b>", "c"]


def test_what_is_markup_stays_and_what_is_text_is_escaped() -> None:
    assert paragraph("a<", element("b", "c")) == "<p>a&lt;<b>c</b></p>"
    assert folded("t", Markup("<i></i>")) == "<details><summary>t</summary><i></i></details>"
    assert listed([("t<", "d")]) == "<dl><div><dt>t&lt;</dt><dd>d</dd></div></dl>"
