"""Labels of items: shared weights, items without one, and labels of nothing."""

from __future__ import annotations

import polars as pl
import pytest

from cranfield.base.errors import BadValue, OptionError
from cranfield.base.ids import Ids
from cranfield.collection.item_labels import label_items

ITEMS = Ids(pl.Series(["a", "b", "c"]))


def test_an_item_of_several_labels_is_shared_evenly() -> None:
    made = label_items("genre", {"c": ["war"], "a": ["love", "war", "crime"]}, ITEMS)
    assert made.names == ("crime", "love", "war")
    assert made.weights.tolist() == [[1 / 3, 1 / 3, 1 / 3], [0, 0, 0], [0, 0, 1]]
    assert made.unlabelled == 1


def test_a_label_that_is_given_twice_counts_once() -> None:
    made = label_items("genre", {"a": ["war", "war"]}, ITEMS)
    assert made.weights.tolist() == [[1], [0], [0]]


def test_items_that_the_collection_lacks_are_passed_over() -> None:
    made = label_items("genre", {"a": ["war"], "zz": ["war"]}, ITEMS)
    assert made.weights.tolist() == [[1], [0], [0]]


def test_a_label_without_an_item_is_refused_by_name() -> None:
    with pytest.raises(BadValue, match=r'films.csv, column "genre": "love" is not a label of'):
        label_items("genre", {"a": ["war"], "zz": ["love"]}, ITEMS, "films.csv")


def test_a_column_without_any_label_is_refused() -> None:
    with pytest.raises(OptionError, match=r'films.csv: no item has a label in column "genre"'):
        label_items("genre", {"a": [], "b": []}, ITEMS, "films.csv")
