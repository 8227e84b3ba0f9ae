"""Columns of any table as arrays of finite numbers and whole times, or a refusal by row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadValue, InputError, MissingLibrary, NotATable, NotColumns
from cranfield.base.ids import cell
from cranfield.base.machine.arrays import empty_array
from cranfield.base.packed import first_line
from cranfield.base.polars_text import UNREADABLE
from cranfield.base.schema import RATING, TIMESTAMP

Floats = npt.NDArray[np.float64]
Times = npt.NDArray[np.int64]
LineOf = Callable[[int], int] | None
"""The line of a row in the file that a table came from, for messages."""

_PLAIN = (pl.Float64, pl.Float32, pl.Int64, pl.Int32, pl.Int16, pl.UInt32, pl.UInt16)
"""Numbers that NumPy makes floats of as Polars does, and into room that is there."""
_DATES = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f%:z")
"""Ways to write an ISO date, once / is a hyphen, T a blank and Z an offset."""


def to_polars(frame: Any, where: str, positions: Sequence[str] = ()) -> pl.DataFrame:
    """Any table as a Polars one: the one place that knows the forms in which tables come.

    These are tables of Polars (also lazy), pandas, Arrow and DuckDB, mappings of columns,
    structured arrays, and whatever has the Arrow C stream or the dataframe interchange
    protocol. ``positions`` names the columns of what has no names: plain arrays, by column,
    and the rows, columns and stored values of sparse matrices.
    """
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return _collected(frame, where)
    columns = _columns_of(frame, where, positions)
    return _exchanged(frame, where) if columns is None else _table(columns, where)


def _columns_of(frame: Any, where: str, positions: Sequence[str]) -> dict[str, pl.Series] | None:
    """The columns of what is converted one by one; None for what is handed over whole."""
    if isinstance(frame, Mapping):
        return {str(name): as_column(values) for name, values in frame.items()}
    if isinstance(frame, np.ndarray):
        return _from_array(frame, where, positions)
    if hasattr(frame, "tocoo"):
        return _from_sparse(frame, where, positions)
    if _is_pandas(frame):
        names = [str(name) for name in frame]
        if len(set(names)) < len(names):
            raise InputError(f"{where}: two of the columns {', '.join(names)} share a name.")
        return {str(name): _from_pandas(column) for name, column in frame.items()}
    return None


def _collected(frame: pl.LazyFrame, where: str) -> pl.DataFrame:
    try:
        return frame.collect()
    except (*UNREADABLE, OSError) as error:
        raise InputError(f"{where}: the lazy table cannot be read ({first_line(error)}).") from None


def _is_pandas(frame: Any) -> bool:
    """Whether something is a pandas table, also one of a class derived from it."""
    return any(
        each.__name__ == "DataFrame" and each.__module__.partition(".")[0] == "pandas"
        for each in type(frame).__mro__
    )


def _from_array(array: Any, where: str, positions: Sequence[str]) -> dict[str, pl.Series]:
    """The columns of a structured array by name, those of a plain one by position."""
    if array.dtype.names is not None and array.ndim == 1:
        return {name: as_column(array[name]) for name in array.dtype.names}
    if array.dtype.names is None and array.ndim == 2 and 2 <= array.shape[1] <= len(positions):
        plain = array if isinstance(array, np.ma.MaskedArray) else np.asarray(array)
        return {positions[at]: as_column(plain[:, at]) for at in range(plain.shape[1])}
    raise NotColumns(where, array.shape, positions)


def _from_sparse(matrix: Any, where: str, positions: Sequence[str]) -> dict[str, pl.Series]:
    """Row, column and value of all that a sparse matrix stores."""
    if len(matrix.shape) != 2 or len(positions) < 3:
        raise NotColumns(where, matrix.shape, positions)
    stored = matrix.tocoo()
    columns = (stored.row, stored.col, stored.data)
    return {name: as_column(each) for name, each in zip(positions, columns, strict=False)}


def _exchanged(frame: Any, where: str) -> pl.DataFrame:
    """A table of any library that hands its columns over by a protocol."""
    by_arrow = hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__")
    if isinstance(frame, pl.Series) or not (by_arrow or hasattr(frame, "__dataframe__")):
        raise NotATable(where, frame)
    try:
        return pl.DataFrame(frame if by_arrow else _interchanged(frame))
    except (*UNREADABLE, TypeError, ValueError) as error:
        problem = f"{type(frame).__name__} cannot be read as a table"
        raise InputError(f"{where}: {problem} ({first_line(error)}).") from None


def _interchanged(frame: Any) -> Any:
    try:
        from pyarrow.interchange import from_dataframe
    except ImportError:
        raise MissingLibrary("a table of the interchange protocol", "pyarrow") from None
    return from_dataframe(frame)


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
    if isinstance(values, list | tuple | np.ma.MaskedArray):
        return _from_objects(values.tolist() if hasattr(values, "tolist") else list(values))
    array = np.atleast_1d(np.array(values))  # the caller may change what was given
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
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
    if column.dtype == pl.Object:  # of various types, some of which may be numbers
        found = [each if isinstance(each, int | float) else None for each in column.to_list()]
        return pl.Series(column.name, found, dtype=pl.Float64, strict=False)
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
