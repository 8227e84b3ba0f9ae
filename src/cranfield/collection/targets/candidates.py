"""Which items may be targets: all of them, or those with a test or a training rating."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import option, parameter
from cranfield.collection.items import HeadOf, most_popular
from cranfield.collection.target import Candidates, Mask
from cranfield.collection.test_collection import TestCollection

_WITHOUT = "Share of the most popular items that is left out (−head): the tail alone."
_ONLY = "Share of the most popular items; only these are candidates: the head alone."
_OF = "What a head is a share of: the items, or the ratings (Cremonesi et al. 2010)."


@dataclass(frozen=True, kw_only=True)
class HeadOrTail(Candidates):
    """Candidates with the head of the popularity distribution, without it, or it alone.

    Popularity counts training and test ratings together. The head is at most the share
    given: ⌊share·|I|⌋ of the items that have a rating, or those that together have at most
    share·|R| ratings. bellogin2017 §6.3; short head and long tail of Cremonesi et al. 2010.
    """

    without_head: float = parameter(0.0, _WITHOUT, at_least=0, below=1)
    only_head: float = parameter(0.0, _ONLY, at_least=0, below=1)
    head_of: HeadOf = parameter("items", _OF)

    def __post_init__(self) -> None:
        title = self.option_name  # type: ignore[attr-defined]
        if self.without_head and self.only_head:
            raise OptionError(f"{title}: without_head and only_head exclude each other; give one.")
        if self.head_of != "items" and not (self.without_head or self.only_head):
            raise OptionError(f"{title}, head_of: give the share too, such as without_head=0.33.")

    def part(self, collection: TestCollection) -> Mask:
        """For each item, whether it is in the part of the distribution that counts."""
        share = self.only_head or self.without_head
        head = np.zeros(len(collection.popularity), dtype=bool)
        if share:
            head[most_popular(collection.popularity, share, self.head_of)] = True
        return head if self.only_head else ~head


@option("candidates", "all-items", aliases=("AI",))
@dataclass(frozen=True, kw_only=True)
class AllItems(HeadOrTail):
    """Every item of the collection: C = I.

    bellogin2017 §3.1, AI. Popularity behind head and tail is that of training and test.
    """

    def choose(self, collection: TestCollection) -> Mask:
        """All items of the head, of the tail, or of both."""
        return self.part(collection)


@option("candidates", "test-items", aliases=("TI",))
@dataclass(frozen=True, kw_only=True)
class TestItems(HeadOrTail):
    """Every item that someone rated in the test part: C = ∪ R_test(u).

    bellogin2017 §3.1, TI. Popularity behind head and tail is that of training and test.
    """

    needs_catalogue: ClassVar[bool] = False

    def choose(self, collection: TestCollection) -> Mask:
        """All items with a test rating, of the head, of the tail, or of both."""
        rated: Mask = collection.judgments.ratings.item_counts > 0
        return rated & self.part(collection)


@option("candidates", "train-items")
@dataclass(frozen=True, kw_only=True)
class TrainItems(HeadOrTail):
    """Every item that someone rated in training: C = ∪ R_train(u).

    What a collaborative recommender can know; an item that is rated in test alone is no
    target then. TrainingItems of Bellogín, Castells & Cantador 2011. Popularity behind head
    and tail is that of training and test.
    """

    def choose(self, collection: TestCollection) -> Mask:
        """All items with a training rating, of the head, of the tail, or of both."""
        rated: Mask = collection.train.item_counts > 0
        return rated & self.part(collection)
