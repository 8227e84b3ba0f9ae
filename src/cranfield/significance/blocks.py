"""Draws in blocks of fixed size: bounded in memory, the same for any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cranfield.base.blas import one_blas_thread
from cranfield.base.progress import bar
from cranfield.base.threads import chunks, in_threads
from cranfield.scoring.scores import Floats

_CELLS = 2**22
"""Numbers in one block of draws (32 MiB)."""


def sum_over_blocks(work: Callable[[range], Floats], draws: int, width: int) -> Floats:
    """The sum of what the work gives for every block of draws; ``width`` numbers per draw."""
    total: Floats = np.zeros(1)
    for found in _over_blocks(work, draws, width):
        total = total + found
    return total


def rows_of_blocks(work: Callable[[range], Floats], draws: int, width: int) -> Floats:
    """What the work gives for every draw, a row each; ``width`` numbers per draw in between."""
    return np.concatenate(list(_over_blocks(work, draws, width)))


def _over_blocks(work: Callable[[range], Floats], draws: int, width: int) -> Iterator[Floats]:
    """What the work gives for one block after the other.

    BLAS uses one thread in each block, as blocks already share the processors; so the
    order of summation does not depend on their number.
    """
    most = max(1, min(_CELLS // max(width, 1), 1024))
    blocks = [range(part.start, part.stop) for part in chunks(draws, most)]
    with one_blas_thread(), bar("draws", draws) as shown:
        for block, found in zip(blocks, in_threads(work, blocks), strict=True):
            yield found
            shown.advance(len(block))
