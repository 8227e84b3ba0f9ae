"""Sums over the items that were rated together with those of a user."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base.kernels.kernel import kernel

Offsets = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Lists = tuple[Offsets, Codes]


@kernel
def add_lifts(raters: Lists, profiles: Lists, ratio: float, askers: Lists, out: Floats) -> None:
    """Add log(1 + ratio·p(j|i)/p(j)) to every i rated together with j, for all who rated j.

    ``raters`` are the users of each item, ``profiles`` the items of each user, and
    ``askers`` the rows of ``out`` whose users rated each item. Items are taken in
    ascending order, so a row is added up the same way in any batch.
    """
    offsets, users = raters
    starts, items = profiles
    firsts, rows = askers
    together = np.zeros(out.shape[1], dtype=np.int64)
    reached = np.empty(out.shape[1], dtype=np.int32)
    lifts = np.empty(out.shape[1])
    for j in range(out.shape[1]):
        if firsts[j] == firsts[j + 1]:
            continue
        count = 0
        for rater in users[offsets[j] : offsets[j + 1]]:
            for i in items[starts[rater] : starts[rater + 1]]:
                if together[i] == 0:
                    reached[count] = i
                    count += 1
                together[i] += 1
        share = (offsets[j + 1] - offsets[j]) / len(users)
        for at in range(count):
            i = reached[at]
            conditional = together[i] / (offsets[i + 1] - offsets[i])
            lifts[at] = np.log1p(ratio * conditional / share)
            together[i] = 0
        for row in rows[firsts[j] : firsts[j + 1]]:
            for at in range(count):
                out[row, reached[at]] += lifts[at]
