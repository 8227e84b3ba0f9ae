"""Pairs of a user and an item brought into order by counting.

Accelerates what `ordering.order_pairs` does by sorting words, for tables of moderate size.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.ids import Codes
from cranfield.base.kernels.kernel import kernel

Rows = npt.NDArray[np.int64]


@kernel
def order_rows(
    users: Codes, items: Codes, starts: tuple[Codes, Codes], by_item: Codes, rows: Rows
) -> None:
    """The rows in ascending order of (user, item), equal pairs as they stand.

    Rows are dealt to their items, and from there to their users, so that those of one user
    keep the order of items. ``starts`` are zeros, one more than there are users and items:
    they count, then say where the next row of each goes. ``by_item`` is scratch space.
    """
    of_users, of_items = starts
    for row in range(len(users)):
        of_users[users[row] + 1] += 1
        of_items[items[row] + 1] += 1
    for of_each in starts:
        for code in range(1, len(of_each)):
            of_each[code] += of_each[code - 1]
    for row in range(len(users)):
        item = items[row]
        by_item[of_items[item]] = row
        of_items[item] += 1
    for row in by_item:
        user = users[row]
        rows[of_users[user]] = row
        of_users[user] += 1
