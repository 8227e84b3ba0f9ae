"""ItemGroups: which items are compared with which, by popularity or by a label."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts, OptionError, shown
from cranfield.base.options import contract, option, parameter
from cranfield.collection.items import Counts, Floats, ItemFacts
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.runs.run import Run

BY = "Which items are a group: popular and other ones, or those of the same label."
_ALMOST = 1e-9
"""What a product such as 0.29 · 100 may miss a whole number by and still count as one."""


@dataclass(frozen=True, eq=False)
class GroupWeights:
    """How much of each item belongs to each group: a row per item, which sums to 1 or 0."""

    names: tuple[str, ...]
    weights: Floats


@contract("item-groups")
class ItemGroups(Protocol):
    """Which items are compared with which."""

    def of_items(self, items: ItemFacts) -> GroupWeights:
        """The groups, and how much of each item belongs to each of them."""
        ...


@option("item-groups", "popularity")
@dataclass(frozen=True, kw_only=True)
class Popularity(ItemGroups):
    r"""The most popular items and the others: head and tail or, with a tail, three groups.

        head = {i : Σ_{j : n_j > n_i} n_j < head · Σ_j n_j},  n = |R_train|

    From the most popular down, as many items as it takes to have that share of the training
    ratings; with a tail, likewise from the least popular up, and what is between is the
    middle. Equally popular items are in one group. Elliot and WarpRec part ties by the order of
    the file; WarpRec has one item more in the head where the share is met exactly.
    """

    head: float = parameter(
        0.8, "The share of training ratings that the head has.", above=0, below=1
    )
    tail: float | None = parameter(
        None, "The share that the tail has; without it, all other items are the tail.",
        above=0, below=1,
    )  # fmt: skip

    def __post_init__(self) -> None:
        if self.tail is not None and self.head + self.tail >= 1:
            raise OptionError(
                f"popularity: head = {self.head:g} and tail = {self.tail:g} leave nothing between "
                "them. Give shares that sum to less than 1, or no tail."
            )

    def of_items(self, items: ItemFacts) -> GroupWeights:
        """Head and tail, or head, middle and tail."""
        counts, total = items.popularity, int(items.popularity.sum())
        above = total - _up_to(counts)
        is_head = above < self.head * total - _ALMOST
        if self.tail is None:
            return GroupWeights(("head", "tail"), _indicators(np.where(is_head, 0, 1), 2))
        is_tail = (_up_to(counts) - _of_equals(counts) < self.tail * total - _ALMOST) & ~is_head
        places = np.where(is_head, 0, np.where(is_tail, 2, 1))
        return GroupWeights(("head", "middle", "tail"), _indicators(places, 3))


def _up_to(counts: Counts) -> Counts:
    """For each item, the ratings of all items that have at most as many.

    >>> _up_to(np.array([1, 5, 2, 2])).tolist()
    [1, 10, 5, 5]
    """
    ordered = np.sort(counts)
    sums = np.concatenate([[0], np.cumsum(ordered)])
    return np.asarray(sums[np.searchsorted(ordered, counts, side="right")])


def _of_equals(counts: Counts) -> Counts:
    """For each item, the ratings of all items that have just as many."""
    _, places, times = np.unique(counts, return_inverse=True, return_counts=True)
    return np.asarray(counts * times[places.reshape(-1)])


def _indicators(places: npt.NDArray[Any], size: int) -> Floats:
    return np.asarray(np.eye(size)[places])


@option("item-groups", "label")
@dataclass(frozen=True, kw_only=True)
class Label(ItemGroups):
    """Items by a label that they have, such as a genre: a column of the table item_labels.

    An item of several labels, written War|Drama, is shared by them evenly. Items without a
    label are in no group.
    """

    column: str = parameter(text="The column of item_labels that has the labels.")

    def of_items(self, items: ItemFacts) -> GroupWeights:
        """A group for each label."""
        found = items.labels.get(self.column)
        if found is None:
            needed = f"a column of labels called {shown(self.column)}"
            remedy = "a table that has it as item_labels (--item-labels FILE)"
            raise MissingFacts(str(self), needed, remedy)
        return GroupWeights(found.names, found.weights)


def label_column(metric: Any) -> str | None:
    """The column of labels that a metric needs, if it needs one."""
    by = getattr(metric, "by", None)
    return by.column if isinstance(by, Label) else None


def sums_of_items(of_items: Floats, weights: Floats) -> Floats:
    """What all items together have in each group, given what each item has."""
    return np.asarray((of_items[:, None] * weights).sum(axis=0))


def sums_of_lists(run: Run, row_weights: Floats, of_items: Floats) -> Floats:
    """For each list, the weighted sum of what its items have in each group.

    Items that are not the collection's have nothing.
    """
    from scipy.sparse import csr_matrix

    known = run.known
    weights, items = np.where(known, row_weights, 0.0), np.where(known, run.items, 0)
    shape = len(run), len(of_items)
    return np.asarray(csr_matrix((weights, items, run.offsets), shape=shape) @ of_items)


def sums_of_profiles(
    asker: str, items: ItemFacts, users: npt.NDArray[Any], of_items: Floats
) -> Floats:
    """For each of some users, the sum of what their training items have in each group."""
    return np.asarray(pairs_matrix(training_of(asker, items))[users] @ of_items)


def pairs_matrix(pairs: Ratings) -> Any:
    """A sparse matrix of users × items: 1 for every pair."""
    from scipy.sparse import csr_matrix

    shape = pairs.n_users, pairs.n_items
    return csr_matrix((np.ones(len(pairs)), pairs.items, pairs.user_offsets), shape=shape)


def training_of(asker: str, items: ItemFacts) -> Ratings:
    """The training ratings, each pair once; an error that says who needs them."""
    if items.train is None:
        raise MissingFacts(asker, "training ratings", "train")
    return items.train.aggregate()


def shares(sums: Floats) -> Floats:
    """Rows divided by their sums; NaN for a row of zeros."""
    totals = sums.sum(axis=1, keepdims=True)
    found = np.full(sums.shape, np.nan)
    np.divide(sums, totals, out=found, where=totals > 0)
    return found
