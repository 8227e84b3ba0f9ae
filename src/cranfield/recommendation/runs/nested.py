"""Tables that hold a whole list in a cell, as tables of one row per ranked item.

So LensKit, Spark and JSON lines write runs: a row for each user, with a list of items beside
a list of scores, or a list of structs of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InputError
from cranfield.base.ids import Ids, as_ids, number_ids
from cranfield.base.schema import ITEM, RANK, SCORE, SYSTEM, USER, columns_for
from cranfield.recommendation.runs.text_layout import roles_of

Columns = Mapping[str, str] | None


@dataclass(frozen=True, eq=False)
class FlatRows:
    """Rows of one ranked item each, the roles of their columns, and whose lists are empty.

    ``empty`` has the columns of users and, if there are any, of systems.
    """

    rows: pl.LazyFrame
    roles: dict[str, str]
    where: str
    empty: pl.DataFrame | None = None

    def of(self, system: str) -> FlatRows:
        """The rows and the empty lists of one system."""
        tag = pl.col(self.roles[SYSTEM]).cast(pl.String) == system
        empty = None if self.empty is None else self.empty.filter(tag)
        return FlatRows(self.rows.filter(tag), self.roles, f"{self.where}, {system}", empty)

    @property
    def empty_users(self) -> Ids | None:
        """The users whose list is empty."""
        if self.empty is None or self.empty.is_empty():
            return None
        name = self.roles[USER]
        return number_ids(as_ids(self.empty[name], self.where, name)).ids


@dataclass(frozen=True)
class _Layout:
    """Which columns hold lists, of which structs the fields are taken out, and all roles."""

    lists: tuple[str, ...]
    packed: str | None
    roles: dict[str, str]


def flatten(rows: pl.LazyFrame, columns: Columns, where: str) -> FlatRows:
    """The columns of a run's table that play a role, lists taken apart.

    Without a score, and where some scores are missing, the place in its list is the rank of
    an item. An empty list, or none, leaves no row; its user is among the ``empty``.
    """
    schema = dict(rows.collect_schema())
    packed = _packed(schema, columns)
    if packed is None and not _has_lists_of_items(schema, columns):
        roles = roles_of(tuple(schema), columns, where)
        return FlatRows(rows.select(roles.values()), roles, where)
    layout = _layout(schema, packed, columns, where)
    arrays = [name for name in layout.lists if isinstance(schema[name], pl.Array)]
    rows = rows.with_columns(pl.col(name).arr.to_list() for name in arrays)
    _refuse_unequal(rows, layout, where)
    length = pl.col(layout.lists[0]).list.len().fill_null(0).cast(pl.Int64)
    whose = [layout.roles[role] for role in (USER, SYSTEM) if role in layout.roles]
    empty = rows.filter(length == 0).select(whose).collect()
    place = _free_name(RANK, (*schema, *layout.roles.values()))
    placed = rows.filter(length > 0).with_columns(pl.int_ranges(1, length + 1).alias(place))
    rows = placed.explode(*layout.lists, place, empty_as_null=False)
    flat = _scored(_unpacked(rows, layout), layout)
    roles = _with_place(flat, layout.roles, place)
    return FlatRows(flat.select(roles.values()), roles, where, empty)


def _packed(schema: Mapping[str, pl.DataType], columns: Columns) -> str | None:
    """The column of lists of structs that hold an item each; none in a table without."""
    found = [name for name in schema if columns_for(ITEM, _fields(schema[name]), columns)]
    return found[0] if found else None


def _fields(kind: pl.DataType) -> list[str]:
    """The fields of the structs that a column has lists of."""
    inner = kind.inner if isinstance(kind, pl.List | pl.Array) else None
    return [field.name for field in inner.fields] if isinstance(inner, pl.Struct) else []


def _has_lists_of_items(schema: Mapping[str, pl.DataType], columns: Columns) -> bool:
    named = columns_for(ITEM, list(schema), columns)
    return bool(named) and all(isinstance(schema[name], pl.List | pl.Array) for name in named)


def _layout(
    schema: Mapping[str, pl.DataType], packed: str | None, columns: Columns, where: str
) -> _Layout:
    """What is taken apart, and which columns there are then."""
    if packed is not None:
        fields = _fields(schema[packed])
        outer = [name for name in schema if name not in (packed, *fields)]
        roles = roles_of((*outer, *fields), columns, where, ordered=True)
        return _Layout((packed,), packed, roles)
    roles = roles_of(tuple(schema), columns, where, ordered=True)
    lists = [name for role, name in roles.items() if role in (ITEM, SCORE, RANK)]
    for name in lists:
        if not isinstance(schema[name], pl.List | pl.Array):
            problem = f'column "{name}" has one value where "{roles[ITEM]}" has a list'
            raise InputError(f"{where}: {problem}. Give a list in both, or one row per item.")
    return _Layout(tuple(lists), None, roles)


def _unpacked(rows: pl.LazyFrame, layout: _Layout) -> pl.LazyFrame:
    """Rows with the fields of their structs as columns."""
    if layout.packed is None:
        return rows
    inner = [name for role, name in layout.roles.items() if role not in (USER, SYSTEM)]
    return rows.with_columns(pl.col(layout.packed).struct.field(name) for name in inner)


def _scored(rows: pl.LazyFrame, layout: _Layout) -> pl.LazyFrame:
    """Rows whose scores, though all of them are missing, are numbers."""
    name = layout.roles.get(SCORE)
    if name is None or rows.collect_schema()[name] != pl.Null:
        return rows
    return rows.with_columns(pl.col(name).cast(pl.Float64))


def _with_place(rows: pl.LazyFrame, roles: dict[str, str], place: str) -> dict[str, str]:
    """The roles, and that of the place in a list where it has to order items."""
    if RANK in roles:
        return roles
    if SCORE in roles and not rows.select(pl.col(roles[SCORE]).null_count()).collect().item():
        return roles
    return {**roles, RANK: place}


def _refuse_unequal(rows: pl.LazyFrame, layout: _Layout, where: str) -> None:
    """Refuse lists of one user that differ in length."""
    first, user = layout.lists[0], layout.roles[USER]
    for other in layout.lists[1:]:
        lengths = [pl.col(name).list.len().fill_null(0) for name in (first, other)]
        wrong = rows.filter(lengths[0] != lengths[1]).select(user, *lengths).head(1).collect()
        if len(wrong):
            whom, one, two = wrong.row(0)
            raise InputError(f'{where}: user {whom} has {one} in "{first}", {two} in "{other}".')


def _free_name(name: str, taken: Sequence[str]) -> str:
    """The name, or one that no column has."""
    while name in taken:
        name += "_"
    return name
