"""Timeline: cuts between ratings in order of time, and lengths of time."""

from __future__ import annotations

import re

import numpy as np

from cranfield.base.errors import BadParameter, InfeasibleSplit
from cranfield.collection.tables.columns import Times

Length = int | float | str
"""A length of time: a number on the scale of the timestamps, or a number with a unit, as 30d."""

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def cut_near(ordered: Times, place: int) -> int | None:
    """The place nearest to a wanted one where ascending times can be cut; None if nowhere.

    Equal times stay on one side, and both sides have some; of two places equally near, it
    is the later one.

    >>> cut_near(np.array([1, 2, 2, 2, 3]), 2)
    1
    """
    rows = len(ordered)
    around = ordered[min(place, rows - 1)]
    starts = np.searchsorted(ordered, around, "left"), np.searchsorted(ordered, around, "right")
    possible = [int(start) for start in starts if 0 < start < rows]
    return min(possible, key=lambda start: (abs(start - place), -start), default=None)


def same_time(split: str, times: Times) -> InfeasibleSplit:
    """The refusal to cut ratings that all have the same time."""
    problem = f"all {len(times):,} ratings have the same time, {times[0]}"
    return InfeasibleSplit(split, problem, "Choose a split without time")


def length(option: str, name: str, given: Length) -> int | float:
    """A length of time as a number; units count in seconds, as timestamps made of dates do.

    >>> length("rolling", "horizon", "2w")
    1209600
    """
    if not isinstance(given, str):
        known: int | float | None = given
    else:
        read = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw])", given.strip())
        known = None if read is None else float(read[1]) * _UNITS[read[2]]
    if known is None or not 0 < known < np.inf:
        wanted = "a length of time above 0: a number like the timestamps, or one such as 30d or 12h"
        raise BadParameter(option, name, given, wanted)
    return int(known) if known == int(known) else known
