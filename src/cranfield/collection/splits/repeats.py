"""Repeats: a split that is drawn several times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

from cranfield.base.options import parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.split import Division

MOST_FOLDS = 1000
"""Draws that can be asked for, and folds of a draw."""


def repeats_parameter() -> Any:
    """The field of a split that says how often it is drawn."""
    return parameter(
        1,
        f"How many times the split is drawn, from 1 to {MOST_FOLDS:,}, each draw with folds of its "
        "own; each user's values are averaged over them.",
        at_least=1,
        at_most=MOST_FOLDS,
    )


def draw_repeatedly(draw: Callable[[Seeds], Division], repeats: int, seeds: Seeds) -> Division:
    """The folds of all draws, one draw after the other.

    The first draw is the split without repeats, bit for bit; each further one has seeds of
    its own. What a split reports follows from the data, not from the draw.
    """
    first = draw(seeds)
    further = (draw(seeds.child(repeat=number)).tests for number in range(1, repeats))
    return replace(first, tests=(*first.tests, *chain.from_iterable(further)))
