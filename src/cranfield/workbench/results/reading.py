"""Results read back from the folder that they were written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import UnreadableFile
from cranfield.base.packed import require_file
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.serialisation.plain import Unrestorable, restored
from cranfield.collection.topics import UserCounts
from cranfield.recommendation.foreign.description import ModelDescription
from cranfield.scoring.breakdown import Breakdown, BreakdownRow
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Summary
from cranfield.significance.comparison import recorded_comparison
from cranfield.validity.assessment import Assessment
from cranfield.validity.study.findings import StudyFindings
from cranfield.validity.study.repeats import RepeatedDifference, Repeats
from cranfield.workbench import inventory
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import read_file
from cranfield.workbench.definition.study.study import Study, read_study
from cranfield.workbench.results.costs import Cost, Machine
from cranfield.workbench.results.evaluation import TargetRecord
from cranfield.workbench.results.files import DESIGNS, EXPERIMENT, RECORD, SCORES, read_record
from cranfield.workbench.results.planned import plan_of, with_plan
from cranfield.workbench.results.recorded import recorded_experiment
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults, read_designs
from cranfield.workbench.tuning.trials import Tuned, TunedDesigns


def read_results(folder: Path | str) -> Results | StudyResults:
    """The results that `write_results` wrote into a folder; nothing is recomputed.

    Results that were read lack what a folder does not hold: the judgments and targets
    themselves, and the reports on runs, except their notes. A model that was made in Python
    is known by its name and description alone, and a number that was infinite is NaN, as in the
    record.
    """
    inventory.load()
    place = Path(folder)
    record = read_record(place)
    table = read_file(place / EXPERIMENT)
    scores = read_scores(place / SCORES)
    try:
        models = _models(record.get("base", record))
        experiment = recorded_experiment(table, str(place / EXPERIMENT), models)
        if "study" not in table:
            return with_plan(_results(record, experiment, scores), plan_of(place, record))
        base = _results(record["base"], experiment, scores)
        study = read_study(table, str(place / EXPERIMENT), base=experiment)
        made = _study_results(record, study, base, _designs_table(place / DESIGNS))
        return with_plan(made, plan_of(place, record))
    except (KeyError, TypeError, AttributeError, ValueError, PolarsError, Unrestorable):
        # Whatever fails here fails because of what was read.
        why = "it is not a record of the results that the other files of the folder hold"
        raise UnreadableFile(str(place / RECORD), why) from None


def _results(record: Mapping[str, Any], experiment: Experiment, scores: Scores) -> Results:
    of_runs = {str(each) for each in experiment.run_metrics}
    systems: Mapping[str, Mapping[str, Any]] = record["systems"]
    single, whole = (
        {
            name: {metric: cell for metric, cell in cells.items() if (metric in of_runs) is wanted}
            for name, cells in systems.items()
        }
        for wanted in (False, True)
    )
    if len({tuple(cells) for cells in systems.values()}) > 1:
        raise Unrestorable("systems")  # of which some lack a metric
    compared = record["comparison"]
    choice = experiment.comparison_choice
    return Results(
        experiment=experiment,
        scores=scores,
        summary=Summary.from_dict(single, experiment.summary_choice),
        lists={
            name: {metric: restored(float, cell["value"]) for metric, cell in cells.items()}
            for name, cells in whole.items()
        },
        breakdowns=tuple(_breakdown(*each) for each in record.get("by", {}).items()),
        reports={},
        notes=tuple(record["notes"]),
        target_sets=(),
        users=restored(UserCounts, record["users"]),
        failed=record.get("failed", {}),
        recorded=restored(TargetRecord, record),
        comparison=None if compared is None else recorded_comparison(compared, choice),
        data=record["data"],
        seconds=record["seconds"],
        assessments=tuple(Assessment.from_dict(each) for each in record["assessments"]),
        versions=record["versions"],
        costs=restored(tuple[Cost, ...], record.get("costs", [])),
        machine=restored(Machine | None, record.get("machine")),
        workers=tuple(record.get("workers", ())),
        tuned=tuple(map(Tuned.from_dict, record.get("tuning", ()))),
    )


def _models(record: Mapping[str, Any]) -> dict[str, ModelDescription]:
    """What a record says of models that were made in Python."""
    known = record.get("models", {}).items()
    return {name: restored(ModelDescription, each) for name, each in known}


def _breakdown(name: str, rows: list[dict[str, Any]]) -> Breakdown:
    parts = [{"group": row[name], **row} for row in rows]
    return Breakdown(name, restored(tuple[BreakdownRow, ...], parts))


def _study_results(
    record: Mapping[str, Any], study: Study, base: Results, designs: pl.DataFrame
) -> StudyResults:
    return StudyResults(
        study,
        base,
        read_designs(designs, record["design_facts"], base.evaluated.names),
        restored(StudyFindings, record["conclusion"]),
        record["repeats"] and _repeats(record["repeats"], study),
        tuple(Assessment.from_dict(each) for each in record.get("assessments", ())),
        costs=restored(tuple[Cost, ...], record.get("costs", [])),
        tuned=tuple(map(TunedDesigns.from_dict, record.get("tuning", ()))),
    )


def _repeats(record: Mapping[str, Any], study: Study) -> Repeats:
    own = {each.name: record[each.name] for each in fields(RepeatedDifference)}
    return Repeats(
        first=record["first"],
        second=record["second"],
        metric=record["metric"],
        found=restored(RepeatedDifference, own),
        alpha=study.base.comparison.alpha,
    )


def _designs_table(path: Path) -> pl.DataFrame:
    require_file(path)
    try:
        return pl.read_parquet(path)
    except (*UNREADABLE, OSError):
        raise UnreadableFile(str(path), "it is not a Parquet file") from None
