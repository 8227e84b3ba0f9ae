"""Verifying: recompute results, and say whether every bit is as recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from cranfield.base.errors import (
    FingerprintMismatch,
    MissingFile,
    OtherData,
    UnreadableFile,
    Unverified,
)
from cranfield.base.packed import reading, require_file
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.serialisation.plain import Unrestorable, restored
from cranfield.scoring.score_files import read_scores
from cranfield.view.page.report import write_chart_files
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.results.costs import Cost, Machine
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
from cranfield.workbench.results.planned import plan_of, with_plan
from cranfield.workbench.results.results import Results, fingerprint_of
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.tuning.trials import Tuned, TunedDesigns, timed_as

NOT_COMPARED = ("seconds", "costs", "machine", "versions", "workers")
"""What may differ between two runs that are the same."""
_TIMED_TRIAL = re.compile(r"(base\.)?tuning\[\d+\](\.tuned\[\d+\])?\.trials\[\d+\]\.seconds")
"""How long a trial took, too."""
_CAUSES = ("decisions", "study", "seed", "data", "judgments", "failed")
"""Where a record begins to differ."""

Recompute = Callable[[Experiment | Study], Results | StudyResults]
"""Executes a definition from nothing."""


def verify(
    folder: Path | str, recompute: Recompute, given: Mapping[str, Any] | None = None
) -> Results | StudyResults:
    """Recompute the results of a folder from scratch, and refuse any difference.

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
    made = with_plan(_recomputed(asked, place, recompute), plan_of(place, record))
    _refuse_other_data(place, base, _as_recorded(base_of(made)), set(given or ()))
    different = [
        *differences(record, _as_recorded(made)),
        *_malformed(record, base_of(made)),
        *_other_files(place, made, record),
    ]
    if different:
        others = _other_versions(base.get("versions"), base_of(made).versions)
        raise Unverified(str(place), sorted(different, key=_is_effect), others)
    return made


def _other_versions(recorded: Any, here: Mapping[str, str]) -> list[str]:
    """The libraries that were of another version, with both."""
    then = recorded if isinstance(recorded, dict) else {}
    return [
        f"{name} {then[name][:40]} (here {now})"
        for name, now in here.items()
        if isinstance(then.get(name), str) and then[name] != now
    ]


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
    """The files that are not as they would be written now, by the record's versions and costs."""
    base = replace(base_of(made), **_stated(record.get("base", record), base_of(made)))
    dated: Results | StudyResults = base
    if isinstance(made, StudyResults):
        tuned = _timed_designs(made, record)
        dated = replace(made, base=base, tuned=tuned, **_stated_costs(record))
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


def _stated(record: Mapping[str, Any], made: Results) -> dict[str, Any]:
    """Versions, seconds, costs and machine of a record, as far as they are what one holds.

    Stages that were cached then have no costs.
    """
    seconds, versions = record.get("seconds"), record.get("versions")
    found = _stated_costs(record)
    if isinstance(seconds, dict) and all(isinstance(s, int | float) for s in seconds.values()):
        found["seconds"] = seconds
    if isinstance(versions, dict) and all(isinstance(versions.get(k), str) for k in made.versions):
        found["versions"] = versions
    with suppress(Unrestorable):
        found["machine"] = restored(Machine | None, record.get("machine"))
    workers = record.get("workers", [])
    if _are_tables(workers):
        found["workers"] = tuple(workers)
    return {**found, "tuned": timed_as(made.tuned, _recorded(Tuned, record))}


def _malformed(record: Mapping[str, Any], made: Results) -> list[str]:
    """What is not compared, and is not what a record holds, by path."""
    path = "base." if "base" in record else ""
    base = record.get("base", record)
    stated = _stated(base, made)
    wrong = [f"{path}{name}" for name in NOT_COMPARED if name in base and name not in stated]
    return [*wrong, *([] if not path or _stated_costs(record) else ["costs"])]


def _stated_costs(record: Mapping[str, Any]) -> dict[str, Any]:
    """The costs of a record, if they are what one holds."""
    with suppress(Unrestorable):
        return {"costs": restored(tuple[Cost, ...], record.get("costs", []))}
    return {}


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
    except UNREADABLE:
        raise UnreadableFile(str(place), "it is not a Parquet file") from None


def _as_recorded(made: Results | StudyResults) -> Any:
    """The record as JSON would give it back."""
    return json.loads(json.dumps(made.to_dict()))


def differences(recorded: Any, made: Any, path: str = "") -> list[str]:
    """The paths at which two records differ."""
    if path.removeprefix("base.") in NOT_COMPARED or _TIMED_TRIAL.fullmatch(path):
        return []
    if isinstance(recorded, dict) and isinstance(made, dict):
        return [
            each
            for key in dict.fromkeys((*recorded, *made))
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
