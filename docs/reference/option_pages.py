"""The options of every decision: text, formula, source, parameters, an example."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from example_lines import example_of
from markdown import Slugs, bullet, fenced

from cranfield.base import options
from cranfield.base.decisions import Decision
from cranfield.base.spelling import write_value

_WRITTEN = (
    "Written from the code by `python docs/reference`; `cranfield options {}` prints the same."
)


@dataclass(frozen=True)
class Page:
    """A page of the reference: its title, what it is about, and the decisions on it."""

    title: str
    about: str
    example: str
    decisions: dict[str, str]
    """Headings of decisions, by the name of the decision."""


PAGES = {
    "reference-collection.md": Page(
        "Options: data, splits and targets",
        "What can be said about the test collection. [Test collections](2-collection.md) explains "
        "how the parts work together.",
        "split uniform",
        {
            "source": "Sources: where ratings come from",
            "filter": "Filters: which ratings are used",
            "split": "Splits: what is training and what is test",
            "judged_by": "Judges: whose ratings count as judgments",
            "candidates": "Candidates: which items may be ranked",
            "relevant": "Relevant items: how many are in one ranking",
            "nonrelevant": "Non-relevant items: which are ranked beside the relevant ones",
            "propensity": "Propensities: how likely a rating was to be observed",
        },
    ),
    "reference-recommenders.md": Page(
        "Options: recommenders",
        "Every recommender that ships. [Systems and rankings](3-recommendation.md) compares them "
        "with the figures of their authors, and shows how to bring a model of your own.",
        "recommender user-kNN",
        {
            "recommender": "Recommenders",
            "smoothing": "Smoothing: how language models of users and items are smoothed",
        },
    ),
    "4-metrics.md": Page(
        "Options: metrics, gains and averages",
        "How good a ranking is. [Scoring](4-scoring.md) explains the terms and the decisions, "
        "[Propensities](4-propensities.md) the corrections for ratings missing not at random.",
        "metric nDCG",
        {
            "metric": "Metrics of one ranking",
            "run-metric": "Metrics of all lists of a system",
            "gain": "Gains: what a rating is worth",
            "discount": "Discounts: how much attention a rank gets",
            "item-groups": "Item groups: which items are compared",
            "estimator": "Estimators: how propensities correct a metric",
            "sample-correction": "Sample corrections: from sampled targets to all targets",
            "aggregation": "Aggregations: from the scores of all topics to one value",
        },
    ),
    "reference-conclusions.md": Page(
        "Options: tests, criteria and searches",
        "What is concluded from scores, and how settings are tuned. See "
        "[Significance](5-significance.md), [Validity](6-validity.md) and [Tuning](8-tuning.md).",
        "test permutation",
        {
            "test": "Paired tests: could the difference be chance?",
            "correction": "Corrections: how p-values of many comparisons are adjusted",
            "criterion": "Criteria: can a metric be trusted?",
            "search": "Searches: which settings are tried in tuning",
        },
    ),
}


def pages() -> dict[str, str]:
    """The pages of options, by the name of the file."""
    return {name: _page(each) for name, each in PAGES.items()}


def _page(page: Page) -> str:
    parts = [f"# {page.title}\n", f"{page.about}\n", f"{_WRITTEN.format(page.example)}\n"]
    for decision, heading in page.decisions.items():
        parts += [f"## {heading}\n", f"{options.describe(decision)}\n"]
        parts += [_section(decision, name, cls) for name, cls in options.options(decision).items()]
    return "\n".join(parts)


def summaries(decision: str) -> list[tuple[str, str]]:
    """Every option of a decision as a link to its section, and its first sentence."""
    found = options.options(decision)
    return [(f"[`{name}`]({place_of(decision, name)})", _first(cls)) for name, cls in found.items()]


def place_of(decision: str, name: str = "") -> str:
    """Where an option, or all options of a decision, are explained."""
    file, page = next((file, page) for file, page in PAGES.items() if decision in page.decisions)
    slugs = Slugs(page.title)
    for each, heading in page.decisions.items():
        anchor = slugs.of(heading)
        if each == decision and not name:
            break
        anchors = {option: slugs.of(option) for option in options.options(each)}
        if each == decision:
            anchor = anchors[name]
            break
    return f"{file}#{anchor}"


def _first(cls: type) -> str:
    text = (inspect.getdoc(cls) or "").partition("\n\n")[0]
    return " ".join(text.split()).partition(". ")[0].rstrip(".").replace("|", "\\|") + "."


def _section(decision: str, name: str, cls: Any) -> str:
    text, _, shown = (inspect.getdoc(cls) or "").partition("\n>>> ")
    aliases = ", ".join(f"`{each}`" for each in cls.option_aliases)
    lines = [f"### {name}\n", text.strip(), ""]
    lines += [f"Also called {aliases}.", ""] if aliases else []
    known = options.parameters(cls)
    lines += [*map(_parameter, known), ""] if known else ["It has no parameters.", ""]
    if any(each.tune for each in known):
        lines += [f"`{name}(tune)` tunes all parameters that have a range.", ""]
    lines += [fenced("toml", example_of(decision, cls))]
    lines += [fenced("pycon", f">>> {shown.strip()}")] if shown else []
    return "\n".join(lines)


def _parameter(known: Decision) -> str:
    default = "required" if known.required else f"default `{write_value(known.default)}`"
    tuned = f"; tuned over `{known.tune}`" if known.tune else ""
    return bullet(f"`{options.written(known.name)}` ({default}{tuned}): {known.text}")
