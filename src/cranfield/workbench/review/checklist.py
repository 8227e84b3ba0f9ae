"""Checklist: what reviewers ask, answered from results as far as they know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.nouns.display import Tabular, Typeset
from cranfield.base.nouns.preview import preview
from cranfield.base.serialisation.json_schema import DIALECT, Schema, described, recorded_schema
from cranfield.base.serialisation.plain import plain
from cranfield.view.tables.markdown import markdown_text
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.files import base_of
from cranfield.workbench.results.folders import AnyResults
from cranfield.workbench.review.fact import Reviewed, State
from cranfield.workbench.review.facts import FACTS, FACTS_OVER_DATA
from cranfield.workbench.review.item import ChecklistItem, FactByDataSet, make_item
from cranfield.workbench.review.questions import ALL, read_questions
from cranfield.workbench.review.writing import write_review

FORMAT = 1
_MEANINGS = {
    "format": "The version of this layout.",
    "title": "The title of the checklist.",
    "results": "The results that are checked.",
    "items": "Each item: what is asked, how far it is answered, by what, and what is to be done.",
    "sources": "The citations of those who ask, by key.",
}
WORDS: Mapping[State, str] = {
    "answered": "answered", "partly": "partly answered", "missing": "missing",
}  # fmt: skip
"""States as readers see them."""


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
        rows = [
            (each.name, each.topic, each.asks, each.state, each.whole_answer, each.advice)
            for each in self.items
        ]
        return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")

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
                lines += [
                    f"  - *{markdown_text(names)}:* {markdown_text(text)}"
                    for names, text in each.answers.items()
                ]
                lines += [f"  - *To do:* {markdown_text(each.advice)}"] if each.advice else []
        lines += ["", "## Sources", ""]
        lines += [f"- {markdown_text(text)}" for text in self.sources.values()]
        return "\n".join(lines) + "\n"

    def write(self, path: Path | str) -> None:
        """Write it as Markdown, HTML, LaTeX or JSON, by the suffix of the file."""
        write_review(self, path)


def make_checklist(
    results: AnyResults, venue: str | Path = ALL, beside: tuple[str, ...] = ()
) -> Checklist:
    """The checklist of a venue, or of a file, answered from results.

    Of several data sets, it is answered for all of them, and for single ones where they differ.
    ``beside`` names the other data sets of the same study.
    """
    asked = read_questions(venue)
    names = dict.fromkeys(name for question in asked.items for name in question.facts)
    found = {name: _fact(name, results, beside) for name in names}
    items = [make_item(each, [found[name] for name in each.facts]) for each in asked.items]
    used = dict.fromkeys([asked.source, *(key for each in items for key in each.sources)])
    sources = {key: asked.sources[key] for key in used if key in asked.sources}
    return Checklist(asked.title, _title(results), tuple(items), sources)


def _fact(name: str, results: AnyResults, beside: tuple[str, ...]) -> FactByDataSet:
    """A fact on every data set, or over all of them; one data set goes without a name."""
    if not isinstance(results, ResultsByDataSet):
        return {"": FACTS[name](Reviewed(results, beside))}
    if name in FACTS_OVER_DATA:
        return {"": FACTS_OVER_DATA[name](results)}
    parts = results.by_data_set.items()
    return {data_set: FACTS[name](Reviewed(part)) for data_set, part in parts}


def _title(results: AnyResults) -> str:
    if isinstance(results, ResultsByDataSet):
        return results.study.title or "Experiment"
    return base_of(results).experiment.title or "Experiment"


def checklist_schema() -> Schema:
    """The JSON Schema of checklists."""
    made = recorded_schema(Checklist)
    made["properties"] = {"format": {"const": FORMAT}, **made["properties"]}
    made["required"] = ["format", *made["required"]]
    return {"$schema": DIALECT, "title": "Checklist of Cranfield", **described(made, _MEANINGS)}
