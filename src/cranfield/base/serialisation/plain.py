"""Plain: objects as JSON can hold them, and the same objects again, by their declared types."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import polars as pl


class Unrestorable(ValueError):
    """What was read is no object of the type that was asked for."""


def plain(value: Any) -> Any:
    """A value as JSON can hold it; what is not finite is None, a table is its columns."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, pl.DataFrame):
        value = value.to_dict(as_series=False)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def restored(kind: Any, value: Any) -> Any:
    """The object of a type whose `plain` form is given; None is NaN where a number is declared.

    >>> restored(tuple[float, ...], [1.0, None])
    (1.0, nan)
    """
    kind = unfolded(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in _MAKERS:
        return _MAKERS[origin](value, inner)
    if kind is Any:
        return value
    if kind is float:
        return math.nan if value is None else _of(float, value, int | float)
    if kind is pl.DataFrame or is_dataclass(kind):
        given = _of(kind, value, dict)
        return table_of(given) if kind is pl.DataFrame else _object(kind, given)
    named = isinstance(kind, type) and issubclass(kind, tuple)
    return _named_tuple(kind, value) if named else _of(kind, value, kind)


def unfolded(kind: Any) -> Any:
    """A type in place of the alias that stands for it, as NDArray does from NumPy 2.5 on."""
    meant = getattr(get_origin(kind), "__value__", None)
    return kind if meant is None else meant[get_args(kind)]


def table_of(columns: Mapping[str, Any]) -> pl.DataFrame:
    """A table from its columns, each of the type of what is known of it."""
    return pl.DataFrame([pl.Series(name, values, strict=False) for name, values in columns.items()])


def _of(kind: Any, value: Any, wanted: Any) -> Any:
    """A value that is of the wanted kind; True is no number."""
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise Unrestorable(f"{type(value).__name__} is no {getattr(kind, '__name__', kind)}")
    return value


def _object(kind: Any, given: Mapping[str, Any]) -> Any:
    """A dataclass from its fields; those with a default may be missing, others may not."""
    declared = _declared(kind)
    try:
        return kind(**{n: restored(declared[n], v) for n, v in given.items() if n in declared})
    except TypeError as error:  # a field is missing
        raise Unrestorable(f"{kind.__name__}: {error}") from None


def _named_tuple(kind: Any, value: Any) -> Any:
    parts = _tuple(value, tuple(get_type_hints(kind).values()))
    return kind(*parts)


@cache
def _declared(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _tuple(value: Any, inner: tuple[Any, ...]) -> tuple[Any, ...]:
    parts = _of(tuple, value, list)
    each = inner[:1] * len(parts) if inner[1:] == (...,) else inner
    if len(each) != len(parts):
        raise Unrestorable(f"{len(parts)} values are not {len(each)}")
    return tuple(restored(kind, part) for kind, part in zip(each, parts, strict=True))


def _mapping(value: Any, inner: tuple[Any, ...]) -> dict[str, Any]:
    return {name: restored(inner[1], part) for name, part in _of(dict, value, dict).items()}


def _array(value: Any, inner: tuple[Any, ...]) -> np.ndarray[Any, Any]:
    kind = get_args(inner[1])[0]
    try:
        return np.array(_of(np.ndarray, value, list), dtype=kind)
    except (TypeError, ValueError, OverflowError) as error:  # of another shape or type, too large
        raise Unrestorable(f"an array of {kind.__name__}: {error}") from None


def _any(value: Any, inner: tuple[Any, ...]) -> Any:
    """The first of several types that a value is of; None is itself where it is one of them."""
    if value is None and type(None) in inner:
        return None
    for kind in inner:
        try:
            return restored(kind, value)
        except Unrestorable:
            continue
    raise Unrestorable(f"{type(value).__name__} is none of {inner}")


def _literal(value: Any, inner: tuple[Any, ...]) -> Any:
    if value not in inner:
        raise Unrestorable(f"{value!r} is none of {inner}")
    return value


_MAKERS: dict[Any, Callable[[Any, tuple[Any, ...]], Any]] = {
    tuple: _tuple,
    dict: _mapping,
    Mapping: _mapping,
    np.ndarray: _array,
    Union: _any,
    types.UnionType: _any,
    Literal: _literal,
}
