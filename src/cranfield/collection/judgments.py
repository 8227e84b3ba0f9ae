"""Judgments: test ratings seen through a relevance threshold."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.files import fingerprint
from cranfield.base.nouns.display import Plotted, Tabular
from cranfield.base.ragged import count_marked
from cranfield.collection.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Judgments(Plotted, Tabular):
    """Which test items are relevant to which user, and how much.

    One row per judged pair; no pair twice; every user and item is in the collection's
    ids. A pair without a row is unjudged, which is not the same as judged and not
    relevant. A rating of at least ``relevance`` (τ) is relevant. ``lowest`` and
    ``highest`` are the ends of the rating scale.
    """

    ratings: Ratings
    relevance: float
    lowest: float
    highest: float

    def __len__(self) -> int:
        return len(self.ratings)

    def __repr__(self) -> str:
        relevant = f"{int(np.count_nonzero(self.relevant)):,} of them {self.relevance:g} or more"
        return f"Judgments({counted(len(self), 'judged pair')}, {relevant})"

    def to_polars(self) -> pl.DataFrame:
        """The table of the test ratings, with a column ``relevant``."""
        return self.ratings.to_polars().with_columns(pl.Series("relevant", self.relevant))

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """For each judged pair, whether it is relevant."""
        return self.ratings.values >= self.relevance

    @cached_property
    def relevant_counts(self) -> npt.NDArray[np.int64]:
        """|PR_test(u)|: the number of relevant test ratings of each user."""
        return count_marked(self.relevant, self.ratings.user_offsets)

    @cached_property
    def positives(self) -> Ratings:
        """The relevant test ratings, PR_test."""
        return self.ratings.take(self.relevant)

    @cached_property
    def fingerprint(self) -> str:
        """The name of these judgments."""
        return fingerprint(self.ratings.fingerprint, repr(self.relevance))


def judge(test: Ratings, relevance: float, scale: tuple[float, float] | None = None) -> Judgments:
    """Read test ratings as judgments: at least ``relevance`` is relevant.

    The scale is that of the test ratings unless it is given. Events are counted.

    >>> test = Ratings.from_triples([1, 1], [7, 8], [3.0, 4.0])
    >>> judge(test, relevance=4).relevant
    array([False,  True])
    """
    test = test.aggregate()
    ends = scale or (test.values.min(initial=np.inf), test.values.max(initial=-np.inf))
    return Judgments(test, float(relevance), float(ends[0]), float(ends[1]))
