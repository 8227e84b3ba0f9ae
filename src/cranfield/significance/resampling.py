"""Resampling: draws in blocks, and tests repeated on random subsets of users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.base.threads import chunks, in_threads, thread_count
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples.samples import Samples, refuse_few

_CELLS = 2**22
"""Numbers in one block of draws (32 MiB)."""

_SECONDS = 2.0
"""What a large block of draws is to take, by what a draw is estimated to take."""

PER_SIGN = 1e-9
"""Seconds in which the sign of a user is drawn."""

PER_PRODUCT = 1e-10
"""Seconds of a product and a sum of a matrix."""

T = TypeVar("T")

BlockWork = Callable[[range], Any]
"""From the numbers of some draws to what is found in them."""

BlockSharing = Callable[[BlockWork, Sequence[range]], Iterable[Any]]
"""Does the same work on several blocks of draws, and gives what it found in their order."""

_sharing: ContextVar[BlockSharing | None] = ContextVar("sharing", default=None)

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


@contextmanager
def sharing_blocks(share: BlockSharing) -> Iterator[None]:
    """Let workers do the large blocks of draws within this context."""
    before = _sharing.set(share)
    try:
        yield
    finally:
        _sharing.reset(before)


def over_large_blocks(work: Callable[[range], T], draws: int, seconds: float) -> Iterable[T]:
    """What the work gives for one large block of draws after the other.

    A draw is estimated to take so many ``seconds``, and a block takes about two. Blocks
    depend on nothing else, so that results are the same wherever they are computed. Workers
    get them only if there are several, and if ``work`` can be pickled.
    """
    blocks = large_blocks(draws, seconds)
    share = _sharing.get()
    return map(work, blocks) if share is None or len(blocks) == 1 else share(work, blocks)


def large_blocks(draws: int, seconds: float) -> list[range]:
    """Blocks of draws that take about two seconds each.

    >>> large_blocks(10, 0.5)
    [range(0, 4), range(4, 8), range(8, 10)]
    """
    most = max(1, int(min(draws, _SECONDS / max(seconds, 1e-12))))
    return [range(part.start, part.stop) for part in chunks(draws, most)]


def sum_over_blocks(
    work: Callable[[range], Floats], draws: int, width: int, seconds: float
) -> Floats:
    """The sum of what the work gives for every block of draws.

    A draw takes ``width`` numbers in between, and about so many ``seconds``. Sums are of
    whole numbers, as counts are, so that their order does not matter.
    """
    total: Floats = np.zeros(1)
    for found in over_large_blocks(_Summed(work, width), draws, seconds):
        total = total + found
    return total


@dataclass(frozen=True, eq=False)
class _Summed:
    """The sum of what some work gives for the draws of a large block."""

    work: Callable[[range], Floats]
    width: int

    def __call__(self, draws: range) -> Floats:
        total: Floats = np.zeros(1)
        for found in _over_blocks(self.work, draws, self.width):
            total = total + found
        return total


def rows_of_blocks(work: Callable[[range], Floats], draws: int | range, width: int) -> Floats:
    """What the work gives for every draw, a row each; ``width`` numbers per draw in between."""
    some = draws if isinstance(draws, range) else range(draws)
    return np.concatenate(list(_over_blocks(work, some, width)))


def bytes_of_blocks(draws: int, width: int) -> int:
    """Bytes that the draws of a test take at once, in all threads, ``width`` numbers each."""
    return 8 * width * min(draws, thread_count() * _draws_of_block(width))


def _draws_of_block(width: int) -> int:
    return max(1, min(_CELLS // max(width, 1), 1024))


def _over_blocks(work: Callable[[range], Floats], draws: range, width: int) -> Iterator[Floats]:
    """What the work gives for one block after the other.

    BLAS uses one thread in each block, as blocks already share the processors; so the
    order of summation does not depend on their number.
    """
    blocks = [draws[part] for part in chunks(len(draws), _draws_of_block(width))]
    text = f"draws from {draws.start}" if draws.start else "draws"
    with one_blas_thread(), bar(text, len(draws)) as shown:
        for block, found in zip(blocks, in_threads(work, blocks), strict=True):
            yield found
            shown.advance(len(block))
