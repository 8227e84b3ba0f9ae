"""Phrases: numbers and lists as they stand within a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf, isnan

from cranfield.significance.p_text import p_text


def all_of(number: int) -> str:
    """All of a number of things.

    >>> all_of(1), all_of(2), all_of(1200)
    ('the one', 'both', 'all 1,200')
    """
    return {1: "the one", 2: "both"}.get(number, f"all {number:,}")


def joined(words: Sequence[str], last: str) -> str:
    """Words as a list in a sentence.

    >>> joined(["a", "b", "c"], "and")
    'a, b and c'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def signed(number: float, form: str = ".3g") -> str:
    """A number in a sentence, with a true minus sign.

    >>> signed(-0.25), signed(float("-inf"))
    ('−0.25', 'minus infinity')
    """
    if isinf(number):
        return "infinity" if number > 0 else "minus infinity"
    return f"{number:{form}}".replace("-", "−")


def percent(share: float) -> str:
    """A share in per cent, never rounded up to all nor down to none.

    >>> percent(0.204), percent(0.9996), percent(0.0001), percent(1.0)
    ('20 %', 'over 99 %', 'under 1 %', '100 %')
    """
    if 0.995 <= share < 1 - 1e-12:
        return "over 99 %"
    if 1e-12 < share < 0.01:
        return "under 1 %"
    return f"{100 * share:.0f} %"


def written_p(value: float, level: float = 0.05) -> str:
    """A p-value within a sentence, in the one format of p-values.

    >>> written_p(0.0123456), written_p(0.00001), written_p(0.049999)
    ('p = 0.0123', 'p < 0.0001', 'p = 0.049999')
    """
    if isnan(value):
        return "p undefined"
    text = p_text(value, level)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"
