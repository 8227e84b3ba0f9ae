"""ItemFacts: what is known of items, for novelty, diversity and exposure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter
from cranfield.base.ids import Codes, Ids
from cranfield.base.ragged import frozen
from cranfield.collection.item_labels import ItemLabels
from cranfield.collection.ratings import Ratings

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
HeadOf = Literal["items", "ratings"]
"""Of what the head of the popularity distribution is a share."""

_ALMOST = 1e-9
"""What a product such as 0.29 · 100 may miss a whole number by and still count as one."""


@dataclass(frozen=True, eq=False)
class ItemFacts:
    """What is known of the items of a collection, each by its code.

    ``popularity`` counts the training ratings of each item, by ``raters`` users in all.
    ``vectors``, one row per item, are of length 1, or 0 for an item without one. ``labels``
    are by the name of their column. ``train`` are the training ratings, where it matters who
    rated what.
    """

    popularity: Counts
    raters: int
    vectors: Floats | None = None
    labels: Mapping[str, ItemLabels] = field(default_factory=dict)
    train: Ratings | None = None

    def __len__(self) -> int:
        return len(self.popularity)

    @cached_property
    def seen(self) -> Floats:
        """p(seen|i): the share of users who rated each item in training."""
        return self.popularity / max(self.raters, 1)

    @cached_property
    def share(self) -> Floats:
        """p(i|seen): the share of each item in all training ratings.

        An item without one counts as if it had one, since nothing is infinitely novel.
        """
        return np.maximum(self.popularity, 1) / max(int(self.popularity.sum()), 1)


def facts_of_items(
    train: Ratings,
    vectors: npt.ArrayLike | None = None,
    labels: Mapping[str, ItemLabels] | None = None,
) -> ItemFacts:
    """The popularity of each item in training and, if given, one vector and the labels of each.

    >>> facts_of_items(Ratings.from_triples([1, 1, 2], [7, 8, 8])).popularity
    array([1, 2])
    """
    given = None if vectors is None else _unit(np.asarray(vectors, np.float64), train.n_items)
    raters = int(np.count_nonzero(train.user_counts))
    return ItemFacts(frozen(train.item_counts), raters, given, labels or {}, train)


def _unit(vectors: Floats, items: int) -> Floats:
    """The vectors, scaled to length 1; rows of zeros stay."""
    if vectors.ndim != 2 or len(vectors) != items or not np.isfinite(vectors).all():
        shape = " × ".join(map(str, vectors.shape))
        wanted = f"one row of finite numbers for each of {items} items"
        raise BadParameter("item facts", "vectors", f"an array of {shape}", wanted)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled = np.zeros(vectors.shape)
    np.divide(vectors, lengths, out=scaled, where=lengths > 0)
    return scaled


def vectors_from_labels(labels: Mapping[Any, Sequence[str]], item_ids: Ids) -> Floats:
    """One vector per item from its labels, such as genres: 1 for each label it has.

    Items that are not listed have no label; listed ids of no item are passed over.

    >>> import polars as pl
    >>> vectors_from_labels({7: ["war"], 8: ["war", "love"]}, Ids(pl.Series([7, 8])))
    array([[0., 1.],
           [1., 1.]])
    """
    names = sorted({label for given in labels.values() for label in given})
    places = {label: place for place, label in enumerate(names)}
    vectors = np.zeros((len(item_ids), len(names)))
    for code, given in zip(item_ids.encode(list(labels)), labels.values(), strict=True):
        if code >= 0:
            vectors[code, [places[label] for label in given]] = 1
    return vectors


def most_popular(counts: Counts, share: float, of: HeadOf = "items") -> Codes:
    """The head: the most popular items, a share of the rated items or of the ratings.

    At most that share, so that not everything is head: ⌊share·|I|⌋ items, or as many as
    together have at most share·|R| ratings. Equally popular ones by id; items without a
    rating are never among them.

    >>> most_popular(np.array([1, 5, 2, 2, 0]), 0.5).tolist()
    [1, 2]
    >>> most_popular(np.array([1, 5, 2, 2, 0]), 0.5, "ratings").tolist()
    [1]
    """
    order = np.argsort(-counts, kind="stable").astype(np.int32)
    if of == "items":
        return order[: int(share * np.count_nonzero(counts) + _ALMOST)]
    reached = np.cumsum(counts[order])
    return order[: int(np.searchsorted(reached, share * counts.sum() + _ALMOST, side="right"))]


def by_quantiles(values: npt.NDArray[Any], parts: int) -> npt.NDArray[np.int32]:
    """A group for each value, from 0 for the lowest, of about equal size.

    Equal values are in one group, that of the middle of their places, so that ids and
    their order decide nothing.

    >>> by_quantiles(np.array([3, 1, 1, 9]), 2)
    array([1, 0, 0, 1], dtype=int32)
    """
    distinct, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    if not len(distinct):
        return np.empty(0, dtype=np.int32)
    middles = np.cumsum(counts) - counts / 2
    return (middles * parts // len(values)).astype(np.int32)[places.ravel()]
