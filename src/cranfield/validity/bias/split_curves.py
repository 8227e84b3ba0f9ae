"""Split curves: how many of each item's ratings are test, by popularity (bellogin2017 Fig. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.collection.ratings import Ratings
from cranfield.scoring.scores import Counts, Floats
from cranfield.validity.assessment import Line

MOST_PLACES = 1000
"""Places of a curve that is drawn or written, the first and the last among them."""


@dataclass(frozen=True, eq=False)
class SplitCurve:
    """The ratings of each item and those that are test, the most rated item first.

    ``ratings`` and ``positive`` count all and positive ratings of each item that has one,
    ``tested`` and ``tested_positive`` those of the test part, the mean of all folds. Items
    with equally many ratings are in the order of ids.
    """

    ratings: Counts
    positive: Counts
    tested: Floats
    tested_positive: Floats

    @cached_property
    def share(self) -> float:
        """σ: the share of the ratings that are test."""
        return float(self.tested.sum() / self.ratings.sum())

    @property
    def expected(self) -> Floats:
        """E|R_test(i)| = σ·|R(i)| by a random split."""
        return np.asarray(self.share * self.ratings)

    def to_polars(self, most: int | None = None) -> pl.DataFrame:
        """A row for each item, or for so many of them at equal distances."""
        table = pl.DataFrame(
            {
                "rank": np.arange(1, len(self.ratings) + 1),
                "ratings": self.ratings,
                "positive": self.positive,
                "tested": self.tested,
                "tested_positive": self.tested_positive,
                "expected": self.expected,
            }
        )
        return table if most is None else table[_spaced(len(table), most)]

    def lines(self, *names: str) -> tuple[Line, ...]:
        """Columns as lines over the popularity rank; their names with spaces."""
        shown = self.to_polars(MOST_PLACES)
        x = tuple(map(float, shown["rank"]))
        titles = {"tested": "test ratings", "expected": "expected test ratings"}
        return tuple(
            Line(titles.get(name, name), x, tuple(map(float, shown[name]))) for name in names
        )

    def percentiles(self, m: int) -> pl.DataFrame:
        r"""What popularity can gain within each of m percentiles of the items (P1R).

            Δ_k = σ·(|PR(i_first)| − |PR(i_last)|)

        is the expected difference in positive test ratings between the most and the least
        popular item of percentile k; over all items it is that of 1R. bellogin2017 §6.1.
        """
        of = np.arange(len(self.ratings)) * m // max(len(self.ratings), 1)
        rows = [self._segment(str(one + 1), of == one) for one in np.unique(of)]
        return pl.DataFrame([*rows, self._segment("all", np.ones(len(of), dtype=bool))])

    def _segment(self, name: str, items: npt.NDArray[np.bool_]) -> dict[str, object]:
        rated, liked = self.ratings[items], self.positive[items]
        return {
            "percentile": name,
            "items": len(rated),
            "most_ratings": int(rated[0]),
            "fewest_ratings": int(rated[-1]),
            "test_ratings": float(self.tested[items].sum()),
            "delta": self.share * float(int(liked[0]) - int(liked[-1])),
        }


def split_curve(ratings: Ratings, tests: Sequence[Ratings], relevance: float) -> SplitCurve:
    """The curve of a split, of whose folds the test parts are given."""
    liked = ratings.take(ratings.values >= relevance).item_counts
    tested = np.mean([test.item_counts for test in tests], axis=0)
    hits = [test.take(test.values >= relevance).item_counts for test in tests]
    order = np.argsort(-ratings.item_counts, kind="stable")
    order = order[: np.count_nonzero(ratings.item_counts)]
    return SplitCurve(
        ratings.item_counts[order], liked[order], tested[order], np.mean(hits, axis=0)[order]
    )


def _spaced(size: int, most: int) -> list[int]:
    places = np.linspace(0, size - 1, min(size, most)).round().astype(np.int64)
    return [int(place) for place in np.unique(places)]
