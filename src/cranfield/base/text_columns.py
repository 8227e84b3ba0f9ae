"""Columns of text coded by a compiled loop, where one is at hand and worth it.

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
"""Texts that are worth a compiled loop."""


def coded_texts(column: pl.Series) -> tuple[pl.Series, Codes] | None:
    """The distinct texts of a column in their order, and the place of each row's among them."""
    if column.dtype != pl.String or not _is_worth_it(column):
        return None
    from cranfield.base.text_codes import code_texts

    return code_texts(column)


def numbered_texts(column: pl.Series) -> tuple[pl.Series, Codes, Codes, Places | None] | None:
    """The distinct texts of a column in their order, a number for each row, the place of each
    number's text, and the rows whose text is not that of the row before, unless they are many.
    """
    if column.dtype != pl.String or not _is_worth_it(column):
        return None
    from cranfield.base.text_codes import number_texts

    return number_texts(column)


def found_texts(known: pl.Series, wanted: pl.Series) -> Codes | None:
    """For each wanted text its place among the known ones, which are distinct; −1 for none."""
    if not _is_worth_it(wanted):
        return None
    from cranfield.base.text_codes import find_texts

    return find_texts(known, wanted)


def _is_worth_it(column: pl.Series) -> bool:
    return len(column) >= _MANY and "numba" in sys.modules
