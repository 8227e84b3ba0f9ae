"""Options as they are written: spelled, or as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cranfield.base.checking.ranges import TUNE, Choice, Range
from cranfield.base.checking.spelling import write_spelling, write_value
from cranfield.base.decisions import declared_range, default_of, parameters, written


def to_table(chosen: Any) -> dict[str, object]:
    """An option as a table of its name and all its parameters, for records."""
    table: dict[str, object] = {"name": chosen.option_name}
    for known in parameters(type(chosen)):
        table[written(known.name)] = _plain(getattr(chosen, known.name))
    return table


def spell(chosen: Any) -> str:
    """The canonical spelling: what differs from the defaults, in order of declaration.

    A range that is the declared one is written ``tune``; so are all of them together.
    """
    cls, given, as_declared = type(chosen), {}, []
    for known in parameters(cls):
        value, name = getattr(chosen, known.name), written(known.name)
        if isinstance(value, Range | Choice) and value == declared_range(cls, known.name):
            given[name] = TUNE
            as_declared.append(name)
        elif known.required or value != default_of(cls, known.name):
            given[name] = value
    whole = as_declared and len(as_declared) == sum(bool(each.tune) for each in parameters(cls))
    for name in as_declared if whole else ():
        del given[name]
    cutoff = given.pop("cutoff") if isinstance(given.get("cutoff"), int | float) else None
    return write_spelling(chosen.option_name, given, cutoff, (TUNE,) if whole else ())


def spell_fully(chosen: Any) -> str:
    """The spelling with every parameter, also those at their defaults: for records."""
    given = {written(p.name): getattr(chosen, p.name) for p in parameters(type(chosen))}
    return write_spelling(chosen.option_name, given)


def is_option(value: object) -> bool:
    """Whether a value is an answer to some decision."""
    return hasattr(value, "option_name")


def typed_name(chosen: Any) -> str:
    """The name by which a user asked for an option: its own, or one of its aliases."""
    return str(getattr(chosen, "_typed_name", chosen.option_name))


def _plain(value: object) -> object:
    """A parameter's value as TOML and JSON can hold it."""
    if is_option(value):
        return to_table(value)
    if isinstance(value, Range | Choice):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    return write_value(value) if value == math.inf else value  # JSON has no infinity
