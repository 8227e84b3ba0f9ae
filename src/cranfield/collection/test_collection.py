"""TestCollection: all that a ranking is judged by."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.ids import Codes, Ids
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.leakage import in_both, joined_pairs
from cranfield.collection.ratings import Ratings

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TestCollection:
    """All that a ranking is judged by: training, judgments, the users and items there are.

    Training and judgments share their ids. The catalogue is the items of the collection:
    those of training, of test, and of a catalogue file if one was given, never those of a
    run. ``has_catalogue`` is false where only judged items are known: then nobody can say
    what a random ranking of all items would be. ``keeps_training`` says that a user's
    training items may be ranked for them again. ``overlap`` counts the test pairs that are
    in training too: they stay in training and are not targets. ``listed`` are the pairs that
    alone may be ranked, where somebody lists them.
    """

    __test__ = False  # no class of tests, whatever pytest makes of its name

    train: Ratings
    judgments: Judgments
    has_catalogue: bool = True
    keeps_training: bool = False
    overlap: int = 0
    listed: Ratings | None = None

    def __repr__(self) -> str:
        sizes = counted(len(self.user_ids), "user"), counted(len(self.item_ids), "item")
        return f"TestCollection({', '.join(sizes)}, {len(self.train):,} train, {self.judgments!r})"

    @property
    def user_ids(self) -> Ids:
        """The users of training and test."""
        return self.train.user_ids

    @property
    def item_ids(self) -> Ids:
        """The catalogue."""
        return self.train.item_ids

    @cached_property
    def excluded(self) -> Ratings:
        """The pairs that are never ranked: those of training, unless they are kept, and those
        of test that are not listed, where pairs are.
        """
        nothing = self.train.take(np.zeros(0, dtype=np.int64))
        seen = nothing if self.keeps_training else self.train
        if self.listed is None:
            return seen
        test = self.judgments.ratings
        return joined_pairs(seen, test.take(~in_both(test, self.listed) & ~in_both(test, seen)))

    @cached_property
    def popularity(self) -> Counts:
        """|R(i)|: the number of ratings of each item, training and test together."""
        counts: Counts = self.train.item_counts + self.judgments.ratings.item_counts
        return counts

    @cached_property
    def positives(self) -> Floats:
        """|PR(i)|: the positive ratings of each item, training and test together."""
        judged, size = self.judgments.ratings.items, self.train.n_items
        liked = np.bincount(self.train.items, self.train.values >= self.judgments.relevance, size)
        relevant = np.bincount(judged, self.judgments.relevant, size)
        return (liked + relevant).astype(np.float64, copy=False)

    @cached_property
    def by_popularity(self) -> Codes:
        """All items, most popular first; equally popular ones by id."""
        return np.lexsort((np.arange(len(self.popularity)), -self.popularity)).astype(np.int32)


def collect(
    train: Ratings | None,
    test: Ratings,
    relevance: float,
    *,
    scale: tuple[float, float] | None = None,
    catalogue: Ids | None = None,
    training_items: str = "drop",
) -> TestCollection:
    """The test collection of two parts as they are; their ids need not agree.

    The scale of grades is that of the test ratings unless it is given. A pair in both
    parts stays in training and is no target, unless ``training_items`` are kept.

    >>> train, test = Ratings.from_triples([1], [7]), Ratings.from_triples([1, 1], [7, 8], [5, 4])
    >>> made = collect(train, test, relevance=4)
    >>> made.overlap, made.judgments.ratings.values
    (1, array([4.]))
    """
    test = test.aggregate()
    train = None if train is None else train.aggregate()
    ends = scale or (test.values.min(initial=np.inf), test.values.max(initial=-np.inf))
    train, test = share_ids(train, test, catalogue)
    keeps, overlap = training_items == "keep", 0
    if len(train) and not keeps:
        repeated = in_both(test, train)
        overlap = int(np.count_nonzero(repeated))
        test = test.take(~repeated) if overlap else test
    return TestCollection(
        train,
        judge(test, relevance, ends),
        has_catalogue=bool(len(train)) or catalogue is not None,
        keeps_training=keeps,
        overlap=overlap,
    )


def share_ids(
    train: Ratings | None, test: Ratings, catalogue: Ids | None = None
) -> tuple[Ratings, Ratings]:
    """Both parts under the same ids: the users of both, and all items there are.

    The events of a log stay events.
    """
    known = test.take(np.zeros(0, dtype=np.int64)) if train is None else train
    user_ids, item_ids = known.user_ids.union(test.user_ids), known.item_ids.union(test.item_ids)
    if catalogue is not None:
        item_ids = item_ids.union(catalogue)
    return known.reindex(user_ids, item_ids), test.reindex(user_ids, item_ids)
