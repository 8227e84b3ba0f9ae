"""Storable: what an object holds as named arrays and JSON, and the same object again.

A class says that it can be stored by ``@storable``. Its fields, those of a dataclass or a
named tuple, hold numbers, text, arrays, tables, tuples, mappings by text, or other
storable objects. A class with ``encode(self)`` and ``decode(cls, fields)`` of its own says
by these what its fields are.

What was stored may have been written by somebody else. It can only become objects of
classes that the running program has registered, each field of the type that the class
declares; nothing in it names code.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import polars as pl

Class = TypeVar("Class", bound=type)
Arrays = Mapping[str, npt.NDArray[Any]]

_classes: dict[str, type] = {}
_COLUMN_TYPES: dict[str, pl.DataType] = {
    str(each): each
    for each in (
        pl.String(), pl.Boolean(), pl.Float32(), pl.Float64(), pl.Int8(), pl.Int16(), pl.Int32(),
        pl.Int64(), pl.UInt8(), pl.UInt16(), pl.UInt32(), pl.UInt64(), pl.Null(),
    )
}  # fmt: skip
_PLAIN_ARRAYS = "biuf"
"""NumPy's kinds of types that an array of a storable object may be of."""


class NotStorable(TypeError):
    """An object that holds something which is neither an array nor JSON."""


class Undecodable(ValueError):
    """What was read is no object of the kind that was asked for."""


class State(NamedTuple):
    """An object taken apart: arrays by name, and JSON that says where they belong."""

    arrays: Arrays
    facts: Mapping[str, Any]


def storable(cls: Class) -> Class:
    """Register a class whose fields are all that an object of it knows.

    >>> from dataclasses import dataclass
    >>> @storable
    ... @dataclass(frozen=True)
    ... class Shrinkage:
    ...     amount: float
    >>> encode(Shrinkage(0.5)).facts["object"]
    {'class': 'Shrinkage', 'fields': {'amount': 0.5}}
    >>> decode(encode(Shrinkage(0.5)), Shrinkage)
    Shrinkage(amount=0.5)
    """
    known = _classes.setdefault(cls.__name__, cls)
    # A module that is loaded again, as notebooks do, brings its own class anew.
    assert known.__module__ == cls.__module__, f"two storable classes are called {cls.__name__}"
    _classes[cls.__name__] = cls
    return cls


def encode(thing: object) -> State:
    """An object as arrays and JSON; `NotStorable` if it is not of a registered class."""
    if not _is_registered(type(thing)):
        raise NotStorable(f"{type(thing).__name__} does not say how it is stored")
    arrays: dict[str, npt.NDArray[Any]] = {}
    return State(arrays, {"object": _taken_apart(thing, "", arrays)})


def decode(state: State, kind: Any = object) -> Any:
    """The object of such a kind that was encoded; `Undecodable` if it is none."""
    try:
        thing = _put_together(state.facts["object"], state.arrays)
    except Undecodable:
        raise
    except Exception as error:
        # Whatever fails here fails because of what was read, and the classes are many.
        raise Undecodable(f"{type(error).__name__}: {error}") from error
    if not _is_registered(type(thing)) or not _matches(thing, kind):
        raise Undecodable(f"it holds {type(thing).__name__}")
    return thing


def _is_registered(cls: type) -> bool:
    return _classes.get(cls.__name__) is cls


def _fields(thing: Any) -> dict[str, Any]:
    """The fields of an object, as its class states them."""
    if hasattr(thing, "encode") and hasattr(type(thing), "decode"):
        return dict(thing.encode())
    if isinstance(thing, tuple):
        return dict(zip(thing._fields, thing, strict=True))  # type: ignore[attr-defined]
    if not is_dataclass(thing):
        raise NotStorable(f"{type(thing).__name__} has neither fields nor encode and decode")
    return {each.name: getattr(thing, each.name) for each in fields(thing)}


