"""Examples of options: one of each that is known, and more with one parameter varied."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from cranfield.base.decisions import Decision, parameters
from cranfield.base.errors import CranfieldError
from cranfield.base.options import options


def examples_of(decision: str) -> dict[str, list[Any]]:
    """Instances of every known option of a decision, by name, made from its declaration.

    Each parameter is varied by itself within its bounds: every word of a closed list, both
    truth values, another number. A required parameter takes the first of these. An option
    that needs text or a table, such as a path, cannot be given one: its list is
    empty.

    >>> from cranfield.workbench import inventory
    >>> inventory.load("metric")
    >>> [str(made) for made in examples_of("metric")["RBO"]]
    ['RBO(p=0.5)']
    """
    return {name: list(dict.fromkeys(_made(cls))) for name, cls in options(decision).items()}


def _made(cls: type) -> Iterator[Any]:
    required = {known.name: _values(known) for known in parameters(cls) if known.required}
    if not all(required.values()):
        return
    first = {name: values[0] for name, values in required.items()}
    varied = [{known.name: value} for known in parameters(cls) for value in _values(known)]
    for given in ({}, *varied):
        try:
            yield cls(**{**first, **given})
        except CranfieldError:  # the value does not go with the others
            continue


def _values(known: Decision) -> list[object]:
    """Values that a parameter can take, by its declared type and bounds."""
    made: list[object] = []
    for kind in members(known.type):
        if get_origin(kind) is Literal:
            made += get_args(kind)
        elif kind is bool:
            made += [True, False]
        elif kind in (int, float):
            numbers = (kind(number) for number in (1, 0.5, 3))
            made += [number for number in numbers if known.bounds.hold(number)]
    return made


def members(hint: Any) -> list[Any]:
    """The types of a union without None; of any other type, the type itself."""
    united = get_origin(hint) in (Union, UnionType)
    return [kind for kind in (get_args(hint) if united else (hint,)) if kind is not NoneType]
