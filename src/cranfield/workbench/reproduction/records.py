"""Reproductions as JSON: rows by identifiers, and what readers call their columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from cranfield.base.serialisation.json_schema import DIALECT, Schema, described

IDENTIFIER = "^[a-z][a-z0-9_]*$"
_ITEMS = "Each table or figure: the data, the figures, and each claim with its state and reason."


def identifiers(labels: Sequence[str]) -> list[str]:
    """Names for columns that programs can use, each another, from what readers call them.

    >>> identifiers(["DP doubled", "τ, ours", "p", "P", "1R"])
    ['dp_doubled', 'tau_ours', 'p', 'p_2', 'n_1r']
    """
    found: list[str] = []
    for label in labels:
        plain, number = _identifier(label), 1
        name = plain
        while name in found:
            number += 1
            name = f"{plain}_{number}"
        found.append(name)
    return found


def _identifier(label: str) -> str:
    """Small letters, digits and underscores; Greek letters by their names, the first a letter."""
    spelled = "".join(_spelled(char) for char in label)
    name = re.sub(r"[^a-z0-9]+", "_", spelled.lower()).strip("_") or "column"
    return name if name[0].isalpha() else f"n_{name}"


def _spelled(char: str) -> str:
    if unicodedata.name(char, "").startswith("GREEK "):
        return unicodedata.name(char).rpartition(" ")[2]
    return unicodedata.normalize("NFKD", char)


def labelled_rows(rows: pl.DataFrame, name: str) -> dict[str, Any]:
    """Rows under a name, and beside them what readers call each of their columns."""
    names = identifiers(rows.columns)
    renamed = rows.rename(dict(zip(rows.columns, names, strict=True)))
    return {"labels": dict(zip(names, rows.columns, strict=True)), name: renamed.to_dicts()}


def frame_of(record: Mapping[str, Any], name: str) -> pl.DataFrame:
    """The rows of a record as they were, under the names that readers see."""
    labels = record["labels"]
    rows = [{labels[key]: value for key, value in row.items()} for row in record[name]]
    return pl.DataFrame(rows, schema=list(labels.values()), infer_schema_length=None)


def reproduction_schema() -> Schema:
    """The record of reproduced tables and figures."""
    support = _object(kind=_TEXT, panel=_TEXT, held=_COUNT, tested=_COUNT)
    claim = _object(
        says=_TEXT, said=_TEXT, note=_TEXT, state=_TEXT, draws=_COUNT, draws_held=_COUNT,
        decisive=_list(_TEXT), authors_decisive=_list(_TEXT), supports=_list(support),
        labels=_LABELS, figures=_ROWS,
    )  # fmt: skip
    item = _object(
        name=_TEXT,
        paper=_TEXT,
        item=_TEXT,
        title=_TEXT,
        data=_list(_object(panel=_TEXT, source=_TEXT)),
        stand_ins=_list(_TEXT),
        small={"type": "boolean"},
        seeds=_list({"type": "integer"}),
        left_out=_list(_TEXT),
        fault=_TEXT,
        differs=_TEXT,
        seconds={"type": "number"},
        processor_seconds={"type": "number"},
        shows=_list(_object(title=_TEXT, kind=_TEXT, x=_TEXT, y=_TEXT, labels=_LABELS, rows=_ROWS)),
        claims=_list(claim),
    )
    return {
        "$schema": DIALECT,
        "title": "Record of reproduced tables and figures of Cranfield",
        **described(_object(items=_list(item)), {"items": _ITEMS}),
    }


_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_NAMES: Schema = {"type": "string", "pattern": IDENTIFIER}
_LABELS: Schema = {"type": "object", "propertyNames": _NAMES, "additionalProperties": _TEXT}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


_ROWS = _list({"type": "object", "propertyNames": _NAMES})


def _object(**members: Schema) -> Schema:
    """An object that has exactly some members."""
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
