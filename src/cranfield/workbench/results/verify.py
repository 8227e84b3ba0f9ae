"""Verifying: recompute results, and say whether every bit is as recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from cranfield.base.errors import (
    FingerprintMismatch,
    MissingFile,
    OtherData,
    UnreadableFile,
    Unverified,
)
from cranfield.base.packed import reading, require_file
from cranfield.scoring.score_files import read_scores
from cranfield.view.page.report import write_chart_files
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.results.files import (
    CHARTS,
    DESIGNS,
    EXPERIMENT,
    SCORES,
    base_of,
    read_record,
    report_content,
    texts_of,
)
from cranfield.workbench.results.results import Results, fingerprint_of
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.tuning.trials import Tuned, TunedDesigns, timed_as

_NOT_COMPARED = ("seconds", "versions")
"""What may differ between two runs that are the same."""
_CAUSES = ("decisions", "study", "seed", "data", "judgments", "failed")
"""Where a record begins to differ."""

Recompute = Callable[[Experiment | Study], Results | StudyResults]
"""Executes a definition from nothing."""


def verify(
    folder: Path | str, recompute: Recompute, given: Mapping[str, Any] | None = None
) -> Results | StudyResults:
    """Compute the results of a folder again, from nothing, and refuse any difference.

    Every file is compared. Changed data are told first: all else follows from them.
    ``given`` are the answers that were objects in Python, by decision.
    """
    place = Path(folder)
    record = read_record(place)
    asked = read_definition(place / EXPERIMENT, given=given)
    base = record.get("base", record)
    written = fingerprint_of(read_scores(str(place / SCORES)))
    if written != base["scores"]:
        raise FingerprintMismatch(str(place / SCORES), base["scores"], written)
    made = _recomputed(asked, place, recompute)
    _refuse_other_data(place, base, _as_recorded(base_of(made)), set(given or ()))
    different = [*differences(record, _as_recorded(made)), *_other_files(place, made, record)]
    if different:
        raise Unverified(str(place), sorted(different, key=_is_effect))
    return made


def _is_effect(path: str) -> bool:
    """Whether a difference may follow from others, which are to be told before it."""
    return not path.removeprefix("base.").startswith(_CAUSES)


def _refuse_other_data(place: Path, recorded: Any, made: Any, given: set[str]) -> None:
    """Refuse other ratings than those recorded, unless it was decided otherwise since.

    What is ``given`` as an object is recorded by its fingerprint, and decides nothing else.
    """
    decided = set(differences(recorded.get("decisions"), made["decisions"])) - given
    there, here = (each.get("data") for each in (recorded, made))
    if not decided and isinstance(there, dict) and there.get("ratings") != here["ratings"]:
        raise OtherData(str(place), "ratings", str(there.get("ratings")), here["ratings"])


def _other_files(place: Path, made: Results | StudyResults, record: Any) -> list[str]:
    """The files that are not as they would be written now, by the record's versions and time."""
    recorded = record.get("base", record)
    stated = {each: recorded.get(each) for each in _NOT_COMPARED}
    known = {each: value for each, value in stated.items() if _is_like(value, base_of(made), each)}
    known["tuned"] = timed_as(base_of(made).tuned, _recorded(Tuned, recorded))
    dated = (
        replace(made, base=replace(made.base, **known), tuned=_timed_designs(made, record))
        if isinstance(made, StudyResults)
        else replace(made, **known)
    )
    content = report_content(dated)
    wanted = {name: text.encode() for name, text in texts_of(dated, content).items()}
    with TemporaryDirectory() as folder:
        formats = {each.suffix[1:] for each in (place / CHARTS).glob("*.*")}
        if formats:
            drawn = write_chart_files(content, folder, sorted(formats))
            wanted |= {f"{CHARTS}/{each.name}": each.read_bytes() for each in drawn}
    different = [name for name, data in wanted.items() if _content(place / name) != data]
    tables = {SCORES: base_of(made).scores.to_polars()}
    if isinstance(made, StudyResults):
        tables[DESIGNS] = made.to_polars()
    return [*different, *(name for name in tables if not _holds(place / name, tables[name]))]


def _recorded(kind: Any, record: Any) -> tuple[Any, ...]:
    """The trials of a record; nothing of one that holds something else, which is told apart."""
    try:
        return tuple(map(kind.from_dict, record.get("tuning", ())))
    except (KeyError, TypeError, AttributeError, ValueError):
        return ()


def _timed_designs(made: StudyResults, record: Any) -> tuple[TunedDesigns, ...]:
    """The trials of all designs with the seconds of the record."""
    found = _recorded(TunedDesigns, record)
    if len(found) != len(made.tuned):
        return made.tuned
    pairs = zip(made.tuned, found, strict=True)
    return tuple(replace(one, tuned=timed_as(one.tuned, two.tuned)) for one, two in pairs)


def _is_like(value: Any, made: Results, name: str) -> bool:
    """Whether recorded versions or seconds are what such a record holds.

    Stages that were cached then have no seconds.
    """
    if not isinstance(value, dict):
        return False
    if name == "seconds":
        return all(isinstance(spent, int | float) for spent in value.values())
    own: Mapping[str, Any] = getattr(made, name)
    return all(isinstance(value.get(key), str) for key in own)


def _content(path: Path) -> bytes:
    require_file(path)
    with reading(path):
        return path.read_bytes()


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


def _holds(place: Path, table: pl.DataFrame) -> bool:
    """Whether a file holds a table equal to the recomputed one."""
    require_file(place)
    try:
        return pl.read_parquet(place).equals(table)
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
    if _are_tables(recorded) and _are_tables(made) and len(recorded) == len(made):
        numbered = enumerate(zip(recorded, made, strict=True))
        return [
            each for number, pair in numbered for each in differences(*pair, f"{path}[{number}]")
        ]
    return [] if recorded == made else [path]


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)
