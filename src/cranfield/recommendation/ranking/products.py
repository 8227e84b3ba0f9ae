"""Products of factors, made for the items alone that can be among the first of a ranking."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import field, replace
from math import frexp, ldexp
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.threads import chunks, shares
from cranfield.recommendation.layout import Floats, Offsets, PredictedRows, TargetLayout
from cranfield.recommendation.ranking.kernels.product_blocks import (
    Found,
    Singles,
    add_block,
    raise_bars,
)
from cranfield.recommendation.recommender import Factors

Flags = npt.NDArray[np.bool_]

_LARGEST, _SMALLEST = 1e30, 1e-200
"""The highest product is to be between these: within them, an exact product rounded to single
precision is finite, and one that is lost in double precision is nothing beside the margin."""
_MOST_FACTORS = 100_000
"""Up to here the rounding errors of a sum are as small as `bounded_products` has them."""
_COLUMNS = 512
"""Items whose products are made at a time."""
_BYTES_AT_ONCE, _LEAST_GROUPS, _MOST_GROUPS = 16 << 20, 256, 1024
"""What a thread holds of the groups whose products it makes together, and how many these are:
BLAS is slow with few, and fewer are left with each block of items."""


@dataclass(frozen=True, eq=False)
class BoundedProducts:
    """Factors in single precision, for products that are within a margin of the exact ones.

    ``columns`` has a column for each of the items ``codes``, the longest first; ``items`` a
    row for each item, for exact products. Users and columns are divided by powers of two, so
    that none is longer than 1; ``user_lengths``, ``lengths`` and ``margins`` are of these.
    """

    factors: Factors
    items: Floats
    users: Singles
    user_lengths: Floats
    margins: Floats
    codes: Codes
    columns: Singles
    lengths: Floats
    _here: threading.local = field(default_factory=threading.local)

    def among(self, candidates: Flags) -> BoundedProducts:
        """Products with some items only."""
        wanted = candidates[self.codes]
        if wanted.all():
            return self
        codes, lengths = self.codes[wanted], self.lengths[wanted]
        return replace(self, codes=codes, lengths=lengths, columns=self.columns[:, wanted])

    def parts(self, groups: int, least: int) -> list[slice]:
        """So many groups in slices, of which a thread looks for the first ``least`` at a time."""
        most = _BYTES_AT_ONCE // (4 * _COLUMNS + 8 * self._space(least))
        return shares(groups, _LEAST_GROUPS, min(max(most, 1), _MOST_GROUPS))

    def _space(self, least: int) -> int:
        """How many items may be found of a group: twice those that are wanted, and two blocks."""
        return min(2 * (least + _COLUMNS), len(self.codes)) + 1

    def rows(
        self, layout: TargetLayout, part: slice, least: int | None, rounded: bool
    ) -> PredictedRows:
        """Predictions for the users of some groups, a row for each group.

        With the items that can be among its first ``least``, unless that is None.
        """
        users = layout.users[layout.groups[part]]
        items, sizes = np.empty((0, 0), np.int32), np.empty(0, np.int64)
        if least is not None:
            items, sizes = self._first(layout, part.start, users, least)
        return PredictedRows(
            np.empty((0, 0)),
            self.factors.users[users],
            self.items,
            self.factors.known_users[users],
            self.factors.known_items.copy(),  # never read-only: kernels are compiled for one kind
            factors=True,
            single=rounded,
            shortlists=items,
            sizes=sizes,
        )

    def _first(
        self, layout: TargetLayout, start: int, users: Codes, least: int
    ) -> tuple[Codes, Offsets]:
        """The items that can be among the first of each group from ``start`` on, and how many."""
        groups, space = len(users), self._space(least)
        found = Found(
            np.empty((groups, space), np.int32),
            np.empty((groups, space), np.float32),
            np.zeros(groups, np.int64),
            np.full(groups, -np.inf, np.float32),
            2 * self.margins[users],
        )
        stamp = np.full(len(layout.candidates), -1, np.int64)
        for block, active, products in self._blocks(users, found.bars):
            args = self.codes[block], products, least, 2 * least + _COLUMNS
            add_block(layout, start, active, *args, found, stamp)
        raise_bars(found, least)
        return found.items, found.sizes

    def _blocks(self, users: Codes, bars: Singles) -> Iterator[tuple[slice, Offsets, Singles]]:
        """Blocks of items, the longest first, with their products: the users whose bar one of
        these can reach, and a row for each of them, which the next block overwrites.
        """
        active = np.flatnonzero(self.factors.known_users[users])
        lengths, margins = self.user_lengths[users] * (1 + 2.0**-20), self.margins[users]
        rows = self.users[users[active]]
        for block in chunks(len(self.codes), _COLUMNS):
            highest = lengths[active] * self.lengths[block.start] + margins[active]
            reached = highest >= bars[active]
            if not reached.all():
                active, rows = active[reached], rows[reached]
            if not len(active):
                return
            columns = self.columns[:, block]
            yield block, active, np.matmul(rows, columns, out=self._room(len(rows), columns))

    def _room(self, users: int, columns: Singles) -> Singles:
        """Space for products, the same for each call of a thread: new memory costs time."""
        room: Singles | None = getattr(self._here, "room", None)
        if room is None:
            room = self._here.room = np.empty(_MOST_GROUPS * _COLUMNS, np.float32)
        return room[: users * columns.shape[1]].reshape(users, -1)


def bounded_products(factors: Factors) -> BoundedProducts | None:
    r"""Factors whose products can be approximated, unless they are too large or too small.

    Let x and y be the factors of a user and an item, divided by powers of two so that no
    factors are longer than 1 (``s`` is the inverse of both together), n their number, ε =
    2^−24 the unit roundoff of single precision, and δ = 2^−126 its least normal number: what
    is smaller may be lost. Then

    - factors rounded to single precision have a product within 2.1·ε·‖x‖·‖y‖ + 3n·δ of x·y,
      as each factor is within ε times itself, plus δ, of what it was;
    - to add up n products in single precision, in whichever order, with or without fused
      operations, adds an error of nε/(1 − nε)·‖x‖·‖y‖ + 2n·δ, by Cauchy-Schwarz, which is
      below 1.01·n·ε·‖x‖·‖y‖ + 2n·δ for n up to 10⁵;
    - the exact product, added up in double precision, is within 10⁻⁸·n·ε·‖x‖·‖y‖ + n·δ;
    - if it is then rounded to single precision, it moves by ε·‖x‖·‖y‖ + s·2^−150.

    So a product a is within e = (1.02·n + 3.2)·ε·‖x‖·‖y‖ + 6n·δ + s·2^−150 of the prediction p.
    The margin m = 2·(n + 16)·ε·‖x‖ + n·2^−120 + s·2^−148 exceeds e, as ‖y‖ ≤ 1, by more than
    2·ε·‖x‖ + δ. If k products are at t or above, the k-th highest prediction is at least t − e.
    What is predicted as much, tied or not, has a product of at least t − 2e. The bar t − 2m,
    rounded to single precision, is below that.

    No product exceeds ‖x‖·‖y‖ + m. Items are looked at by decreasing length, so if that is
    below the bar for one, none that follows has a product that reaches it. Lengths that were
    computed may be 2^−20 too short, by far.
    """
    users, items = _lengths(factors.users, 1), _lengths(factors.items, 0)
    longest = users.max(initial=0.0), items.max(initial=0.0)
    width = factors.users.shape[1]
    if not (_SMALLEST < longest[0] * longest[1] < _LARGEST) or width > _MOST_FACTORS:
        return None
    up, down = (frexp(each)[1] for each in longest)
    lengths = users * ldexp(1.0, -up)
    known = np.flatnonzero(factors.known_items)
    codes = known[np.argsort(-items[known], kind="stable")].astype(np.int32)
    with np.errstate(under="ignore"):
        rows = np.ldexp(factors.users, -up).astype(np.float32)
        columns = np.ldexp(factors.items[:, codes], -down).astype(np.float32)
    margins = (width + 16) * 2.0**-23 * lengths + width * 2.0**-120 + ldexp(1.0, -148 - up - down)
    by_item = np.ascontiguousarray(factors.items.T)
    ordered = items[codes] * ldexp(1.0, -down)
    return BoundedProducts(factors, by_item, rows, lengths, margins, codes, columns, ordered)


def _lengths(factors: npt.NDArray[Any], axis: int) -> Floats:
    """‖x‖ of each row or column; NaN or infinite where a factor is."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.sqrt(np.square(factors).sum(axis=axis)))
