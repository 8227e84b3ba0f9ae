"""Parts of a page: tables that scroll within themselves, figures with their numbers, lists."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cranfield.base.dataclass import dataclass
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.svg import svg
from cranfield.view.markup import Markup, element, joined

WIDE, NARROW = 760.0, 344.0
"""Widths in pixels for which every chart is drawn: for a desk and for a phone."""


@dataclass(frozen=True)
class Section:
    """A part of the report, which its contents list."""

    name: str
    title: str
    body: Markup

    def render(self) -> Markup:
        """The section with its heading."""
        heading = element("h2", self.title, id=f"{self.name}-title")
        labelled = f"{self.name}-title"
        return element("section", heading, self.body, id=self.name, aria_labelledby=labelled)


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str,
    words: Collection[int] = (0,),
    last: str = "",
    name: str | None = None,
    stacks: bool = True,
) -> Markup:
    """A table with a caption; the first column heads its row, those not in ``words`` are numbers.

    On a phone each row ``stacks``: it is a block of its own, a line for each cell, so that
    nothing is cut.

    ``last`` is a class for the last row. A table with a ``name`` is filled by the page's
    script, which finds the body by it, and the caption by it and "-caption".
    """
    made = list(rows)
    head = [
        element("th", name, scope="col", class_=None if place in words else "n")
        for place, name in enumerate(headings)
    ]
    body = [
        element(
            "tr",
            *_cells(row, words, headings),
            class_=last or None if place == len(made) - 1 else None,
        )
        for place, row in enumerate(made)
    ]
    whole = element(
        "table",
        element("caption", caption, id=f"{name}-caption" if name else None),
        element("thead", element("tr", *head)),
        element("tbody", *body, id=name),
    )
    kind = "scroll stack" if stacks else "scroll"
    return element("div", whole, class_=kind, tabindex="0", role="region", aria_label=caption)


def _cells(row: Sequence[str], words: Collection[int], headings: Sequence[str]) -> list[Markup]:
    """The cells of a row, each with its heading, which a phone shows beside it."""
    first = element("th", row[0], scope="row", data_label=headings[0] or None)
    return [
        first,
        *(
            element("td", cell, class_=None if place in words else "n", data_label=headings[place])
            for place, cell in enumerate(row[1:], start=1)
        ),
    ]


def figure(plot: Plot, *, small: bool = False) -> Markup:
    """A chart for wide and for narrow pages, what it shows in words, and its numbers.

    A ``small`` one is drawn for narrow pages only, to stand next to others.
    """
    said = element("span", plot.description)
    drawn = [svg(plot, NARROW, kind="narrow")]
    if not small:
        drawn.insert(0, svg(plot, WIDE, kind="wide"))
    parts = [element("figcaption", element("b", plot.title), " ", said), *drawn]
    if plot.rows:
        note = f"{plot.title}. {plot.rows_note}".strip()
        shown = table(plot.headings, plot.rows, caption=note)
        parts.append(folded("The numbers of this chart", shown))
    return element("figure", *parts, id=plot.name, class_="small" if small else None)


def folded(title: str, *parts: str, kind: str | None = None) -> Markup:
    """What is read on demand."""
    return element("details", element("summary", title), *parts, class_=kind)


def small_figures(plots: Sequence[Plot]) -> Markup:
    """Charts side by side where they fit; a single one takes the whole width."""
    alone = len(plots) == 1
    drawn = [figure(plot, small=not alone) for plot in plots]
    return element("div", *drawn, class_=None if alone else "figures")


def notes(texts: Sequence[str]) -> Markup:
    """Notes as a list; nothing if there are none."""
    if not texts:
        return Markup("")
    return element("ul", *(element("li", each) for each in texts), class_="notes")


def paragraph(*parts: str, kind: str | None = None) -> Markup:
    """A paragraph."""
    return element("p", *parts, class_=kind)


def listed(pairs: Iterable[tuple[str, str]]) -> Markup:
    """Terms and their descriptions."""
    parts = [element("div", element("dt", term), element("dd", said)) for term, said in pairs]
    return element("dl", joined(*parts))
