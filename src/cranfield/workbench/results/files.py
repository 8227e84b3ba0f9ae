"""Results on disk: figures for programs, tables for papers, a page for people.

experiment.toml    every decision with every parameter, also those at their defaults
results.json       summary, comparisons, decisions, fingerprints, versions, machine, costs
scores.parquet     the score of every user, system and metric
designs.parquet    of a study: every design with its answers, values and compared pairs
methods.txt        the decisions as a paragraph
tables.tex         the table of values, with significance marks; once more with intervals
references.bib     BibTeX of every method that was used
report.html        all of it on one page
plan.json          the plan that was made before, if there was one
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cranfield.base.errors import MissingFile, UnreadableFile
from cranfield.base.files import json_text
from cranfield.base.folders import restore_folder, writing_folder
from cranfield.base.packed import exists, require_file
from cranfield.scoring.metric import is_better_higher
from cranfield.significance.comparison import Comparison
from cranfield.view.page.report import render_report, write_chart_files
from cranfield.view.page.run_sections import paper_table
from cranfield.view.report_content import EvaluationContent, Objective, ReportContent
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.table import decisions_of, write_table
from cranfield.workbench.results.costs import cost_rows
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.results.methods.methods import methods_of, methods_of_study
from cranfield.workbench.results.methods.references import JOINT, REPEATING, references_of
from cranfield.workbench.results.methods.tuning_content import tuning_content
from cranfield.workbench.results.planned import PLAN
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults, assessments_of
from cranfield.workbench.results.verdicts import run_verdict

EXPERIMENT, RECORD, SCORES, DESIGNS = (
    "experiment.toml", "results.json", "scores.parquet", "designs.parquet",
)  # fmt: skip
REPORT = "report.html"
CHARTS = "charts"
_OURS = (
    EXPERIMENT, RECORD, SCORES, DESIGNS, REPORT, "methods.txt", "tables.tex", "references.bib",
    CHARTS,
)  # fmt: skip
"""What is removed with older results; a plan stays, as it may be the only copy of one."""


def write_results(
    results: Results | StudyResults, folder: Path | str, charts: tuple[str, ...] = ()
) -> None:
    """Write everything into a folder, or nothing if that fails.

    ``charts`` are formats (svg, png, pdf) in which every chart is written for papers.
    """
    content = report_content(results)
    with writing_folder(folder, replaces=_OURS) as aside:
        _write(aside / RECORD, json_text(results.to_dict()))
        for name, text in texts_of(results, content).items():
            _write(aside / name, text)
        base_of(results).scores.write(aside / SCORES)
        if isinstance(results, StudyResults):
            results.to_polars().write_parquet(aside / DESIGNS)
        if charts:
            write_chart_files(content, aside / CHARTS, charts)


def base_of(results: Results | StudyResults) -> Results:
    """The results themselves, or those of a study's base."""
    return results.base if isinstance(results, StudyResults) else results


def texts_of(results: Results | StudyResults, content: ReportContent) -> dict[str, str]:
    """The files of text that follow from results, by name."""
    planned = {} if results.plan is None else {PLAN: json_text(results.plan.plan.to_dict())}
    return {
        **planned,
        EXPERIMENT: toml_text(_definition_of(results)),
        "methods.txt": content.methods + "\n",
        "tables.tex": latex_of(content),
        "references.bib": content.references,
        REPORT: render_report(content),
    }


def _definition_of(results: Results | StudyResults) -> dict[str, Any]:
    """The experiment with every parameter, also at its default, and the study's own part."""
    table = write_table(base_of(results).experiment, complete=True)
    if isinstance(results, StudyResults):
        table["study"] = results.study.to_table()["study"]
    return table


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def read_record(folder: Path | str) -> dict[str, Any]:
    """The record of results that were written."""
    restore_folder(folder)
    place = Path(folder) / RECORD
    if not exists(place):
        raise MissingFile(str(place), advice="Give a folder that `cranfield run --out` wrote.")
    require_file(place)
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise UnreadableFile(str(place), "it is not JSON") from None
    several = record.get("data_sets") if isinstance(record, dict) else None
    if several and isinstance(several, dict):
        names = ", ".join(map(str, several.values()))
        raise UnreadableFile(str(place), "it is of several data sets", f"Give one of: {names}.")
    base = record.get("base", record) if isinstance(record, dict) else None
    if not isinstance(base, dict) or not isinstance(base.get("scores"), str):
        raise UnreadableFile(str(place), "it is not the record of a run or a study")
    return dict(record)


