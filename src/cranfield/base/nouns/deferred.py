"""Fields of nouns that are computed when they are first read."""

from __future__ import annotations

from typing import Any


class _Deferred:
    """A field that is given as its value, or as a function that computes it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, noun: object | None, owner: type | None = None) -> Any:
        if noun is None:
            raise AttributeError(self._name)  # so that the field has no default
        known = vars(noun)
        if callable(known[self._name]):
            known[self._name] = known[self._name]()
        return known[self._name]

    def __set__(self, noun: object, value: object) -> None:
        vars(noun)[self._name] = value


def deferred() -> Any:
    """A field of a frozen dataclass that may be given as a function without arguments.

    It is called when the field is first read, and has to be one that can be pickled.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Interval:
    ...     low: float = deferred()
    >>> Interval(lambda: 0.5).low
    0.5
    """
    return _Deferred()
