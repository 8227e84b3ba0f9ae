"""Columns of any table as arrays of finite numbers and whole times, or a refusal by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadValue
from cranfield.base.schema import TIMESTAMP

Floats = npt.NDArray[np.float64]
Times = npt.NDArray[np.int64]


def to_polars(frame: Any, where: str) -> pl.DataFrame:
    """Any table as a Polars one."""
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if isinstance(frame, Mapping):
        return pl.DataFrame({name: _column(values) for name, values in frame.items()})
    if type(frame).__module__.startswith("pandas"):
        return pl.DataFrame({str(name): _column(frame[name].to_numpy()) for name in frame})
    if hasattr(frame, "__arrow_c_stream__"):
        return pl.DataFrame(frame)
    raise TypeError(f"{where}: {type(frame).__name__} is not a table.")


def _column(values: Any) -> pl.Series:
    """One column; Python objects may be ids of text."""
    if isinstance(values, pl.Series):
        return values
    array = np.asarray(values)
    if array.dtype.kind in "OUT":
        return pl.Series([None if v is None else v for v in array.tolist()], strict=False)
    return pl.Series(array)


def finite(column: pl.Series, where: str, line_of: Callable[[int], int] | None) -> Floats:
    """A column of numbers, none missing or infinite."""
    numbers = column.cast(pl.Float64, strict=False)
    wrong = ~numbers.is_finite().fill_null(False)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        _refuse(column, row, "a finite number", where, line_of)
    return numbers.to_numpy()


def times_of(column: pl.Series, where: str, line_of: Callable[[int], int] | None) -> Times:
    """A column of times as whole numbers; dates become seconds since 1970."""
    if column.dtype.is_temporal():
        column = column.cast(pl.Datetime("us")).dt.epoch("s")
    if column.dtype == pl.String:
        parsed = column.str.to_datetime(strict=False, time_unit="us").dt.epoch("s")
        column = column if parsed.null_count() else parsed
    if not column.dtype.is_integer():
        finite(column.rename(TIMESTAMP), where, line_of)
        column = column.cast(pl.Float64).floor()
    if column.null_count():
        _refuse(column, int(column.is_null().arg_max() or 0), "a time", where, line_of)
    return column.cast(pl.Int64).to_numpy()


def _refuse(
    column: pl.Series, row: int, wanted: str, where: str, line_of: Callable[[int], int] | None
) -> None:
    value = "nothing" if column[row] is None else column[row]
    if line_of is None:
        raise BadValue(f"{where}, row {row + 1}", column.name, value, wanted)
    raise BadValue(where, column.name, value, wanted, line=line_of(row))
