"""Paths into a table of decisions: names with dots between them, quoted as TOML does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

from cranfield.base.checking.spelling import path_step
from cranfield.base.errors import OptionError, shown

_QUOTED = r'"(?:[^"\\]|\\.)*"|' + r"'[^']*'"
_STEP = re.compile(rf"\s*({_QUOTED}|[^.]*?)\s*(?:\.|$)")
_CHANGE = re.compile(rf"((?:{_QUOTED}|[^=])*?)=(.*)", re.DOTALL)


def path_steps(path: str) -> tuple[str, ...]:
    """The steps of a path; one that holds dots stands in quotes.

    >>> path_steps("split.test_share"), path_steps('systems."my.model".k')
    (('split', 'test_share'), ('systems', 'my.model', 'k'))
    """
    steps, at = list[str](), 0
    while at <= len(path):
        found = _STEP.match(path, at)
        assert found is not None  # the last alternative matches anything
        steps.append(_unquoted(found[1]))
        at = found.end() if found[0].endswith(".") else len(path) + 1
    if not all(steps):
        raise OptionError(f"{shown(path)} is not a path, such as split.test_share.")
    return tuple(steps)


def path_text(steps: Sequence[str]) -> str:
    """A path whose steps are these.

    >>> path_text(["systems", "my.model", "k"])
    'systems."my.model".k'
    """
    return ".".join(map(path_step, steps))


def inner_path(path: str, key: object) -> str:
    """The path of what a table at a path holds by a name; in no table, a name is a path."""
    return f"{path}.{path_step(str(key))}" if path else str(key)


def path_and_value(change: str) -> tuple[str, str] | None:
    """The two sides of PATH=VALUE; None where there are not two.

    >>> path_and_value('systems."a=b".k=3')
    ('systems."a=b".k', '3')
    """
    found = _CHANGE.fullmatch(change)
    if found is None or not found[1].strip():
        return None
    return found[1].strip(), found[2].strip()


def _unquoted(step: str) -> str:
    """A step without its quotes; what TOML does not read as text is a name as it stands."""
    if step[:1] not in ('"', "'"):
        return step
    try:
        return str(tomllib.loads(f"step = {step}")["step"])
    except tomllib.TOMLDecodeError:
        return step
