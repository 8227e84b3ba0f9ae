"""Labels of items from a table: which columns metrics ask for, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from cranfield.base.errors import BadValue, MissingColumn
from cranfield.base.files import fingerprint
from cranfield.base.ids import Ids, as_ids
from cranfield.base.schema import ITEM, find_columns
from cranfield.collection.item_labels import ItemLabels, label_items
from cranfield.collection.tables.side_table import read_side_table
from cranfield.scoring.item_groups import label_column


def labels_of(table: Any, metrics: Iterable[Any], item_ids: Ids) -> dict[str, ItemLabels]:
    """The labels that metrics ask for, by their columns in a table of items.

    Several labels are written ``War|Drama``; numbers are labels too. Nothing without a table.
    """
    columns = dict.fromkeys(each for metric in metrics if (each := label_column(metric)))
    if table is None or not columns:
        return {}
    frame, where = read_side_table(table, "item_labels")
    item = find_columns(frame.columns, (ITEM,), where=where)[ITEM]
    ids = as_ids(frame[item], where, item)
    if ids.is_duplicated().any():
        raise BadValue(where, item, ids.filter(ids.is_duplicated())[0], "an item once")
    found = {}
    for name in columns:
        if name not in frame.columns or name == item:
            raise MissingColumn(where, "label", frame.drop(item).columns, named=name)
        if (kind := frame[name].dtype).is_nested():
            wanted = "of text or numbers. Write several labels as War|Drama"
            raise BadValue(where, name, f"a column of {kind}", wanted)
        texts = frame[name].cast(pl.String).fill_null("").to_list()
        labels = [[label for label in text.split("|") if label] for text in texts]
        given = dict(zip(ids.to_list(), labels, strict=True))
        found[name] = label_items(name, given, item_ids, where)
    return found


def label_fingerprints(labels: dict[str, ItemLabels]) -> dict[str, str]:
    """What names labels, by their columns."""
    return {name: fingerprint("\0".join(each.names), each.weights) for name, each in labels.items()}
