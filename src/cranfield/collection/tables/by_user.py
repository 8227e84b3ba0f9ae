"""Mappings of users to items and numbers: judgments and runs as dictionaries and as of ranx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from cranfield.base.schema import ITEM, RATING, USER
from cranfield.collection.tables.columns import as_column


def library_of(given: Any) -> str:
    """The library that the type of something is of, also of one derived from it."""
    known = ("lenskit", "ranx", "pyspark")
    names = [each.__module__.partition(".")[0] for each in type(given).__mro__]
    return next((name for name in names if name in known), names[0])


def plain_mapping(given: Any) -> Mapping[Any, Any] | None:
    """A mapping as it is, that of a Run or of Qrels of ranx; None for anything else."""
    if isinstance(given, Mapping):
        return given
    if library_of(given) == "ranx" and hasattr(given, "to_dict"):
        found: Mapping[Any, Any] = given.to_dict()
        return found
    return None


def rated_pairs(given: Any) -> pl.DataFrame | None:
    """The table of ``{user: {item: rating}}`` and of Qrels of ranx; None for anything else.

    >>> rated_pairs({"u1": {"i7": 2, "i8": 0}}).rows()
    [('u1', 'i7', 2), ('u1', 'i8', 0)]
    """
    lists = plain_mapping(given)
    if not lists or not all(isinstance(each, Mapping) for each in lists.values()):
        return None
    rows = [(user, *pair) for user, each in lists.items() for pair in each.items()]
    columns = zip(*rows, strict=True) if rows else ([], [], [])
    return pl.DataFrame(
        {n: as_column(list(c)) for n, c in zip((USER, ITEM, RATING), columns, strict=True)}
    )
