"""Equality of nouns that may hold tables and models made in Python."""

from __future__ import annotations

import dataclasses
from typing import Any

from cranfield.base.checking.values import Table


def equal(self: Any, other: object) -> Any:
    """Whether two dataclasses are of one class and equal in every field that is compared."""
    return _key(self) == _key(other) if type(other) is type(self) else NotImplemented


def hashed(self: Any) -> int:
    """The hash that goes with `equal`."""
    return hash(_key(self))


def _key(chosen: Any) -> tuple[Any, ...]:
    """What decides whether two are equal."""
    compared = (each.name for each in dataclasses.fields(chosen) if each.compare)
    return tuple(_stand_in(getattr(chosen, name)) for name in compared)


def _stand_in(value: Any) -> Any:
    """A value that can be hashed: itself, or for a table made in Python its identity."""
    if isinstance(value, Table):
        return frozenset((key, _stand_in(each)) for key, each in value.items())
    try:
        hash(value)
    except TypeError:
        return ("object", id(value))
    return value
