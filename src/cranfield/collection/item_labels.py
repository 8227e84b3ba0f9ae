"""ItemLabels: what items are labelled with, such as genres, providers or countries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadValue, OptionError
from cranfield.base.ids import Ids

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ItemLabels:
    """How much of each item each label of one column has.

    ``weights`` has a row per item and a column for each of ``names``. A row sums to 1, as an
    item with several labels is shared by them evenly; to 0 for an item without a label.
    """

    column: str
    names: tuple[str, ...]
    weights: Floats

    @property
    def unlabelled(self) -> int:
        """How many items have no label."""
        return int(np.count_nonzero(~self.weights.any(axis=1)))


def label_items(
    column: str, labels: Mapping[Any, Sequence[str]], item_ids: Ids, where: str = "item_labels"
) -> ItemLabels:
    """The labels of the items of a collection; those of other items are passed over.

    A label that no item of the collection has is refused, since nothing can be said of it.

    >>> import polars as pl
    >>> made = label_items("genre", {7: ["war"], 8: ["war", "love"]}, Ids(pl.Series([7, 8, 9])))
    >>> made.names, made.weights.tolist(), made.unlabelled
    (('love', 'war'), [[0.0, 1.0], [0.5, 0.5], [0.0, 0.0]], 1)
    """
    names = tuple(sorted({label for given in labels.values() for label in given}))
    places = {label: place for place, label in enumerate(names)}
    weights = np.zeros((len(item_ids), len(names)))
    for code, given in zip(item_ids.encode(list(labels)), labels.values(), strict=True):
        if code >= 0:
            weights[code, [places[label] for label in given]] = 1
    if not names:
        raise OptionError(f'{where}: no item has a label in column "{column}".')
    if not (used := weights.any(axis=0)).all():
        wanted = "a label of at least one item of the collection. Leave its rows out"
        raise BadValue(where, column, names[int(np.argmin(used))], wanted)
    totals = weights.sum(axis=1, keepdims=True)
    return ItemLabels(column, names, np.divide(weights, totals, out=weights, where=totals > 0))
