"""Experiments and studies in files: TOML or YAML read, TOML written, answers overridden."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cranfield.base.checking.spelling import DEEPEST, split_list
from cranfield.base.errors import BadExperiment, OptionError
from cranfield.base.packed import reading, require_file
from cranfield.workbench.definition.paths import path_and_value
from cranfield.workbench.definition.table import with_answer
from cranfield.workbench.definition.yaml_files import TOO_DEEP, one_line, yaml_table


def read_file(path: Path | str, changes: Iterable[str] = ()) -> dict[str, Any]:
    """The table in a TOML or YAML file, with some answers changed as by ``--set``."""
    place = Path(path)
    require_file(place)
    with reading(place):
        data = place.read_bytes()
    table = parse_definition(str(place), data)
    for change in changes:
        table = _with_change(table, change)
    return table


def _with_change(table: dict[str, Any], change: str) -> dict[str, Any]:
    sides = path_and_value(change)
    if sides is None:
        raise OptionError(f'--set "{change}": give it as PATH=VALUE, as in seed=2.')
    path, text = sides
    try:
        return with_answer(table, path, read_value(text))
    except OptionError as error:
        raise OptionError(f'--set "{change}": {error}') from None


def parse_definition(name: str, data: bytes) -> dict[str, Any]:
    """The table that a file holds: YAML if it is called so, else TOML."""
    place = Path(name)
    try:
        text = data.decode("utf-8-sig")  # editors of Windows put a mark before the text
        table = yaml_table(text) if place.suffix.lower() in (".yaml", ".yml") else _toml(text)
    except UnicodeDecodeError:
        raise BadExperiment(str(place), [("", "it is not text in UTF-8.")]) from None
    except ValueError as error:
        raise BadExperiment(str(place), [("", f"{_said(error)}.")]) from None
    if not isinstance(table, dict):
        raise BadExperiment(str(place), [("", "it is not a table of decisions.")])
    return table


def _toml(text: str) -> dict[str, Any]:
    """The table that TOML spells, if it is nested no deeper than tables of decisions are."""
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    level: list[Any] = [table]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise ValueError(TOO_DEEP)
    return table


def _said(error: ValueError) -> str:
    """What is wrong with a file; of too many digits, Python says how to change Python."""
    said = one_line(error)
    digits = re.search(r"value has (\d+) digits", said)
    return f"a number of {digits[1]} digits in it is too long" if digits else said


def _inside(value: Any) -> Iterable[Any]:
    """What a table or a list holds, one level down."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_value(text: str, levels: int = DEEPEST) -> Any:
    """A value as TOML would read it; what TOML does not know is text, as are deeper lists.

    >>> read_value("0.1"), read_value("[1, 2]"), read_value("per-user(test_share=0.3)")
    (0.1, [1, 2], 'per-user(test_share=0.3)')
    """
    try:
        return _toml(f"value = {text}")["value"]
    except ValueError:  # that of TOML is one
        inner = text.strip()
        if levels and inner.startswith("[") and inner.endswith("]"):
            return [read_value(each, levels - 1) for each in split_list(inner[1:-1])]
        return text


def toml_text(table: Mapping[str, Any]) -> str:
    """A table as TOML: plain values first, then tables under their headings."""
    return "\n".join(_lines(table, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = [(key, value) for key, value in table.items() if not isinstance(value, Mapping)]
    nested = [(key, value) for key, value in table.items() if isinstance(value, Mapping)]
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain if value is not None]
    for key, value in nested:
        inner = (*path, key)
        lines += ["", f"[{'.'.join(map(_key, inner))}]", *_lines(value, inner)]
    return lines


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _text(key)


def _value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return '"none"' if value is None else str(value).lower()
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}"
    return _text(str(value))


def _text(text: str) -> str:
    """A basic string of TOML: written as one of JSON, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
