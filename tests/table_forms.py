"""The same ratings in every form in which a table can come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse


class ArrowStream:
    """A table of a library that nobody knows, with the Arrow C stream."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


class ArrowArray:
    """The same, with the Arrow C array."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_array__(requested_schema)


class Interchanged:
    """The same, with the dataframe interchange protocol alone."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self._table.__dataframe__(nan_as_null=nan_as_null, allow_copy=allow_copy)


class Derived(pd.DataFrame):
    """A table of a class that someone derived from that of pandas."""


def arrow(table: pl.DataFrame) -> pa.Table:
    return pa.table(table.to_dict(as_series=False))


def batches(table: pl.DataFrame) -> pa.RecordBatchReader:
    whole = arrow(table)
    return pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches(max_chunksize=7))


def pandas(table: pl.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(table.to_dict(as_series=False))


def structured(table: pl.DataFrame) -> Any:
    kinds = [(each.name, each.to_numpy().dtype) for each in table]
    return np.array(table.rows(), dtype=[(n, object if k == "O" else k) for n, k in kinds])


def as_file(table: pl.DataFrame, path: Path) -> Path:
    table.write_parquet(path) if path.suffix == ".parquet" else table.write_csv(path)
    return path


NAMED: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda table: table,
    "polars lazy": lambda table: table.lazy(),
    "polars in pieces": lambda table: pl.concat([table[:3], table[3:]], rechunk=False),
    "pandas": pandas,
    "pandas derived": lambda table: Derived(pandas(table)),
    "pandas with gaps": lambda table: pandas(table).convert_dtypes(),
    "arrow": arrow,
    "arrow batch": lambda table: arrow(table).combine_chunks().to_batches()[0],
    "arrow batches": batches,
    "arrow stream": lambda table: ArrowStream(arrow(table)),
    "arrow array": lambda table: ArrowArray(arrow(table).combine_chunks().to_batches()[0]),
    "interchange": lambda table: Interchanged(arrow(table)),
    "mapping": lambda table: table.to_dict(as_series=False),
    "mapping of arrays": lambda table: {each.name: each.to_numpy() for each in table},
    "structured array": structured,
    "record array": lambda table: structured(table).view(np.recarray),
}
"""Forms whose columns have names, by what they are called."""


def sparse(table: pl.DataFrame) -> Any:
    places = table["item_id"].to_numpy(), table["rating"].to_numpy()
    users = table["user_id"].to_numpy()
    shape = int(users.max()) + 1, int(places[0].max()) + 1
    return scipy.sparse.coo_array((places[1], (users, places[0])), shape=shape)


UNNAMED: dict[str, Callable[[pl.DataFrame], Any]] = {
    "plain array": lambda table: table.to_numpy(),
    "array of objects": lambda table: np.array(table.rows(), dtype=object),
    "matrix": lambda table: table.to_numpy().view(np.matrix),
    "masked array": lambda table: np.ma.masked_array(table.to_numpy(), mask=False),
    "coo": sparse,
    "csr": lambda table: sparse(table).tocsr(),
    "csc": lambda table: sparse(table).tocsc(),
}
"""Forms of integer ids whose columns have no names: users, items, ratings in this order."""
