"""Flags of criteria: one for each parameter that a criterion declares."""

from __future__ import annotations

import argparse
from typing import Any, get_args, get_origin

from cranfield.base.checking.spelling import split_list, write_value
from cranfield.base.decisions import Decision
from cranfield.base.options import find, parameters, written

_MOST = 6
"""Members of a default that a text of help shows; of a longer list, the ends."""
_LONGEST = 15
"""Letters of a default that a text of help shows; a number with more is rounded."""


def criterion_flags(parser: argparse.ArgumentParser, criterion: str) -> None:
    """Add the flags of one criterion; what is not given is None, so that its default holds."""
    for decision in parameters(find("criterion", criterion)):
        name, text = written(decision.name), f"{_help(decision)} ({_default(decision.default)})"
        listed = get_origin(decision.type) is tuple
        words = get_args(get_args(decision.type)[0]) if listed else decision.answers
        flag = f"--{name.replace('_', '-')}"
        if decision.type is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, help=text)
        elif listed and words:
            parser.add_argument(
                flag.removesuffix("s"), action="append", dest=name, choices=words,
                help=f"{text}; repeatable",
            )  # fmt: skip
        elif words:
            parser.add_argument(flag, choices=words, help=text)
        else:
            kind = _numbers if listed else decision.type
            metavar = "X,…" if listed else "N" if decision.type is int else "X"
            parser.add_argument(flag, type=kind, metavar=metavar, help=text)


def criterion_table(arguments: argparse.Namespace) -> dict[str, object]:
    """The criterion with the parameters that were given."""
    names = [written(each.name) for each in parameters(find("criterion", arguments.criterion))]
    given = {name: getattr(arguments, name) for name in names}
    asked = {name: value for name, value in given.items() if value is not None}
    return {"name": arguments.criterion, **asked}


def _help(decision: Decision) -> str:
    text = decision.text[0].lower() + decision.text[1:].rstrip(".")
    return text.replace("%", "%%")


def _default(value: object) -> str:
    """A default as readers see it; of a long list, its ends.

    >>> _default((1.0, 0.95)), _default(tuple(range(9))), _default(2 / 3)
    ('1, 0.95', '0, 1, …, 8', 'about 0.667')
    """
    if not isinstance(value, tuple):
        shown = write_value(value)
        return shown if len(shown) <= _LONGEST else f"about {value:.3f}"
    members = [write_value(each) for each in value]
    return ", ".join(members if len(members) <= _MOST else [*members[:2], "…", members[-1]])


def _numbers(text: str) -> list[object]:
    """Numbers that are parted by commas; what is none stays for the criterion to refuse."""
    return [_number(word) for word in split_list(text)]


def _number(word: str) -> Any:
    """A share, also in per cent, or the word as it stands.

    >>> _number("50%"), _number("0.5"), _number("half")
    (0.5, 0.5, 'half')
    """
    text = word.strip()
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return text
