"""The one way to extend: options, found by name, spelled one way everywhere.

An *option* is one answer to a *decision*: a frozen dataclass whose fields are its
parameters, marked ``@option(decision, name)``. What all answers to a decision can do
is a `Protocol` marked ``@contract(decision)``.

>>> from typing import Protocol
>>> @contract("greeting")
... class Greeting(Protocol):
...     '''How a guest is met.'''
>>> @option("greeting", "polite")
... @dataclasses.dataclass(frozen=True, kw_only=True)
... class Polite(Greeting):
...     '''Says good day, several times.'''
...     times: int = parameter(1, "How often it is said.", at_least=1)
>>> str(parse("greeting", "Polite(times=3)"))
'polite(times=3)'
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar, cast, get_args

from cranfield.base.checking.ranges import TUNE
from cranfield.base.checking.spelling import Spelled, is_word, read_spelling, write_value
from cranfield.base.checking.values import Place, all_of, makers
from cranfield.base.decisions import (
    Decision,
    check,
    declared_range,
    fold,
    parameter,
    parameters,
    written,
)
from cranfield.base.errors import (
    BadDecisions,
    OptionError,
    UnknownDecision,
    UnknownOption,
    counted,
)
from cranfield.base.written_options import is_option, spell, spell_fully, to_table, typed_name

__all__ = [
    "Decision",
    "contract",
    "contract_of",
    "decisions",
    "describe",
    "find",
    "fold",
    "from_table",
    "fulfils",
    "is_option",
    "is_tunable",
    "load_later",
    "option",
    "options",
    "parameter",
    "parameters",
    "parse",
    "spell",
    "spell_fully",
    "to_table",
    "typed_name",
    "written",
]

C = TypeVar("C", bound=type)

_contracts: dict[str, type] = {}
_options: dict[str, dict[str, type]] = {}
_names: dict[str, dict[str, str]] = {}
"""For each decision: folded name or alias → the option's name."""
_later: dict[str, Callable[[], object]] = {}
"""For some decisions: what loads their options."""
_tunable: set[str] = set()
"""The decisions whose options may be given ranges in place of parameters."""


def contract(decision: str, *, tunable: bool = False) -> Callable[[C], C]:
    """Mark a Protocol as what every answer to a decision can do.

    Parameters of ``tunable`` ones can be given ranges, from which an experiment chooses.
    """
    _tunable.update([decision] if tunable else [])

    def mark(cls: C) -> C:
        _contracts[decision] = cls
        makers[cls] = partial(_given, decision)
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
        _refuse_unfit(cls)
        _enter(cls, decision, name, aliases)
        marked = cast(Any, cls)
        marked.decision, marked.option_name, marked.option_aliases = decision, name, aliases
        check(cls, name, tunable=decision in _tunable)
        for known in (each for each in dataclasses.fields(cls) if each.metadata.get(TUNE)):
            if declared_range(cls, known.name) is None:
                raise TypeError(f"{name}, {known.name}: parameters of a {decision} are not tuned")
        marked.__str__ = spell
        return cls

    return mark


def _refuse_unfit(cls: type) -> None:
    """Tell an author of options what a class lacks."""
    made = vars(cls).get("__dataclass_params__")
    if made is None or not made.frozen:
        raise TypeError(f"{cls.__name__}: put @option above @dataclass(frozen=True, kw_only=True)")
    if any(written(field.name) == "name" for field in dataclasses.fields(cast(Any, cls))):
        raise TypeError(
            f"{cls.__name__}: a table's name is the option; give the parameter another name"
        )


