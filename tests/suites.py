"""What the fast suite tries, and what is left to the slow one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest


def tries(number: int) -> int:
    """How many cases a property is tried on: a tenth in the fast suite, but 8 at least."""
    if os.environ.get("CRANFIELD_CASES") == "all":
        return number
    return min(number, max(8, number // 10))


def spread(values: Iterable[Any], *, every: int) -> list[Any]:
    """All values as parameters of a test, tuples as several of them: one in so many in the fast
    suite, the others in the slow one.
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if place % every == 0 else (pytest.mark.slow,),
        )
        for place, value in enumerate(values)
    ]


only_compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="takes minutes as plain Python"
)
"""For tests of kernels that are too long where these are not compiled."""

STEPS = [
    pytest.param(5, id="every fifth"),
    pytest.param(1, id="all", marks=pytest.mark.slow),
]
"""How far apart the cases are that a test looks at: some in the fast suite, all in the slow."""
