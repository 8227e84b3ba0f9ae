"""Propensities from a table."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadValue, MissingColumn
from cranfield.base.ids import Codes, as_ids
from cranfield.base.options import option, parameter
from cranfield.base.schema import ITEM, USER, find_columns
from cranfield.base.seeds import Seeds
from cranfield.collection.propensity import Floats, ItemPropensities, Propensities, Propensity
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.columns import finite
from cranfield.collection.tables.side_table import read_side_table


@option("propensity", "file", aliases=("column",))
@dataclass(frozen=True, kw_only=True)
class PropensityFile(Propensity):
    """Propensities that somebody knows: one for each item, or for each pair of user and item.

    The table (CSV, TSV or Parquet with a header) has a column of items, where propensities
    differ by user one of users too, and one of propensities, above 0 and at most 1. It may be
    the file of the ratings itself. Every test rating needs a propensity; other rows are
    passed over.
    """

    up_to_scale: ClassVar[bool] = False
    needs_train: ClassVar[bool] = False

    path: str = parameter(text="The table of propensities.")
    column: str = parameter("propensity", "The column that holds them.")

    @property
    def files(self) -> tuple[str, ...]:
        """The table."""
        return (self.path,)

    def estimate(self, train: Ratings, seeds: Seeds) -> Propensities:
        """As they are in the table."""
        frame, where = read_side_table(self.path)
        if self.column not in frame.columns:
            raise MissingColumn(where, "propensity", frame.columns, named=self.column)
        rest = [name for name in frame.columns if name != self.column]
        roles = find_columns(rest, (ITEM,), optional=(USER,), where=where)
        values = _checked(frame[self.column], where)
        items = train.item_ids.encode(as_ids(frame[roles[ITEM]], where, roles[ITEM]))
        if USER not in roles:
            return ItemPropensities(_placed(items, values, train.n_items, (where, roles[ITEM])))
        users = train.user_ids.encode(as_ids(frame[roles[USER]], where, roles[USER]))
        known = (users >= 0) & (items >= 0)
        keys = users[known].astype(np.int64) * train.n_items + items[known]
        order = np.argsort(keys, kind="stable")
        again = np.flatnonzero(np.diff(keys[order]) == 0)
        if len(again):
            item = train.item_ids[int(keys[order][again[0]] % train.n_items)]
            raise BadValue(where, roles[ITEM], item, "an item once for each user")
        return PairPropensities(keys[order], values[known][order], train.n_items)


@dataclass(frozen=True, eq=False)
class PairPropensities(Propensities):
    """Propensities of some pairs; ``keys`` are user · n_items + item, ascending."""

    keys: Codes
    values: Floats
    n_items: int

    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        """That of each pair; NaN for those without one."""
        if not len(self.keys):
            return np.full(len(users), np.nan)
        wanted = users.astype(np.int64) * self.n_items + items
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[places] == wanted, self.values[places], np.nan)


def _checked(column: pl.Series, where: str) -> Floats:
    """The propensities of a column, unless one is none."""
    values = finite(column, where, None)
    wrong = np.flatnonzero(~((values > 0) & (values <= 1)))
    if len(wrong):
        wanted = "a propensity, above 0 and at most 1"
        raise BadValue(where, column.name, float(values[wrong[0]]), wanted)
    return values


def _placed(codes: Codes, values: Floats, size: int, place: tuple[str, str]) -> Floats:
    """Values by item, NaN for those without one; refused if an item has two."""
    known = codes >= 0
    found = np.full(size, np.nan)
    found[codes[known]] = values[known]
    if len(np.unique(codes[known])) < int(np.count_nonzero(known)):
        raise BadValue(*place, "an item twice", "an item once")
    return found
