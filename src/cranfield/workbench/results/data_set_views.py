"""The view of results on several data sets."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.errors import counted
from cranfield.base.nouns.views import view_for
from cranfield.validity.data_sets.findings import FindingsOverData
from cranfield.view.charts.data_set_plots import data_set_plots, trait_row
from cranfield.view.charts.plot import Plot
from cranfield.view.markup import element, joined
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import any_value, interval, p_value, signed
from cranfield.view.page.parts import Section, figure, notes, paragraph
from cranfield.view.page.report import render_page
from cranfield.workbench.results.data_sets import ResultsByDataSet, folders_of
from cranfield.workbench.results.files import base_of
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.results.verdicts import run_verdict


@view_for(ResultsByDataSet)
class ResultsByDataSetView(NounView):
    """On which data sets a difference holds, and how large it is over all of them."""

    kind = "data sets"

    def title(self, noun: ResultsByDataSet) -> str:
        """What it is called."""
        return noun.study.title or f"Results on {counted(len(noun), 'data set')}"

    def verdict(self, noun: ResultsByDataSet) -> str:
        """On which data sets each of the two systems is ahead."""
        return noun.findings.sentences[0]

    def notes(self, noun: ResultsByDataSet) -> Sequence[str]:
        """The difference over data sets, and the verdict on each of them."""
        verdicts = [f"{name}: {_verdict_of(each)}" for name, each in noun.by_data_set.items()]
        return [*noun.findings.sentences[1:], *verdicts, *_planned(noun)]

    def tables(self, noun: ResultsByDataSet) -> list[ShownTable]:
        """Values on every data set, differences of the pair, designs that agree, and traits."""
        found = noun.findings
        return [_values(noun), *_differences(found), *_agreement(found), _traits(noun)]

    def plots(self, noun: ResultsByDataSet) -> list[Plot]:
        """A forest for every metric, mean ranks, and what goes with the difference."""
        return data_set_plots(noun.findings)

    def page(self, noun: ResultsByDataSet) -> str:
        """The page, with the way to the report of each data set."""
        found, folders = noun.findings, folders_of(noun.by_data_set)
        links = [
            element("li", element("a", name, href=f"{folder}/report.html"), ": ",
                    _verdict_of(noun[name]))
            for name, folder in folders.items()
        ]  # fmt: skip
        said = joined(
            paragraph(self.verdict(noun), kind="verdict"),
            notes([*found.sentences[1:], *_planned(noun)]),
        )
        tables = [each.markup() for each in self.tables(noun)]
        sections = [
            Section("verdict", "Verdict", said),
            Section("charts", "Charts", joined(*map(figure, self.plots(noun)))),
            Section("tables", "Tables", joined(*tables)),
            Section("data-sets", "The report of each data set", element("ul", *links)),
        ]
        return render_page(self.title(noun), self.kind, sections)


def _planned(noun: ResultsByDataSet) -> tuple[str, ...]:
    """Whether the plan was followed, and each change."""
    return () if noun.plan is None else noun.plan.sentences


def _verdict_of(found: Results | StudyResults) -> str:
    """What was found on one data set, in a sentence."""
    if isinstance(found, StudyResults):
        return found.conclusion.verdict.sentence
    return run_verdict(found)[0]


def _values(noun: ResultsByDataSet) -> ShownTable:
    """The value of every system on every data set, and its mean rank."""
    found, rows = noun.findings, []
    for metric, ranks in found.mean_ranks.items():
        for system in found.systems:
            summaries = [base_of(each).summary for each in noun.by_data_set.values()]
            values = [any_value(each.row(system, metric).value, 4) for each in summaries]
            rows.append((metric, system, *values, f"{ranks[system]:.2f}"))
    headings = ("metric", "system", *noun.by_data_set, "mean rank")
    return ShownTable(caption="Values", headings=headings, rows=rows, words=(0, 1))


def _differences(found: FindingsOverData) -> list[ShownTable]:
    """All pairs over all data sets."""
    rows = [
        (
            pair.metric, f"{pair.first} − {pair.second}", f"{len(pair.ahead)}",
            f"{len(pair.behind)}", signed(over.estimate),
            interval(over.low, over.high, signed), p_value(over.p_value),
            f"{100 * over.spread_share:.0f} %",
        )
        for pair in found.pairs
        if (over := pair.combined) is not None
    ]  # fmt: skip
    headings = (
        "metric", "pair", "first ahead", "second ahead", "difference", "95 % interval", "p",
        "spread between data sets",
    )  # fmt: skip
    caption = "Differences over data sets, by Hartung and Knapp; the last column is I²"
    return [ShownTable(caption=caption, headings=headings, rows=rows, words=(0, 1))] if rows else []


def _agreement(found: FindingsOverData) -> list[ShownTable]:
    """In which designs data sets agree."""
    if found.designs is None:
        return []
    table = found.designs.table
    first, second = found.pair.first, found.pair.second
    own = {"first_ahead": f"{first} ahead", "second_ahead": f"{second} ahead", "data_sets": "of"}
    headings = [own.get(name, name) for name in table.columns]
    rows = [["–" if each is None else str(each) for each in row] for row in table.rows()]
    words = tuple(range(len(table.columns) - 4))
    caption = "On how many data sets each system is ahead, by design"
    return [ShownTable(caption=caption, headings=headings, rows=rows, words=words)]


def _traits(noun: ResultsByDataSet) -> ShownTable:
    pair = noun.findings.pair
    return ShownTable(
        caption=f"What data sets are like, and Kendall’s τ with {pair.first} − {pair.second}: a "
        "description, no explanation",
        headings=("trait", "τ", *(each.data_set for each in pair.effects)),
        rows=[trait_row(each) for each in noun.findings.associations],
    )
