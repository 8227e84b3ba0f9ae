"""The view of a checklist: a table for each topic, and a list for the appendix of a paper."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.views import view_for
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.latex import escaped
from cranfield.workbench.review.checklist import WORDS, Checklist, ChecklistItem

_MARKS = {"answered": "[x]", "partly": "[~]", "missing": "[ ]"}
"""How a terminal shows states."""


@view_for(Checklist)
class ChecklistView(NounView):
    """Every item with its state, its answer and what to do."""

    kind = "checklist"

    def title(self, noun: Checklist) -> str:
        """Who asks."""
        return noun.title

    def verdict(self, noun: Checklist) -> str:
        """How many items are answered."""
        return noun.heading

    def notes(self, noun: Checklist) -> Sequence[str]:
        """Who asks for the items."""
        return list(noun.sources.values())

    def tables(self, noun: Checklist) -> list[ShownTable]:
        """A table for each topic."""
        return [
            ShownTable(
                caption=topic,
                headings=("asked", "state", "answer", "to do"),
                rows=[(each.asks, WORDS[each.state], each.answer, each.advice) for each in items],
                words=(0, 1, 2, 3),
            )
            for topic, items in noun.by_topic.items()
        ]

    def latex(self, noun: Checklist) -> str:
        """Lists, which break over pages and need no package."""
        lines = [rf"\section*{{{escaped(noun.title)}}}", escaped(noun.heading)]
        for topic, items in noun.by_topic.items():
            lines += [rf"\subsection*{{{escaped(topic)}}}", r"\begin{description}"]
            lines += map(_latex_item, items)
            lines.append(r"\end{description}")
        lines += [r"\subsection*{Sources}", r"\begin{itemize}"]
        lines += [rf"\item {escaped(text)}" for text in noun.sources.values()]
        return "\n".join([*lines, r"\end{itemize}"])


def _latex_item(item: ChecklistItem) -> str:
    asked = rf"\item[{{{escaped(item.asks)}}}] (\emph{{{WORDS[item.state]}}})"
    advice = rf" \emph{{To do:}} {escaped(item.advice)}" if item.advice else ""
    return f"{asked} {escaped(item.answer)}{advice}"


def checklist_text(made: Checklist, width: int | None) -> str:
    """The checklist for a terminal: a mark for each item, its answer, and what to do."""
    lines = [tables.strong(tables.printable(made.title)), tables.wrapped(made.heading, width)]
    for topic, items in made.by_topic.items():
        lines += ["", tables.strong(tables.printable(topic))]
        for each in items:
            lines.append(tables.wrapped(each.asks, width, mark=f"{_MARKS[each.state]} "))
            lines += [tables.wrapped(each.answer, width, mark="    ")] if each.answer else []
            lines += [tables.wrapped(each.advice, width, mark="    → ")] if each.advice else []
    return "\n".join(lines)
