"""Text that Polars reads and unpacks, and what it raises on what it cannot read."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PanicException, PolarsError

UNREADABLE = (PolarsError, PanicException)
"""What Polars raises on content that it cannot read; damaged bytes can make it panic."""

WHOLE_LINES: dict[str, Any] = {
    "has_header": False,
    "separator": "\n",  # the one byte that no line holds
    "quote_char": None,
    "schema": {"line": pl.String},
}
"""How Polars reads lines as one column of text."""


def scan_lines(source: Path | io.BytesIO) -> pl.LazyFrame:
    """Lines as one column of text; bytes that are not UTF-8 show as �."""
    return pl.scan_csv(source, encoding="utf8-lossy", **WHOLE_LINES)


def holds_returns(path: Path) -> bool:
    """Whether a line holds a carriage return that does not end it."""
    lone = pl.col("line").str.contains("\r", literal=True).any()
    return bool(scan_lines(path).select(lone).collect().item())
