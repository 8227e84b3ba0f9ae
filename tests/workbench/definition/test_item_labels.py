"""Labels of items from a table: which columns are read, and what they may hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import BadValue, CranfieldError, MissingColumn
from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.workbench.definition.item_labels import label_fingerprints, labels_of

ITEMS = Ids(pl.Series(["x", "y", "z"]))
BY_KIND = parse("metric", "AWRF(by=label(kind))@4")
BY_YEAR = parse("metric", "Miscalibration(by=label(year))@4")
PLAIN = parse("metric", "nDCG@5")


def table(**columns: Any) -> dict[str, Any]:
    return {"item": ["x", "y", "z"], **columns}


def test_an_item_is_shared_evenly_by_its_labels() -> None:
    found = labels_of(table(kind=["War|Drama", "War", None]), [BY_KIND], ITEMS)
    assert found["kind"].names == ("Drama", "War")
    assert found["kind"].weights.tolist() == [[0.5, 0.5], [0.0, 1.0], [0.0, 0.0]]


def test_empty_places_between_bars_are_no_labels() -> None:
    found = labels_of(table(kind=["|War||", "", "War"]), [BY_KIND], ITEMS)
    assert found["kind"].weights.tolist() == [[1.0], [0.0], [1.0]]


def test_numbers_are_labels_too() -> None:
    found = labels_of(table(year=[1994, 1995, 1994]), [BY_YEAR], ITEMS)
    assert found["year"].names == ("1994", "1995")


def test_only_columns_that_a_metric_asks_for_are_read_each_once() -> None:
    given = table(kind=["a", "b", "a"], year=[1, 2, 3], other=["u", "v", "w"])
    assert list(labels_of(given, [PLAIN, BY_YEAR, BY_KIND, BY_YEAR], ITEMS)) == ["year", "kind"]


@pytest.mark.parametrize(("given", "metrics"), [(None, [BY_KIND]), (table(), [PLAIN])])
def test_there_is_nothing_without_a_table_or_a_metric_that_asks(given: Any, metrics: Any) -> None:
    assert labels_of(given, metrics, ITEMS) == {}


def test_rows_find_their_item_whatever_their_order() -> None:
    given = {"item": ["z", "q", "x"], "kind": ["b", "a", "a"]}
    assert labels_of(given, [BY_KIND], ITEMS)["kind"].weights.tolist() == [[1, 0], [0, 0], [0, 1]]


def test_an_item_with_two_rows_is_refused_by_its_id() -> None:
    given = {"item": ["x", "y", "y"], "kind": ["a", "b", "a"]}
    with pytest.raises(BadValue, match=r'"y".*an item once'):
        labels_of(given, [BY_KIND], ITEMS)


def test_a_column_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(MissingColumn, match=r"kind.*genre"):
        labels_of(table(genre=["a", "b", "c"]), [BY_KIND], ITEMS)


def test_ids_of_items_are_not_their_labels() -> None:
    by_item = parse("metric", "AWRF(by=label(item))@4")
    with pytest.raises(MissingColumn, match="item"):
        labels_of(table(kind=["a", "b", "c"]), [by_item], ITEMS)


def test_lists_are_refused_with_how_to_write_several_labels() -> None:
    frame = pl.DataFrame({"item": ["x"], "kind": [["a", "b"]]})
    with pytest.raises(CranfieldError, match=r"War\|Drama"):
        labels_of(frame, [BY_KIND], ITEMS)


def test_a_fingerprint_tells_labels_apart_by_name_and_by_item() -> None:
    found = [
        label_fingerprints(labels_of(table(kind=kinds), [BY_KIND], ITEMS))["kind"]
        for kinds in (["a", "b", "a"], ["a", "b", "b"], ["a", "c", "a"], ["a", "b", "a"])
    ]
    assert found[0] == found[3]
    assert len(set(found)) == 3


def test_labels_that_are_shared_weigh_as_one_item() -> None:
    found = labels_of(table(kind=["a|b|c", "a", "b|c"]), [BY_KIND], ITEMS)["kind"]
    np.testing.assert_allclose(found.weights.sum(axis=1), 1)