def _enter(cls: type, decision: str, name: str, aliases: tuple[str, ...]) -> None:
    """Note the names of an option, unless another has one of them."""
    names, classes = _names[decision], _options[decision]
    for spelled in (name, *aliases):
        if not is_word(spelled):
            raise ValueError(f"{spelled!r} cannot be spelled: a name is one word")
        holder = classes.get(names.get(fold(spelled), ""), cls)
        if (holder.__module__, holder.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ValueError(f"two options of {decision} are called {spelled!r}")
    names.update({fold(spelled): name for spelled in (name, *aliases)})
    classes[name] = cls


def decisions() -> list[str]:
    """Names of all decisions, in the order in which they were declared."""
    return list(_contracts)


def options(decision: str) -> dict[str, type]:
    """All answers to a decision by name."""
    if decision not in _contracts:
        raise UnknownDecision(decision, _contracts)
    if load := _later.pop(decision, None):
        load()
    return dict(_options[decision])


def load_later(decision: str, load: Callable[[], object]) -> None:
    """Have the options of a decision loaded when one of them is first looked for."""
    _later[decision] = load


def is_tunable(decision: str) -> bool:
    """Whether parameters of the options of a decision can be given ranges."""
    return decision in _tunable


def contract_of(hint: Any) -> str | None:
    """The decision whose options a type declares: alone, in a list, in a table, or none.

    >>> contract_of(tuple[int, ...]) is None
    True
    """
    if isinstance(hint, type):
        return next((name for name, cls in _contracts.items() if cls is hint), None)
    return next((found for each in get_args(hint) if (found := contract_of(each))), None)


def describe(decision: str) -> str:
    """What a decision is about: the first line of its contract."""
    options(decision)
    return (_contracts[decision].__doc__ or "").strip().partition("\n")[0]


def parse(decision: str, text: str) -> Any:
    """The option that a text spells, such as ``nDCG(gain=exponential)@10``."""
    return _build(decision, read_spelling(text))


def from_table(decision: str, table: str | Mapping[str, object]) -> Any:
    """The option that a TOML value holds: text, or a table with its ``name`` and parameters."""
    if isinstance(table, str):
        return parse(decision, table)
    given = dict(table) if isinstance(table, Mapping) else {}
    name = given.pop("name", None)
    if not isinstance(name, str):
        raise BadDecisions(decision, [("", "a table needs a name, as in { name = … }.")])
    return _make(decision, name, given)


def fulfils(decision: str, value: object) -> bool:
    """Whether an object has the methods of a contract, so that it can stand for an option."""
    public = {name: each for name, each in vars(_contracts[decision]).items() if name[0] != "_"}
    methods = [name for name, each in public.items() if callable(each)]
    return bool(methods) and all(callable(getattr(value, name, None)) for name in methods)


def find(decision: str, name: str) -> type:
    """The class of the option that has a name or alias."""
    known = options(decision)
    canonical = _names[decision].get(fold(name))
    if canonical is None:
        raise UnknownOption(decision, name, known)
    return known[canonical]


def _given(decision: str, value: Any, place: Place) -> Any:
    """An option from itself, its spelling or its table; else an object that can do the same.

    A word such as ``none`` is read as a value before it is known to name an option.
    """
    if getattr(value, "decision", None) == decision:
        return value
    if isinstance(value, Spelled):
        made = partial(_build, decision, value)
    elif isinstance(value, str | Mapping):
        made = partial(from_table, decision, value)
    elif value is None or isinstance(value, bool | int | float):
        made = partial(_make, decision, write_value(value), {})
    elif not is_option(value) and fulfils(decision, value):
        return value
    else:
        raise place.refuse(value, f"a {decision}")
    return all_of(place.title, [(place.path, made)])[0]


def _build(decision: str, spelled: Spelled) -> Any:
    given: dict[str, object] = dict(spelled.named)
    if spelled.cutoff is not None:
        if "cutoff" in given:
            raise OptionError(f"{spelled}, cutoff: given twice.")
        given["cutoff"] = spelled.cutoff
    return _make(decision, spelled.name, given, spelled.positional)


def _make(
    decision: str, name: str, given: Mapping[str, object], positional: tuple[object, ...] = ()
) -> Any:
    cls = find(decision, name)
    title, known = cast(Any, cls).option_name, parameters(cls)
    everything = decision in _tunable and positional[:1] == (TUNE,)
    positional = positional[1:] if everything else positional
    names = {fold(alias): p.name for p in known for alias in (p.name, *p.aliases)}
    arguments = dict(zip((p.name for p in known), positional, strict=False))
    if len(positional) > len(known):
        most = counted(len(known), "parameter")
        raise OptionError(f"{title} has {most}, and {len(positional)} values are given.")
    for key, value in given.items():
        field = names.get(fold(key), key)  # an unknown one is refused by the class
        if field in arguments:
            raise OptionError(f"{title}, {key}: given twice.")
        arguments[field] = value
    if everything:
        arguments = {**_declared_ranges(cls), **arguments}
    made = cls(**arguments)
    alias = next((each for each in cast(Any, cls).option_aliases if fold(each) == fold(name)), None)
    if alias and fold(alias) != fold(title):
        object.__setattr__(made, "_typed_name", alias)  # no parameter: equal whatever it is
    return made


def _declared_ranges(cls: type) -> dict[str, object]:
    """All that an option declares to be worth tuning, by parameter."""
    found: dict[str, object] = {each.name: TUNE for each in parameters(cls) if each.tune}
    if not found:
        name = cast(Any, cls).option_name
        raise OptionError(f"{name} declares nothing to tune. Give ranges, as in k=tune(10..500).")
    return found
