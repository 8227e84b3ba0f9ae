"""Fit times: the seconds that fits took, noted in the store for the estimates of later ones."""

from __future__ import annotations

from math import isfinite
from typing import Any

from cranfield.workbench.execution.resources import costs
from cranfield.workbench.store.store import Store

KIND = "fit-time"
"""The kind of the notes in the store."""


def note_fit(store: Store, spelling: str, ratings: int, seconds: float) -> None:
    """Note the processor seconds in which a system was fitted to so many ratings."""
    store.note(KIND, _inputs(spelling, ratings), {"ratings": ratings, "seconds": seconds})


def fit_seconds(store: Store, system: Any, spelling: str, ratings: int) -> float:
    """Seconds to fit a recommender, by its last fit to about as many ratings.

    They grow with the ratings as measured for recommenders of its kind. Where no such fit
    is noted, they are those measurements.
    """
    measured = costs.fit_seconds(system, ratings)
    for near in (ratings, ratings // 2, ratings * 2):
        known = store.noted(KIND, _inputs(spelling, near)) or {}
        before, seconds = known.get("ratings"), known.get("seconds")
        if type(before) is int and before > 0 and type(seconds) is float and isfinite(seconds):
            return max(seconds, 0.0) * measured / costs.fit_seconds(system, before)
    return measured


def _inputs(spelling: str, ratings: int) -> dict[str, Any]:
    """What a note is found by: the system, and how many binary digits the ratings have."""
    return {"system": spelling, "digits": ratings.bit_length()}
