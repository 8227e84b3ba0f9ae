"""NounView: what a noun shows as a part of a notebook, as a page, as a chart and in LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, UnknownParameter, counted
from cranfield.view.charts.files import draw_plot
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.svg import svg
from cranfield.view.markup import Markup, element, joined
from cranfield.view.page.parts import Section, notes, paragraph, small_figures, table
from cranfield.view.page.report import render_page
from cranfield.view.tables.latex import escaped, latex_table

_ROWS, _COLUMNS, _NOTES = 20, 12, 5
"""Rows, columns and notes that a notebook shows; a page shows more rows, and all the rest."""
_PAGE_ROWS = 1000
_WIDTH = 640.0
"""The width of a chart in a notebook, in pixels."""


@dataclass(frozen=True, kw_only=True)
class ShownTable:
    """A table as readers see it; ``words`` are the columns that hold no numbers.

    ``size`` is the number of rows where not all of them are given.
    """

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: tuple[int, ...] = (0,)
    size: int | None = None

    def cut(self, rows: int, columns: int) -> ShownTable:
        """The first rows and columns, with a caption that says how many there are."""
        size = len(self.rows) if self.size is None else self.size
        told = []
        if size > min(rows, len(self.rows)):
            told.append(f"the first {min(rows, len(self.rows)):,} of {counted(size, 'row')}")
        if len(self.headings) > columns:
            told.append(f"the first {columns} of {counted(len(self.headings), 'column')}")
        return replace(
            self,
            caption="; ".join([self.caption, *told]),
            headings=self.headings[:columns],
            rows=[row[:columns] for row in self.rows[:rows]],
        )

    def markup(self) -> Markup:
        """The table as HTML."""
        return table(self.headings, self.rows, caption=self.caption, words=self.words)

    def latex(self) -> str:
        """The table for a paper."""
        sides = "".join("l" if n in self.words else "r" for n in range(len(self.headings)))
        rows = [[escaped(cell) for cell in row] for row in self.rows]
        return latex_table(sides, self.headings, rows, caption=self.caption, label=self.caption)


class NounView:
    """The view of a noun, from its title, its sentences, its tables and its charts.

    All text is escaped where it becomes markup. What is derived from this class says what
    to show; how it is shown is said here, the same for all nouns.
    """

    kind = ""
    """What the noun is called."""

    def title(self, noun: Any) -> str:
        """One line that says what the noun is."""
        return repr(noun).partition("\n")[0]

    def verdict(self, noun: Any) -> str:
        """The sentence that matters most; nothing if there is none."""
        return ""

    def notes(self, noun: Any) -> Sequence[str]:
        """What else a reader should know."""
        return ()

    def tables(self, noun: Any) -> list[ShownTable]:
        """The tables, the most important first."""
        return []

    def leading(self, noun: Any) -> int:
        """How many of the tables a notebook shows."""
        return 1

    def plots(self, noun: Any) -> list[Plot]:
        """All charts; a notebook shows the first."""
        return []

    def latex(self, noun: Any) -> str:
        """The first table for a paper."""
        return self.tables(noun)[0].latex()

    def html(self, noun: Any) -> str:
        """The noun as a part of a notebook, with a style that neither page nor theme changes."""
        said = self.verdict(noun)
        first = self.tables(noun)[: self.leading(noun)]
        tables = [each.cut(_ROWS, _COLUMNS).markup() for each in first]
        return element(
            "div",
            element("style", Markup(_style())),
            paragraph(self.title(noun), kind="title"),
            paragraph(said, kind="verdict") if said else Markup(""),
            *tables,
            *(_figure(plot) for plot in self.plots(noun)[:1]),
            notes(list(self.notes(noun))[:_NOTES]),
            class_="cranfield",
        )

    def page(self, noun: Any) -> str:
        """The noun as a whole page."""
        said = self.verdict(noun)
        glance = joined(
            paragraph(said, kind="verdict") if said else Markup(""),
            *(each.cut(_PAGE_ROWS, 10**6).markup() for each in self.tables(noun)),
            notes(list(self.notes(noun))),
        )
        sections = [Section("verdict", self.kind, glance)]
        if plots := self.plots(noun):
            sections.append(Section("charts", "Charts", small_figures(plots)))
        return render_page(self.title(noun), self.kind, sections)

    def figure(self, noun: Any, chart: str | None) -> Any:
        """A chart as a figure of matplotlib: the one of that name, or the first."""
        plots = {plot.name: plot for plot in self.plots(noun)}
        if not plots:
            raise OptionError(f"{self.title(noun)}: there is nothing to draw.")
        wanted = next(iter(plots)) if chart is None else chart
        if wanted not in plots:
            raise UnknownParameter("plot", wanted, plots)
        return draw_plot(plots[wanted])


def _style() -> str:
    place = files("cranfield.view.page").joinpath("templates", "notebook.css")
    return place.read_text(encoding="utf-8")


def _figure(plot: Plot) -> Markup:
    """A chart with its caption, under names that no other chart of the notebook has."""
    digest = sha256(repr(plot).encode()).hexdigest()[:12]
    drawn = svg(replace(plot, name=f"{plot.name}-{digest}"), _WIDTH)
    caption = element("figcaption", element("b", plot.title), " ", plot.description)
    return element("figure", caption, drawn)
