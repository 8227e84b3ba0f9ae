"""Verifying: recompute results, and say whether every bit is as recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import FingerprintMismatch, MissingFile, UnreadableFile, Unverified
from cranfield.scoring.score_files import read_scores
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.results.files import DESIGNS, EXPERIMENT, SCORES, read_record
from cranfield.workbench.results.results import Results, fingerprint_of
from cranfield.workbench.results.study_results import StudyResults

_NOT_COMPARED = ("seconds", "versions")
"""What may differ between two runs that are the same."""


Recompute = Callable[[Experiment | Study], Results | StudyResults]
"""Executes a definition from nothing."""


def verify(folder: Path | str, recompute: Recompute) -> Results | StudyResults:
    """Compute the results of a folder again, from nothing, and refuse any difference."""
    place = Path(folder)
    record = read_record(place)
    asked = read_definition(place / EXPERIMENT)
    base = record.get("base", record)
    written = fingerprint_of(read_scores(str(place / SCORES)))
    if written != base["scores"]:
        raise FingerprintMismatch(str(place / SCORES), base["scores"], written)
    made = _recomputed(asked, place, recompute)
    different = differences(record, _as_recorded(made))
    if isinstance(made, StudyResults) and not _same_designs(place / DESIGNS, made):
        different.append(DESIGNS)
    if different:
        raise Unverified(str(place), different)
    return made


def _recomputed(
    asked: Experiment | Study, place: Path, recompute: Recompute
) -> Results | StudyResults:
    """The results, from nothing; files that they name are where they were then."""
    try:
        return recompute(asked)
    except MissingFile as error:
        raise MissingFile(
            error.name,
            advice=f"{place / EXPERIMENT} names files as they are seen from the folder in which "
            "it was run. Verify from there.",
        ) from None


def _same_designs(place: Path, made: StudyResults) -> bool:
    """Whether the table of designs is equal to the recomputed one."""
    if not place.is_file():
        raise MissingFile(str(place))
    try:
        return pl.read_parquet(place).equals(made.to_polars())
    except PolarsError:
        raise UnreadableFile(str(place), "it is not a Parquet file") from None


def _as_recorded(made: Results | StudyResults) -> Any:
    """The record as JSON would give it back."""
    return json.loads(json.dumps(made.to_dict()))


def differences(recorded: Any, made: Any, path: str = "") -> list[str]:
    """The paths at which two records differ."""
    if isinstance(recorded, dict) and isinstance(made, dict):
        keys = [key for key in (*recorded, *made) if key not in _NOT_COMPARED]
        return [
            each
            for key in dict.fromkeys(keys)
            for each in differences(recorded.get(key), made.get(key), f"{path}.{key}".lstrip("."))
        ]
    return [] if recorded == made else [path]
