"""Zstandard files, packed by a library other than the one that unpacks them."""

from __future__ import annotations

import inspect
from pathlib import Path

import polars as pl
import pyarrow as pa

WRITES_ZSTANDARD = "compression" in inspect.signature(pl.DataFrame.write_csv).parameters
"""Whether this version of Polars packs text; older ones only unpack it."""


def writable(*names: str) -> tuple[str, ...]:
    """The files among these that this version of Polars can write."""
    return tuple(name for name in names if WRITES_ZSTANDARD or not name.endswith(".zst"))


def zstandard(*frames: bytes) -> bytes:
    """Frames as Arrow's library packs them."""
    return b"".join(bytes(pa.Codec("zstd").compress(frame, asbytes=True)) for frame in frames)


def write_zstandard(table: pl.DataFrame, path: Path, *, header: bool = True) -> bytes:
    """Write a table between commas with a header, or between tabs without one; the bytes."""
    text = table.write_csv(separator="," if header else "\t", include_header=header)
    packed = zstandard(text.encode())
    path.write_bytes(packed)
    return packed
