"""How many relevant items one ranking holds: all of a user's, or one at a time."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.leakage import in_both
from cranfield.collection.target import Mask, Relevant
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics

Judged = Literal["only-relevant", "all"]
JUDGED = (
    "Which targets count as judged: the relevant one alone, so that judgments of non-relevance "
    "are removed, or all that the user rated in test."
)


@option("relevant", "all-relevant", aliases=("AR",))
@dataclass(frozen=True, kw_only=True)
class AllRelevant(Relevant):
    """One ranking per user, which holds all relevant items: T_u ⊃ PR_test(u).

    bellogin2017 §3.1, AR.
    """

    def choose(self, users: Topics, collection: TestCollection, candidates: Mask) -> Topics:
        """The users themselves."""
        return users


@option("relevant", "one-relevant", aliases=("1R",))
@dataclass(frozen=True, kw_only=True)
class OneRelevant(Relevant):
    """One ranking per relevant item: |T_u^r ∩ PR_test(u)| = 1.

    bellogin2017 §3.1, 1R, after Cremonesi 2010. Scores are averaged over all topics,
    (1/|PR_test|) Σ_u Σ_r; P@n is at most 1/n. Judgments of non-relevance are removed
    (bellogin2017 §7, where bpref is 1 "by construction") unless ``judged=all``.
    """

    judged: Judged = parameter("only-relevant", JUDGED)

    def choose(self, users: Topics, collection: TestCollection, candidates: Mask) -> Topics:
        """A topic for each relevant candidate of each user."""
        return one_each(users, collection, candidates)


@option("relevant", "percentiles", aliases=("P1R",))
@dataclass(frozen=True, kw_only=True)
class Percentiles(Relevant):
    """One ranking per relevant item, among items of its own popularity percentile.

    bellogin2017 §6.1, P1R. The candidates, by popularity, are cut into m equal parts;
    scores are averaged within each part, and the m means are averaged. Popularity counts
    training and test ratings; what is judged is that of 1R.
    """

    m: int = parameter(10, "Number of popularity percentiles, at least 1.", at_least=1)
    judged: Judged = parameter("only-relevant", JUDGED)

    def choose(self, users: Topics, collection: TestCollection, candidates: Mask) -> Topics:
        """A topic for each relevant candidate, with the segment of its item."""
        topics = one_each(users, collection, candidates)
        assert topics.items is not None
        segments = self.segments(collection, candidates)[topics.items]
        order = np.lexsort((topics.items, segments, topics.users))
        return Topics(topics.users[order], topics.items[order], segments[order])

    def segments(self, collection: TestCollection, candidates: Mask) -> npt.NDArray[np.int32]:
        """The percentile of each candidate, 0 for the most popular; −1 for other items."""
        items = collection.by_popularity[candidates[collection.by_popularity]]
        found = np.full(len(candidates), -1, dtype=np.int32)
        found[items] = np.arange(len(items)) * self.m // max(len(items), 1)
        return found


def one_each(users: Topics, collection: TestCollection, candidates: Mask) -> Topics:
    """A topic for each relevant candidate outside training, by user and item."""
    positives = collection.judgments.positives
    enters = np.zeros(positives.n_users, dtype=bool)
    enters[users.users] = True
    kept = enters[positives.users] & candidates[positives.items]
    kept &= ~in_both(positives, collection.excluded)
    return Topics(positives.users[kept], positives.items[kept])
