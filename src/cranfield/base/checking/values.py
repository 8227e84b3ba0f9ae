"""Values: what was given, made into what was declared, or refused in words."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from cranfield.base.checking.spelling import path_step, read_value, write_value
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadDecisions, BadParameter, CranfieldError, near

T = TypeVar("T")

MOST = 2**63
"""Whole numbers stay below this one in size, so that they fit 64 bits."""


@dataclass(frozen=True)
class Place:
    """What a value is for: the option or experiment, and the path in it, for messages.

    ``listing`` is how a user lists the answers, where there is a way.
    """

    title: str
    path: str
    listing: str = ""

    def at(self, step: str) -> Place:
        """A member of a list or table that stands here."""
        return replace(self, path=f"{self.path}{step}")

    def refuse(self, value: object, wanted: str, hint: str = "") -> BadParameter:
        """The error that a value does not fit here."""
        return BadParameter(self.title, self.path, value, wanted, hint=hint)


makers: dict[Any, Callable[[Any, Place], Any]] = {}
"""For each contract and each class of decisions: what makes one from what was given."""


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
        if self.at_least is not None and self.at_most is not None:
            return f"from {self.at_least:.15g} to {self.at_most:.15g}"
        most = "at most" if self.above is not None else "of at most"
        words = {"above": self.above, "of at least": self.at_least}
        words |= {"below": self.below, most: self.at_most}
        return " and ".join(f"{word} {end:.15g}" for word, end in words.items() if end is not None)


def convert(value: Any, hint: Any, bounds: Bounds, place: Place) -> Any:
    """A value as its declared type, or a `BadParameter` that says what would do."""
    if hint is Any:
        return value
    if hint in makers:
        return makers[hint](value, place)
    origin = get_origin(hint)
    if origin is Literal:
        return _word(value, get_args(hint), place)
    if origin is None:
        return _scalar(value, hint, bounds, place)
    return _COMPOUND[origin](value, get_args(hint), bounds, place)


def all_of(title: str, made: Iterable[tuple[str, Callable[[], T]]]) -> list[T]:
    """What every function makes; if several refuse, one error with the problems of all.

    Each comes with its path, empty where its error has the whole path already.
    """
    values: list[T] = []
    errors: list[CranfieldError] = []
    for path, make in made:
        try:
            values.append(make())
        except CranfieldError as error:
            errors.append(error.within(path))
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise BadDecisions(title, [each for error in errors for each in error.problems])
    return values


def _one_of(value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place) -> Any:
    """The first member of a union that the value fits; TOML can say none only as text."""
    if value is None and NoneType in hints:
        return None
    members = [hint for hint in hints if hint is not NoneType]
    for hint in members[:-1]:
        try:
            return convert(value, hint, bounds, place)
        except BadParameter:
            continue
    try:
        return convert(value, members[-1], bounds, place)
    except CranfieldError:
        if isinstance(value, str) and value == "none" and NoneType in hints:
            return None
        raise


def _word(value: Any, words: tuple[Any, ...], place: Place) -> Any:
    """The word itself; one that reads as a keyword or number needs no quotes."""
    for word in () if _is_table(value) else words:
        if value == word and isinstance(value, bool) == isinstance(word, bool):
            return word
        if isinstance(word, str) and write_value(value) == word:
            return word
    hint = near(value, map(str, words)) if isinstance(value, str) else ""
    raise place.refuse(
        value, f"one of {', '.join(map(write_value, words))}", f"{hint}{place.listing}"
    )


def _is_table(value: Any) -> bool:
    """Whether a value is a list or a table, whose comparison with a word has no answer."""
    several = hasattr(value, "__len__") or hasattr(type(value), "columns")
    return several and not isinstance(value, str)


def _several(value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place) -> tuple[Any, ...]:
    """Any number of members of one type, or as many as there are types."""
    listed = isinstance(value, list | tuple)
    members = value if listed else [value]
    if Ellipsis in hints:
        hints = hints[:1] * len(members)
    elif len(members) != len(hints):
        given = write_value(list(members)) if listed else value
        numbers = " numbers" if {int, float}.issuperset(hints) else ""
        raise place.refuse(given, f"a list of {len(hints)}{numbers}")
    places = [place.at(f"[{number}]") if listed else place for number in range(len(members))]
    triples = zip(members, hints, places, strict=True)
    made = [partial(convert, member, hint, bounds, at) for member, hint, at in triples]
    return tuple(all_of(place.title, (("", make) for make in made)))


def _table(value: Any, hints: tuple[Any, ...], bounds: Bounds, place: Place) -> Table:
    if not isinstance(value, Mapping):
        raise place.refuse(value, "a table, such as {1: 0, 5: 1}")
    key, entry = hints

    def made(k: Any, v: Any) -> tuple[Any, Any]:
        inner = place.at(f".{path_step(str(k))}")
        return _key(k, key, place), convert(v, entry, bounds, inner)

    table = Table(all_of(place.title, (("", partial(made, *pair)) for pair in value.items())))
    if len(table) < len(value):
        raise place.refuse(write_value(value), "a table in which each key occurs once")
    return table


_COMPOUND: dict[Any, Callable[..., Any]] = {
    Union: _one_of,
    UnionType: _one_of,
    tuple: _several,
    dict: _table,
    Mapping: _table,
}


def _key(value: Any, hint: Any, place: Place) -> Any:
    """A key as its declared type; TOML and JSON have keys of text only, also for numbers."""
    if isinstance(value, str) and hint is not str:
        value = read_value(value)
    return convert(value, hint, Bounds(), place)


def _scalar(value: Any, hint: Any, bounds: Bounds, place: Place) -> Any:
    if hint is str:
        return _text(value, place)
    if hint is bool:
        return _word(value, (True, False), place)
    if hint in (int, float):
        return _number(value, hint, bounds, place)
    if not isinstance(value, hint):
        raise place.refuse(value, f"a {hint.__name__}")
    return value


def _text(value: Any, place: Place) -> str:
    """Text; of other values, those that were surely typed as they are written."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | numbers.Integral):
        return write_value(value)
    raise place.refuse(value, "text; put it in double quotes")


def _number(value: Any, hint: type, bounds: Bounds, place: Place) -> int | float:
    wanted = f"{'a whole number' if hint is int else 'a number'} {bounds}".rstrip()
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise place.refuse(value, wanted)
    try:
        number: int | float = hint(value)
    except (ValueError, OverflowError):  # no whole number, or beyond all floats
        raise place.refuse(value, wanted) from None
    if isinstance(number, int) and abs(number) >= MOST:
        raise place.refuse(value, f"{wanted}, smaller than 2^63 in size")
    if not math.isfinite(number):
        raise place.refuse(value, wanted.replace("a number", "a finite number", 1))
    if (hint is int and number != value) or not bounds.hold(number):
        raise place.refuse(value, wanted)
    return number
