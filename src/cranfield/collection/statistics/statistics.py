"""Statistics: what a data set looks like."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import EmptyInput
from cranfield.base.nouns.display import Plotted, Tabular, Typeset
from cranfield.base.nouns.preview import preview
from cranfield.collection.ratings import Ratings
from cranfield.collection.statistics.figure_text import date_text, percent_text, spread_text
from cranfield.collection.statistics.power_law import PowerLaw, fit_power_law
from cranfield.collection.statistics.spread import Counts, Curve, Histogram, Spread, spread_of

MOST_BARS = 20
SEGMENTS = 100


@dataclass(frozen=True, eq=False)
class Statistics(Plotted, Typeset, Tabular):
    """What a data set looks like; every figure is computed when it is first needed.

    Users and items count if they have a rating. There is at least one rating.
    ``relevance`` is the rating from which a rating is positive. Events are counted; ``log``
    has them one by one.
    """

    data: Ratings
    relevance: float
    log: Ratings | None = None

    def __repr__(self) -> str:
        shown = (f"{name} {value}" for name, value in self.rows()[:3])
        return preview("Statistics", shown, self.rows()[3:10], limit=60)

    def to_polars(self) -> pl.DataFrame:
        """A table of one row: every figure of `to_dict` that is a single number."""
        single = {
            name: value for name, value in self.to_dict().items() if isinstance(value, int | float)
        }
        return pl.DataFrame([single])

    @property
    def ratings(self) -> int:
        """The number of ratings."""
        return len(self.data)

    @property
    def users(self) -> int:
        """The number of users with a rating."""
        return len(self.per_user.counts)

    @property
    def items(self) -> int:
        """The number of items with a rating."""
        return len(self.per_item.counts)

    @property
    def density(self) -> float:
        """The share of all pairs of user and item that have a rating."""
        return self.ratings / (self.users * self.items)

    @cached_property
    def per_user(self) -> Spread:
        """How ratings are spread over users."""
        return Spread(np.sort(self.data.user_counts[self.data.user_counts > 0]))

    @cached_property
    def per_item(self) -> Spread:
        """How ratings are spread over items."""
        return Spread(np.sort(self.data.item_counts[self.data.item_counts > 0]))

    @cached_property
    def lowest(self) -> float:
        """The lowest rating."""
        return float(self.data.values.min())

    @cached_property
    def highest(self) -> float:
        """The highest rating."""
        return float(self.data.values.max())

    @cached_property
    def mean(self) -> float:
        """The mean rating."""
        return float(self.data.values.mean())

    @cached_property
    def positive(self) -> float:
        """The share of ratings that are positive."""
        return float(np.mean(self.data.values >= self.relevance))

    @cached_property
    def liked(self) -> Ratings:
        """The positive ratings alone."""
        return self.data.take(self.data.values >= self.relevance)

    @cached_property
    def positive_per_user(self) -> Spread | None:
        """How positive ratings are spread over users who have one; None if nobody has."""
        return spread_of(self.liked.user_counts)

    @cached_property
    def positive_per_item(self) -> Spread | None:
        """How positive ratings are spread over items that have one; None if none has.

        Its ``concentration`` is the curve of bellogin2017 Fig. 5, right: of ratings, or of
        TREC judgments, where users are queries and items documents.
        """
        return spread_of(self.liked.item_counts)

    @property
    def one_positive(self) -> float | None:
        """The share of items with a single positive rating among those that have any.

        87.2 % of the documents of TREC are relevant to just one query (bellogin2017 §5.2).
        """
        spread = self.positive_per_item
        return None if spread is None else float(np.mean(spread.counts == 1))

    @property
    def top_liked(self) -> float | None:
        """The share of users who like the item that most users like (bellogin2017 §5.2)."""
        spread = self.positive_per_item
        return None if spread is None else int(spread.counts[-1]) / self.users

    @cached_property
    def user_correlation(self) -> float | None:
        """Pearson's r of |R(u)| and |PR(u)| over users; None where either is the same for all.

        canamares2020 §3, C3, prints 0.962 of MovieLens 1M and τ = 4 for users, whose r is
        0.911; 0.962 is that over items.
        """
        return _pearson(self.data.user_counts, self.liked.user_counts)

    @cached_property
    def item_correlation(self) -> float | None:
        """Pearson's r of |R(i)| and |PR(i)| over items; None where either is the same for all."""
        return _pearson(self.data.item_counts, self.liked.item_counts)

    @cached_property
    def histogram(self) -> Histogram:
        """How often each rating occurs; 20 bars of equal width where values are many."""
        values = pl.Series(self.data.values)
        if values.head(10_000).n_unique() <= MOST_BARS:
            table = values.rename("value").value_counts(name="count").sort("value")
            if len(table) <= MOST_BARS:
                counts = table["count"].cast(pl.Int64).to_numpy()
                return Histogram(counts, values=table["value"].to_numpy())
        counts, edges = np.histogram(self.data.values, bins=MOST_BARS)
        return Histogram(counts.astype(np.int64), edges=edges)

    @cached_property
    def positive_ratio(self) -> Curve:
        """The mean share of positive ratings of items, by popularity (bellogin2017 Fig. 7).

        Items by decreasing number of ratings are cut into 100 segments (fewer if there
        are fewer items); y is the mean of |PR(i)| / |R(i)| in each, x its last rank.
        """
        counts = self.data.item_counts
        order = np.argsort(-counts, kind="stable")[: self.items]
        ratios = self.liked.item_counts[order] / counts[order]
        ends = np.linspace(0, len(order), min(SEGMENTS, len(order)) + 1).round().astype(np.int64)
        sums = np.add.reduceat(ratios, ends[:-1])
        return Curve(ends[1:].astype(np.float64), sums / np.diff(ends))

    @cached_property
    def power_law(self) -> PowerLaw | None:
        """The shifted power law nearest to item popularity; None for under five items."""
        return fit_power_law(self.per_item.counts)

    @property
    def alpha(self) -> float | None:
        """The skew of item popularity: the exponent of the power law, if one fits."""
        law = self.power_law
        return law.alpha if law is not None and law.is_power_law else None

    @cached_property
    def period(self) -> tuple[int, int] | None:
        """The first and the last timestamp; None without timestamps, or with positions."""
        known = self.log or self.data
        times = None if known.positions else known.timestamps
        return None if times is None else (int(times.min()), int(times.max()))

    @property
    def fingerprint(self) -> str:
        """The name of exactly these ratings."""
        return (self.log or self.data).fingerprint

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, lists and tables, as JSON can hold it."""
        law, first_last = self.power_law, self.period or (None, None)
        law = law if self.alpha is not None else None
        return {
            "users": self.users,
            "items": self.items,
            "ratings": self.ratings,
            **({} if self.log is None else {"events": len(self.log)}),
            "density": self.density,
            "gini_users": self.per_user.gini,
            "gini_items": self.per_item.gini,
            "lowest": self.lowest,
            "highest": self.highest,
            "mean": self.mean,
            "relevance": self.relevance,
            "positive": self.positive,
            "one_positive": self.one_positive,
            "top_liked": self.top_liked,
            "user_correlation": self.user_correlation,
            "item_correlation": self.item_correlation,
            "alpha": self.alpha,
            "power_law": None if law is None else {"c1": law.c1, "c2": law.c2, "beta": law.beta},
            "first_timestamp": first_last[0],
            "last_timestamp": first_last[1],
            "histogram": self.histogram.to_dict(),
            "per_user": self.per_user.to_dict(),
            "per_item": self.per_item.to_dict(),
            "positive_per_user": _to_dict(self.positive_per_user),
            "positive_per_item": _to_dict(self.positive_per_item),
            "positive_ratio": self.positive_ratio.to_dict(),
            "fingerprint": self.fingerprint,
        }

    def rows(self) -> list[tuple[str, str]]:
        """A table of two columns, what and how much, for people."""
        rows = [
            ("users", f"{self.users:,}"),
            ("items", f"{self.items:,}"),
            ("ratings", f"{self.ratings:,}"),
            ("density", f"{self.density:.3%}".replace("%", " %")),
            ("Gini over users", f"{self.per_user.gini:.3f}"),
            ("Gini over items", f"{self.per_item.gini:.3f}"),
            ("rating scale", f"{self.lowest:g} to {self.highest:g}, mean {self.mean:.2f}"),
            ("positive", f"{percent_text(self.positive)} are {self.relevance:g} or more"),
            ("ratings per user", spread_text(self.per_user)),
            ("ratings per item", spread_text(self.per_item)),
            *self._positive_rows(),
        ]
        if self.log is not None:
            rows.insert(3, ("events", f"{len(self.log):,}"))
        if self.power_law is not None:
            skew = "no power law fits" if self.alpha is None else f"{self.alpha:.2f}"
            rows.append(("popularity skew α", skew))
        if self.period is not None:
            rows.append(("time", " to ".join(map(date_text, self.period))))
        return [*rows, ("fingerprint", self.fingerprint)]

    def _positive_rows(self) -> list[tuple[str, str]]:
        """What is known of positive ratings; nothing without one."""
        if not (self.positive_per_user and self.positive_per_item):
            return []
        rows = [
            ("positive per user", spread_text(self.positive_per_user)),
            ("positive per item", spread_text(self.positive_per_item)),
            (
                "one positive rating",
                f"{percent_text(self.one_positive)} of the items that have any",
            ),
            ("most liked item", f"liked by {percent_text(self.top_liked)} of the users"),
        ]
        over = {"users": self.user_correlation, "items": self.item_correlation}
        known = [f"{r:.3f} over {whom}" for whom, r in over.items() if r is not None]
        text = f"of all and positive ratings: {', '.join(known)}"
        return [*rows, ("correlation", text)] if known else rows


def describe(ratings: Ratings, relevance: float | None = None) -> Statistics:
    """What a data set looks like.

    Ratings of at least ``relevance`` are positive. Unless given, that is three quarters
    of the way from the lowest to the highest rating: 4 on a scale from 1 to 5.

    >>> describe(Ratings.from_triples(["a", "a", "b"], [1, 2, 1], [1, 5, 4])).density
    0.75
    """
    if not len(ratings):
        raise EmptyInput("statistics")
    log, ratings = ratings if ratings.events else None, ratings.aggregate()
    if relevance is None:
        low, high = float(ratings.values.min()), float(ratings.values.max())
        relevance = low + 0.75 * (high - low)
    return Statistics(ratings, float(relevance), log)


def _to_dict(spread: Spread | None) -> dict[str, Any] | None:
    return None if spread is None else spread.to_dict()


def _pearson(counts: Counts, positive: Counts) -> float | None:
    """Pearson's r of all and positive ratings, where there is a rating."""
    one, two = counts[counts > 0], positive[counts > 0]
    if one.min() == one.max() or two.min() == two.max():
        return None
    return float(np.corrcoef(one, two)[0, 1])
