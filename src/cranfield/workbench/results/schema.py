"""The JSON Schema of records: what ``results.json`` holds."""

from __future__ import annotations

from typing import Any

from cranfield.base.serialisation.json_schema import (
    DIALECT,
    Schema,
    any_of,
    described,
    recorded_schema,
)
from cranfield.collection.topics import UserCounts
from cranfield.recommendation.foreign.description import ModelDescription
from cranfield.scoring.summary import Row
from cranfield.significance.pair import Pair
from cranfield.validity.assessment import Chart, HeatMap
from cranfield.validity.data_sets.findings import FindingsOverData
from cranfield.validity.study.findings import StudyFindings
from cranfield.validity.study.repeats import RepeatedDifference
from cranfield.workbench.plan.changes import PlanChange
from cranfield.workbench.results import meanings
from cranfield.workbench.results.costs import Cost, Machine
from cranfield.workbench.results.results import FORMAT
from cranfield.workbench.results.study_results import DESIGN_FACTS
from cranfield.workbench.tuning.trials import Tuned

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": ["number", "null"]}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_ANY_TABLE: Schema = {"type": "object"}
_FINGERPRINT: Schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
_ROWS: Schema = {"type": "array", "items": _ANY_TABLE}


def results_schema() -> Schema:
    """The record of results, of a study, which holds that of its base, or of several data sets."""
    return {
        "$schema": DIALECT,
        "title": "Record of results of Cranfield",
        "anyOf": [{"$ref": f"#/$defs/{kind}"} for kind in ("results", "study", "data_sets")],
        "$defs": {
            "results": described(_results(), meanings.RESULTS),
            "study": described(_study(), meanings.STUDY),
            "data_sets": described(_data_sets(), meanings.DATA_SETS),
            "row": described(recorded_schema(Row, without=("system", "metric")), meanings.ROW),
            "comparison": described(_comparison(), meanings.COMPARISON),
            "assessment": described(_assessment(), meanings.ASSESSMENT),
            "plan": described(_plan(), meanings.PLAN),
        },
    }


def _object(optional: dict[str, Schema] | None = None, **required: Schema) -> Schema:
    """An object that has some members, and may have others."""
    members = {**required, **(optional or {})}
    return {"type": "object", "properties": members, "required": list(required)}


def _by_name(member: Schema) -> Schema:
    return {"type": "object", "additionalProperties": member}


def _results() -> Schema:
    of_run = {**_object(value=_NUMBER), "additionalProperties": False}
    users = recorded_schema(UserCounts)
    users["properties"] |= {"test_users": {"type": "integer"}, "test_ratings": {"type": "integer"}}
    fold = _object(train=_FINGERPRINT, test=_FINGERPRINT)
    worker = _object(host=_TEXT, process=_COUNT, tasks=_COUNT, seconds={"type": "number"})
    return _object(
        {
            "by": _by_name(_ROWS),
            "group_spreads": _by_name(_ROWS),
            "models": _by_name(recorded_schema(ModelDescription)),
            "plan": {"$ref": "#/$defs/plan"},
            "workers": {"type": "array", "items": worker},
            "tuning": {"type": "array", "items": _tuned()},
        },
        format={"const": FORMAT},
        title=_TEXT,
        systems=_by_name(_by_name(any_of({"$ref": "#/$defs/row"}, of_run))),
        decisions=_ANY_TABLE,
        judgments=_FINGERPRINT,
        unknown_random=_TEXT,
        users=users,
        notes=_TEXTS,
        seed={"type": "integer"},
        comparison=any_of({"type": "null"}, {"$ref": "#/$defs/comparison"}),
        assessments={"type": "array", "items": {"$ref": "#/$defs/assessment"}},
        data=_object(ratings=_TEXT, folds={"type": "array", "items": fold}),
        targets={"type": "array", "items": _FINGERPRINT},
        scores=_FINGERPRINT,
        versions=_by_name(_TEXT),
        seconds=_by_name({"type": "number"}),
        costs=recorded_schema(tuple[Cost, ...]),
        machine=recorded_schema(Machine | None),
    )


def _plan() -> Schema:
    changes = recorded_schema(tuple[PlanChange, ...])
    return _object(fingerprint=_FINGERPRINT, followed={"type": "boolean"}, changes=changes)


def _tuned() -> Schema:
    """The trials of one system on one fold, and which was chosen."""
    made = recorded_schema(Tuned)
    made["properties"] |= {"chosen": {"type": "integer"}, "system": _TEXT, "gain": _NUMBER}
    return made


def _comparison() -> Schema:
    return _object(
        values=_by_name(_by_name(_NUMBER)),
        pairs=recorded_schema(tuple[Pair, ...]),
        decisions=_ANY_TABLE,
        notes=_TEXTS,
    )


def _assessment() -> Schema:
    return _object(
        criterion=_TEXT,
        reading=_TEXT,
        decisions=_ANY_TABLE,
        tables=_by_name(_ROWS),
        details=_by_name(_ROWS),
        charts=recorded_schema(tuple[Chart | HeatMap, ...]),
        notes=_TEXTS,
        words=_by_name(_TEXT),
        across=_by_name(_TEXT),
    )


def _data_sets() -> Schema:
    """What holds over several data sets, each of which has a record of its own."""
    plan = _plan()
    plan["properties"] |= {"by_data_set": _by_name({"$ref": "#/$defs/plan"})}
    return _object(
        {"plan": plan},
        format={"const": FORMAT},
        title=_TEXT,
        data_sets=_by_name(_TEXT),
        traits=_by_name(_by_name(_NUMBER)),
        findings=recorded_schema(FindingsOverData),
    )


def _study() -> Schema:
    repeats: dict[str, Any] = recorded_schema(RepeatedDifference)
    names = dict.fromkeys(("first", "second", "metric"), _TEXT)
    repeats["properties"] |= {**names, **dict.fromkeys(("low", "high", "p_value"), _NUMBER)}
    facts = {name: recorded_schema(kind) for name, kind in DESIGN_FACTS.items()}
    tuned = _object(
        designs={"type": "array", "items": {"type": "integer"}},
        tuned={"type": "array", "items": _tuned()},
    )
    return _object(
        {"plan": {"$ref": "#/$defs/plan"}, "tuning": {"type": "array", "items": tuned}},
        format={"const": FORMAT},
        title=_TEXT,
        study=_ANY_TABLE,
        verdict=_TEXT,
        conclusion=recorded_schema(StudyFindings),
        repeats=any_of({"type": "null"}, repeats),
        designs=_FINGERPRINT,
        design_facts=_object(**facts),
        base={"$ref": "#/$defs/results"},
        versions=_by_name(_TEXT),
        costs=recorded_schema(tuple[Cost, ...]),
    )
