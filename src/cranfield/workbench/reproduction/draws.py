"""Draws: what a figure is over several seeds, and where the printed one stands among them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import polars.selectors as cs

PRINTED = "_printed"
"""How the column of printed values is called, after that of ours."""


def printed_columns(rows: pl.DataFrame) -> dict[str, str]:
    """The columns of ours that have a printed one beside them: ``p`` and ``p_printed``."""
    named = [name for name in rows.columns if f"{name}{PRINTED}" in rows.columns]
    return {name: f"{name}{PRINTED}" for name in named}


def printed_among_draws(draws: Sequence[pl.DataFrame]) -> pl.DataFrame | None:
    """A row for each printed value: the range of ours, and how many draws are below it.

    Rows are the same in every draw, told apart by their words. None without printed values.
    """
    columns = printed_columns(draws[0])
    if not columns:
        return None
    keys = draws[0].select(cs.string()).columns
    parts = [_long(rows, keys, ours, theirs) for rows in draws for ours, theirs in columns.items()]
    every = pl.concat(parts).filter(pl.col("printed").is_finite() & pl.col("value").is_finite())
    below = (pl.col("value") < pl.col("printed")).sum()
    return every.group_by(*keys, "figure", maintain_order=True).agg(
        printed=pl.col("printed").first(),
        least=pl.col("value").min(),
        median=pl.col("value").median(),
        most=pl.col("value").max(),
        draws_below=below,
        draws=pl.len(),
    )


def _long(rows: pl.DataFrame, keys: Sequence[str], ours: str, theirs: str) -> pl.DataFrame:
    """The values of one column of ours, and the printed ones."""
    return rows.select(
        *keys,
        pl.lit(ours).alias("figure"),
        pl.col(ours).cast(pl.Float64).alias("value"),
        pl.col(theirs).cast(pl.Float64).alias("printed"),
    )
