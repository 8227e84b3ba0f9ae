"""Numbers as the report writes them, with a true minus and a dash for what is not known."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, TypeGuard

from cranfield.significance.p_text import p_text
from cranfield.validity.phrases import written_p
from cranfield.view.names import short_targets

UNKNOWN = "–"


def _is_known(value: float | None) -> TypeGuard[float]:
    return value is not None and isfinite(value)


def fixed(value: float | None, digits: int = 4) -> str:
    """A value with a fixed number of decimals.

    >>> [fixed(0.25), fixed(-0.5, 1), fixed(-0.01, 1), fixed(float("nan"))]
    ['0.2500', '−0.5', '0.0', '–']
    """
    return f"{value:z.{digits}f}".replace("-", "−") if _is_known(value) else UNKNOWN


def signed(value: float | None, digits: int = 4) -> str:
    """A difference, with its sign.

    >>> signed(0.0123)
    '+0.0123'
    """
    return f"{value:+.{digits}f}".replace("-", "−") if _is_known(value) else UNKNOWN


def interval(low: float, high: float, shown: Callable[[float], str] = fixed) -> str:
    """From where to where a value may lie.

    >>> interval(-0.5, 1.0, signed), interval(float("nan"), 1.0)
    ('−0.5000 to +1.0000', '–')
    """
    known = isfinite(low) and isfinite(high)
    return f"{shown(low)} to {shown(high)}" if known else UNKNOWN


def share(value: float) -> str:
    """A share of a whole in percent.

    >>> share(0.3333).split()
    ['33.3', '%']
    """
    return f"{100 * value:.1f}\u202f%" if isfinite(value) else UNKNOWN


def percent(value: float) -> str:
    """A share of a whole in whole percent, for a sentence; never 0 or 100 % by rounding.

    >>> [percent(part) for part in (0.8524, 0.001, 0.999, 1.0)]
    ['85 %', '<1 %', '>99 %', '100 %']
    """
    if not isfinite(value):
        return UNKNOWN
    if 0 < value < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < value < 1 else f"{100 * value:.0f} %"


def p_value(value: float | None) -> str:
    """A p-value in the one format of p-values; a dash for what is not known.

    >>> [p_value(p) for p in (0.0312, 0.00001, None)]
    ['0.0312', '<0.0001', '–']
    """
    return p_text(value) if _is_known(value) else UNKNOWN


def p_phrase(value: float) -> str:
    """A p-value within a sentence.

    >>> p_phrase(0.0312)
    'p = 0.0312'
    """
    return written_p(value)


def answer(value: str | float | None) -> str:
    """One answer to a decision as it is read.

    >>> [answer(a) for a in (0.8, 10.0, "test-items, one-relevant, all-nonrelevant", None)]
    ['0.8', '10', 'TI, 1R', 'does not apply']
    """
    if value is None:
        return "does not apply"
    return short_targets(value) if isinstance(value, str) else f"{value:g}"


def any_value(value: Any, digits: int = 3) -> str:
    """A value of a table that may hold anything.

    >>> [any_value(each) for each in (0.25, 3, "P@10", True, None)]
    ['0.250', '3', 'P@10', 'yes', '–']
    """
    if value is None or isinstance(value, float):
        return fixed(value, digits)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
