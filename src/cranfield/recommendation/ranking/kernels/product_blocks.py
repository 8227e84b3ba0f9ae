"""Which items can be among a user's first, by products computed for a block of items at a time.

Accelerates what `shortlist.shortlist` does with whole rows. Products are approximations: all
items are found that are first by the exact ones, and a few more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes
from cranfield.base.kernels.kernel import kernel
from cranfield.recommendation.layout import Floats, Offsets, TargetLayout
from cranfield.recommendation.ranking.kernels.members import enter_group
from cranfield.recommendation.ranking.kernels.shortlist import (
    add_reaching,
    drop_below,
    first_reaching,
    highest_bar,
)

Singles = npt.NDArray[np.float32]


class Found(NamedTuple):
    """What was found so far, a row for each group: the first ``sizes`` of ``items``.

    ``values`` are their products. Nothing below the group's bar is wanted any more. A size of
    −1 says that too many items are at the bar to be listed; then nothing more is wanted.
    ``slacks`` are how far the bar is below the lowest of the first products.
    """

    items: npt.NDArray[np.int32]
    values: Singles
    sizes: Offsets
    bars: Singles
    slacks: Floats


@kernel
def raise_bar(found: Found, row: int, least: int) -> None:
    """Raise the bar of a group to where ``least`` products are, less the slack."""
    items, values, size = found.items[row], found.values[row], found.sizes[row]
    found.bars[row] = np.float32(highest_bar(values[:size], least) - found.slacks[row])
    found.sizes[row] = drop_below(items, values, size, found.bars[row])


@kernel
def add_block(
    layout: TargetLayout, start: int, active: Offsets, columns: Codes, products: Singles,
    least: int, most: int, found: Found, stamp: Offsets,
) -> None:  # fmt: skip
    """Add the items of a block to those found, for the groups that are still active.

    ``products`` has a row for each of these; they are counted from the group ``start`` on.
    ``most`` items may be found before the next block. ``stamp`` is scratch space, by item.
    """
    for at in range(len(active)):
        row, group = active[at], start + active[at]
        bar, size = found.bars[row], found.sizes[row]
        begin = first_reaching(products[at], bar)
        if begin == len(columns):
            continue
        items, values = found.items[row], found.values[row]
        enter_group(layout, group, stamp, stamp, items)  # none are listed, so nothing is written
        found.sizes[row] = add_reaching(
            layout, group, stamp, columns[begin:], products[at, begin:], bar, items, values, size
        )
        if found.sizes[row] >= 2 * least:
            raise_bar(found, row, least)
        if found.sizes[row] > most:
            found.sizes[row], found.bars[row] = -1, np.inf


@kernel
def raise_bars(found: Found, least: int) -> None:
    """Raise the bars of all groups a last time."""
    for row in range(len(found.sizes)):
        if found.sizes[row] > least:
            raise_bar(found, row, least)