def _taken_apart(value: Any, path: str, arrays: dict[str, npt.NDArray[Any]]) -> Any:
    """One value as JSON; its arrays are put aside under its path."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if _is_registered(type(value)):
        parts = _parts_apart(_fields(value), path, arrays)
        return {"class": type(value).__name__, "fields": parts}
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {"mapping": _parts_apart(value, path, arrays)}
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        found = [_taken_apart(part, f"{path}.{n}", arrays) for n, part in enumerate(value)]
        return found if isinstance(value, tuple) else {"list": found}
    return _columns_apart(value, path, arrays)


def _parts_apart(
    parts: Mapping[str, Any], path: str, arrays: dict[str, npt.NDArray[Any]]
) -> dict[str, Any]:
    dot = f"{path}." if path else ""
    return {name: _taken_apart(part, dot + name, arrays) for name, part in parts.items()}


def _columns_apart(value: Any, path: str, arrays: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
    if isinstance(value, pl.Series):
        return {"column": _column_apart(value)}
    if isinstance(value, pl.DataFrame):
        return {"table": [_column_apart(each) for each in value]}
    if isinstance(value, np.ndarray) and value.dtype.kind in _PLAIN_ARRAYS:
        assert path not in arrays, f"two arrays are called {path}"
        arrays[path] = value
        return {"array": path}
    raise NotStorable(f"{path}: {type(value).__name__} is neither an array nor JSON")


def _column_apart(column: pl.Series) -> list[Any]:
    if (kind := str(column.dtype)) not in _COLUMN_TYPES:
        raise NotStorable(f"column {column.name}: {kind} is neither an array nor JSON")
    return [column.name, kind, column.to_list()]


def _put_together(node: Any, arrays: Arrays) -> Any:
    """The value that JSON and arrays stand for; a plain sequence is a tuple."""
    if isinstance(node, list):
        return tuple(_put_together(part, arrays) for part in node)
    if not isinstance(node, dict):
        return node
    build = _BUILDERS.get(tuple(sorted(node)))
    if build is None:
        raise Undecodable(f"{', '.join(map(repr, node))[:80]} is nothing that is stored")
    return build(arrays, *(node[name] for name in sorted(node)))


def _mapping(arrays: Arrays, parts: dict[str, Any]) -> dict[str, Any]:
    return {name: _put_together(part, arrays) for name, part in parts.items()}


def _column(name: str, kind: str, values: list[Any]) -> pl.Series:
    return pl.Series(name, values, _COLUMN_TYPES[kind], strict=True)


_BUILDERS: dict[tuple[str, ...], Callable[..., Any]] = {
    ("array",): lambda arrays, name: arrays[name],
    ("column",): lambda _, column: _column(*column),
    ("table",): lambda _, columns: pl.DataFrame([_column(*each) for each in columns]),
    ("list",): lambda arrays, parts: [_put_together(part, arrays) for part in parts],
    ("mapping",): _mapping,
    ("class", "fields"): lambda arrays, name, parts: _object(
        _classes[name], _mapping(arrays, parts)
    ),
}


def _object(cls: Any, found: dict[str, Any]) -> Any:
    """An object of a registered class, each field of the type that the class declares."""
    if hasattr(cls, "encode") and hasattr(cls, "decode"):
        return cls.decode(found)
    declared = _declared(cls)
    if set(found) != set(declared):
        raise Undecodable(f"{cls.__name__} has other fields than {', '.join(found)[:80]}")
    for name, value in found.items():
        if not _matches(value, declared[name]):
            raise Undecodable(f"{cls.__name__}.{name} is no {type(value).__name__} such as this")
    return cls(**found)


@cache
def _declared(cls: Any) -> dict[str, Any]:
    """The types of the fields of a class."""
    hints = get_type_hints(cls)
    names = cls._fields if issubclass(cls, tuple) else [each.name for each in fields(cls)]
    return {name: hints[name] for name in names}


def _matches(value: Any, hint: Any) -> bool:
    """Whether a value is of a declared type."""
    hint = _unaliased(hint)
    if hint in (Any, object):
        return True
    if (check := _CHECKS.get(get_origin(hint))) is not None:
        return check(value, get_args(hint))
    if hint in _EXACT:
        return type(value) in _EXACT[hint]
    return isinstance(value, hint)


def _unaliased(hint: Any) -> Any:
    """The type that an alias with parameters stands for, as NumPy's NDArray is since 2.5."""
    alias = get_origin(hint)
    return alias.__value__[get_args(hint)] if hasattr(alias, "__value__") else hint


def _matches_tuple(value: Any, inner: tuple[Any, ...]) -> bool:
    if not isinstance(value, tuple):
        return False
    each = inner[:1] * len(value) if inner[1:] == (...,) else inner
    return len(each) == len(value) and all(map(_matches, value, each))


def _matches_mapping(value: Any, inner: tuple[Any, ...]) -> bool:
    return isinstance(value, dict) and all(_matches(part, inner[1]) for part in value.values())


def _matches_array(value: Any, inner: tuple[Any, ...]) -> bool:
    return isinstance(value, np.ndarray) and _is_of_type(value.dtype, get_args(inner[1])[0])


def _matches_any(value: Any, inner: tuple[Any, ...]) -> bool:
    return any(_matches(value, each) for each in inner)


_EXACT = {bool: (bool,), int: (int,), str: (str,), float: (int, float)}
"""What JSON knows: True is no number here, and 1 is one wherever 1.0 is."""

_CHECKS: dict[Any, Callable[[Any, tuple[Any, ...]], bool]] = {
    Union: _matches_any,
    types.UnionType: _matches_any,
    Literal: lambda value, inner: value in inner,
    np.ndarray: _matches_array,
    tuple: _matches_tuple,
    Mapping: _matches_mapping,
    dict: _matches_mapping,
}


def _is_of_type(found: np.dtype[Any], declared: Any) -> bool:
    """Whether a NumPy type is a declared one, in the byte order of this machine."""
    scalar = get_origin(declared) or declared
    return found.isnative and (scalar is Any or issubclass(found.type, scalar))
