"""The JSON Schema of definitions: what a file or a table of decisions may hold."""

from __future__ import annotations

from cranfield.base.decisions import parameters
from cranfield.base.serialisation.json_schema import (
    DIALECT,
    Schema,
    any_of,
    option_schemas,
    schema_of_decision,
    table_schema,
)
from cranfield.workbench import inventory
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.side_tables import Grouping
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.definition.tuning import Tuning

_TEXT: Schema = {"type": "string"}
_METRIC = any_of({"$ref": "#/$defs/metric"}, {"$ref": "#/$defs/run-metric"})
_AMOUNT: Schema = {"type": ["integer", "string"]}
_BUDGET = any_of(_AMOUNT, {"type": "object", "additionalProperties": _AMOUNT})
_SYSTEM: Schema = {"$ref": "#/$defs/recommender"}


def _list_of(member: Schema) -> Schema:
    """A list, or its only member."""
    return any_of(member, {"type": "array", "items": member})


def definition_schema() -> Schema:
    """What defines an experiment or, with a table ``study``, a study.

    It follows from the declarations of all decisions and options, those of installed
    extensions too. Words and names are as they are listed; reading is more lenient.
    """
    inventory.load()
    made = table_schema(Experiment, **_read_by_themselves())
    made["properties"]["study"] = _study()
    return {
        "$schema": DIALECT,
        "title": "Definition of an experiment or a study of Cranfield",
        **made,
        "$defs": option_schemas(),
    }


def _read_by_themselves() -> dict[str, Schema]:
    """Decisions whose types alone do not say what may be given."""
    texts = {each.name: each.text for each in parameters(Experiment)}
    source = {"type": "object", "required": ["source"], "properties": {"source": _TEXT}}
    one = any_of({"$ref": "#/$defs/source"}, source)
    several = {"type": "object", "description": "answers that differ on one data set"}
    known = {
        "data": any_of(one, _list_of(one), {"type": "object", "additionalProperties": several}),
        "targets": _TEXT,
        "metrics": _list_of(_METRIC),
        "by": _list_of(any_of(_TEXT, table_schema(Grouping))),
        "systems": any_of({"type": "object", "additionalProperties": _SYSTEM}, _list_of(_SYSTEM)),
        "runs": {"type": "object", "additionalProperties": _TEXT},
        "tuning": any_of({"enum": [None, "none"]}, table_schema(Tuning, budget=_BUDGET)),
        "comparison": table_schema(Compared, rope={"type": ["string", "number"]}),
    }
    return {name: {"description": texts[name], **schema} for name, schema in known.items()}


def _study() -> Schema:
    """What a study varies: by path, in tables within tables or in one with dots."""
    anything: Schema = {"type": "object"}
    declared = {each.name: each for each in parameters(Study) if each.text}
    properties = {name: schema_of_decision(each) for name, each in declared.items()}
    for name in ("vary", "together", "weights"):
        properties[name] = {"description": declared[name].text, **anything}
    return {"type": "object", "properties": properties, "additionalProperties": False}
