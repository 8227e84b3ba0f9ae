"""Checklist: what reviewers ask, answered from results as far as they know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.display import Tabular, Typeset
from cranfield.base.errors import counted
from cranfield.base.json_schema import DIALECT, Schema, recorded_schema
from cranfield.base.plain import plain
from cranfield.base.preview import preview
from cranfield.view.tables.markdown import markdown_text
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.review.fact import Fact, Reviewed, State
from cranfield.workbench.review.facts import FACTS
from cranfield.workbench.review.questions import ALL, Question, read_questions
from cranfield.workbench.review.writing import write_review

FORMAT = 1
WORDS: Mapping[State, str] = {
    "answered": "answered", "partly": "partly answered", "missing": "missing",
}  # fmt: skip
"""States as readers see them."""


@dataclass(frozen=True, kw_only=True)
class ChecklistItem:
    """One item: what is asked, how far it is answered, by what, and what is to be done.

    ``by_authors`` tells whether the authors' own words answer it. ``sources`` are keys.
    """

    name: str
    topic: str
    asks: str
    state: State
    answer: str
    advice: str
    by_authors: bool
    sources: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Checklist(Typeset, Tabular):
    """The items of a venue, each answered, partly answered or missing.

    ``sources`` are the citations of those who ask, by key.
    """

    title: str
    results: str
    items: tuple[ChecklistItem, ...]
    sources: Mapping[str, str]

    def __repr__(self) -> str:
        rows = [[each.name, each.state] for each in self.items]
        return preview("Checklist", [self.title, self.counted], rows, limit=60)

    @property
    def counted(self) -> str:
        """How many items are in which state."""
        found = Counter(each.state for each in self.items)
        return ", ".join(f"{found[state]} {WORDS[state]}" for state in WORDS if found[state])

    @property
    def heading(self) -> str:
        """Which results it is about, and how many items are in which state."""
        many = f"{counted(len(self.items), 'item')}: {self.counted}"
        return f"{self.results}. {many}."

    @property
    def by_topic(self) -> dict[str, list[ChecklistItem]]:
        """Items by topic, in the order of the first of each."""
        found: dict[str, list[ChecklistItem]] = {}
        for each in self.items:
            found.setdefault(each.topic, []).append(each)
        return found

    def to_polars(self) -> pl.DataFrame:
        """A row per item: name, topic, asks, state, answer and advice."""
        names = ("name", "topic", "asks", "state", "answer", "advice")
        return pl.DataFrame(
            {name: [getattr(each, name) for each in self.items] for name in names},
            schema=dict.fromkeys(names, pl.String),
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"format": FORMAT, **plain(self)}

    def to_markdown(self) -> str:
        """The checklist in Markdown: a box for each item, checked if it is answered."""
        lines = [f"# {markdown_text(self.title)}", "", markdown_text(self.heading)]
        for topic, items in self.by_topic.items():
            lines += ["", f"## {markdown_text(topic)}", ""]
            for each in items:
                box = "x" if each.state == "answered" else " "
                lines.append(f"- [{box}] **{markdown_text(each.asks)}** ({WORDS[each.state]})")
                lines += [f"  - {markdown_text(each.answer)}"] if each.answer else []
                lines += [f"  - *To do:* {markdown_text(each.advice)}"] if each.advice else []
        lines += ["", "## Sources", ""]
        lines += [f"- {markdown_text(text)}" for text in self.sources.values()]
        return "\n".join(lines) + "\n"

    def write(self, path: Path | str) -> None:
        """Write it as Markdown, HTML, LaTeX or JSON, by the suffix of the file."""
        write_review(self, path)


def make_checklist(results: Results | StudyResults, venue: str | Path = ALL) -> Checklist:
    """The checklist of a venue, or of a file, answered from results.

    An item is answered if all its facts are, and missing if none says anything. What authors
    answer themselves is answered.
    """
    asked, reviewed = read_questions(venue), Reviewed(results)
    found: dict[str, Fact] = {}
    items = []
    for question in asked.items:
        found |= {name: FACTS[name](reviewed) for name in question.facts if name not in found}
        items.append(_item(question, [found[name] for name in question.facts]))
    used = dict.fromkeys([asked.source, *(key for each in items for key in each.sources)])
    sources = {key: asked.sources[key] for key in used if key in asked.sources}
    title = reviewed.base.experiment.title or "Experiment"
    return Checklist(asked.title, title, tuple(items), sources)


def _item(question: Question, facts: list[Fact]) -> ChecklistItem:
    texts = [question.answer, *(each.text for each in facts)]
    open_ = [each for each in facts if each.state != "answered"] if not question.answer else []
    advice = dict.fromkeys(each.advice for each in open_)
    if not facts and not question.answer:
        advice = {question.do: None}
    return ChecklistItem(
        name=question.name,
        topic=question.topic,
        asks=question.asks,
        state=_state(question, facts),
        answer=" ".join(dict.fromkeys(text for text in texts if text)),
        advice=" ".join(advice),
        by_authors=bool(question.answer),
        sources=question.sources,
    )


def _state(question: Question, facts: list[Fact]) -> State:
    if question.answer:
        return "answered"
    states = {each.state for each in facts}
    if states <= {"missing"}:
        return "missing"
    return "answered" if states == {"answered"} else "partly"


def checklist_schema() -> Schema:
    """The JSON Schema of checklists."""
    made = recorded_schema(Checklist)
    made["properties"] = {"format": {"const": FORMAT}, **made["properties"]}
    made["required"] = ["format", *made["required"]]
    return {"$schema": DIALECT, "title": "Checklist of Cranfield", **made}
