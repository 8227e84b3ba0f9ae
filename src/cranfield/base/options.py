"""The one way to extend: options, found by name, spelled one way everywhere.

An *option* is one answer to a *decision*: a frozen dataclass whose fields are its
parameters, marked ``@option(decision, name)``. What all answers to a decision can do
is a `Protocol` marked ``@contract(decision)``.

>>> @contract("greeting")
... class Greeting(Protocol):
...     '''How a guest is met.'''
>>> @option("greeting", "polite")
... @dataclass(frozen=True, kw_only=True)
... class Polite(Greeting):
...     '''Says good day, several times.'''
...     times: int = parameter(1, "How often it is said.", at_least=1)
>>> parse("greeting", "polite(times=3)")
Polite(times=3)
>>> str(parse("greeting", "Polite"))
'polite'
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast, get_type_hints

from cranfield.base.errors import OptionError, UnknownDecision, UnknownOption, UnknownParameter
from cranfield.base.spelling import Spelled, read_spelling, write_spelling
from cranfield.base.values import Bounds, convert

T = TypeVar("T")
C = TypeVar("C", bound=type)

_contracts: dict[str, type] = {}
_options: dict[str, dict[str, type]] = {}
_names: dict[str, dict[str, str]] = {}
"""For each decision: folded name or alias → the option's name."""


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


def contract(decision: str) -> Callable[[C], C]:
    """Mark a Protocol as what every answer to a decision can do."""

    def mark(cls: C) -> C:
        _contracts[decision] = cls
        _options.setdefault(decision, {})
        _names.setdefault(decision, {})
        return cls

    return mark


def option(decision: str, name: str, *, aliases: tuple[str, ...] = ()) -> Callable[[C], C]:
    """Make a frozen dataclass an answer to a decision, found by name or alias.

    The class gets the canonical spelling as its text, and checks its parameters when
    it is made: types are converted (2 to 2.0 for a float), bounds are held.
    """

    def mark(cls: C) -> C:
        if decision not in _contracts:
            raise UnknownDecision(decision, _contracts)
        names = _names[decision]
        for spelled in (name, *aliases):
            if names.get(fold(spelled), name) != name:
                raise ValueError(f"two options of {decision} are called {spelled!r}")
            names[fold(spelled)] = name
        _options[decision][name] = cls
        marked = cast(Any, cls)
        marked.decision, marked.option_name = decision, name
        marked.__init__ = _checked(marked.__init__)
        marked.__str__ = spell
        return cls

    return mark


def _checked(init: Callable[..., None]) -> Callable[..., None]:
    """An ``__init__`` that converts and checks every field once it is set."""

    @functools.wraps(init)
    def initialise(self: Any, *args: object, **kwargs: object) -> None:
        init(self, *args, **kwargs)
        for known in parameters(type(self)):
            place = (self.option_name, written(known.name))
            given = getattr(self, known.name)
            value = convert(given, known.type, known.bounds, place, _nested)
            object.__setattr__(self, known.name, value)

    return initialise


def decisions() -> list[str]:
    """Names of all decisions, in the order in which they were declared."""
    return list(_contracts)


def options(decision: str) -> dict[str, type]:
    """All answers to a decision by name."""
    if decision not in _contracts:
        raise UnknownDecision(decision, _contracts)
    return dict(_options[decision])


def describe(decision: str) -> str:
    """What a decision is about: the first line of its contract."""
    options(decision)
    return (_contracts[decision].__doc__ or "").strip().partition("\n")[0]


@functools.cache
def parameters(cls: type) -> tuple[Parameter, ...]:
    """The parameters of an option, in the order of their declaration."""
    hints = get_type_hints(cls)
    return tuple(
        Parameter(
            field.name,
            hints[field.name],
            field.default,
            field.metadata.get("text", ""),
            field.metadata.get("bounds", Bounds()),
            field.metadata.get("aliases", ()),
        )
        for field in dataclasses.fields(cls)
        if field.init
    )


def parse(decision: str, text: str) -> Any:
    """The option that a text spells, such as ``nDCG(gain=exponential)@10``."""
    return _build(decision, read_spelling(text))


def from_table(decision: str, table: str | Mapping[str, object]) -> Any:
    """The option that a TOML value holds: text, or a table with its ``name`` and parameters."""
    if isinstance(table, str):
        return parse(decision, table)
    given = dict(table)
    name = given.pop("name", None)
    if not isinstance(name, str):
        raise OptionError(f"{decision}: a table needs a name, as in {{ name = … }}.")
    return _make(decision, name, given)


def to_table(chosen: Any) -> dict[str, object]:
    """An option as a table of its name and all its parameters, for records."""
    table: dict[str, object] = {"name": chosen.option_name}
    for known in parameters(type(chosen)):
        value = getattr(chosen, known.name)
        table[written(known.name)] = to_table(value) if is_option(value) else _plain(value)
    return table


def spell(chosen: Any) -> str:
    """The canonical spelling: what differs from the defaults, in order of declaration."""
    given = {
        written(known.name): value
        for known in parameters(type(chosen))
        if (value := getattr(chosen, known.name)) != known.default
    }
    cutoff = given.pop("cutoff", None)
    return write_spelling(chosen.option_name, given, cutoff)


def is_option(value: object) -> bool:
    """Whether a value is an answer to some decision."""
    return hasattr(value, "option_name")


def fold(name: str) -> str:
    """A name without what users type differently: case, hyphens, underscores, blanks."""
    return "".join(c for c in name.casefold() if c not in "-_ ")


def written(field: str) -> str:
    """A field's name as users write it: ``as_`` is written ``as``."""
    return field.rstrip("_")


def find(decision: str, name: str) -> type:
    """The class of the option that has a name or alias."""
    known = options(decision)
    canonical = _names[decision].get(fold(name))
    if canonical is None:
        raise UnknownOption(decision, name, known)
    return known[canonical]


def _nested(hint: object, value: object) -> Any:
    """A nested option from its spelling or table, if the hint is a contract."""
    for decision, protocol in _contracts.items():
        if hint is protocol:
            if isinstance(value, Spelled):
                return _build(decision, value)
            return from_table(decision, value) if isinstance(value, str | Mapping) else value
    return None


def _build(decision: str, spelled: Spelled) -> Any:
    given: dict[str, object] = dict(spelled.named)
    if spelled.cutoff is not None:
        given["cutoff"] = spelled.cutoff
    return _make(decision, spelled.name, given, spelled.positional)


def _make(
    decision: str, name: str, given: Mapping[str, object], positional: tuple[object, ...] = ()
) -> Any:
    cls = find(decision, name)
    known = parameters(cls)
    names = {fold(alias): p.name for p in known for alias in (p.name, *p.aliases)}
    arguments = dict(zip((p.name for p in known), positional, strict=False))
    title = cast(Any, cls).option_name
    if len(positional) > len(known):
        raise UnknownParameter(title, str(positional[-1]), _written(known))
    for key, value in given.items():
        field = names.get(fold(key))
        if field is None:
            raise UnknownParameter(title, key, _written(known))
        if field in arguments:
            raise OptionError(f"{title}, {key}: given twice.")
        arguments[field] = value
    for p in known:
        if p.required and p.name not in arguments:
            raise OptionError(f"{title} needs {written(p.name)}: {p.text or 'it has no default'}")
    return cls(**arguments)


def _written(known: tuple[Parameter, ...]) -> Iterator[str]:
    return (written(p.name) for p in known)


def _plain(value: object) -> object:
    """A parameter's value as TOML and JSON can hold it."""
    if isinstance(value, tuple):
        return [to_table(v) if is_option(v) else _plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    return value
