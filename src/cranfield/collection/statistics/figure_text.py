"""Figures of a data set as text."""

from __future__ import annotations

from datetime import UTC, datetime

from cranfield.collection.statistics.spread import Spread

_DATES = range(315_532_800, 4_102_444_800)
"""Whole numbers that are shown as dates: seconds from 1980 to 2099."""


def percent_text(share: float | None) -> str:
    """A share in per cent; a dash where there is none.

    >>> percent_text(0.962), percent_text(None)
    ('96.2 %', '–')
    """
    return "–" if share is None else f"{share:.1%}".replace("%", " %")


def spread_text(spread: Spread) -> str:
    """The spread in one line."""
    low, high = spread.counts[0], spread.counts[-1]
    return f"{low:,} to {high:,}, median {spread.quartiles[1]:,g}, mean {spread.counts.mean():,.1f}"


def date_text(time: int) -> str:
    """A time as a date if it can be one."""
    return datetime.fromtimestamp(time, UTC).date().isoformat() if time in _DATES else f"{time:,}"
