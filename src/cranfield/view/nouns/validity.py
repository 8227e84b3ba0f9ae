"""The view of an assessment."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.nouns.views import view_for
from cranfield.validity.assessment import Assessment
from cranfield.view.charts.assessment_plots import assessment_plots
from cranfield.view.charts.plot import Plot
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.tables.assessments import assessment_rows


@view_for(Assessment)
class AssessmentView(NounView):
    """What the figures mean, then the figures."""

    kind = "assessment"

    def title(self, noun: Assessment) -> str:
        """By what was assessed."""
        return f"Assessment: {noun.criterion}"

    def verdict(self, noun: Assessment) -> str:
        """What the figures mean."""
        return noun.reading

    def notes(self, noun: Assessment) -> Sequence[str]:
        """What else a reader should know."""
        return noun.notes

    def tables(self, noun: Assessment) -> list[ShownTable]:
        """Every table with its title."""
        found = [(noun.title(name), *assessment_rows(noun.shown(name))) for name in noun.tables]
        return [
            ShownTable(caption=title, headings=headings, rows=rows)
            for title, headings, rows in found
        ]

    def plots(self, noun: Assessment) -> list[Plot]:
        """All charts."""
        return assessment_plots([noun])[0]
