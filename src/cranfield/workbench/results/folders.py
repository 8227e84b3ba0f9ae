"""Results on disk, whether of one data set or of several.

Of several data sets, every one has a folder of its own with all its files; above them stand

experiment.toml    what was asked of all of them
results.json       what holds over data sets
report.html        the same on a page, with the way to the report of each
plan.json          the plan that was made before, if there was one
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.base.errors import UnreadableFile, Unverified
from cranfield.base.files import json_text
from cranfield.base.folders import restore_folder, writing_folder
from cranfield.base.nouns.views import view_of
from cranfield.base.packed import reading as reading_file
from cranfield.base.packed import require_file
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.definition.files import read_file, toml_text
from cranfield.workbench.plan.data_sets import plan_of_several
from cranfield.workbench.results import files, reading
from cranfield.workbench.results.data_sets import (
    ResultsByDataSet,
    folders_of,
    results_by_data_set,
)
from cranfield.workbench.results.files import EXPERIMENT, RECORD, REPORT
from cranfield.workbench.results.planned import PLAN, plan_of, with_plans
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.results.verify import Recompute, verify

AnyResults = Results | StudyResults | ResultsByDataSet


def write_results(results: AnyResults, folder: Path | str, charts: tuple[str, ...] = ()) -> None:
    """Write everything into a folder, or nothing if that fails.

    ``charts`` are formats (svg, png, pdf) in which every chart is written for papers. Of
    several data sets, each has a folder of its own within it.
    """
    if not isinstance(results, ResultsByDataSet):
        files.write_results(results, folder, charts)
        return
    folders = folders_of(results.by_data_set)
    ours = (EXPERIMENT, RECORD, REPORT, *folders.values(), *_data_sets_in(Path(folder)))
    with writing_folder(folder, replaces=ours) as aside:
        for name, text in texts_of(results).items():
            (aside / name).write_text(text, encoding="utf-8")
        for name, inner in folders.items():
            files.write_results(results[name], aside / inner, charts)


def texts_of(results: ResultsByDataSet) -> dict[str, str]:
    """The files that stand above those of single data sets, by name."""
    planned = {} if results.plan is None else {PLAN: json_text(results.plan.plan.to_dict())}
    return {
        **planned,
        EXPERIMENT: toml_text(_plain(results.study.table)),
        RECORD: json_text(results.to_dict()),
        REPORT: view_of(results).page(results),
    }


def _plain(value: Any) -> Any:
    """What a file can hold; of an object in Python, its text."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool) else str(value)


def read_results(folder: Path | str) -> Results | StudyResults | ResultsByDataSet:
    """The results that `write_results` wrote into a folder; nothing is recomputed.

    Results that were read lack what a folder does not hold: the judgments and targets
    themselves, and the reports on runs, except their notes. A model that was made in Python
    is known by its name and description alone, and a number that was infinite is NaN, as in the
    record.
    """
    record = record_of_data_sets(folder)
    if record is None:
        return reading.read_results(folder)
    place = Path(folder)
    try:
        found = {
            name: reading.read_results(place / inner) for name, inner in record["data_sets"].items()
        }
        table = read_file(place / EXPERIMENT)
        parts = {
            name: each.study if isinstance(each, StudyResults) else each.experiment
            for name, each in found.items()
        }
        study = StudyOfDataSets(parts, table, str(place / EXPERIMENT))
        plan = plan_of_several(plan_of(place, record), found)
        return with_plans(results_by_data_set(study, found, record["traits"]), plan)
    except (KeyError, TypeError, AttributeError, ValueError):
        why = "it is not a record of the data sets that the folder holds"
        raise UnreadableFile(str(place / RECORD), why) from None


def record_of_data_sets(folder: Path | str) -> dict[str, Any] | None:
    """The record of several data sets; None if the folder holds other results, or none."""
    restore_folder(folder)
    place = Path(folder) / RECORD
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    several = record.get("data_sets") if isinstance(record, dict) else None
    return dict(record) if several and isinstance(several, dict) else None


def data_sets_beside(folder: Path | str) -> tuple[str, ...]:
    """The other data sets of the study to which the results of a folder belong; none alone."""
    place = Path(folder).resolve()
    record = record_of_data_sets(place.parent) or {}
    known: dict[str, Any] = record.get("data_sets", {})
    beside = tuple(name for name, inner in known.items() if inner != place.name)
    return beside if len(beside) < len(known) else ()


def verify_folder(
    folder: Path | str, recompute: Recompute, given: Mapping[str, Any] | None = None
) -> AnyResults:
    """Recompute the results of a folder from scratch, and refuse any difference.

    Of several data sets, each is verified by itself, then what stands above them.
    """
    record = record_of_data_sets(folder)
    if record is None:
        return verify(folder, recompute, given)
    place, found = Path(folder), read_results(folder)
    assert isinstance(found, ResultsByDataSet)  # as its record says
    for inner in folders_of(found.by_data_set).values():
        verify(place / inner, recompute, given)
    wanted = texts_of(found)
    different = [name for name, text in wanted.items() if _text(place / name) != text]
    if different:
        raise Unverified(str(place), different)
    return found


def _text(path: Path) -> str:
    require_file(path)
    with reading_file(path):
        return path.read_text(encoding="utf-8")


def _data_sets_in(folder: Path) -> list[str]:
    """The folders of data sets that an earlier study left."""
    record = record_of_data_sets(folder) if folder.is_dir() else None
    known = [] if record is None else list(record["data_sets"].values())
    return [each for each in known if isinstance(each, str) and Path(each).name == each]
