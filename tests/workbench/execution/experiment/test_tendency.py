"""How far systems recommend what is popular, and whether that is liked more."""

from __future__ import annotations

from math import nan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cranfield.validity.assessment import Assessment, Chart
from cranfield.workbench.execution.experiment.tendency import MEASURES, tendency

SHARES = [0.9, 0.7] + [0.5] * 16 + [0.3, 0.1]
LISTS = {"kNN": [12.4, 0.5, 0.2], "Pop": [99.6, 0.9, 0.8], "none": [nan, nan, nan]}


def made(lists: Any = None, shares: list[float] | None = None) -> Assessment:
    y = np.array(SHARES if shares is None else shares)
    curve = SimpleNamespace(x=np.arange(1, len(y) + 1), y=y)
    statistics: Any = SimpleNamespace(positive_ratio=curve)
    return tendency(LISTS if lists is None else lists, statistics, 10, "all-items")


def test_there_is_a_column_for_each_measure() -> None:
    table = made().tables["recommended_items"]
    assert len(table.columns) == 1 + len(MEASURES)


def test_systems_come_by_the_popularity_of_what_they_recommend() -> None:
    table = made({"kNN": LISTS["kNN"], "Pop": LISTS["Pop"]}).tables["recommended_items"]
    assert table["system"].to_list() == ["Pop", "kNN"]
    assert table["mean_popularity"].to_list() == [99.6, 12.4]
    assert table["gini_of_exposure"].to_list() == [0.9, 0.5]


def test_the_reading_tells_means_and_who_is_liked() -> None:
    reading = made({"kNN": LISTS["kNN"], "Pop": LISTS["Pop"]}).reading
    assert "of the recommended items: Pop 100, kNN 12." in reading
    # A tenth of 20 items is two: (0.9 + 0.7)/2 and (0.3 + 0.1)/2.
    assert "most popular tenth of the items, 80 % are positive" in reading
    assert "least popular tenth 20 %" in reading


def test_a_tenth_of_few_items_is_one_of_them() -> None:
    reading = made(shares=[0.9, 0.5, 0.2]).reading
    assert "90 % are positive" in reading
    assert "tenth 20 %" in reading


def test_the_chart_and_the_table_beside_it_show_every_item() -> None:
    found = made()
    [chart] = found.charts
    assert isinstance(chart, Chart)
    [line] = chart.lines
    assert line.y == pytest.approx(SHARES)
    assert found.details["positive_ratio"]["positive_ratio"].to_list() == pytest.approx(SHARES)
    assert found.decisions == {"targets": "all-items", "cutoff": 10}
