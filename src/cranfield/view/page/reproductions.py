"""Reproduced tables and figures of papers, as a page, as Markdown, and as files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.validity.assessment import Chart, Line
from cranfield.view.charts.assessment_plots import as_plot
from cranfield.view.charts.bar_plots import grouped_bars
from cranfield.view.charts.files import write_plots
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.printed_plots import printed_plot
from cranfield.view.markup import Markup, element, joined
from cranfield.view.numbers import any_value
from cranfield.view.page.parts import Section, figure, notes, paragraph, table
from cranfield.view.page.report import render_page
from cranfield.view.tables.markdown import markdown_row

_PLURAL = {
    "holds": "hold",
    "holds in some draws": "hold in some draws",
    "holds only with a fault of the original tool": "hold only with a fault of the original tool",
    "holds with the authors' systems, not with ours": "hold with the authors' systems, not with "
    "ours",
    "does not hold, for the reason given": "do not hold, for the reason given",
    "does not hold, reason unknown": "do not hold, reason unknown",
}
_ROWS = 60
"""Rows of a table that are shown; all are in the JSON."""


@dataclass(frozen=True, eq=False)
class ClaimRow:
    """A claim of a paper, its state, which figures support it, ours, and what else is known."""

    says: str
    state: str
    said: str
    figures: pl.DataFrame
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Item:
    """One table or figure: what is shown of it (title, kind, x, y, rows), and its claims."""

    name: str
    title: str
    data: str
    shows: tuple[tuple[str, str, str, str, pl.DataFrame], ...]
    claims: tuple[ClaimRow, ...]
    notes: tuple[str, ...]
    seconds: float


def items_page(items: Sequence[Item]) -> str:
    """All items on one page: every claim first, then each table and figure."""
    sections = [Section("verdict", "Claims", _claims(items))]
    sections += [Section(item.name, item.title, _item(item)) for item in items]
    return render_page("Reproduced papers", "reproduction", sections)


def _claims(items: Sequence[Item]) -> Markup:
    rows = [
        (_short(item.title), claim.says, claim.state, claim.said)
        for item in items
        for claim in item.claims
    ]
    said = paragraph(_counted(items))
    caption = "Every claim, and whether it holds on our figures"
    return joined(
        said,
        table(("item", "claim", "state", "figures"), rows, caption=caption, words=(0, 1, 2, 3)),
    )


def _short(title: str) -> str:
    return title.partition(":")[0]


def _counted(items: Sequence[Item]) -> str:
    return counted_page([claim.state for item in items for claim in item.claims], len(items))


def counted_page(states: Sequence[str], items: int) -> str:
    """How many claims a number of tables and figures has, and in which states they are."""
    of = "table or figure", "tables and figures"
    found = f": {counted_states(states)}" if states else ""
    return f"{counted(len(states), 'claim')} of {counted(items, *of)}{found}."


def counted_states(states: Iterable[str]) -> str:
    """How many claims are in each state, in the order in which they are met.

    >>> counted_states(["holds", "cannot be tested here", "holds"])
    '2 hold, 1 cannot be tested here'
    """
    return ", ".join(
        f"{number} {state if number == 1 else _PLURAL.get(state, state)}"
        for state, number in Counter(states).items()
    )


def _item(item: Item) -> Markup:
    shown = [paragraph(f"Data: {item.data}. {item.seconds:.0f} s.")]
    for place, (title, *_, rows) in enumerate(item.shows):
        plot = plots_of(item).get(f"{item.name}-{place + 1}")
        printed = printed_plot(rows, f"{item.name}-{place + 1}-printed", title)
        shown += [figure(each) for each in (plot, printed) if each is not None]
        if plot is None:
            shown.append(_table(title, rows))
    for claim in item.claims:
        said = element("p", element("b", f"{claim.state}: "), claim.says)
        shown += [
            said,
            _table(f"Figures: {claim.said}", claim.figures),
            notes([claim.note] if claim.note else []),
        ]
    return joined(*shown, notes(item.notes))


def _table(title: str, rows: pl.DataFrame) -> Markup:
    more = f" (the first {_ROWS} of {len(rows):,} rows)" if len(rows) > _ROWS else ""
    shown = [[any_value(value, 4) for value in row] for row in rows.head(_ROWS).rows()]
    words = {0, *(place for place, kind in enumerate(rows.dtypes) if not kind.is_numeric())}
    return table(rows.columns, shown, caption=title + more, words=words)


def plots_of(item: Item) -> dict[str, Plot]:
    """The charts of an item by name."""
    found = {}
    for place, (title, kind, x, y, rows) in enumerate(item.shows, start=1):
        name = f"{item.name}-{place}"
        if kind == "lines" and len(rows):
            found[name] = as_plot(Chart(title, x, y, _lines(rows)), name)
        elif kind == "bars" and len(rows):
            found[name] = grouped_bars(rows, name, title, x, y)
    return found


def _lines(rows: pl.DataFrame) -> tuple[Line, ...]:
    """Lines from columns x, y and series, in this order."""
    across, up, series = rows.columns[:3]
    known = rows.drop_nulls([across, up])
    return tuple(
        Line(str(name), tuple(part[across].cast(float)), tuple(part[up].cast(float)))
        for (name,), part in known.group_by(series, maintain_order=True)
    )


def write_item_charts(items: Sequence[Item], folder: Path) -> None:
    """Every chart as SVG and PDF."""
    plots = {name: plot for item in items for name, plot in plots_of(item).items()}
    if plots:
        write_plots(plots, folder, ("svg", "pdf"))


def items_markdown(items: Sequence[Item]) -> str:
    """The same for the docs: claims first, then each item with its figures."""
    head = ["| item | claim | state | figures |", "| :-- | :-- | :-- | :-- |"]
    lines = [_counted(items), "", *head]
    lines += [
        markdown_row([_short(item.title), claim.says, claim.state, claim.said])
        for item in items
        for claim in item.claims
    ]
    for item in items:
        lines += ["", f"## {item.title}", "", f"Data: {item.data}."]
        lines += [f"\n{note}" for note in item.notes]
        for title, kind, *_, rows in item.shows:
            shown = rows if kind == "table" else wide(rows)
            lines += ["", f"**{title}**", "", *markdown_table(shown)]
    return "\n".join(lines) + "\n"


def wide(rows: pl.DataFrame) -> pl.DataFrame:
    """Lines or bars as a table: a row per x or group, a column per series."""
    across, up, series = rows.columns[:3]
    return rows.pivot(series, index=across, values=up, maintain_order=True)


def markdown_table(rows: pl.DataFrame) -> list[str]:
    """Rows as a table of Markdown; of many, some that are spread evenly."""
    head = markdown_row(rows.columns)
    rule = "| " + " | ".join("--:" if k.is_numeric() else ":--" for k in rows.dtypes) + " |"
    shown = rows.gather(np.linspace(0, len(rows) - 1, min(_ROWS, len(rows))).round().astype(int))
    body = [markdown_row(any_value(value, 4) for value in row) for row in shown.rows()]
    note = [f"\n{_ROWS} of {len(rows):,} rows; the JSON has all."] if len(rows) > _ROWS else []
    return [head, rule, *body, *note]
