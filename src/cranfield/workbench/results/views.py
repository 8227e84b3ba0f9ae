"""Views of what the workbench makes: definitions, evaluations and results."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.checking.spelling import write_value
from cranfield.base.nouns.views import view_for
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.run_plots import run_plots
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.nouns.scoring import values_table
from cranfield.view.page.report import charts_of, render_report
from cranfield.view.page.run_sections import paper_table
from cranfield.view.tables.breakdowns import breakdown_rows, gap_note, spread_note, spread_rows
from cranfield.view.tables.users import users_line
from cranfield.view.tables.verdicts import verdict_rows
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.definition.table import decisions_of
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.results.files import evaluation_content, report_content
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.results.verdicts import run_verdict


@view_for(Experiment)
class ExperimentView(NounView):
    """Every decision of an experiment."""

    kind = "experiment"

    def title(self, noun: Experiment) -> str:
        """What it is called."""
        return f"Experiment: {noun.title or ', '.join(noun.names)}"

    def tables(self, noun: Experiment) -> list[ShownTable]:
        """Code, decision and answer, in the papers' order."""
        return [
            ShownTable(
                caption="All decisions of the experiment",
                headings=("", "decision", "answer"),
                rows=decisions_of(noun),
                words=(0, 1, 2),
            )
        ]


@view_for(Study)
class StudyView(NounView):
    """What a study varies, then the decisions of its base."""

    kind = "study"

    def title(self, noun: Study) -> str:
        """What it is called."""
        return f"Study: {noun.base.title or ', '.join(noun.base.names)}"

    def tables(self, noun: Study) -> list[ShownTable]:
        """The answers of each decision that is varied, and all decisions of the base."""
        rows = [(path, "; ".join(map(write_value, given))) for path, given in noun.vary.items()]
        rows += [(name, "; ".join(given)) for name, given in noun.together.items()]
        varied = ShownTable(
            caption="Decisions that are varied",
            headings=("decision", "answers"),
            rows=rows,
            words=(0, 1),
        )
        return [varied, *ExperimentView().tables(noun.base)]


@view_for(Evaluation)
class EvaluationView(NounView):
    """What each system reached."""

    kind = "evaluation"

    def title(self, noun: Evaluation) -> str:
        """What it is called, or who was evaluated."""
        return noun.experiment.title or f"{', '.join(noun.experiment.names)}"

    def notes(self, noun: Evaluation) -> Sequence[str]:
        """Which users enter, and what a reader should know before relying on the figures."""
        return [users_line(noun.users), *evaluation_content(noun).notes]

    def tables(self, noun: Evaluation) -> list[ShownTable]:
        """Values of single users, then of whole runs, then within groups."""
        content = evaluation_content(noun)
        names = list(next(iter(noun.lists.values()), {}))
        of_runs = [
            [system, *(f"{values[name]:.4f}" for name in names)]
            for system, values in noun.lists.items()
        ]
        found = [values_table(content)] if content.summary.rows else []
        if names:
            headings = ("system", *map(noun.label, names))
            found.append(ShownTable(caption="Whole runs", headings=headings, rows=of_runs))
        for breakdown in noun.breakdowns:
            names, rows = breakdown_rows(breakdown, noun.label)
            caption = " ".join([f"By {breakdown.name}.", gap_note(breakdown, noun.label)]).strip()
            found.append(ShownTable(caption=caption.removesuffix("."), headings=names, rows=rows))
            names, rows = spread_rows(breakdown, noun.label)
            caption = spread_note(breakdown).removesuffix(".")
            found += [ShownTable(caption=caption, headings=names, rows=rows)] if rows else []
        return found

    def leading(self, noun: Evaluation) -> int:
        """The values of single users and those of whole runs, whichever there are."""
        return bool(noun.summary.rows) + bool(noun.experiment.run_metrics)

    def plots(self, noun: Evaluation) -> list[Plot]:
        """All charts of an evaluation; none without a metric of single users."""
        return run_plots(evaluation_content(noun)) if noun.summary.rows else []

    def latex(self, noun: Evaluation) -> str:
        """The table for a paper."""
        return paper_table(evaluation_content(noun), noun.experiment.title).latex()


@view_for(Results)
class ResultsView(EvaluationView):
    """The verdict, what each system reached, and the report."""

    kind = "results"

    def verdict(self, noun: Results) -> str:
        """Who is best, and above whom that is significant."""
        return run_verdict(noun)[0]

    def plots(self, noun: Results) -> list[Plot]:  # type: ignore[override]
        """The charts of the report."""
        return list(charts_of(report_content(noun)).values())

    def page(self, noun: Results) -> str:
        """The report."""
        return render_report(report_content(noun))


@view_for(StudyResults)
class StudyResultsView(NounView):
    """The verdict of a study, in how many designs each system wins, and the report."""

    kind = "study"

    def title(self, noun: StudyResults) -> str:
        """What the study is called, and what came of it."""
        name = noun.study.base.title or "Study"
        return f"{name}: {noun.conclusion.verdict.badge}"

    def verdict(self, noun: StudyResults) -> str:
        """How far the conclusion holds."""
        return noun.conclusion.verdict.sentence

    def notes(self, noun: StudyResults) -> Sequence[str]:
        """What the verdict stands on."""
        return noun.conclusion.verdict.evidence

    def tables(self, noun: StudyResults) -> list[ShownTable]:
        """In how many designs each system wins, then what each reached in the base."""
        headings, *rows = verdict_rows(noun.conclusion)
        wins = ShownTable(caption="Designs", headings=headings, rows=rows)
        return [wins, values_table(evaluation_content(noun.base))]

    def plots(self, noun: StudyResults) -> list[Plot]:
        """The charts of the report."""
        return list(charts_of(report_content(noun)).values())

    def page(self, noun: StudyResults) -> str:
        """The report."""
        return render_report(report_content(noun))

    def latex(self, noun: StudyResults) -> str:
        """The table of the base for a paper."""
        return paper_table(evaluation_content(noun.base), noun.study.base.title).latex()
