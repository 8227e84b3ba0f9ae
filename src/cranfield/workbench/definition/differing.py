"""Differing: the decisions that two definitions answer differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.base.checking.spelling import write_value
from cranfield.base.dataclass import dataclass
from cranfield.workbench.definition.paths import inner_path

_LISTS = ("metrics", "run_metrics", "by", "assess", "vary")
"""Where the order of a list does not matter, so that its members are compared one by one."""


@dataclass(frozen=True)
class Difference:
    """What two definitions answer to one decision; None where one of them has no answer."""

    path: str
    first: str | None
    second: str | None

    @property
    def cells(self) -> tuple[str, str, str]:
        """The row of a table: the path, then both answers; a dash is none."""
        first, second = ("–" if each is None else each for each in (self.first, self.second))
        return self.path, first, second


def differences_between(
    first: Mapping[str, Any], second: Mapping[str, Any]
) -> tuple[Difference, ...]:
    """The decisions that two tables answer differently, in the order of the first.

    Of lists such as metrics, each member that only one of them has is a difference.

    >>> differences_between({"seed": 1, "metrics": ["P"]}, {"seed": 1, "metrics": ["P", "AP"]})
    (Difference(path='metrics', first=None, second='AP'),)
    """
    return tuple(_differing(first, second, ""))


def _differing(first: Any, second: Any, path: str) -> Iterator[Difference]:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        for key in dict.fromkeys((*first, *second)):
            yield from _differing(first.get(key), second.get(key), inner_path(path, key))
    elif isinstance(first, Mapping) and second is None:
        yield from _differing(first, {}, path)
    elif isinstance(second, Mapping) and first is None:
        yield from _differing({}, second, path)
    elif first == second:
        return
    elif _is_set(path, first, second):
        yield from (Difference(path, _text(each), None) for each in first if each not in second)
        yield from (Difference(path, None, _text(each)) for each in second if each not in first)
    else:
        yield Difference(path, _text(first), _text(second))


def _is_set(path: str, first: Any, second: Any) -> bool:
    """Whether two lists differ by members, not by order alone."""
    both = isinstance(first, list | tuple) and isinstance(second, list | tuple)
    if not both or path.removeprefix("study.").partition(".")[0] not in _LISTS:
        return False
    return any(each not in second for each in first) or any(each not in first for each in second)


def _text(value: Any) -> str | None:
    """An answer as a definition spells it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return "; ".join(str(_text(each)) for each in value) or "none"
    return write_value(value) if isinstance(value, bool | int | float) else str(value)
