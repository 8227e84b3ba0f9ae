"""The grammar of options: ``Name(parameter=value, …)@cutoff``, read and written.

A value is a number, a word, text in double quotes, ``true``, ``false``, ``none``, a list
``[a, b]``, a table ``{1: 0, 5: 1}``, or another option. Reading what was written gives
the same again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TypeVar

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadSpelling

T = TypeVar("T")

_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([^\s"(),=@\[\]{}:]+)|([(),=@\[\]{}:]))')
_QUOTED_OR_ONE = re.compile(r'"(?:[^"\\]|\\.)*"|.', re.DOTALL)
_BARE = re.compile(r"[^\s\"(),=@\[\]{}:]+")
_EXACT = 1e15
"""Whole floats below this are written without a decimal point."""

_KEYWORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}
_WHOLE = re.compile(r"0|-?[1-9][0-9]*")
_DECIMAL = re.compile(
    r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|nan)", re.IGNORECASE
)
_APART = frozenset(".=\"'\\")
"""What a step of a path can hold only in quotes."""
DEEPEST = 32
"""Levels of brackets beyond which a text is no option."""
_LEADING_ZEROS = re.compile(r"[+-]?0[0-9]+")


class Verbatim(str):
    """Text that the grammar reads as it stands, brackets and all, such as ``column(age)``."""

    __slots__ = ()


@dataclass(frozen=True)
class Spelled:
    """An option as spelled: its name and what was given, not yet checked."""

    name: str
    positional: tuple[object, ...] = ()
    named: Mapping[str, object] = field(default_factory=dict)
    cutoff: object = None

    def __str__(self) -> str:
        return write_spelling(self.name, self.named, self.cutoff, self.positional)


def read_spelling(text: str) -> Spelled:
    """The option that a text spells.

    >>> read_spelling("nDCG(gain=exponential)@10")
    Spelled(name='nDCG', positional=(), named={'gain': 'exponential'}, cutoff=10)
    """
    reader = _Reader(text)
    spelled = reader.option()
    reader.end()
    return spelled


def write_spelling(
    name: str,
    given: Mapping[str, object],
    cutoff: object = None,
    positional: tuple[object, ...] = (),
) -> str:
    """The text that spells an option.

    >>> write_spelling("P", {"relevance": 4.0}, 10)
    'P(relevance=4)@10'
    """
    named = (f"{key}={write_value(value)}" for key, value in given.items())
    inside = ", ".join([*map(write_value, positional), *named])
    return f"{name}{f'({inside})' if inside else ''}{'' if cutoff is None else f'@{cutoff}'}"


def write_value(value: object) -> str:
    """One value as the grammar reads it; an option writes itself."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    if isinstance(value, str):
        whole = isinstance(value, Verbatim) or _is_bare(value)
        return str(value) if whole else json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(write_value, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{write_value(k)}: {write_value(v)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))  # as users write it; the parameter's type makes it a float again
    return str(value)


def read_value(word: str) -> object:
    """What one word says: a keyword, a number, or else text.

    Leading zeros make it text, such as an id.

    >>> read_value("0.5"), read_value("half"), read_value("007")
    (0.5, 'half', '007')
    """
    if word.lower() in _KEYWORDS:
        return _KEYWORDS[word.lower()]
    if _WHOLE.fullmatch(word):
        return int(word) if len(word) < 1000 else word
    return float(word) if _DECIMAL.fullmatch(word) and not _LEADING_ZEROS.fullmatch(word) else word


def split_list(text: str) -> list[str]:
    """The parts of a list of options: cut at commas outside brackets and quotes.

    >>> split_list("all-items, sampled(n=100, per=user)")
    ['all-items', 'sampled(n=100, per=user)']
    """
    parts, depth, start = [], 0, 0
    for found in _QUOTED_OR_ONE.finditer(text):
        depth += (found.group() in set("([{")) - (found.group() in set(")]}"))
        if found.group() == "," and depth == 0:
            parts.append(text[start : found.start()].strip())
            start = found.end()
    return [*parts, text[start:].strip()]


