"""Ranges: what a parameter is tuned over, ``tune(10..500)``, and how it is spelled.

tune(10..500)            numbers from 10 to 500, whole ones if both ends are
tune(0.1..100, log)      the same, evenly spread over orders of magnitude
tune([20, 50])           one of some values
tune(dirichlet(mu=tune(10..1000)), additive)    one of some options, with ranges of their own
tune                     the range that the parameter declares
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from cranfield.base.checking.spelling import Spelled, read_spelling, read_value, write_value
from cranfield.base.checking.values import Place
from cranfield.base.dataclass import dataclass

TUNE = "tune"
_DIGITS = 4
"""Significant digits of a number that is drawn: as many as a paper would print."""
_SUCH = "such as tune(10..500), tune(0.1..100, log) or tune([20, 50])"
_WANTED = f"a range {_SUCH}"

Check = Callable[[Any], Any]
"""Makes what was given into a value of the parameter, or refuses it."""


@dataclass(frozen=True, eq=False)
class Range:
    """All numbers from ``low`` to ``high``; whole ones if both are ints.

    With ``log``, equal ratios are equally likely, else equal differences.

    >>> str(Range(10, 500)), str(Range(0.1, 100, log=True))
    ('tune(10..500)', 'tune(0.1..100, log)')
    """

    low: float
    high: float
    log: bool = False

    def __str__(self) -> str:
        return f"{TUNE}({self.low!r}..{self.high!r}{', log' if self.log else ''})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and str(other) == str(self)  # 1..5 is not 1.0..5.0

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are meant."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def at(self, share: float) -> float:
        """The number below which a share of the range lies, from 0 to below 1.

        >>> Range(1, 10).at(0.95), Range(1.0, 100.0, log=True).at(0.5)
        (10, 10.0)
        """
        if not self.whole:
            return self._level(share)
        return self._within(math.floor(self._between(share, self.high + 1)))

    def levels(self, count: int) -> tuple[float, ...]:
        """So many numbers, evenly spread from end to end; fewer if there are no more.

        >>> Range(1, 5).levels(3), Range(0.01, 100.0, log=True).levels(3)
        ((1, 3, 5), (0.01, 1.0, 100.0))
        """
        inner = (self._level(step / (count - 1)) for step in range(1, count - 1))
        return tuple(dict.fromkeys((self.low, *inner, self.high)))

    def _level(self, share: float) -> float:
        found = self._between(share, self.high)
        return self._within(round(found) if self.whole else float(f"{found:.{_DIGITS}g}"))

    def _between(self, share: float, high: float) -> float:
        if self.log:
            return math.exp(math.log(self.low) * (1 - share) + math.log(high) * share)
        return self.low * (1 - share) + high * share

    def _within(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    @property
    def middle(self) -> float:
        """Where a search starts without a default."""
        return self._level(0.5)

    def end_of(self, value: object) -> str:
        """Which end of the range a value is: "lowest", "highest", or neither."""
        ends = {"lowest": self.low, "highest": self.high}
        return next((name for name, end in ends.items() if end == value), "")


@dataclass(frozen=True)
class Choice:
    """One of some values; options among them may have ranges of their own.

    >>> str(Choice((20, 50)))
    'tune([20, 50])'
    """

    values: tuple[Any, ...]

    def __str__(self) -> str:
        inside = ", ".join(map(write_value, self.values))
        of_options = all(hasattr(each, "option_name") for each in self.values)
        return f"{TUNE}({inside})" if of_options else f"{TUNE}([{inside}])"

    @property
    def middle(self) -> Any:
        """Where a search starts without a default."""
        return self.values[0]


def is_tuned(value: Any) -> bool:
    """Whether what was given for a parameter asks to tune it."""
    if isinstance(value, Spelled):
        return value.name.casefold() == TUNE
    if isinstance(value, str):
        word = value.strip().casefold()
        return word == TUNE or (word.startswith(f"{TUNE}(") and word.endswith(")"))
    return isinstance(value, Range | Choice)


def read_range(value: Any, declared: str, check: Check, place: Place) -> Range | Choice:
    """The range that a parameter is given; the word alone means the declared one.

    Both ends, and every choice, must be values of the parameter by ``check``.
    """
    if isinstance(value, Range):
        return _checked(value, check, place)
    if isinstance(value, Choice):
        return _choice(value.values, check, place)
    spelled = read_spelling(value) if isinstance(value, str) else value
    if not spelled.positional and not spelled.named:
        if not declared:
            raise place.refuse(TUNE, "enough, as no range is declared", f" Give one, {_SUCH}.")
        spelled = read_spelling(f"{TUNE}({declared})")
    return _read(spelled, check, place)


def _read(spelled: Spelled, check: Check, place: Place) -> Range | Choice:
    first, *more = spelled.positional or (None,)
    if spelled.named or spelled.cutoff is not None or first is None:
        raise place.refuse(str(spelled), _WANTED)
    if isinstance(first, str) and ".." in first:
        low, high = map(read_value, first.split("..", 1))
        if not _are_numbers(low, high) or more not in ([], ["log"]):
            raise place.refuse(str(spelled), _WANTED)
        return _checked(Range(low, high, log=bool(more)), check, place)  # type: ignore[arg-type]
    listed = isinstance(first, list) and not more
    return _choice(tuple(first if listed else spelled.positional), check, place)  # type: ignore[arg-type]


def _are_numbers(*ends: object) -> bool:
    return all(isinstance(end, int | float) and not isinstance(end, bool) for end in ends)


def _checked(asked: Range, check: Check, place: Place) -> Range:
    """A range whose ends are values of the parameter, in order."""
    low, high = (_end(end, check) for end in (asked.low, asked.high))
    made = Range(low, high, log=asked.log)
    if not made.low < made.high:
        raise place.refuse(str(made), "a range: the first number must be below the second")
    if made.log and made.low <= 0:
        raise place.refuse(str(made), "a range by orders of magnitude: it must begin above 0")
    return made


def _end(given: float, check: Check) -> float:
    """One end of a range: whole for a parameter of whole numbers, else as it was given."""
    made: float = check(given)
    return made if isinstance(made, int) or isinstance(given, float) else given


def _choice(values: tuple[Any, ...], check: Check, place: Place) -> Choice:
    if any(map(is_tuned, values)):
        raise place.refuse(str(Choice(values)), "a list of values: a range is no value")
    made = [check(each) for each in values]
    if not made or any(each in made[:number] for number, each in enumerate(made)):
        raise place.refuse(str(Choice(tuple(made))), "a list of values, each of them once")
    return Choice(tuple(made))
