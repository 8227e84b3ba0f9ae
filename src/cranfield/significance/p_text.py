"""How a p-value is written: one format for tables, sentences, pages and LaTeX."""

from __future__ import annotations

LEAST = 0.0001
"""Below this, only that it is below."""
_LEVELS = (0.001, 0.005, 0.01, 0.05, 0.1)
"""Levels at which p-values are read."""


def p_text(value: float, level: float = 0.05) -> str:
    """A p-value with four decimals, or more where these would cross a usual level or this one.

    >>> [p_text(p) for p in (0.0312, 0.00001, 1.0, 0.049999)]
    ['0.0312', '<0.0001', '1.0000', '0.049999']
    """
    if 0 <= value < LEAST:
        return f"<{LEAST:.4f}"
    levels = (*_LEVELS, level)
    sides = [value < each for each in levels]
    rounded = (f"{value:.{digits}f}" for digits in range(4, 18))
    fits = (text for text in rounded if [float(text) < each for each in levels] == sides)
    return next(fits, str(float(value)))
