"""Values of parameters: what was given, made into what was declared, or refused in words."""

from __future__ import annotations

import dataclasses
import functools
import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from cranfield.base.errors import BadParameter
from cranfield.base.spelling import read_value, write_value

Place = tuple[str, str]
"""The option and the parameter, for messages."""

MOST = 2**63
"""Whole numbers stay below this one in size, so that they fit 64 bits."""

Nested = Callable[[object, object, Place], Any]
"""Makes an option from its spelling where a contract is declared; else None."""


class Table(dict[Any, Any]):
    """A table as a parameter's value; never changed once made, so it can be hashed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


@dataclass(frozen=True)
class Bounds:
    """The numbers that a parameter may take."""

    above: float | None = None
    below: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    def hold(self, value: float) -> bool:
        """Whether a number lies within the bounds; NaN never does."""
        return not (
            math.isnan(value)
            or (self.above is not None and not value > self.above)
            or (self.below is not None and not value < self.below)
            or (self.at_least is not None and not value >= self.at_least)
            or (self.at_most is not None and not value <= self.at_most)
        )

    def __str__(self) -> str:
        words = {"above": self.above, "of at least": self.at_least}
        words |= {"below": self.below, "of at most": self.at_most}
        return " and ".join(f"{word} {end:.15g}" for word, end in words.items() if end is not None)


def convert(value: Any, hint: Any, bounds: Bounds, place: Place, nested: Nested) -> Any:
    """A value as its declared type, or a `BadParameter` that says what would do."""
    if hint is Any:
        return value
    made = nested(hint, value, place)
    if made is not None:
        return made
    origin = get_origin(hint)
    if origin is Literal:
        return _word(value, get_args(hint), place)
    if origin is None:
        return _scalar(value, hint, bounds, place)
    compound = _COMPOUND[origin]
    return compound(value, get_args(hint), bounds, place, nested)


def _one_of(
    value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place, nested: Nested
) -> Any:
    """The first member of a union that the value fits; TOML can say none only as text."""
    if value is None and NoneType in hints:
        return None
    members = [hint for hint in hints if hint is not NoneType]
    for hint in members[:-1]:
        try:
            return convert(value, hint, bounds, place, nested)
        except BadParameter:
            continue
    try:
        return convert(value, members[-1], bounds, place, nested)
    except BadParameter:
        if value == "none" and NoneType in hints:
            return None
        raise


def _word(value: Any, words: tuple[Any, ...], place: Place) -> Any:
    """The word itself; one that reads as a keyword or number needs no quotes."""
    for word in words:
        if value == word and isinstance(value, bool) == isinstance(word, bool):
            return word
        if isinstance(word, str) and write_value(value) == word:
            return word
    raise BadParameter(*place, value, f"one of {', '.join(map(write_value, words))}")


def _several(
    value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place, nested: Nested
) -> tuple[Any, ...]:
    """Any number of members of one type, or as many as there are types."""
    members = value if isinstance(value, list | tuple) else [value]
    if Ellipsis in hints:
        hints = hints[:1] * len(members)
    elif len(members) != len(hints):
        raise BadParameter(*place, write_value(list(members)), f"a list of {len(hints)}")
    pairs = zip(members, hints, strict=True)
    return tuple(convert(member, hint, bounds, place, nested) for member, hint in pairs)


def _table(
    value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place, nested: Nested
) -> Table:
    if not isinstance(value, Mapping):
        raise BadParameter(*place, value, "a table, such as {1: 0, 5: 1}")
    key, entry = hints
    table = Table(
        (_key(k, key, place, nested), convert(v, entry, bounds, place, nested))
        for k, v in value.items()
    )
    if len(table) < len(value):
        raise BadParameter(*place, write_value(value), "a table in which each key occurs once")
    return table


_COMPOUND: dict[Any, Callable[..., Any]] = {
    Union: _one_of,
    UnionType: _one_of,
    tuple: _several,
    dict: _table,
    Mapping: _table,
}


def _key(value: Any, hint: Any, place: Place, nested: Nested) -> Any:
    """A key as its declared type; TOML and JSON have keys of text only, also for numbers."""
    if isinstance(value, str) and hint is not str:
        value = read_value(value)
    return convert(value, hint, Bounds(), place, nested)


def _scalar(value: Any, hint: Any, bounds: Bounds, place: Place) -> Any:
    if hint is str:
        return _text(value, place)
    if hint is bool:
        return _word(value, (True, False), place)
    if hint in (int, float):
        return _number(value, hint, bounds, place)
    if not isinstance(value, hint):
        raise BadParameter(*place, value, f"a {hint.__name__}")
    return value


def _text(value: Any, place: Place) -> str:
    """Text; of other values, those that were surely typed as they are written."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | numbers.Integral):
        return write_value(value)
    raise BadParameter(*place, value, "text; put it in double quotes")


def _number(value: Any, hint: type, bounds: Bounds, place: Place) -> int | float:
    wanted = f"{'a whole number' if hint is int else 'a number'} {bounds}".rstrip()
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise BadParameter(*place, value, wanted)
    try:
        number: int | float = hint(value)
    except (ValueError, OverflowError):  # no whole number, or beyond all floats
        raise BadParameter(*place, value, wanted) from None
    if isinstance(number, int) and abs(number) >= MOST:
        raise BadParameter(*place, value, f"{wanted}, smaller than 2^63 in size")
    if not math.isfinite(number):
        raise BadParameter(*place, value, wanted.replace("a number", "a finite number", 1))
    if (hint is int and number != value) or not bounds.hold(number):
        raise BadParameter(*place, value, wanted)
    return number


@dataclass(frozen=True)
class Parameter:
    """What a user may know of one parameter of an option."""

    name: str
    type: Any
    default: object
    text: str
    bounds: Bounds
    aliases: tuple[str, ...]

    @property
    def required(self) -> bool:
        """Whether the parameter must be given."""
        return self.default is dataclasses.MISSING


def parameter(
    default: Any = dataclasses.MISSING,
    text: str = "",
    *,
    above: float | None = None,
    below: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    aliases: tuple[str, ...] = (),
) -> Any:
    """A field of an option: its default, what it means, and the values it can take."""
    bounds = Bounds(above=above, below=below, at_least=at_least, at_most=at_most)
    metadata = {"text": text, "bounds": bounds, "aliases": aliases}
    return dataclasses.field(default=default, metadata=metadata)


def parameters(cls: type) -> tuple[Parameter, ...]:
    """The parameters of an option, in the order of their declaration."""
    return _parameters(cast(Any, cls))


@functools.cache
def _parameters(cls: Any) -> tuple[Parameter, ...]:
    hints = get_type_hints(cls)
    return tuple(
        Parameter(
            field.name,
            hints[field.name],
            _default(field),
            field.metadata.get("text", ""),
            field.metadata.get("bounds", Bounds()),
            field.metadata.get("aliases", ()),
        )
        for field in dataclasses.fields(cls)
        if field.init
    )


def _default(field: dataclasses.Field[Any]) -> object:
    if field.default_factory is dataclasses.MISSING:
        return field.default
    return field.default_factory()


def fold(name: str) -> str:
    """A name without what users type differently: case, hyphens, underscores, blanks."""
    return "".join(c for c in name.casefold() if c not in "-_ ")


def written(field: str) -> str:
    """A field's name as users write it: ``as_`` is written ``as``."""
    return field.rstrip("_")
