"""Views of reviews: the items of a checklist, and what differs between results."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.nouns.views import view_for
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.latex import escaped, latex_table
from cranfield.workbench.review.checklist import WORDS, Checklist
from cranfield.workbench.review.comparison import ResultsComparison
from cranfield.workbench.review.item import ChecklistItem

_WIDTH = r"p{0.35\linewidth}"
"""A column of LaTeX in which text breaks into lines."""
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
                rows=[
                    (each.asks, WORDS[each.state], each.whole_answer, each.advice) for each in items
                ],
                words=(0, 1, 2, 3),
            )
            for topic, items in noun.by_topic.items()
        ]

    def latex(self, noun: Checklist) -> str:
        """Lists, which break over pages and need no package."""
        lines = [rf"\section*{{{escaped(noun.title)}}}", escaped(noun.heading)]
        for topic, items in noun.by_topic.items():
            lines += [rf"\subsection*{{{escaped(topic)}}}", r"\begin{itemize}"]
            lines += map(_latex_item, items)
            lines.append(r"\end{itemize}")
        lines += [r"\subsection*{Sources}", r"\begin{itemize}"]
        lines += [rf"\item {escaped(text)}" for text in noun.sources.values()]
        return "\n".join([*lines, r"\end{itemize}"])


@view_for(ResultsComparison)
class ResultsComparisonView(NounView):
    """What differs, in one table for each kind of thing."""

    kind = "comparison of results"

    def title(self, noun: ResultsComparison) -> str:
        """Which results are compared."""
        names = (noun.first, *noun.by_results)
        return f"Results: {', '.join(names)}"

    def verdict(self, noun: ResultsComparison) -> str:
        """Whether the values differ, and what explains it."""
        return noun.sentence

    def tables(self, noun: ResultsComparison) -> list[ShownTable]:
        """Decisions, data, versions, conclusions and values that differ."""
        return [table for name in noun.by_results for table in noun.tables(name)]

    def latex(self, noun: ResultsComparison) -> str:
        """All tables for a paper."""
        made = map(_latex_table, self.tables(noun))
        return "\n\n".join([escaped(noun.sentence), *made])


def _latex_table(shown: ShownTable) -> str:
    """A table whose texts break into lines; numbers stand in columns of their own."""
    if len(shown.words) < len(shown.headings):
        return shown.latex()
    rows = [[escaped(cell) for cell in row] for row in shown.rows]
    whole = "l" * (len(shown.headings) - 3) + f"p{{0.2\\linewidth}}{_WIDTH * 2}"
    return latex_table(whole, shown.headings, rows, caption=shown.caption, label=shown.caption)


def comparison_text(made: ResultsComparison, width: int | None) -> str:
    """All of it for a terminal."""
    parts = []
    for name, sentence in made.sentences.items():
        named = tables.strong(tables.wrapped(f"{made.first} and {name}", width))
        parts.append(f"{named}\n{tables.wrapped(sentence, width)}")
        for found in made.tables(name):
            shown = tables.render(found.rows, found.headings, left=found.words, width=width)
            parts.append(f"{tables.wrapped(found.caption, width)}\n{shown}")
    return "\n\n".join(parts)


def _latex_item(item: ChecklistItem) -> str:
    asked = rf"\item \textbf{{{escaped(item.asks)}}} (\emph{{{WORDS[item.state]}}})"
    advice = rf" \emph{{To do:}} {escaped(item.advice)}" if item.advice else ""
    own = "".join(
        rf" \emph{{{escaped(names)}:}} {escaped(text)}" for names, text in item.answers.items()
    )
    return f"{asked} {escaped(item.answer)}{own}{advice}"


def checklist_text(made: Checklist, width: int | None) -> str:
    """The checklist for a terminal: a mark for each item, its answer, and what to do."""
    title = tables.strong(tables.wrapped(made.title, width))
    lines = [title, tables.wrapped(made.heading, width)]
    for topic, items in made.by_topic.items():
        lines += ["", tables.strong(tables.printable(topic))]
        for each in items:
            lines.append(tables.wrapped(each.asks, width, mark=f"{_MARKS[each.state]} "))
            lines += [tables.wrapped(each.answer, width, mark="    ")] if each.answer else []
            lines += [
                tables.wrapped(f"{names}: {text}", width, mark="    · ")
                for names, text in each.answers.items()
            ]
            lines += [tables.wrapped(each.advice, width, mark="    → ")] if each.advice else []
    return "\n".join(lines)
