"""Condition: that one system is below another by more than is allowed, as it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, near, shown
from cranfield.significance.samples.margin import Margin

_FORM = 'Give one such as "new < old", "new < old - 0.005" or "new < old - 2 %".'
_ALLOWED = re.compile(
    r"(?P<name>.+?)\s*(?P<sign>[-+−])\s*"
    r"(?P<size>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?P<unit>%?)"
)
"""A system, and how much is allowed for it."""


@dataclass(frozen=True)
class Condition:
    """That the value of one system is below that of another by more than is allowed.

    Above it, unless ``below``. ``size`` is a difference of values, or where ``relative`` a
    share of the second's value.
    """

    first: str
    second: str
    below: bool = True
    size: float = 0.0
    relative: bool = False

    def __str__(self) -> str:
        signs = "<-" if self.below else ">+"
        size = f"{self.size * 100:.12g} %" if self.relative else f"{self.size:.12g}"
        allowed = f" {signs[1]} {size}" if self.size else ""
        return f"{self.first} {signs[0]} {self.second}{allowed}"

    @property
    def side(self) -> int:
        """The sign that a difference has where the condition holds."""
        return -1 if self.below else 1

    def margin(self, systems: Sequence[str]) -> Margin:
        """The second system, moved by what is allowed."""
        moved, place = self.side * self.size, systems.index(self.second)
        return Margin(place, scale=1 + moved) if self.relative else Margin(place, offset=moved)

    def limit(self, value: float) -> float:
        """The value of the second system, moved by what is allowed."""
        moved = self.side * self.size
        return value * (1 + moved) if self.relative else value + moved


def read_condition(text: str, systems: Sequence[str]) -> Condition:
    """A condition on two of the systems, from how it is written.

    >>> str(read_condition("new<old-2%", ["new", "old"]))
    'new < old - 2 %'
    """
    where = f"condition {shown(text)}"
    places = [place for place, letter in enumerate(text) if letter in "<>"]
    if not places:
        raise OptionError(f"{where}: there is neither < nor >. {_FORM}")
    named = [place for place in places if text[:place].strip() in systems]
    if not named:
        raise _unknown(where, text[: places[0]].strip(), systems)
    place = named[0]
    first, below = text[:place].strip(), text[place] == "<"
    second, size, relative = _allowed(where, text[place + 1 :].strip(), systems, below=below)
    if first == second:
        raise OptionError(f"{where}: {first} is on both sides. {_FORM}")
    return Condition(first, second, below, size, relative)


def _allowed(
    where: str, text: str, systems: Sequence[str], *, below: bool
) -> tuple[str, float, bool]:
    """The second system, how much is allowed for it, and whether that is a share."""
    if text in systems:
        return text, 0.0, False
    found = _ALLOWED.fullmatch(text)
    name = found["name"] if found else text
    if found is None or name not in systems:
        raise _unknown(where, name, systems)
    if (found["sign"] == "+") == below:
        right = f"{name} {'-' if below else '+'} {found['size']}{found['unit']}"
        raise OptionError(f'{where}: nothing is allowed that way. Write "{right}".')
    relative = bool(found["unit"])
    size = float(found["size"]) / (100 if relative else 1)
    if not isfinite(size) or (relative and below and size >= 1):
        raise OptionError(f"{where}: {found['size']} {found['unit']} is too much to allow. {_FORM}")
    return name, size, relative


def _unknown(where: str, name: str, systems: Sequence[str]) -> OptionError:
    if not name or name[0] in "<>=":
        return OptionError(f"{where}: a system is missing. {_FORM}")
    hint = near(name, systems)
    listed = f"The systems are {', '.join(systems)}."
    return OptionError(f"{where}: no system is called {shown(name)}.{hint} {listed}")
