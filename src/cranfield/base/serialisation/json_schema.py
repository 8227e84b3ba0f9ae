"""JSON Schemas that follow from declarations: what may be given, and what is recorded."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import polars as pl

from cranfield.base import options
from cranfield.base.decisions import Bounds, Decision, is_table, parameters, written
from cranfield.base.serialisation.plain import unfolded

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS: dict[Any, Schema] = {
    str: {"type": ["string", "integer", "boolean"]},
    bool: {"enum": [True, False, "true", "false"]},
    int: {"type": "integer"},
    float: {"type": "number"},
}
"""What may be given; text that reads as a whole number or a keyword needs no quotes."""
_RECORDED: dict[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"]},
    NoneType: {"type": "null"},
    Any: {},
    pl.DataFrame: {"type": "object", "additionalProperties": {"type": "array"}},
}
"""What is recorded; a number that is not known is null."""


def schema_of_decision(decision: Decision) -> Schema:
    """What may be given for one decision or parameter, with what it means."""
    found = _given(decision.type, decision.bounds)
    if decision.none:
        found = any_of(found, {"const": decision.none})
    return {**({"description": decision.text} if decision.text else {}), **found}


def table_schema(cls: type, **known: Schema) -> Schema:
    """A table of all decisions of a class; those ``known`` have a schema of their own."""
    declared = parameters(cls)
    return {
        "type": "object",
        "properties": {
            written(each.name): known.get(each.name) or schema_of_decision(each)
            for each in declared
        },
        "required": [written(each.name) for each in declared if each.required],
        "additionalProperties": False,
    }


def option_schemas() -> dict[str, Schema]:
    """For every decision that has options, its answers: as spelled, or as a table."""
    return {
        kind: any_of({"type": "string"}, *map(_option, options.options(kind).values()))
        for kind in options.decisions()
    }


def _option(cls: Any) -> Schema:
    """An option as a table of its name and its parameters, under any of their names."""
    table = table_schema(cls)
    if options.is_tunable(cls.decision):
        own = table["properties"].items()
        table["properties"] = {name: _or_range(schema) for name, schema in own}
    properties = {"name": {"enum": [cls.option_name, *cls.option_aliases]}, **table["properties"]}
    for each in parameters(cls):
        properties |= dict.fromkeys(each.aliases, properties[written(each.name)])
    text = (cls.__doc__ or "").strip().partition("\n")[0]
    # A parameter that must be given may be given under another name.
    return {**table, "description": text, "properties": properties, "required": ["name"]}


def _or_range(schema: Schema) -> Schema:
    """What a schema allows, or the spelling of a range over which it is tuned."""
    given = {key: each for key, each in schema.items() if key != "description"}
    described = {"description": schema["description"]} if "description" in schema else {}
    return {**described, **any_of(given, {"type": "string", "pattern": "^tune"})}


def any_of(*schemas: Schema) -> Schema:
    """What any of some schemas allows."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def _given(hint: Any, bounds: Bounds) -> Schema:
    """What may be given where a type is declared."""
    contract = options.contract_of(hint) if isinstance(hint, type) else None
    if contract is not None:
        return {"$ref": f"#/$defs/{contract}"}
    if is_table(hint):
        return table_schema(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        members = [_given(each, bounds) for each in inner if each is not NoneType]
        return any_of(*members, *([{"enum": [None, "none"]}] if NoneType in inner else []))
    if origin in (tuple, dict, Mapping):
        return _several(origin, inner, bounds)
    return {**_SCALARS.get(hint, {}), **(_limits(bounds) if hint in (int, float) else {})}


def _several(origin: Any, inner: tuple[Any, ...], bounds: Bounds) -> Schema:
    """A list, or a table; a list of one member may be that member."""
    if origin is not tuple:
        return {"type": "object", "additionalProperties": _given(inner[1], bounds)}
    if Ellipsis in inner:
        member = _given(inner[0], bounds)
        return any_of(member, {"type": "array", "items": member})
    members = [_given(each, bounds) for each in inner]
    return {"type": "array", "prefixItems": members, "minItems": len(inner), "maxItems": len(inner)}


def _limits(bounds: Bounds) -> Schema:
    ends = {
        "exclusiveMinimum": bounds.above,
        "exclusiveMaximum": bounds.below,
        "minimum": bounds.at_least,
        "maximum": bounds.at_most,
    }
    return {name: end for name, end in ends.items() if end is not None and math.isfinite(end)}


def described(schema: Schema, meanings: Mapping[str, str]) -> Schema:
    """The schema of an object, with what each of its members means."""
    members = {
        name: {**each, "description": meanings[name]} for name, each in schema["properties"].items()
    }
    return {**schema, "properties": members}


def recorded_schema(kind: Any, without: Iterable[str] = ()) -> Schema:
    """What `plain` makes of an object of a type, ``without`` some of its fields."""
    kind = unfolded(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in _COMPOUND:
        return _COMPOUND[origin](inner)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        left = [each.name for each in fields(kind) if each.name not in tuple(without)]
        return {
            "type": "object",
            "properties": {name: recorded_schema(hints[name]) for name in left},
            "required": left,
            "additionalProperties": False,
        }
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _tuple(tuple(get_type_hints(kind).values()))
    return _RECORDED[kind]


def _tuple(inner: tuple[Any, ...]) -> Schema:
    if Ellipsis in inner:
        return {"type": "array", "items": recorded_schema(inner[0])}
    size = len(inner)
    members = [recorded_schema(each) for each in inner]
    return {"type": "array", "prefixItems": members, "minItems": size, "maxItems": size}


def _mapping(inner: tuple[Any, ...]) -> Schema:
    return {"type": "object", "additionalProperties": recorded_schema(inner[1])}


def _union(inner: tuple[Any, ...]) -> Schema:
    return any_of(*map(recorded_schema, inner))


_COMPOUND: dict[Any, Callable[[tuple[Any, ...]], Schema]] = {
    tuple: _tuple,
    dict: _mapping,
    Mapping: _mapping,
    Union: _union,
    types.UnionType: _union,
    np.ndarray: lambda _: {"type": "array"},
}
