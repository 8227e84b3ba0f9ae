"""Resampling: draws in blocks, and tests repeated on random subsets of users."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.base.decisions import decisions, parameter
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.samples import Samples, refuse_few

_CELLS = 2**22
"""Numbers in one block of draws (32 MiB)."""

UserSubset = Callable[[npt.NDArray[np.integer]], Samples]
"""From numbers of users to their samples."""


@decisions("subsets")
@dataclass(frozen=True, kw_only=True)
class Subsets:
    """Which random subsets of users a test is repeated on: how many, and how large."""

    count: int = parameter(
        100,
        "On how many random subsets of users the test is repeated.",
        at_least=1,
        at_most=1_000_000,
        code="D",
        flag="subsets",
    )
    share: float = parameter(
        0.5, "The share of users in each subset.", above=0, below=1, code="D", flag="subset_share"
    )


def rejection_shares(
    samples: Samples,
    test: PairedTest,
    adjust: Callable[[Floats], Floats],
    subsets: Subsets,
    *,
    alpha: float = 0.05,
    seeds: Seeds | None = None,
    part: UserSubset | None = None,
) -> Floats:
    """The share of random user subsets in which the test rejects (metrics × pairs).

    Subsets are drawn without replacement from all users; their p-values are adjusted as
    those of all users are. Near 1, fewer users would have shown the same; canamares2020 D.
    ``part`` gives the samples of a subset, where they are not simply a part of the samples.
    """
    root = seeds or Seeds()
    users = samples.enters.shape[1]
    size = round(subsets.share * users)
    rejected = np.zeros(1)
    for number in range(subsets.count):
        order = np.argsort(root.words("subsampling", size=users, subset=number), kind="stable")
        drawn = (part or samples.take)(np.sort(order[:size]))
        refuse_few(drawn)
        p_values = test.compare(drawn, root.child("subsampling", subset=number)).p_values
        rejected = rejected + (adjust(p_values) < alpha)
    return rejected / subsets.count


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