def latex_of(content: ReportContent) -> str:
    """The table for a paper, and the same with intervals."""
    title = content.title
    plain = paper_table(content.base, title)
    wide = paper_table(content.base, f"{title}, with intervals", intervals=True)
    return f"{plain.latex()}\n\n{wide.latex()}\n"


def report_content(results: Results | StudyResults) -> ReportContent:
    """What the page of a run or a study shows."""
    cited: tuple[str, ...] = ()
    if isinstance(results, StudyResults):
        base, verdict = results.base, results.conclusion.verdict
        methods = methods_of_study(results.study, base, len(results.designs))
        studied: dict[str, Any] = {"designs": results.designs, "conclusion": results.conclusion}
        cited = JOINT if results.study.draws else ()
        if results.repeats is not None:
            studied["repeats"], cited = results.repeats.sentences, (*cited, *REPEATING)
        sentence, evidence = verdict.sentence, verdict.evidence
    else:
        base, studied, methods = results, {}, methods_of(results)
        sentence, evidence = run_verdict(results)
    plan = () if results.plan is None else results.plan.sentences
    return ReportContent(
        title=base.experiment.title or "Experiment",
        verdict=sentence,
        evidence=evidence,
        decisions=decisions_of(base.experiment),
        methods=" ".join([methods, *plan]),
        plan=plan,
        references=references_of(
            base.evaluated, base.comparison is not None, base.versions["cranfield"], *cited
        ),
        facts=_facts(base),
        base=evaluation_content(base),
        assessments=assessments_of(results),
        costs=cost_rows(each.rounded() for each in results.costs),
        machine="" if base.machine is None else str(base.machine),
        tuning=tuning_content(results),
        **studied,
    )


def evaluation_content(made: Evaluation) -> EvaluationContent:
    """What is shown of an evaluation, with its comparison if it has one."""
    comparison = made.comparison if isinstance(made, Results) else None
    return EvaluationContent(
        scores=made.scores,
        summary=made.summary,
        comparison=comparison,
        notes=_notes(made, comparison),
        unmarked=made.unmarked,
        lists=made.lists,
        unknown_random=made.unknown_random,
        breakdowns=made.breakdowns,
        users=made.users,
        label=made.label,
        kinds=made.kinds,
        failed=made.failed,
        objectives=_objectives(made),
    )


def _objectives(made: Evaluation) -> tuple[Objective, ...]:
    """The first metric of accuracy, of exposure and of coverage; nothing without the first."""
    metrics = (*made.experiment.run_metrics, *made.experiment.metrics)
    accuracy = [each for each in made.experiment.metrics if is_better_higher(each)][:1]
    others = [
        next((each for each in metrics if getattr(each, "aspect", None) == aspect), None)
        for aspect in ("exposure", "coverage")
    ]
    return tuple(
        Objective(str(each), getattr(each, "lower_is_fairer", False))
        for each in (*accuracy, *others)
        if accuracy and each is not None
    )


def _notes(made: Evaluation, comparison: Comparison | None) -> tuple[str, ...]:
    """What a reader should know; why chance is not known stands below the table."""
    compared = () if comparison is None else comparison.notes
    reason = f"{made.unknown_random}."
    return (*(note for note in made.notes if note != reason), *compared)


def _facts(base: Results) -> dict[str, str]:
    record = base.to_dict()
    folds = base.data["folds"]
    return {
        "ratings": base.data["ratings"],
        **{f"training, fold {n}": fold["train"] for n, fold in enumerate(folds, start=1)},
        **{f"test, fold {n}": fold["test"] for n, fold in enumerate(folds, start=1)},
        **{f"targets, fold {n}": name for n, name in enumerate(base.targets, start=1)},
        "scores": record["scores"],
        "seed": str(base.experiment.seed),
        **{f"version of {name}": number for name, number in record["versions"].items()},
        **{
            f"seconds of {stage.replace('_', ' ')}": f"{spent:.2f}"
            for stage, spent in record["seconds"].items()
        },
    }
