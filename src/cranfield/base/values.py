"""Values of parameters: what was given, made into what was declared, or refused in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from cranfield.base.errors import BadParameter
from cranfield.base.spelling import Spelled, write_spelling

Place = tuple[str, str]
"""The option and the parameter, for messages."""

Nested = Callable[[object, object], Any]
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
        return " and ".join(f"{word} {end:g}" for word, end in words.items() if end is not None)


def convert(value: Any, hint: Any, bounds: Bounds, place: Place, nested: Nested) -> Any:
    """A value as its declared type, or a `BadParameter` that says what would do."""
    if hint is Any:
        return value
    made = nested(hint, value)
    if made is not None:
        return made
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _one_of(value, get_args(hint), bounds, place, nested)
    if origin is Literal:
        return _word(value, get_args(hint), place)
    if origin is tuple:
        return _several(value, get_args(hint)[0], bounds, place, nested)
    if origin in (dict, Mapping):
        return _table(value, get_args(hint), bounds, place, nested)
    return _scalar(value, hint, bounds, place)


def _one_of(value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place, nested: Nested) -> Any:
    """The first member of a union that the value fits."""
    if value is None and NoneType in hints:
        return None
    members = [hint for hint in hints if hint is not NoneType]
    for hint in members[:-1]:
        try:
            return convert(value, hint, bounds, place, nested)
        except BadParameter:
            continue
    return convert(value, members[-1], bounds, place, nested)


def _word(value: Any, words: tuple[Any, ...], place: Place) -> Any:
    if value not in words:
        raise BadParameter(*place, value, f"one of {', '.join(map(str, words))}")
    return value


def _several(value: Any, hint: Any, bounds: Bounds, place: Place, nested: Nested) -> tuple[Any, ...]:
    members = value if isinstance(value, list | tuple) else [value]
    return tuple(convert(member, hint, bounds, place, nested) for member in members)


def _table(
    value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place, nested: Nested
) -> Table:
    if not isinstance(value, Mapping):
        raise BadParameter(*place, value, "a table, such as {1: 0, 5: 1}")
    key, entry = hints
    return Table(
        (convert(k, key, Bounds(), place, nested), convert(v, entry, bounds, place, nested))
        for k, v in value.items()
    )


def _scalar(value: Any, hint: Any, bounds: Bounds, place: Place) -> Any:
    if isinstance(value, Spelled):
        value = write_spelling(value.name, value.named, value.cutoff)
    if hint is str:
        return value if isinstance(value, str) else str(value)
    if hint is bool:
        return _word(value, (True, False), place) is True
    if hint in (int, float):
        return _number(value, hint, bounds, place)
    if not isinstance(value, hint):
        raise BadParameter(*place, value, f"a {hint.__name__}")
    return value


def _number(value: Any, hint: type, bounds: Bounds, place: Place) -> int | float:
    wanted = f"{'a whole number' if hint is int else 'a number'} {bounds}".rstrip()
    if isinstance(value, str) or isinstance(value, bool):
        raise BadParameter(*place, value, wanted)
    try:
        number = hint(value)
    except (TypeError, ValueError, OverflowError):
        raise BadParameter(*place, value, wanted) from None
    if (hint is int and number != value) or not bounds.hold(number):
        raise BadParameter(*place, value, wanted)
    return int(number) if hint is int else float(number)
