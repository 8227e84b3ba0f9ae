"""Columns of any table as arrays of finite numbers and whole times, or a refusal by row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.arrays import empty_array
from cranfield.base.errors import BadValue, InputError, NotATable
from cranfield.base.ids import cell
from cranfield.base.schema import RATING, TIMESTAMP

Floats = npt.NDArray[np.float64]
Times = npt.NDArray[np.int64]
LineOf = Callable[[int], int] | None
"""The line of a row in the file that a table came from, for messages."""

_PLAIN = (pl.Float64, pl.Float32, pl.Int64, pl.Int32, pl.Int16, pl.UInt32, pl.UInt16)
"""Numbers that NumPy makes floats of as Polars does, and into room that is there."""
_DATES = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f%:z")
"""Ways to write an ISO date, once / is a hyphen, T a blank and Z an offset."""


def to_polars(frame: Any, where: str) -> pl.DataFrame:
    """Any table as a Polars one."""
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if isinstance(frame, Mapping):
        return _table({str(name): as_column(values) for name, values in frame.items()}, where)
    if type(frame).__module__.startswith("pandas"):
        names = [str(name) for name in frame]
        if len(set(names)) < len(names):
            raise InputError(f"{where}: two of the columns {', '.join(names)} have one name.")
        return _table({str(name): _from_pandas(column) for name, column in frame.items()}, where)
    if hasattr(frame, "__arrow_c_stream__"):
        return pl.DataFrame(frame)
    raise NotATable(where, frame)


def _table(columns: dict[str, pl.Series], where: str) -> pl.DataFrame:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise InputError(f"{where}: the columns differ in length: {listed}.")
    return pl.DataFrame(columns)


def as_column(values: Any) -> pl.Series:
    """Values of any library as one column; Python objects may be ids of text."""
    if isinstance(values, pl.Series):
        return values
    if isinstance(values, list | tuple):
        return _from_objects(list(values))
    array = np.atleast_1d(np.array(values))  # the caller may change what was given
    if array.dtype.kind in "OUT":
        return _from_objects(array.tolist())
    if array.dtype.kind == "M":
        return pl.Series(array.astype("datetime64[us]"))
    if array.dtype.kind == "f":
        return pl.Series(array.astype(np.float64, copy=False))
    return pl.Series(array)


def _from_objects(values: list[Any]) -> pl.Series:
    """A column of Python objects; mixed with text they are text, but the missing stay missing."""
    column = pl.Series(values, strict=False)
    if column.dtype != pl.String:
        return column
    return pl.Series([None if _is_missing(value) else value for value in values], strict=False)


def _is_missing(value: object) -> bool:
    nan = isinstance(value, float | np.floating) and bool(np.isnan(value))
    return value is None or nan or type(value).__name__ in ("NAType", "NaTType")


def _from_pandas(series: Any) -> pl.Series:
    """A pandas column of any type, numbers as numbers, what is missing missing."""
    array = series.to_numpy()
    if array.dtype.kind != "O":
        return as_column(array)
    return _from_objects(series.astype(object).where(series.notna(), None).tolist())


def ids_at(places: npt.NDArray[np.integer], ids: npt.ArrayLike | None, size: int, what: str) -> Any:
    """The ids of rows or columns of a matrix, which are their numbers unless given."""
    if ids is None:
        return places
    known = as_column(ids)
    if len(known) != size:
        raise InputError(f"matrix: {len(known):,} {what} are given for {size:,} of them.")
    return known.gather(places)


def finite(column: pl.Series, where: str, line_of: LineOf) -> Floats:
    """A column of numbers, none missing or infinite."""
    in_place = column.dtype == pl.Float64 and column.n_chunks() == 1
    if column.dtype in _PLAIN and not in_place and not column.null_count():
        values, start, total = empty_array(len(column), np.float64), 0, 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            for piece in column.get_chunks():
                place = values[start : (start := start + len(piece))]
                place[:] = piece.to_numpy()
                total += 0.0 if column.dtype.is_integer() else float(place.sum())
        if math.isfinite(total):  # so are all terms
            return values
    return _finite(column, where, line_of).to_numpy()


def rated(
    table: pl.DataFrame, roles: Mapping[str, str], where: str, line_of: LineOf
) -> tuple[pl.Series | None, pl.Series | None]:
    """The ratings and the times of a table, where it has them, as they lie in memory.

    Times are integers of 32 or 64 bits; dates become seconds since 1970.
    """
    ratings, times = (table[roles[r]] if r in roles else None for r in (RATING, TIMESTAMP))
    return (
        None if ratings is None else _finite(ratings, where, line_of),
        None if times is None else _present(times, where, line_of),
    )


def _finite(column: pl.Series, where: str, line_of: LineOf) -> pl.Series:
    numbers = _numbers(column)
    # A finite sum has finite terms, and no room is needed for what is true of each.
    if numbers.null_count() or not math.isfinite(numbers.sum()):
        wrong = ~numbers.is_finite().fill_null(False)
        if wrong.any():
            _refuse(column, int(wrong.arg_max() or 0), "a finite number", where, line_of)
    return numbers


def _present(column: pl.Series, where: str, line_of: LineOf) -> pl.Series:
    times = _whole_times(column)
    if times.null_count():
        _refuse(column, int(times.is_null().arg_max() or 0), "a time", where, line_of)
    return times


def _numbers(column: pl.Series) -> pl.Series:
    """The numbers that a column says; nothing where it says none."""
    if column.dtype.is_numeric() or column.dtype in (pl.String, pl.Boolean):
        return column.cast(pl.Float64, strict=False)
    return pl.repeat(None, len(column), dtype=pl.Float64, eager=True)


def _whole_times(column: pl.Series) -> pl.Series:
    """The times that a column says; nothing where it says none."""
    if column.dtype == pl.Int32:
        return column
    if column.dtype.is_integer():
        return column.cast(pl.Int64, strict=False)
    if column.dtype in (pl.Date, pl.Datetime):
        return column.cast(pl.Datetime("us")).dt.epoch("s")
    if column.dtype != pl.String:
        return _numbers(column).floor().cast(pl.Int64, strict=False)
    counted = column.cast(pl.Int64, strict=False)
    counted = counted.zip_with(
        counted.is_not_null(), _numbers(column).floor().cast(pl.Int64, strict=False)
    )
    return counted if counted.null_count() <= len(column) // 2 else _seconds(column)


def _seconds(column: pl.Series) -> pl.Series:
    """ISO dates as seconds; each row by itself, so that the order of rows does not matter."""
    text = column.str.replace_all("/", "-", literal=True).str.replace("T", " ", literal=True)
    text = text.str.replace(r"\s*Z$", "+00:00")
    found = pl.repeat(None, len(text), dtype=pl.Int64, eager=True)
    for form in _DATES:
        read = text.str.to_datetime(form, strict=False, time_unit="us").dt.epoch("s")
        found = found.zip_with(found.is_not_null(), read)
        if not found.null_count():
            break
    return found


def _refuse(column: pl.Series, row: int, wanted: str, where: str, line_of: LineOf) -> None:
    if line_of is None:
        raise BadValue(f"{where}, row {row + 1}", column.name, cell(column, row), wanted)
    raise BadValue(where, column.name, cell(column, row), wanted, line=line_of(row))
