"""Decisions: the one checker of every decision, wherever it comes from.

A decision is a field of a frozen dataclass, declared by its type and by `parameter`: an
option of a contract, a word of a closed list, a number within bounds, a table. All that
others know of it follows from the declaration: what a keyword, a flag or a file may say,
what is recorded, and what a message lists.

>>> @decisions("tea")
... @dataclasses.dataclass(frozen=True, kw_only=True)
... class Tea:
...     '''How tea is made.'''
...     milk: Literal["none", "first", "last"] = parameter("none", "When milk is added.")
...     minutes: float = parameter(3, "How long it draws.", above=0)
>>> Tea(milk="frist")
Traceback (most recent call last):
...
cranfield.base.errors.BadParameter: tea, milk: "frist" is not one of "none", first, last. ...
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from cranfield.base.checking.equality import equal, hashed
from cranfield.base.checking.ranges import TUNE, is_tuned, read_range
from cranfield.base.checking.values import Bounds, Place, Table, all_of, convert, makers
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadDecisions, MissingParameter, OptionError, UnknownParameter

__all__ = [
    "Bounds", "Decision", "Table", "check", "decisions", "declared", "declared_range",
    "default_of", "fold",
    "is_decisions", "is_table", "parameter", "parameters", "written",
]  # fmt: skip

C = TypeVar("C", bound=type)
Read = Callable[[Any], Any]
"""Makes a value from what was given, where the declared type alone does not say how."""

_checkers: dict[type, _Checker] = {}


@dataclass(frozen=True)
class Decision:
    """What a user may know of one decision or parameter.

    ``texts`` explain the words of a closed list, ``code`` is that of the papers (A1 to D),
    ``path`` leads to the decision from the outermost table, ``none`` is the word that says
    None, ``flag`` the name on the command line where it differs, ``owner`` the class that
    declares it, and ``tune`` the range worth trying, as it stands inside ``tune(…)``.
    """

    name: str
    type: Any
    default: object
    text: str = ""
    bounds: Bounds = field(default_factory=Bounds)
    aliases: tuple[str, ...] = ()
    code: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    none: str = ""
    read: Read | None = None
    flag: str = ""
    path: str = ""
    owner: Any = None
    tune: str = ""

    @property
    def required(self) -> bool:
        """Whether the decision has no default."""
        return self.default is dataclasses.MISSING

    @property
    def answers(self) -> tuple[Any, ...]:
        """The words of a closed list; empty where the list is not closed."""
        literal = [each for each in _members(self.type) if get_origin(each) is Literal]
        return tuple(word for each in literal for word in get_args(each))

    def check(self, value: Any) -> Any:
        """A value as declared: converted and within the bounds, or refused."""
        return _checkers[self.owner].one(self, value)


def parameter(
    default: Any = dataclasses.MISSING,
    text: str = "",
    *,
    above: float | None = None,
    below: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    aliases: tuple[str, ...] = (),
    **more: Any,
) -> Any:
    """A field: its default, what it means, and the values it can take.

    ``more`` are further parts of its `Decision`: code, texts, none, flag, read, tune.
    """
    bounds = Bounds(above=above, below=below, at_least=at_least, at_most=at_most)
    metadata = {"text": text, "bounds": bounds, "aliases": aliases, **more}
    return dataclasses.field(default=default, metadata=metadata)


def parameters(cls: type) -> tuple[Decision, ...]:
    """The parameters of an option, or the decisions of a class, as they were declared."""
    return _parameters(cast(Any, cls))


@functools.cache
def _parameters(cls: Any) -> tuple[Decision, ...]:
    hints = get_type_hints(cls)
    known = {each.name for each in dataclasses.fields(Decision)}
    found = []
    for each in (each for each in dataclasses.fields(cls) if each.init):
        parts = {key: part for key, part in each.metadata.items() if key in known}
        default = _default(each)
        found.append(
            Decision(each.name, hints[each.name], default, path=each.name, owner=cls, **parts)
        )
    return tuple(found)


def _default(declared: dataclasses.Field[Any]) -> object:
    if declared.default_factory is dataclasses.MISSING:
        return declared.default
    return declared.default_factory()


def declared(cls: type, path: str = "") -> tuple[Decision, ...]:
    """All decisions of a class, those of inner tables by their path (``comparison.alpha``)."""
    return tuple(_leaves(cls, path))


def _leaves(cls: type, path: str) -> Iterator[Decision]:
    for each in parameters(cls):
        place = f"{path}.{written(each.name)}" if path else written(each.name)
        inner = next((kind for kind in _members(each.type) if is_table(kind)), None)
        if inner is None or each.required:
            yield dataclasses.replace(each, path=place)
        else:
            yield from _leaves(inner, place)


def is_decisions(chosen: Any) -> bool:
    """Whether a value is a table of decisions, rather than an option or a plain value."""
    return is_table(type(chosen))


def is_table(hint: Any) -> bool:
    """Whether a type is a class of decisions, which is given as a table."""
    return isinstance(hint, type) and hint in _checkers and _checkers[hint].what == "decision"


def _members(hint: Any) -> tuple[Any, ...]:
    """A type, or those of which it is one."""
    return get_args(hint) if get_origin(hint) not in (None, Literal, tuple, Mapping) else (hint,)


def decisions(title: str, **more: Any) -> Callable[[C], C]:
    """Make a frozen dataclass check its decisions whenever one is made, also by `replace`.

    ``title`` is what messages call it; ``more`` is that of `check`. Two are equal if all
    decisions are; a table or model made in Python is equal to itself alone.
    """

    def mark(cls: C) -> C:
        check(cls, title, what="decision", **more)
        makers[cls] = partial(_from_table, cls)
        marked = cast(Any, cls)
        if marked.__dataclass_params__.eq:
            marked.__eq__, marked.__hash__ = equal, hashed
        return cls

    return mark


def check(cls: type, title: str, **more: Any) -> None:
    """Let a dataclass convert and check all that it is given before it is made.

    ``what`` its fields are is said in messages. ``listed`` tells that ``cranfield options``
    lists the answers, ``renamed`` what became of decisions that it had once. ``prepare`` is
    called with what is given before any of it is read. ``tunable`` fields may be given ranges.
    """
    checker = _checkers[cls] = _Checker(cls, title, **more)
    marked = cast(Any, cls)
    init = marked.__init__

    @functools.wraps(init)
    def initialise(self: Any, *args: object, **given: object) -> None:
        if args:  # also refuses more than the class takes
            bound = _signature(init).bind_partial(self, *args)
            given |= dict(list(bound.arguments.items())[1:])
        init(self, **checker.checked(given))

    marked.__init__ = initialise


_signature = functools.cache(inspect.signature)


def declared_range(cls: type, name: str) -> Any:
    """The range that a parameter declares to be worth tuning over; None if it declares none."""
    known = next(each for each in parameters(cls) if each.name == name)
    return _checkers[cls].one(known, TUNE) if known.tune and _checkers[cls].tunable else None


def default_of(cls: type, name: str) -> Any:
    """A default as the class holds it; it may be declared by its spelling."""
    return _checkers[cls].default(name)


@dataclass(frozen=True, eq=False)
class _Checker:
    """Checks all that a class is given, by its declarations."""

    cls: type
    title: str
    what: str = "parameter"
    listed: bool = False
    renamed: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[Mapping[str, object]], object] = len
    tunable: bool = False

    def checked(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Every value as declared: converted, within its bounds, or the default."""
        self.prepare(given)
        known = {each.name: each for each in parameters(self.cls)}
        names = list(dict.fromkeys((*given, *known)))
        made = (("", partial(self._value, name, known, given)) for name in names)
        return dict(zip(names, all_of(self.title, made), strict=True))

    def _value(self, name: str, known: Mapping[str, Decision], given: Mapping[str, object]) -> Any:
        if name in self.renamed:
            raise OptionError(self.renamed[name]).within(name)
        if name not in known:
            raise UnknownParameter(self.title, name, map(written, known), what=self.what)
        if name in given:
            return self.one(known[name], given[name])
        if known[name].required and self.what == "decision":
            text = known[name].text
            raise BadDecisions(
                self.title, [(name, f"it must be given: {text[:1].lower()}{text[1:]}")]
            )
        if known[name].required:
            raise MissingParameter(self.title, written(name), known[name].text)
        return self.default(name)

    @functools.cache  # noqa: B019  (one checker per class, for as long as the class)
    def default(self, name: str) -> Any:
        """A default as the class holds it."""
        known = next(each for each in parameters(self.cls) if each.name == name)
        return self.one(known, known.default)

    def one(self, known: Decision, value: Any) -> Any:
        """One value as declared."""
        path = written(known.name)
        if self.tunable and is_tuned(value):
            check = partial(self.one, known)
            return read_range(value, known.tune, check, Place(self.title, path))
        if known.none and (value is None or (isinstance(value, str) and value == known.none)):
            return None
        if known.read is not None:
            return all_of(self.title, [(path, partial(known.read, value))])[0]
        closed = self.listed and known.answers
        listing = f" `cranfield options {path}` explains them." if closed else ""
        return convert(value, known.type, known.bounds, Place(self.title, path, listing))


def _from_table(cls: Any, value: Any, place: Place) -> Any:
    """Decisions from a table of them, or as they are."""
    if isinstance(value, cls):
        return value
    if not isinstance(value, Mapping):
        names = ", ".join(sorted(written(each.name) for each in parameters(cls)))
        raise place.refuse(value, f"a table of {names}")
    given = {str(name): each for name, each in value.items()}
    return all_of(place.title, [(place.path, partial(cls, **given))])[0]


def fold(name: str) -> str:
    """A name without what users type differently: case, hyphens, underscores, blanks."""
    return "".join(c for c in name.casefold() if c not in "-_ ")


def written(field: str) -> str:
    """A field's name as users write it: ``as_`` is written ``as``."""
    return field.rstrip("_")
