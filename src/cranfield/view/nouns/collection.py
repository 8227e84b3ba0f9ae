"""Views of data: ratings, their statistics, splits and judgments."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.nouns.views import view_for
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Split
from cranfield.collection.statistics.statistics import Statistics, describe
from cranfield.view.charts.data_plots import concentration_plot, parts_plot, rating_plot
from cranfield.view.charts.plot import Plot
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import any_value, share

_HEAD = 10
"""Rows of a long table that are shown."""


def first_rows(table: pl.DataFrame, size: int, caption: str) -> ShownTable:
    """The head of a table that has so many rows."""
    rows = [
        [f"{value:g}" if isinstance(value, float) else any_value(value) for value in row]
        for row in table.rows()
    ]
    words = tuple(n for n, kind in enumerate(table.dtypes) if not kind.is_numeric())
    return ShownTable(caption=caption, headings=table.columns, rows=rows, words=words, size=size)


def _first(ratings: Ratings) -> npt.NDArray[np.intp]:
    """The rows that are shown."""
    return np.arange(min(_HEAD, len(ratings)))


@view_for(Ratings)
class RatingsView(NounView):
    """The first ratings, which occur how often, and how they are concentrated."""

    kind = "ratings"

    def tables(self, noun: Ratings) -> list[ShownTable]:
        """The first ratings, in the order of users and items."""
        head = noun.take(_first(noun)).to_polars()
        return [first_rows(head, len(noun), "Ratings by user and item")]

    def plots(self, noun: Ratings) -> list[Plot]:
        """Those of the statistics; none without ratings."""
        return statistics_plots(describe(noun)) if len(noun) else []


def statistics_plots(noun: Statistics) -> list[Plot]:
    """The charts of a data set."""
    spreads = {"users": noun.per_user, "items": noun.per_item}
    return [rating_plot(noun), concentration_plot(spreads)]


@view_for(Statistics)
class StatisticsView(NounView):
    """What a data set looks like."""

    kind = "statistics"

    def tables(self, noun: Statistics) -> list[ShownTable]:
        """Every figure."""
        return [
            ShownTable(caption="Data set", headings=("", "value"), rows=noun.rows(), words=(0, 1))
        ]

    def plots(self, noun: Statistics) -> list[Plot]:
        """Which ratings occur, and how they are concentrated."""
        return statistics_plots(noun)


@view_for(Judgments)
class JudgmentsView(NounView):
    """The first judgments, and which ratings are relevant."""

    kind = "judgments"

    def tables(self, noun: Judgments) -> list[ShownTable]:
        """The first judged pairs."""
        head = noun.ratings.take(_first(noun.ratings)).to_polars()
        relevant = head.with_columns(pl.Series("relevant", noun.relevant[:_HEAD]))
        return [first_rows(relevant, len(noun), "Judged pairs by user and item")]

    def plots(self, noun: Judgments) -> list[Plot]:
        """Those of the test ratings; none without any."""
        if not len(noun):
            return []
        return statistics_plots(describe(noun.ratings, noun.relevance))


@view_for(Split)
class SplitView(NounView):
    """The sizes of all parts, and how far the test leaks into training."""

    kind = "split"

    def tables(self, noun: Split) -> list[ShownTable]:
        """A row for each fold."""
        rows = [
            (str(number), *(f"{size:,}" for size in sizes.values()), share(fold.test_share))
            for number, (fold, sizes) in enumerate(zip(noun.folds, noun.sizes, strict=True), 1)
        ]
        headings = ("fold", *noun.sizes[0], "test share")
        return [ShownTable(caption="Ratings in each part", headings=headings, rows=rows)]

    def notes(self, noun: Split) -> list[str]:
        """How much of training is later than the test, where times are known."""
        found = [fold.leakage for fold in noun.folds]
        return [
            f"Fold {number}: {share(each.overall)} of training is later than the first test "
            f"rating, {share(each.per_user)} later than the first of the same user."
            for number, each in enumerate(found, start=1)
            if each is not None
        ]

    def plots(self, noun: Split) -> list[Plot]:
        """The sizes of all parts."""
        return [parts_plot(noun)]
