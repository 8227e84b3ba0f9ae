"""Draws in blocks of fixed size: bounded in memory, the same for any number of threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from cranfield.base.progress import bar
from cranfield.base.threads import chunks, in_threads
from cranfield.scoring.scores import Floats

_CELLS = 2**22
"""Numbers in one block of draws (32 MiB)."""

_taking_turns = Lock()
"""Limits are the process's own: who leaves first would lift them for who is still inside."""


def sum_over_blocks(work: Callable[[range], Floats], draws: int, width: int) -> Floats:
    """The sum of what the work gives for every block of draws; ``width`` numbers per draw.

    BLAS uses one thread in each block, as blocks already share the processors; so the
    order of summation does not depend on their number.
    """
    most = max(1, min(_CELLS // max(width, 1), 1024))
    blocks = [range(part.start, part.stop) for part in chunks(draws, most)]
    total: Floats = np.zeros(1)
    with _taking_turns, threadpool_limits(limits=1, user_api="blas"), bar("draws", draws) as shown:
        for block, found in zip(blocks, in_threads(work, blocks), strict=True):
            total = total + found
            shown.advance(len(block))
    return total
