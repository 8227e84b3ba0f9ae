"""Columns of ids coded by a compiled loop, where one is at hand and worth it.

To load the compiler takes longer than to code some columns without it, so it is used only
where it is there already.
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
import polars as pl

Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]

_MANY = 1 << 10
"""Ids that are worth a compiled loop."""


def numbered_column(column: pl.Series) -> tuple[pl.Series, Codes, Codes, Places | None] | None:
    """The distinct ids of a column in their order, a number for each row, the place of each
    number's id, and the rows whose id is not that of the row before, unless they are many.
    """
    if not is_worth_compiling(len(column)):
        return None
    if column.dtype == pl.String:
        from cranfield.base.text_codes import number_texts

        return number_texts(column)
    from cranfield.base.integer_codes import number_integers_of

    return number_integers_of(column)


def coded_column(column: pl.Series) -> tuple[pl.Series, Codes] | None:
    """The distinct ids of a column in their order, and the place of each row's among them."""
    numbered = numbered_column(column)
    if numbered is None:
        return None
    distinct, codes, places, _ = numbered
    if (places[1:] < places[:-1]).any():
        from cranfield.base.kernels.numbering import renumber

        renumber(codes, places)
    return distinct, codes


def found_texts(known: pl.Series, wanted: pl.Series) -> Codes | None:
    """For each wanted text its place among the known ones, which are distinct; −1 for none."""
    if not is_worth_compiling(len(wanted)):
        return None
    from cranfield.base.text_codes import find_texts

    return find_texts(known, wanted)


def is_worth_compiling(rows: int) -> bool:
    """Whether a compiled loop over so many rows is worth it."""
    return rows >= _MANY and "numba" in sys.modules
