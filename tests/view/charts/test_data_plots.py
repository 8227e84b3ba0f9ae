"""Plots of data show the numbers of the ratings, splits and rankings that they are of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield.collection.splits  # noqa: F401
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import split
from cranfield.collection.statistics.spread import Spread
from cranfield.collection.statistics.statistics import describe
from cranfield.view.charts.data_plots import (
    concentration_plot,
    parts_plot,
    rank_plot,
    rating_plot,
)
from cranfield.view.charts.plot import Bars, Columns, Polyline


def ratings(values: list[float]) -> Ratings:
    return Ratings.from_triples(list(range(len(values))), [7] * len(values), values)


def test_each_rating_has_a_bar_as_long_as_it_is_frequent() -> None:
    plot = rating_plot(describe(ratings([1, 5, 5, 3, 5]), relevance=4))
    [panel] = plot.panels
    assert panel.y.labels == ("1", "3", "5")
    [bars] = panel.marks
    assert isinstance(bars, Bars)
    assert list(bars.end) == [1, 1, 3]
    assert plot.rows == (("1", "1"), ("3", "1"), ("5", "3"))
    assert "Of 5 ratings, most are 5; 60.0" in plot.description


def test_many_different_ratings_are_a_histogram() -> None:
    values = np.linspace(0, 1, 200).tolist()
    plot = rating_plot(describe(ratings(values), relevance=0.5))
    [columns] = plot.panels[0].marks
    assert isinstance(columns, Columns)
    assert sum(columns.heights) == 200
    assert (columns.edges[0], columns.edges[-1]) == (0.0, 1.0)
    assert len(plot.rows) == len(columns.heights) == 20


def test_a_curve_of_concentration_goes_from_nothing_to_all() -> None:
    plot = concentration_plot(
        {"items": Spread(np.array([1, 1, 2, 6])), "users": Spread(np.ones(10, dtype=np.int64))}
    )
    first, second = plot.panels[0].marks
    assert isinstance(first, Polyline)
    assert isinstance(second, Polyline)
    assert list(zip(first.x, first.y, strict=True)) == [
        (0, 0), (0.25, pytest.approx(6 / 10)), (0.5, pytest.approx(8 / 10)),
        (0.75, pytest.approx(9 / 10)), (1.0, 1.0),
    ]  # fmt: skip
    assert list(second.x) == pytest.approx(list(second.y)), "all alike: the diagonal"
    assert plot.rows[1][:2] == ("users", "0.000")


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=400))
def test_curves_of_concentration_never_fall_and_stay_short(counts: list[int]) -> None:
    [line] = concentration_plot({"items": Spread(np.sort(np.array(counts)))}).panels[0].marks
    assert isinstance(line, Polyline)
    assert len(line.x) <= 101
    assert (np.diff(line.y) >= 0).all()
    assert line.x[-1] == pytest.approx(1.0)
    assert line.y[-1] == pytest.approx(1.0)


def test_the_parts_of_each_fold_stand_one_after_the_other() -> None:
    rng = np.random.default_rng(1)
    users, items = np.divmod(rng.choice(400, 100, replace=False), 20)
    made = split(Ratings.from_triples(users, items), parse("split", "k-fold(folds=4)"), seed=1)
    train, test = parts_plot(made).panels[0].marks
    assert isinstance(train, Bars)
    assert isinstance(test, Bars)
    assert list(train.start) == [0.0] * 4
    assert list(train.end) == list(test.start) == [len(fold.train) for fold in made.folds]
    assert list(test.end) == [100] * 4


@given(st.lists(st.integers(0, 500), min_size=1).filter(any))
def test_every_ranked_item_is_in_one_column_of_whole_ranks(ranks: list[int]) -> None:
    plot = rank_plot(np.array(ranks))
    [columns] = plot.panels[0].marks
    assert isinstance(columns, Columns)
    assert sum(columns.heights) == sum(rank > 0 for rank in ranks)
    assert len(columns.heights) <= 20
    widths = set(np.diff(columns.edges).tolist())
    assert len(widths) == 1
    assert widths.pop().is_integer()
    assert columns.edges[0] == 0.5
