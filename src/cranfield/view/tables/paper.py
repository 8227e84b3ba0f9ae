"""The table for a paper: values, the best in bold, marks of significance, all in LaTeX."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import field
from math import isnan, nan

from cranfield.base.dataclass import dataclass
from cranfield.collection.topics import UserCounts
from cranfield.scoring.summary import Row, Summary
from cranfield.significance.comparison import Comparison
from cranfield.view.names import Label, metric_label
from cranfield.view.tables.comparisons import beaten_marks, marks, marks_note
from cranfield.view.tables.latex import escaped, latex_table
from cranfield.view.tables.summaries import FAILED, RANDOM, SummaryLayout, interval_of
from cranfield.view.tables.terminal import printable
from cranfield.view.tables.users import users_line


@dataclass(frozen=True, kw_only=True, eq=False)
class PaperTable:
    """What the table for a paper shows.

    ``comparison`` gives the marks of significance. ``lists`` are values beyond accuracy,
    which follow those of the summary. ``users`` are told in the caption. With
    ``intervals``, each value has its 95 % interval. ``unmarked``, ``unknown_random`` and
    ``label`` are as in `SummaryLayout`. ``failed`` has the systems that failed, and why.
    """

    summary: Summary
    title: str = ""
    comparison: Comparison | None = None
    lists: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    users: UserCounts | None = None
    intervals: bool = False
    unmarked: Container[str] = ()
    unknown_random: str = ""
    label: Label = metric_label
    failed: Mapping[str, str] = field(default_factory=dict)

    @property
    def layout(self) -> SummaryLayout:
        """How the summary is laid out."""
        return SummaryLayout(
            summary=self.summary,
            unmarked=self.unmarked,
            unknown_random=self.unknown_random,
            label=self.label,
        )

    def latex(self) -> str:
        """The table with booktabs rules, its caption and its label."""
        layout, extra = self.layout, list(next(iter(self.lists.values()), {}))
        names = [*layout.headings, *map(self.label, extra)]
        marked = ["l"] if self.comparison else []
        rows = [
            [
                *([f"${self._mark(system)}$"] if self.comparison else []),
                escaped(system),
                *(self._cell(layout, system, metric) for metric in layout.metrics),
                *(_number(self.lists.get(system, {}).get(name, nan)) for name in extra),
            ]
            for system in layout.systems or self.lists
        ]
        rows += [
            [*("" for _ in marked), escaped(name), *(FAILED for _ in names)] for name in self.failed
        ]
        random = []
        if layout.random_place == "row" and layout.metrics:
            known = map(_tilde, layout.random_row(_number))
            random.append([[*("" for _ in marked), RANDOM, *known, *("" for _ in extra)]])
        return latex_table(
            "".join([*marked, "l", *("l" if self.comparison else "r" for _ in names)]),
            [*("" for _ in marked), "", *names],
            rows,
            *random,
            caption=self.caption,
            label=self.title or "results",
        )

    @property
    def caption(self) -> str:
        """What the table shows, whom it is about, and how it is read."""
        layout = self.layout
        parts = [f"{self.title.strip().rstrip('.') or 'Results'}."]
        if len(layout.systems) > 1:
            parts.append("The best value of each metric is bold.")
        if self.comparison is not None:
            parts.append(marks_note(self.comparison))
        if self.intervals and layout.metrics:
            parts.append("In small print: 95 % intervals over users.")
        if self.users is not None:
            parts.append(users_line(self.users).removeprefix("Warning: "))
        parts.append(layout.random_note.replace("~ marks", "A ∼ marks"))
        parts += [f"{name} failed: {reason}" for name, reason in self.failed.items()]
        return printable(" ".join(part for part in parts if part))

    def _mark(self, system: str) -> str:
        assert self.comparison is not None
        systems = self.comparison.systems
        return dict(zip(systems, marks(len(systems)), strict=True))[system]

    def _cell(self, layout: SummaryLayout, system: str, metric: str) -> str:
        row = self.summary.row(system, metric)
        shown = _number(row.value)
        cell = rf"\textbf{{{shown}}}" if layout.is_marked(system, metric) else shown
        if self.comparison is not None and metric in self.comparison.metrics:
            beaten = beaten_marks(self.comparison, metric, system)
            cell += rf"$^{{{beaten}}}$" if beaten else ""
        span = self._span(row) if self.intervals else ""
        return cell + span + _tilde(layout.beside(system, metric, _number))

    def _span(self, row: Row) -> str:
        low, high = interval_of(self.summary, row)
        return "" if isnan(low) else rf" {{\scriptsize ({_number(low)} to {_number(high)})}}"


def _number(value: float) -> str:
    return "--" if isnan(value) else f"{value:.4f}".replace("-", "$-$")


def _tilde(text: str) -> str:
    """The mark of an estimate as LaTeX prints it; a bare "~" is a space there."""
    return text.replace("~", r"$\sim$")
