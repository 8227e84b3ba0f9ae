"""Views of scores and of their summary."""

from __future__ import annotations

from cranfield.base.errors import counted
from cranfield.base.nouns.views import view_for
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Summary, summarise
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.run_plots import value_plots
from cranfield.view.charts.user_plots import distribution_plots
from cranfield.view.markup import element
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import fixed
from cranfield.view.report_content import EvaluationContent, SummaryContent
from cranfield.view.tables.paper import PaperTable
from cranfield.view.tables.summaries import RANDOM


def values_table(content: SummaryContent) -> ShownTable:
    """What each system reached, the best first, the best values in bold."""
    layout = content.layout

    def cell(system: str, metric: str) -> str:
        value = fixed(content.summary.row(system, metric).value)
        return element("b", value) if layout.is_marked(system, metric) else value

    rows = [
        [system, *(cell(system, metric) for metric in content.metrics)]
        for system in content.systems
    ]
    if layout.random_place == "row":
        rows.append([RANDOM, *layout.random_row(fixed)])
    headings = ("system", *layout.headings)
    return ShownTable(caption="What each system reached", headings=headings, rows=rows)


@view_for(Summary)
class SummaryView(NounView):
    """What each system reached by each metric."""

    kind = "summary"

    def tables(self, noun: Summary) -> list[ShownTable]:
        """Systems by metrics; none without a row."""
        return [values_table(SummaryContent(summary=noun))] if noun.rows else []

    def plots(self, noun: Summary) -> list[Plot]:
        """For every metric, what each system reached."""
        return value_plots(SummaryContent(summary=noun)) if noun.rows else []

    def latex(self, noun: Summary) -> str:
        """The table for a paper, the best values in bold."""
        return PaperTable(summary=noun).latex()


@view_for(Scores)
class ScoresView(NounView):
    """How the scores of users are spread."""

    kind = "scores"

    def title(self, noun: Scores) -> str:
        """How many systems, metrics and users there are."""
        sizes = (len(noun.systems), "system"), (len(noun.metrics), "metric"), (noun.n_users, "user")
        return f"Scores({', '.join(counted(size, name) for size, name in sizes)})"

    def tables(self, noun: Scores) -> list[ShownTable]:
        """The mean score of each system by each metric."""
        content = SummaryContent(summary=summarise(noun))
        return [values_table(content)] if content.summary.rows and len(noun) else []

    def plots(self, noun: Scores) -> list[Plot]:
        """For every metric, how the scores of users are spread."""
        content = EvaluationContent(summary=summarise(noun), scores=noun)
        return distribution_plots(content) if content.summary.rows and len(noun) else []