def path_step(step: str) -> str:
    """One step of a path into a table; one that holds dots or quotes stands in quotes."""
    if step and step == step.strip() and step.isprintable() and not _APART & set(step):
        return step
    return json.dumps(step, ensure_ascii=False).replace("\x7f", "\\u007f")


def is_word(text: str) -> bool:
    """Whether text is one word of the grammar, as names must be."""
    return bool(_BARE.fullmatch(text))


def _is_bare(word: str) -> bool:
    """Whether text can stand without quotes and is read back as text."""
    return is_word(word) and isinstance(read_value(word), str)


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0

    def peek(self) -> tuple[str, int]:
        """The next token and where it ends; an empty token at the end."""
        found = _TOKEN.match(self.text, self.position)
        return (found.group().strip(), found.end()) if found else ("", self.position)

    def take(self, wanted: str) -> bool:
        """Step over a token if it is the wanted one."""
        token, end = self.peek()
        if token == wanted:
            self.position = end
        return token == wanted

    def expect(self, wanted: str) -> None:
        """Step over a token that must be there."""
        if not self.take(wanted):
            raise BadSpelling(self.text, self.position, f'"{wanted}"')

    def end(self) -> None:
        """Nothing may follow."""
        if self.text[self.position :].strip():
            raise BadSpelling(self.text, self.position, "the end")

    def word(self, what: str) -> str:
        """A bare word."""
        token, end = self.peek()
        if not _BARE.fullmatch(token):
            raise BadSpelling(self.text, self.position, what)
        self.position = end
        return token

    def option(self) -> Spelled:
        """A name, perhaps parameters, perhaps a cut-off."""
        return self.rest_of_option(self.word("a name"))

    def rest_of_option(self, name: str) -> Spelled:
        """What follows an option's name."""
        positional: list[object] = []
        named: dict[str, object] = {}
        if self.take("(") and not self.take(")"):
            while True:
                self.argument(positional, named)
                if self.take(")"):
                    break
                self.expect(",")
        cutoff = read_value(self.word("a cut-off")) if self.take("@") else None
        return Spelled(name, tuple(positional), named, cutoff)

    def argument(self, positional: list[object], named: dict[str, object]) -> None:
        """A value, or a parameter with its value."""
        start = self.position
        value = self.value()
        if isinstance(value, str) and self.take("="):
            if value in named:
                raise BadSpelling(self.text, start, f'"{value}" only once')
            named[value] = self.value()
        elif named:
            raise BadSpelling(self.text, start, "parameter=value")
        else:
            positional.append(value)

    def value(self) -> object:
        """Any value of the grammar."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadSpelling(self.text, self.position, f"at most {DEEPEST} levels of brackets")
        found = self.value_here()
        self.depth -= 1
        return found

    def value_here(self) -> object:
        """Any value of the grammar, at the level of brackets that is open."""
        if self.take("["):
            return self.items("]", self.value)
        if self.take("{"):
            return self.table()
        if self.peek()[0].startswith('"'):
            return self.quoted()
        word = self.word("a value")
        follows = self.peek()[0]
        return self.rest_of_option(word) if follows in ("(", "@") else read_value(word)

    def quoted(self) -> str:
        """Text in double quotes, with the escapes of JSON."""
        token, end = self.peek()
        try:
            text = str(json.loads(token, strict=False))
        except json.JSONDecodeError:
            raise BadSpelling(self.text, self.position, "text with JSON escapes") from None
        self.position = end
        return text

    def table(self) -> dict[object, object]:
        """Entries with distinct keys, after the opening brace."""
        start = self.position
        pairs = self.items("}", self.pair)
        if len(table := dict(pairs)) < len(pairs):
            raise BadSpelling(self.text, start, "each key only once")
        return table

    def pair(self) -> tuple[object, object]:
        """One entry of a table."""
        if self.peek()[0].startswith('"'):
            key: object = self.quoted()
        else:
            key = read_value(self.word("a key"))
        self.expect(":")
        return key, self.value()

    def items(self, close: str, item: Callable[[], T]) -> list[T]:
        """Entries up to the closing bracket."""
        found: list[T] = []
        if self.take(close):
            return found
        while True:
            found.append(item())
            if self.take(close):
                return found
            self.expect(",")
